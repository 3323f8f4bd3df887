"""The filter of the sidebar: by name, by choice, by rank, by topic; in the link."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app

CURRENT = "open collection"


def left(app: AppTest) -> ec.Collection:
    """What the pages work on."""
    collection: ec.Collection = app.session_state[CURRENT]
    return collection


def test_a_pattern_in_the_link_keeps_the_systems_it_fits():
    app = open_app(like="bm25*")
    assert left(app).systems == tuple(one for one in ec.load(SAMPLE).systems if one.startswith("bm25"))
    assert not app.exception


def test_several_patterns_add_up():
    app = open_app(like="bm25*, dense*")
    assert {one.split("_")[0] for one in left(app).systems} == {"bm25", "dense"}


def test_the_best_by_the_first_measure():
    app = open_app(best="5")
    means = ec.evaluate("RBP(rho=0.8)", ec.load(SAMPLE)).mean()
    assert set(left(app).systems) == set(means.nlargest(5).index)


def test_topics():
    app = open_app(ontopics=ec.load(SAMPLE).topics[3])
    assert left(app).topics == (ec.load(SAMPLE).topics[3],)
    assert not app.exception


def test_a_pattern_that_fits_nothing_shows_all_and_says_so():
    app = open_app(like="nobody*")
    assert len(left(app).systems) == 32
    assert any("No system fits" in one.value for one in app.warning)


def test_the_filter_is_visible_and_can_be_cleared():
    app = open_app(like="bm25*", best="3")
    assert any("3 of 32 systems" in one.value for one in app.sidebar.caption)
    next(one for one in app.button if one.label == "Clear the filter").click().run()
    assert len(left(app).systems) == 32
