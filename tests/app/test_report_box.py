"""The report: what a page said and was set to goes into it, with a note of one's own."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.figures.report import View


def kept_views(app: AppTest) -> list[View]:
    views: list[View] = app.session_state["kept views of the report"]
    return views


def keep(app: AppTest) -> AppTest:
    return next(one for one in app.button if one.label == "Add this view").click().run()


def test_a_view_says_its_settings_in_words_and_the_headline() -> None:
    app = keep(open_app(rho="0.5", model="step", threshold="2"))
    view = kept_views(app)[0]
    assert view.settings["Persistence ρ"] == "0.5"
    assert view.settings["User model"] == "step"
    assert view.settings["Understandable from"] == "2"
    assert any(line.startswith("First by RBP(rho=0.5): ") for line in view.headline)
    assert any(line.startswith("τ: 0.") for line in view.headline)


def test_a_view_says_its_collection_measures_and_settings_in_its_captions() -> None:
    view = kept_views(keep(open_app("sensitivity", measure="RBP(rho=0.5)", like="bm25*")))[0]
    assert view.about.startswith(
        "Collection: Consumer health (synthetic), 6 systems, 40 topics. Measure: RBP(rho=0.5)."
    )
    assert view.about.endswith("Settings: Systems named bm25*.")


def test_a_note_of_ones_own_goes_with_the_view() -> None:
    app = keep(open_app())
    app.text_area[0].set_value("See how *they* move").run()
    assert kept_views(app)[0].note == "See how *they* move"


def test_what_all_pages_share_is_said_where_it_is_set() -> None:
    assert "Systems named" not in kept_views(keep(open_app()))[0].settings
    assert kept_views(keep(open_app(like="bm25*")))[0].settings["Systems named"] == "bm25*"


def test_a_view_says_whose_labels_were_read() -> None:
    view = kept_views(keep(open_app("sensitivity", measure="RBP(rho=0.5)", source="llm")))[0]
    assert view.about.endswith("Settings: Labels of llm.")


@pytest.mark.parametrize("at", range(3))
def test_a_note_or_a_view_taken_out_leaves_the_other_views(at: int) -> None:
    app = open_app()
    for rho in (0.3, 0.5, 0.7):
        keep(app.slider(key="understandability.rho").set_value(rho).run())
    app.text_area(key=f"note {at} of 3").set_value("mine").run()
    assert [(view.settings["Persistence ρ"], view.note) for view in kept_views(app)] == [
        (said, "mine" if place == at else "") for place, said in enumerate(("0.3", "0.5", "0.7"))
    ]
    app.button(key=f"drop {at}").click().run()
    left = [said for place, said in enumerate(("0.3", "0.5", "0.7")) if place != at]
    assert [view.settings["Persistence ρ"] for view in kept_views(app)] == left
