"""Uploads of files in every form: the app opens them, states how, and keeps the open collection if a file is broken."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from data.forms import (
    METADATA,
    Qrels,
    Run,
    commented_qrels,
    json_dict,
    json_qrels,
    pyterrier_csv,
    pyterrier_qrels,
    trec,
    trec_qrels,
    with_metadata,
)
from streamlit.testing.v1 import AppTest

from app_support import open_app

RUNS: tuple[Run, Run] = (
    {"q1": {"d1": 3.0, "d2": 2.5, "d3": 0.1}, "q2": {"d9": 1.25, "d1": 0.5}},
    {"q1": {"d2": 3.0, "d3": 2.5}, "q2": {"d1": 1.25, "d9": 0.5}},
)
NAMES = ("bm25", "dense")
QRELS: Qrels = {"q1": {"d1": 0, "d2": 2, "d4": 1}, "q2": {"d9": 1, "d1": 0}}


def both(ending: str, write: Callable[..., bytes]) -> dict[str, bytes]:
    return {f"{name}.{ending}": write(run) for name, run in zip(NAMES, RUNS, strict=True)}


# tests/data tests how each format is read; for these formats the page reports more.
KINDS = {
    "ir_metadata and comments": {**both("run", with_metadata), "qrels.txt": commented_qrels(QRELS)},
    "PyTerrier": {**both("csv", pyterrier_csv), "qrels.csv": pyterrier_qrels(QRELS)},
    "dicts": {**both("json", json_dict), "qrels.json": json_qrels(QRELS)},
    "two judges": {**both("run", trec), "qrels.txt": trec_qrels(QRELS), "qrels.umbrela.txt": trec_qrels(QRELS)},
}


def upload(app: AppTest, files: dict[str, bytes]) -> AppTest:
    sent = [(name, content, "text/plain") for name, content in files.items()]
    app.file_uploader(key="upload files").set_value(sent).run()
    return next(button for button in app.button if button.label == "Open").click().run()


def table(app: AppTest, column: str) -> pd.DataFrame:
    """Return the table of the page that has this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


@pytest.fixture(scope="module")
def app() -> AppTest:
    return open_app("collection")


@pytest.mark.parametrize("kind", KINDS)
def test_an_uploaded_file_of_each_format_opens_and_is_reported(kind: str, app: AppTest):
    upload(app, KINDS[kind])
    assert not app.exception
    assert not app.error
    assert list(table(app, "tag").index) == list(NAMES)
    assert list(table(app, "levels").index) == ["relevance"]
    assert set(KINDS[kind]) & set(table(app, "where")["where"])


def test_the_number_of_labels_of_each_source_is_shown(app: AppTest):
    upload(app, KINDS["two judges"])
    count = sum(grade >= 0 for grades in QRELS.values() for grade in grades.values())
    assert table(app, "alike")[["source", "read", "documents", "alike"]].values.tolist() == [
        ["assessors", True, count, count],
        ["umbrela", False, count, count],
    ]


def test_comments_of_files_are_shown_as_written(app: AppTest):
    upload(app, KINDS["ir_metadata and comments"])
    assert "Comment lines of 3 files" in [fold.label for fold in app.expander]
    app.selectbox(key="collection.file").set_value("dense.run").run()
    written = [line.removeprefix("#").removeprefix(" ") for line in METADATA.splitlines()]
    shown = next(code for code in app.code if code.value == "\n".join(written))
    assert shown.language == "yaml"


def test_a_broken_upload_is_explained_and_the_open_data_stay(app: AppTest):
    upload(app, KINDS["dicts"])
    upload(app, {**KINDS["dicts"], "dense.json": b'{"q1": {"d1": 3.0,\n "d2": "high"}}'})
    assert "expected a number for topic 'q1', document 'd2', found 'high'" in app.error[0].value
    assert list(table(app, "tag").index) == list(NAMES)
