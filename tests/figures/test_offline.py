"""Sliders of a file: their places, their weight, and what a report says of those that are left out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.figures.document import Controls, Document, Folded, Item, Rests, Section, cells
from evalcore.figures.path import MOST_BYTES, PLACES, Path, chosen, packed, thinned, within
from evalcore.figures.report import comparison

HOSTILE = "</script><img src=x onerror=alert(1)>\"'"


def heavy(places: int, numbers: int = 1000, start: int = 0) -> Path:
    """Return a slider of so many places that moves so many numbers, 4 bytes each."""

    def draw(at: int) -> dict[str, Any]:
        return {"figures": {"figure": {"data": [{"y": np.full(numbers, at)}]}}}

    return Path("rho", [str(at) for at in range(places)], start, draw).drawn()


def header(frames: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(frames[4 : 4 + int.from_bytes(frames[:4], "little")])
    return found


def test_the_places_that_are_chosen_have_both_ends_and_the_views_own(subtests: pytest.Subtests) -> None:
    for count in [2, 3, 41, 42, 99, 1000]:
        for start in [0, 1]:
            with subtests.test(f"{count}, {start}"):
                places = chosen(count, start)
                assert {0, count - 1, start} <= set(places) <= set(range(count))
                assert places == sorted(places)
                assert len(places) <= PLACES + 2


def test_a_path_of_fewer_places_is_what_was_packed_of_those() -> None:
    rng = np.random.default_rng(0)
    sheets = [{"y": rng.random(3), "text": f"t{at % 2}", "same": 1} for at in range(7)]
    kept = [0, 3, 6]
    assert thinned(packed(range(7), sheets), kept) == packed(range(3), [sheets[at] for at in kept])


def test_a_slider_that_is_too_heavy_has_fewer_places_first_and_then_is_left_out() -> None:
    whole = heavy(41, start=7)
    half = whole.fitting(whole.size * 2 // 3)
    assert (half.texts[0], half.texts[half.start], half.texts[-1]) == ("0", "7", "40")
    assert header(half.frames)["positions"] == list(range(len(half.texts)))
    assert half.size <= whole.size * 2 // 3
    none = whole.fitting(1000)
    assert (none.frames, none.texts) == (b"", ())
    assert none.lacks.startswith("the moving figures need more than")


def test_light_sliders_leave_their_room_to_heavy_ones() -> None:
    light, dense = heavy(3, 1), heavy(41)
    room = light.size + dense.size
    assert [one.texts for one in within([dense, light], room)] == [dense.texts, light.texts]


def test_a_view_with_its_sliders_takes_at_most_its_bytes_and_names_what_is_left_out() -> None:
    figure = Item(go.Figure(go.Scatter(y=[0.0] * 1000)), key="figure")
    html = Document("", [Section("Heavy", [figure], paths=[heavy(41, 200_000), heavy(41, 1)])]).html()
    part = html[html.index('<section class="view') : html.index("</section>")]
    assert len(part.encode()) < MOST_BYTES
    assert "No slider for rho: the moving figures need more than" in part
    assert part.count('<div class="thumb"') == 1


def test_foreign_text_of_a_slider_is_text() -> None:
    path = Path(HOSTILE, [HOSTILE, "b"], 0, lambda at: {"texts": {HOSTILE: [HOSTILE, "b"][at]}})
    html = Document(HOSTILE, [Section("x", [Item("a", key=HOSTILE)], paths=[path])], HOSTILE).html()
    assert "<img" not in html[html.index("</head>") :]


def test_tables_have_heads_rows_and_columns_and_large_numbers_keep_their_digits() -> None:
    frame = pd.DataFrame({"AP": [0.5, np.nan], "n": [1, 2], "sum": [123456.78901, 1.0]}, index=["a", "b"])
    made = cells(frame)
    assert (made["heads"], made["rows"], made["1"]) == (["AP", "n", "sum"], ["a", "b"], ["1", "2"])
    assert made["2"] == ["123456.7890", "1.0000"]


def test_numbers_of_a_table_are_those_that_the_table_shows_at_ties_of_rounding_too() -> None:
    # 0.03125 is a tie that Python rounds to even; 8.00075 in 32 bits is 8.0007496: a browser would show 0.0313, 8.0007.
    ties, large = 0.03125, 8.00075
    made = cells(pd.DataFrame({"AP": [ties, np.inf], "NSM": [large, np.nan]}))
    assert np.float32(made["0"][0]) == np.float32(float(f"{ties:.4f}"))
    assert np.float32(made["1"][0]) == np.float32(float(f"{large:.4f}"))
    assert (made["0"][1], np.isnan(made["1"][1])) == (np.inf, True)


@pytest.mark.slow
def test_the_text_of_a_slider_is_the_value_and_not_another_near_it() -> None:
    sections = comparison([ec.parse("RBP(rho=0.123456789)"), ec.parse("AP")], ec.load(SAMPLE), sliders=True)
    rho = sections[-1].paths[0].drawn()
    assert rho.texts[rho.start] == "0.123456789"


@pytest.mark.slow
def test_each_number_of_the_first_two_measures_is_a_slider_of_what_it_moves() -> None:
    sections = comparison([ec.parse("RBP"), ec.parse("uRBP")], ec.load(SAMPLE), sliders=True)
    moving = [[path for path in section.paths if path.drawn().moves] for section in sections]
    assert [path.label for path in moving[0]][:2] == ["rho of RBP", "rel of RBP"]
    assert {path.label.split()[-1] for path in moving[2]} == {"RBP"}  # ranks by the first measure
    assert all(path.texts[path.start] == "0.8" for path in moving[0] if path.label.startswith("rho"))
    assert all(len(path.texts) <= PLACES + 2 for paths in moving for path in paths)


@pytest.mark.slow
def test_a_slider_passes_by_the_place_where_two_measures_are_one() -> None:
    sections = comparison([ec.parse("RBP(rho=0.5)"), ec.parse("RBP(rho=0.8)")], ec.load(SAMPLE), sliders=True)
    rho = sections[0].paths[0].drawn()
    assert "0.8" not in rho.texts
    assert rho.texts[rho.start] == "0.5"


def test_pages_of_a_folder_share_plotly_and_lead_on() -> None:
    items = [Item("a"), Item(Controls()), Item(Folded("Answer", "<b>"))]
    files = Document("All & more", [Section("One", items, data=Rests("D", {"x": "y"})), Section("Two <")]).pages()
    assert list(files) == ["index.html", "plotly.min.js", "1.html", "2.html"]
    assert '<a href="1.html">One</a>' in files["index.html"]
    assert '<script src="plotly.min.js">' in files["1.html"]
    assert '<a href="2.html">Next</a>' in files["1.html"]
    assert "<summary>Answer</summary>" in files["1.html"]
    assert "&lt;b&gt;" in files["1.html"]
    assert "<h1>2. Two &lt;</h1>" in files["2.html"]
