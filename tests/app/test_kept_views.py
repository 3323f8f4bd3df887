"""The views of a report: their order is the author's, their sliders are drawn beside the pages."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from app_support import open_app
from evalcore import InputError
from evalcore.figures import offline
from evalcore.figures.report import View
from ui.screen.items import Headline, Metric, Screen, Sentence, lines_of
from ui.server.kept import bytes_of
from ui.shell import report_box
from ui.stage import paths
from ui.stage.report_sliders import KeptView, Named, Offer, Work, at_place, begin
from ui.widgets import ranking_table

WORDS = next(key for key, _ in Screen((Sentence(""),)).keyed())


def test_lines_at_a_place_are_worded_as_in_the_report() -> None:
    assert lines_of(at_place(Headline("x"), "**a**  \nb")) == ["a", "b"]
    assert lines_of(at_place(Metric("τ", "0.4"), "0.5\n+0.1")) == ["τ: 0.5 (+0.1)"]


def work(draw: Any, count: int = 30, start: int = 3) -> Work:
    path = paths.Path("rho", range(count), range(count), draw, {})
    offer = Offer("ρ", str, start, path)
    return Work([offer], Named([WORDS], [("", Headline("Fixed"))]), ["w"])


def test_sliders_of_a_view_are_drawn_at_its_place_first_and_pass_by_places_where_nothing_can_be_shown() -> None:
    asked = []

    def draw(value: int) -> list[Screen]:
        asked.append(value)
        if value == 29:
            raise InputError("expected another value")
        return [Screen((Sentence(str(value)),))]

    sliders = work(draw)
    assert (sliders.done, sliders.complete) == (0, False)
    thumb = sliders.thumbs()[0]
    assert (asked[0], sliders.done, sliders.complete) == (3, 30, True)
    assert list(thumb.texts) == [str(at) for at in range(29)]
    assert thumb.texts[thumb.start] == "3"


def test_sliders_of_a_view_that_is_kept_take_no_more_than_was_reserved_for_them() -> None:
    def draw(value: int) -> list[Screen]:
        return [Screen((Sentence(f"{value} " * 40_000),))]

    sliders = work(draw, 29)
    assert bytes_of(View("x")) + offline.MOST_BYTES <= bytes_of(KeptView("x", work=sliders))
    thumbs = sliders.thumbs()
    assert 1 < len(thumbs[0].texts) < 29
    assert sum(map(offline.size, thumbs)) <= offline.MOST_BYTES


def test_a_slider_that_cannot_be_packed_is_left_out_and_the_report_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "thumb", lambda *given: 1 / 0)
    assert work(lambda value: []).thumbs()[0].lacks == "what it moves could not be written"


@pytest.mark.beside
def test_the_end_of_the_server_does_not_wait_for_sliders() -> None:
    begin(KeptView("x", work=work(lambda value: [])))
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "report")
    assert any(thread.name == "report" for thread in threading.enumerate())


def test_a_slider_that_takes_too_long_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 3))
    monkeypatch.setattr("time.thread_time", lambda: float(next(clock)))
    assert work(lambda value: []).thumbs()[0].lacks == "to draw its places takes more than 10 s"


def test_a_title_is_shown_as_it_is() -> None:
    app = open_app("worked_examples")
    next(button for button in app.button if button.label == "Add this view").click().run()
    app.text_input(key="title 0 of 1").set_value("![x](/y.png) $a$ *b*").run()
    assert app.button(key="drop 0").label == r"\!\[x\]\(/y.png\) \$a\$ \*b\*"


def test_views_are_where_they_were_put_whatever_another_tab_took_out_or_added() -> None:
    a, b, c, added = (KeptView(name) for name in "abcd")
    base = [one.mark for one in (a, b, c)]
    assert report_box.in_order([a, b, c], base, ["move:order:3:1"]) == [c, a, b]
    assert report_box.in_order([a, c, added], base, ["move:order:3:1", "move:order:1:2"]) == [a, c, added]


def test_views_are_moved_and_taken_out_with_what_was_typed() -> None:
    app = open_app("worked_examples")
    for at, title in enumerate(("A", "B")):
        next(button for button in app.button if button.label == "Add this view").click().run()
        app.text_input(key=f"title {at} of {at + 1}").set_value(title).run()
    app.session_state["kept views of the report"] = app.session_state["kept views of the report"][::-1]
    app.run()
    assert app.text_input(key="title 0 of 2").value == "B"
    app.text_area(key="note 1 of 2").set_value("said").run()
    app.button(key="drop 0").click().run()
    assert [(one.title, one.note) for one in app.session_state["kept views of the report"]] == [("A", "said")]


def test_rows_to_order_are_known_by_themselves_and_called_by_their_names() -> None:
    rows = ranking_table.rows_to_order("view", ("x", "y"), ["move:order:2:1"], {"x": "Same", "y": "Same"})["rows"]
    assert [(row["id"], row["document"]) for row in rows] == [("y", "Same"), ("x", "Same")]
