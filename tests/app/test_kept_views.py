"""The views of a report: the author sets their order, and their sliders are drawn in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

import evalcore as ec
from app_support import SAMPLE, fresh, metric, open_app, press
from evalcore import InputError
from evalcore.figures.document import Section
from evalcore.figures.path import MOST_BYTES, Path, Sheet
from ui.screen.items import Headline, Item, Metric, in_document
from ui.server.browser_store import bytes_of
from ui.shell import report_box
from ui.stage.report_sliders import Paths, begin
from ui.widgets import ranking_table


def test_a_finding_with_several_lines_is_plain_text_in_a_document() -> None:
    lines: list[Item] = [Headline("**a**  \nb"), Metric("τ", "0.5", "+0.1")]
    assert [in_document(line, "").thing for line in lines] == ["a\nb", "τ: 0.5 (+0.1)"]


def paths(draw: Callable[[int], Sheet | None], count: int = 30, start: int = 3) -> Paths:
    return Paths([Path("ρ", [str(at) for at in range(count)], start, draw)])


def nothing(at: int) -> Sheet:
    return {"texts": {}}


def test_sliders_are_drawn_at_the_current_value_first_and_skip_empty_values() -> None:
    asked = []

    def draw(at: int) -> Sheet:
        asked.append(at)
        if at == 29:
            raise InputError("expected another value")
        return {"texts": {"said": str(at)}}

    sliders = paths(draw)
    assert (sliders.done, sliders.of) == (0, 30)
    sliders.finish()
    assert (asked[0], sliders.done) == (3, 30)
    assert list(sliders[0].texts) == [str(at) for at in range(29)]
    assert sliders[0].texts[sliders[0].start] == "3"


def test_sliders_of_a_kept_view_stay_within_their_memory() -> None:
    sliders = paths(lambda at: {"texts": {"said": f"{at} " * 40_000}}, 29)
    assert bytes_of(Section("x")) + MOST_BYTES <= bytes_of(Section("x", paths=sliders))
    sliders.finish()
    assert 1 < len(sliders[0].texts) < 29
    assert sum(path.size for path in sliders) <= MOST_BYTES


def test_a_slider_that_cannot_be_stored_is_left_out_of_the_report() -> None:
    broken = paths(nothing)
    broken[0].texts = ()  # which knows fewer places than it draws
    broken.finish()
    assert broken[0].lacks == "its positions could not be drawn"


@pytest.mark.parametrize(
    ("page", "name", "link"),
    [
        ("understandability", "rho", {}),
        pytest.param("correlations", "at", {"vary": "RBP(rho=0.8)"}, marks=pytest.mark.slow),
    ],
)
def test_a_kept_screen_moves_to_the_same_content_as_a_new_one(page: str, name: str, link: dict[str, str]) -> None:
    def kept(**more: object) -> Section:
        app = open_app(page, doubt="false", **link, **more)
        next(button for button in app.button if button.label == "Keep this view").click().run()
        section: Section = app.session_state["kept report"].sections[0]
        return section

    here = kept()
    path = here.paths[0]
    at = (path.start + len(path.texts) // 2) % len(path.texts)
    assert path.draw
    sheet = path.draw(at)
    assert sheet is not None
    there = kept(**{name: path.texts[at]}).sheet()
    assert set(sheet["texts"].items()) <= set(there["texts"].items())
    assert set(sheet["texts"].values()) - set(here.sheet()["texts"].values())
    assert set(sheet["figures"]) <= set(there["figures"])
    for key, table in sheet["tables"].items():
        assert (table["heads"], table["rows"]) == (there["tables"][key]["heads"], there["tables"][key]["rows"])


@pytest.mark.beside
def test_the_end_of_the_server_does_not_wait_for_sliders() -> None:
    sliders = paths(nothing)
    begin(sliders)
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "report")
    assert any(thread.name == "report" for thread in threading.enumerate())


def test_a_slider_that_takes_too_long_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 3))
    monkeypatch.setattr("time.thread_time", lambda: float(next(clock)))
    sliders = paths(nothing)
    sliders.finish()
    assert sliders[0].lacks == "drawing its values needs more than 10 s"


def test_a_title_is_shown_as_it_is() -> None:
    app = open_app("worked_examples")
    next(button for button in app.button if button.label == "Keep this view").click().run()
    app.text_input(key="title 0 of 1").set_value("![x](/y.png) $a$ *b*").run()
    assert app.button(key="drop 0").label == r"\!\[x\]\(/y.png\) \$a\$ \*b\*"


def test_the_order_of_views_survives_changes_in_another_tab() -> None:
    a, b, c, added = (Section(name) for name in "abcd")
    base = [one.mark for one in (a, b, c)]
    assert report_box.in_order([a, b, c], base, ["move:order:3:1"]) == [c, a, b]
    assert report_box.in_order([a, c, added], base, ["move:order:3:1", "move:order:1:2"]) == [a, c, added]


def test_views_are_moved_and_removed_with_their_notes() -> None:
    app = open_app("worked_examples")
    for at, title in enumerate(("A", "B")):
        next(button for button in app.button if button.label == "Keep this view").click().run()
        app.text_input(key=f"title {at} of {at + 1}").set_value(title).run()
    report = app.session_state["kept report"]
    app.session_state["kept report"] = replace(report, sections=report.sections[::-1])
    app.run()
    assert app.text_input(key="title 0 of 2").value == "B"
    app.text_area(key="note 1 of 2").set_value("said").run()
    app.button(key="drop 0").click().run()
    assert [(one.title, one.note) for one in app.session_state["kept report"].sections] == [("A", "said")]


def test_kept_views_are_compared_by_their_last_measure() -> None:
    app = open_app("topic", measure="AP")
    for measure in ("AP", "P@5"):
        app.selectbox(key="topic.measure").set_value(measure).run()
        assert not [one for one in app.get("page_link") if one.proto.label == "Compare the kept measures"]
        press(app, "Keep this view")
    link = next(one.proto for one in app.get("page_link") if one.proto.label == "Compare the kept measures")
    there = fresh("correlations", parse_qs(link.query_string))
    assert not there.warning
    means = [ec.evaluate(text, ec.load(SAMPLE)).mean() for text in ("AP", "P@5")]
    assert metric(there, "τ_b") == f"{ec.tau(*means):.3f}"


def test_rows_of_the_list_keep_their_identity_when_moved() -> None:
    rows = ranking_table.rows_to_order("view", ("x", "y"), ["move:order:2:1"], {"x": "Same", "y": "Same"})["rows"]
    assert [(row["id"], row["document"]) for row in rows] == [("y", "Same"), ("x", "Same")]
