"""The page Sensitivity, run without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, metric, open_app
from evalcore.sensitivity import importance, parameters_of, sample, trajectory
from ui.sensitivity.controls import counterpart, default_text, usual

VIEWS = ("One parameter", "Two parameters", "Any number", "Motion", "Topics")
BEGUN_WITH = "uRBP1(rho=0.8, threshold=15)"


def open_page(**link: object) -> AppTest:
    return open_app("sensitivity", **link)


@pytest.fixture(scope="module")
def collection() -> ec.Collection:
    return ec.load(SAMPLE)


def test_opens_on_a_finished_picture_of_the_sample(collection: ec.Collection) -> None:
    app = open_page()
    assert not app.exception
    assert app.title[0].value == "Does the winner depend on the setting?"
    assert app.selectbox(key="sensitivity.measure").value == BEGUN_WITH
    assert app.selectbox(key="sensitivity.path").value == "threshold"


def test_the_numbers_are_those_of_the_library(collection: ec.Collection) -> None:
    app = open_page(measure="uRBPgr(rho=0.8)", path="rho")
    parameter = next(one for one in parameters_of("uRBPgr(rho=0.8)", collection) if one.path == "rho")
    found = trajectory("uRBPgr(rho=0.8)", "rho", parameter.round_values(100), collection)
    assert metric(app, "winner changes") == str(len(found.changes))
    assert metric(app, "lowest τ") == f"{found.tau.min():.3f}"
    shown = next(frame.value for frame in app.dataframe if "τ" in frame.value)
    assert shown["τ"].tolist() == pytest.approx(found.tau.tolist())


def test_a_sample_of_settings_and_the_importance_are_those_of_the_library(collection: ec.Collection) -> None:
    app = open_page(look="Any number", count="200")
    varied = parameters_of(BEGUN_WITH, collection)
    varied = [one for one in varied if one.path in {two.path for two in usual(varied)[:5]}]
    table = sample(BEGUN_WITH, varied, collection, count=200).table()
    shares = importance(BEGUN_WITH, varied, collection, points=32).table
    shown = [frame.value for frame in app.dataframe]
    assert any(frame.equals(table) for frame in shown)
    assert any(list(frame.index) == list(shares.index) and frame.equals(shares) for frame in shown)


def test_a_narrower_range_is_used() -> None:
    whole = open_page(look="Any number", count="200", many=["rho"])
    narrow = open_page(look="Any number", count="200", many=["rho"], ranges=["rho:0.8 to 0.81"])
    before, after = (app.dataframe[-1].value for app in (whole, narrow))
    assert not narrow.exception
    assert (after["rank high"] - after["rank low"]).sum() < (before["rank high"] - before["rank low"]).sum()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "measure",
    [
        "RBP(rho=0.8)",
        "nDCG@10",
        "P@10",
        "uRBPgr(rho=0.8)",
        "Rprec",
        'CAM(nDCG@10, aspects=["relevance", "credibility"])',
        'TOMA(nDCG@10, aspects=["relevance", "credibility"], distance=Euclidean)',
        'Product(nDCG, gains={"relevance": Share, "fog": Arctan})',
    ],
)
def test_every_view_of_every_kind_of_measure(view: str, measure: str) -> None:
    app = open_page(look=view, measure=measure, fineness="coarse", count="200")
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("view", ["Leave one out", "Between two measures", "Two systems"])
def test_every_question_about_topics(view: str, collection: ec.Collection) -> None:
    app = open_page(look="Topics", question=view)
    assert not app.exception
    assert not app.error
    assert len(app.dataframe[0].value) == len(collection.topics)


def run_of(*documents: str) -> bytes:
    return "\n".join(f"{t} Q0 {d} {k} {-k} tag" for t in ("q1", "q2") for k, d in enumerate(documents)).encode()


def with_files(app: AppTest, files: dict[str, bytes]) -> AppTest:
    app.file_uploader(key="upload files").set_value([(name, text, "text/plain") for name, text in files.items()]).run()
    return next(button for button in app.button if button.label == "Open").click().run()


QRELS = {"qrels.txt": b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"}


def test_a_measure_without_numbers_is_explained() -> None:
    app = with_files(open_page(measure="Bpref"), {"x.run": run_of("a", "b"), "y.run": run_of("b", "a"), **QRELS})
    assert not app.exception
    assert "has no number that can be varied" in app.info[0].value


def test_one_run_alone_is_explained() -> None:
    app = with_files(open_page(), {"x.run": run_of("a", "b"), **QRELS})
    assert not app.exception
    assert "1 system and 2 topics" in app.info[0].value


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("look", "everything", "one of One parameter"),
        ("path", "phi", "one of rho, rel, threshold, cutoff"),
        ("count", "7", "one of 200"),
        ("seed", "-1", "a whole number from 0 to 20"),
        ("ranges", "rho:7", "two numbers from 0.01 to 0.99"),
        ("measure", "Blub(3)", "found Blub"),
    ],
)
def test_a_bad_value_in_a_link_falls_back_with_a_message(key: str, value: str, says: str) -> None:
    view = "Any number" if key in ("count", "seed", "ranges") else "One parameter"
    app = open_page(**{"look": view, key: value})
    assert not app.exception
    assert any(says in one.value for one in app.warning)


def test_a_measure_that_the_collection_cannot_answer_gives_way_with_its_message() -> None:
    app = open_page(measure='RBP(aspect="colour")')
    assert not app.exception
    assert "colour" in app.warning[0].value
    assert app.selectbox(key="sensitivity.measure").value == BEGUN_WITH


def test_the_measure_to_begin_with_has_something_to_move(collection: ec.Collection) -> None:
    assert default_text(collection) == BEGUN_WITH
    assert [one.path for one in usual(parameters_of(BEGUN_WITH, collection))] == ["threshold", "rho", "cutoff", "rel"]


@pytest.mark.parametrize(
    ("measure", "single"),
    [
        ("uRBPgr(rho=0.5, rel=2)", "RBP(rho=0.5, rel=2)"),
        ("uRBP@10", "RBP(rho=0.8)@10"),
        ("CAM(AP)", "AP"),
        ("TOMA(nDCG@5)", "nDCG@5"),
        ("Product(ERR)", "ERR"),
        ("AP", "None"),
    ],
)
def test_the_measure_of_one_aspect_alone(measure: str, single: str) -> None:
    assert str(counterpart(ec.parse(measure))) == single


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("measure", [BEGUN_WITH, "CAM(nDCG@10)"])
def test_the_code_beside_a_view_runs(view: str, measure: str) -> None:
    app = open_page(look=view, measure=measure, fineness="coarse", count="200")
    names: dict[str, Any] = {}
    exec(next(one.value for one in reversed(app.code) if "ec.load(" in one.value), names)
    if view == "Any number":
        assert any(frame.value.equals(names["table"]) for frame in app.dataframe)
        assert any(frame.value.equals(names["indices"]) for frame in app.dataframe)
    if view == "One parameter":
        assert metric(app, "winner changes") == str(len(names["found"].changes))
    if view == "Two parameters":
        assert metric(app, "winners") == str((names["maps"].shares() > 0).sum())
