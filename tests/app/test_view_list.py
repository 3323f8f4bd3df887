"""The presenter's list: its file brings back what was kept, its order is the author's, its sliders are drawn beside."""

from __future__ import annotations

import base64
import json
import threading
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from app_support import open_app
from evalcore import InputError
from evalcore.figures import offline
from evalcore.figures.report import Formula, Heading, Rests, View
from ui.screen.items import Headline, Metric, Screen, Sentence, lines_of
from ui.server.kept import bytes_of
from ui.shell import report_box
from ui.stage import paths, view_list
from ui.stage.report_sliders import KeptView, Named, Offer, Work, at_place, begin

WORDS = next(key for key, _ in Screen((Sentence(""),)).keyed())
SHEETS = [{"texts": {"0": "a"}}, {"texts": {"0": "b"}}]
FIGURE = go.Figure(go.Scatter(x=np.array([0.1, 0.2]), y=[1, None]))
TABLE = pd.DataFrame({"AP": [1 / 3, np.nan], "n": [1, 2]}, index=["01", "b"])
VIEW = View(
    "Title",
    {"ρ": "0.5"},
    link="/understandability?understandability.rho=0.5",
    shown=[("A", FIGURE), ("B", TABLE), ("", "words"), ("", Formula(r"\rho")), ("", Heading("H"))],
    headline=["First: a"],
    note="note",
    about="Collection: x.",
    data=Rests("D", {"Fingerprint": "f"}),
    caption="mine",
    sliders=[offline.thumb("ρ", ["0.5", "0.8"], 1, SHEETS)],
)


def test_a_list_brings_back_all_of_its_views() -> None:
    text = view_list.write([VIEW, View("Two")])
    found, other = view_list.read(text.encode(), "list.json")
    assert view_list.write([found, other]) == text
    assert (found.title, found.caption, found.note, found.headline) == ("Title", "mine", "note", ["First: a"])
    figure = found.shown[0][1]
    assert isinstance(figure, go.Figure)
    assert list(figure.data[0].y) == [1, None]
    pd.testing.assert_frame_equal(found.shown[1][1], TABLE)  # type: ignore[arg-type]
    assert found.sliders[0].frames == VIEW.sliders[0].frames


def test_a_table_comes_back_with_its_infinite_numbers_and_the_names_of_its_axes() -> None:
    one = pd.DataFrame({"effort": [np.inf, -np.inf, np.nan, 0.1]}, pd.Index(list("abcd"), name="system"))
    two = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))
    found = view_list.read(view_list.write([View("x", shown=[("", one), ("", two)])]).encode(), "list.json")[0]
    for at, table in enumerate((one, two)):
        pd.testing.assert_frame_equal(found.shown[at][1], table)  # type: ignore[arg-type]


def packed_by_hand(tracks: Any) -> list[dict[str, Any]]:
    text = json.dumps({"positions": [0, 1], "tracks": tracks}).encode()
    frames = base64.b64encode(len(text).to_bytes(4, "little") + text).decode()
    return [{"label": "x", "texts": ["1", "2"], "start": 0, "lacks": "", "stays": [], "frames": frames}]


@pytest.mark.parametrize(
    "tracks",
    [
        None,
        [{"keys": ["figures", "0", "__proto__", "x"], "values": [1, 2], "at": [0, 1]}],  # of every object of a page
        [{"keys": ["__proto__", "x"], "values": [1, 2], "at": [0, 1]}],
        [{"keys": ["texts", "0"], "values": ["a"], "at": [0, 1]}],
        [{"keys": ["texts", "0"], "values": [1, 2], "at": [0, 1]}],
        [{"keys": ["figures", "0", "data", 0, "y"], "from": 0, "length": 99}],
    ],
)
def test_frames_that_a_page_could_not_move_by_are_refused(tracks: Any) -> None:
    with pytest.raises(InputError, match="expected views as a list has them, found"):
        view_list.read(changed(sliders=packed_by_hand(tracks)), "list.json")


@pytest.mark.parametrize("number", [10**20, -(2**63) - 1, 10**4000])
@pytest.mark.parametrize("kind", ["figure", "table", "index"])
def test_a_whole_number_that_nothing_could_be_written_with_is_refused_by_its_place(kind: str, number: int) -> None:
    content = json.loads(view_list.write([VIEW]))
    places = {"figure": (0, "data", 0, "y", 0), "table": (1, "data", 0, 1), "index": (1, "index", 0)}
    shown, *keys, last = places[kind]
    inner = content["views"][0]["shown"][shown][2]
    for key in keys:
        inner = inner[key]
    inner[last] = number
    with pytest.raises(
        InputError, match=rf"^list\.json, views\[0\]\.shown\[{shown}\]\[2\].*: expected a whole number below"
    ):
        view_list.read(json.dumps(content).encode(), "list.json")


def test_a_title_is_one_short_line() -> None:
    assert view_list.read(changed(title="a\n b" + "c" * 1000), "x")[0].title == ("a b" + "c" * 1000)[:200]
    assert view_list.read(changed(title=" "), "x")[0].title == "Untitled"


def changed(**parts: Any) -> bytes:
    listed = json.loads(view_list.write([VIEW]))
    listed["views"][0] |= parts
    return json.dumps(listed).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"views": []}',
        b'{"views": [1]}',
        changed(title=1),
        changed(shown=[["a", "figure", {"data": [{"type": "no such"}]}]]),
        changed(shown=[["a", "strange", "x"]]),
        changed(sliders=[{"label": "x", "texts": ["1"], "start": 0, "lacks": "", "stays": [], "frames": "AAAA"}]),
        changed(told=[]),
        changed(title="\ud800"),  # no file can hold it
        changed(shown=[["a", "figure", {"layout": {"title": {"text": "\ud800"}}}]]),
        changed(shown=[["a", "table", {"data": [[10**400]], "index": ["a"], "columns": ["b"]}]]),
        changed(
            sliders=[{"label": "x", "texts": ["1"], "start": float("inf"), "lacks": "", "stays": [], "frames": "AAAA"}]
        ),
        changed(note=[[]] * 3),
    ],
)
def test_what_is_no_list_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="expected"):
        view_list.read(content, "list.json")


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


def test_views_are_moved_repeated_and_taken_out_with_what_was_typed() -> None:
    app = open_app("worked_examples")
    for at, title in enumerate(("A", "B")):
        next(button for button in app.button if button.label == "Add this view").click().run()
        app.text_input(key=f"title {at} of {at + 1}").set_value(title).run()
    app.session_state["kept views of the report"] = app.session_state["kept views of the report"][::-1]
    app.run()
    assert app.text_input(key="title 0 of 2").value == "B"
    app.text_area(key="caption 1 of 2").set_value("said").run()
    app.button(key="Once more 1").click().run()
    assert [(one.title, one.caption) for one in app.session_state["kept views of the report"]] == [
        ("B", ""),
        ("A", "said"),
        ("A", "said"),
    ]
