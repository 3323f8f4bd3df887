"""The page Topic: one topic rank by rank, the map of all, the way from a cell to its reason."""

from __future__ import annotations

import pytest

import evalcore as ec
from app_support import SAMPLE, metric, open_app

MAP, DIFFERENCE = "All topics and systems", "Difference of two measures"


def test_it_opens_on_the_two_best_systems():
    app = open_app("topic")
    frame = ec.evaluate("RBP(rho=0.8)", ec.load(SAMPLE))
    topic = app.selectbox(key="topic").value
    for system in frame.mean().nlargest(2).index:
        assert metric(app, system.replace("_", "\\_")) == f"{frame[system][topic]:.4f}"


def test_topics_come_by_how_much_systems_differ():
    app = open_app("topic", why="AP")
    spread = ec.evaluate("AP", ec.load(SAMPLE)).std(axis=1, ddof=0)
    assert app.selectbox(key="topic").value == spread.idxmax()


@pytest.mark.parametrize("measure", ["AP", "ERR", "CAM(nDCG)", "MM(nDCG)", "Bpref", "uRBP1(threshold=15)"])
def test_every_kind_of_measure(measure):
    app = open_app("topic", why=measure, pair=["bm25_rm3", "dense_base", "plain_fog"], depth="50")
    assert not app.exception


def test_a_measure_that_is_no_sum_says_so():
    app = open_app("topic", why="MM(nDCG)")
    assert any("is no sum over ranks" in one.value for one in app.caption)


@pytest.mark.parametrize("view", [MAP, DIFFERENCE])
def test_maps(view):
    app = open_app("topic", whyview=view)
    assert not app.exception
    assert app.dataframe[0].value.shape == (40, 32)


def test_a_measure_that_does_not_fit_is_an_error_not_a_crash():
    app = open_app("topic", why='RBP(aspect="beauty")')
    assert any("beauty" in one.value for one in app.error)
    assert not app.exception
