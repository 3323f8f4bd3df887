"""The choice of the source of labels that every page reads: next to the filter, in the link, in Python code."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, address_of, metric, move_to, open_app
from evalcore.structures.sources import Sources
from ui.data.filter import AS_GIVEN, Filter, judged_by
from ui.widgets.fields import Choice

LABELLED = 10  # topics in which the model of the collection below labelled documents


def left(app: AppTest) -> ec.Collection:
    """Return the collection that the pages work on."""
    collection: ec.Collection = app.session_state["open collection"]
    return collection


def labels_of(app: AppTest) -> list:
    return [selectbox for selectbox in app.selectbox if selectbox.label == "Labels of"]


def sidebar_text(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.sidebar.caption)


@pytest.fixture(scope="module")
def partly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sample data with a model's labels on only the first topics."""
    folder = tmp_path_factory.mktemp("partly") / "partly"
    shutil.copytree(SAMPLE, folder)
    place, first = folder / "qrels.llm.txt", set(ec.load(SAMPLE).topics[:LABELLED])
    lines = place.read_text().splitlines(keepends=True)
    place.write_text("".join(line for line in lines if line.split()[0] in first))
    return folder


@pytest.fixture
def started(partly: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start the app as with `--data partly`."""
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(partly)])
    return partly


def test_the_default_source_of_the_collection_comes_first():
    app = open_app()
    (control,) = labels_of(app)
    assert control.options == ["assessors", "llm", "majority", "median", "mean", "union", "agreed"]
    assert control.value == "assessors"
    assert left(app).source == ""
    assert "source" not in address_of(app)
    assert "labels of" not in sidebar_text(app)


def test_another_source_gives_the_same_scores_as_python():
    """Compare the score of one system on one topic, on the page Topic and in Python."""
    asked = {"measure": "RBP(rho=0.8)", "topic": "q05", "compared": "bm25_tuned"}
    found = [metric(open_app("topic", **asked, **more), "bm25\\_tuned") for more in ({}, {"source": "llm"})]
    judged = [ec.load(SAMPLE), ec.judged_by(ec.load(SAMPLE), "llm")]
    expected = [ec.evaluate("RBP(rho=0.8)", one)["bm25_tuned"]["q05"] for one in judged]
    assert found == [f"{score:.4f}" for score in expected]
    assert found[0] != found[1]


def test_the_source_is_chosen_in_the_sidebar_and_kept_in_the_link_of_every_page():
    app = open_app()
    labels_of(app)[0].set_value("majority").run()
    assert address_of(app)["source"] == ["majority"]
    move_to(app, "measures")
    assert labels_of(app)[0].value == "majority"
    pool = ec.load(SAMPLE).assessments.judged_by("majority")
    pd.testing.assert_frame_equal(left(app).assessments.frame(), pool.frame())


def test_topics_without_labels_of_the_source_are_left_out_and_counted(started):
    app = open_app(data="partly", source="llm", like="bm25*")
    whole = ec.load(started)
    assert left(app).topics == whole.topics[:LABELLED]
    assert f"**labels of llm; {LABELLED} of {len(whole.topics)} topics**" in sidebar_text(app)
    assert set(left(app).systems) == {system for system in whole.systems if system.startswith("bm25")}


def test_a_source_without_labels_on_the_chosen_topics_shows_its_other_topics(started):
    last = ec.load(started).topics[-1]
    app = open_app(data="partly", source="llm", ontopics=last)
    assert len(left(app).topics) == LABELLED
    assert any("llm labelled no documents for the chosen topics" in warning.value for warning in app.warning)


def test_where_aspects_have_other_defaults_the_first_choice_is_the_collections():
    """Choosing one aspect's default judge for all aspects differs from choosing no judge."""
    pool, second = ec.load(SAMPLE).assessments, {"understandability": "judges"}
    labels = {name: pool.columns[name] for name in second}
    sources = {**pool.sources, **{name: Sources({who: labels[name]}, who) for name, who in second.items()}}
    collection = replace(ec.load(SAMPLE), assessments=replace(pool, sources=sources))
    field = Filter.read(collection, {}).field("source")
    assert collection.default_source == ""
    assert isinstance(field, Choice)
    assert list(field.options)[:3] == [AS_GIVEN, "assessors", "llm"]
    assert judged_by(collection, AS_GIVEN) is collection
