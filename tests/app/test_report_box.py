"""The report: it keeps what a page showed, its settings, and the author's note."""

from __future__ import annotations

from urllib.parse import parse_qs

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.figures.document import Latex, Rests, Section


def kept_views(app: AppTest) -> list[Section]:
    return list(app.session_state["kept report"].sections)


def keep(app: AppTest) -> AppTest:
    return next(button for button in app.button if button.label == "Keep this view").click().run()


def test_a_view_has_its_settings_in_words_and_the_headline() -> None:
    app = keep(open_app(rho="0.5", model="step", threshold="2"))
    view = kept_views(app)[0]
    assert view.settings["Persistence ρ"] == "0.5"
    assert view.settings["User model"] == "step"
    assert view.settings["Understandable from"] == "2"
    assert any(line.startswith("Under RBP, ") for line in view.headline.values())
    assert any(line.startswith("τ: 0.") for line in view.headline.values())


def test_a_view_names_its_collection_measures_and_settings_in_its_captions() -> None:
    view = kept_views(keep(open_app("sensitivity", measure="RBP(rho=0.5)", like="bm25*")))[0]
    assert view.about.startswith("Collection: Consumer health (synthetic), 6 systems, 40 topics, fingerprint ")
    measures = "Measures: RBP(rho=0.8), RBP(rho=0.5)"
    assert f". {measures}. Settings: Systems named bm25*. At their default: Parameter rho;" in view.about


@pytest.mark.slow
@pytest.mark.parametrize("at", range(3))
def test_removing_a_note_or_a_view_keeps_the_other_views(at: int) -> None:
    app = open_app()
    for rho in (0.3, 0.5, 0.7):
        keep(app.slider(key="understandability.rho").set_value(rho).run())
    app.text_area(key=f"note {at} of 3").set_value("mine").run()
    assert [(view.settings["Persistence ρ"], view.note) for view in kept_views(app)] == [
        (value, "mine" if place == at else "") for place, value in enumerate(("0.3", "0.5", "0.7"))
    ]
    app.button(key=f"drop {at}").click().run()
    left = [value for place, value in enumerate(("0.3", "0.5", "0.7")) if place != at]
    assert [view.settings["Persistence ρ"] for view in kept_views(app)] == left


def kept_from(page: str, **link: object) -> Section:
    return kept_views(keep(open_app(page, **link)))[0]


def test_a_view_names_the_data_that_it_works_on_and_not_what_is_open() -> None:
    view = kept_from("guided_path", step="Reader", data="focused sample")
    assert view.data
    assert view.data.title == "Consumer health (synthetic)"
    assert view.about.startswith("Collection: Consumer health (synthetic), 32 systems")


def test_a_worked_example_is_stored_completely_without_data() -> None:
    view = kept_from("worked_examples")
    items = [item.thing for item in view.items]
    assert view.data == Rests()
    assert "Collection" not in view.about
    assert any(isinstance(item, Latex) and r"\mathrm{TOMA}" in item.latex for item in items)
    assert any(isinstance(item, str) and "(5 + 7/log2(3) + 3/2)" in item for item in items)
    assert len([item for item in items if isinstance(item, pd.DataFrame)]) == 2  # rank by rank, and the labels


def test_a_view_opens_again_by_its_path_and_settings() -> None:
    link = kept_from("sensitivity", measure="RBP(rho=0.5)", like="a&b", present="true").link
    path, _, query = link.partition("?")
    assert path == "/tune"
    assert "sensitivity.measure=RBP(rho=0.5)" in query
    assert parse_qs(query)["like"] == ["a&b"]
    assert "present" not in query


def test_typed_titles_and_introductions_are_kept() -> None:
    app = keep(open_app())
    app.text_input(key="title 0 of 1").set_value("Ours").run()
    app.text_input(key="name of the report").set_value("A lab report").run()
    app.text_area(key="introduction of the report").set_value("We asked.").run()
    assert kept_views(app)[0].title == "Ours"
    report = app.session_state["kept report"]
    assert (report.title, report.introduction) == ("A lab report", "We asked.")
    app.text_input(key="title 0 of 1").set_value(" ").run()
    assert kept_views(app)[0].title == "Ours"
