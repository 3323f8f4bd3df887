"""The page Aspect weights, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app


def open_page(**link: object) -> AppTest:
    return open_app("aspect_weights", **link)


@pytest.fixture(scope="module")
def sample() -> ec.Collection:
    return ec.load(SAMPLE)


def winner(app: AppTest) -> str:
    return next(one.value for one in app.markdown if one.value.startswith("First: "))


def test_the_winner_is_the_librarys(sample: ec.Collection) -> None:
    app = open_page(mean="MM")
    text = 'MM(nDCG, aspects=["relevance", "understandability", "credibility"])'
    means = ec.evaluate(text, sample).mean()
    assert not app.exception
    assert f"{means.max():.4f}" in winner(app)
    assert str(means.idxmax()).replace("_", "\\_") in winner(app)


def test_a_weight_moves_the_winner() -> None:
    app = open_page()
    before = winner(app)
    app.slider(key="w0").set_value(0.0)
    app.slider(key="w2").set_value(0.0).run()
    assert winner(app) != before


@pytest.mark.parametrize("view", ["Scatter", "Leaderboard", "Zeros", "Upper bounds"])
@pytest.mark.parametrize("base", ["nDCG", "AP", "RBP(rho=0.8)", "ERR@20"])
def test_every_view_with_every_kind_of_base(view: str, base: str) -> None:
    app = open_page(view2=view, base=base)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("aspects", [["relevance", "fog"], ["relevance", "credibility"], ["credibility"], []])
def test_any_choice_of_aspects(aspects: list[str]) -> None:
    assert not open_page(aspects=aspects).exception


def test_all_weights_at_0_are_explained() -> None:
    app = open_page(w0="0", w1="0", w2="0")
    assert not app.exception
    assert any("equal weights are used" in one.value for one in app.caption)
