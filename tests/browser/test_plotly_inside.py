"""Internals of plotly.js that plotly_inside.js uses: if a version lacks one, these tests fail.

The installed plotly.js draws on an empty page; the values read from its figures must be those that were drawn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import plotly
import pytest
from playwright.sync_api import Browser, Page

from evalcore.figures import draw, plotly_script
from evalcore.figures.scripts import FOLLOWING, joined

pytestmark = pytest.mark.slow

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
NAMES = re.findall(r"^export const (\w+)", (FOLLOWING / "plotly_inside.js").read_text(encoding="utf-8"), re.MULTILINE)
MARGIN = {"l": 50, "r": 50, "t": 40, "b": 60}
SIZE = {"width": 500, "height": 400, "margin": MARGIN, "showlegend": True}
PLANE: dict[str, Any] = {
    "data": [
        {"name": "A", "x": [1, 2, 4], "y": [3, 6, 9], "mode": "lines+markers+text", "text": ["a", "b", "c"]},
        {"name": "B", "type": "bar", "x": [1, 2], "y": [5, 7]},
    ],
    "layout": {
        **SIZE,
        "barmode": "stack",
        "xaxis": {"range": [0, 8], "title": {"text": "rho"}},
        "yaxis": {"range": [0, 10], "tickvals": [2, 4], "ticktext": ["two<br>lines", "four<br>lines"]},
        "annotations": [{"x": 2, "y": 6, "text": "here", "showarrow": True, "ax": 30, "ay": -20}],
        "shapes": [{"type": "line", "x0": 2, "x1": 4, "y0": 5, "y1": 10}],
    },
    "config": {"displaylogo": False},
}
TRIANGLE: dict[str, Any] = {
    "data": [{"type": "scatterternary", "a": [1, 0], "b": [0, 1], "c": [0, 0], "mode": "markers"}],
    "layout": {**SIZE, "ternary": {"sum": 1}},
}


@pytest.fixture(scope="module")
def drawn(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Yield a page with both figures, `plane` and `triangle`, and the exports of the module as `inside`."""
    entry = tmp_path_factory.mktemp("inside") / "entry.js"
    names = ", ".join(NAMES)
    entry.write_text(f'import {{ {names} }} from "#following/plotly_inside.js";\nwindow.inside = {{ {names} }};\n')
    page = browser.new_page()
    page.set_content('<div style="display: flex"><div id="plane"></div><div id="triangle"></div></div>')
    page.add_script_tag(path=PLOTLY)
    page.add_script_tag(content=joined(entry))
    for name, figure in {"plane": PLANE, "triangle": TRIANGLE}.items():
        page.evaluate(f"Plotly.newPlot('{name}', {json.dumps(figure)})")
    yield page
    page.close()


# A trace of each kind that our figures have.
KINDS: list[dict[str, Any]] = [
    *PLANE["data"],
    {"type": "box", "x": [5, 5, 5, 6, 6], "y": [1, 2, 9, 4, 5]},
    {"type": "heatmap", "x": [6, 7], "y": [8, 9], "z": [[1, 2], [3, 4]]},
    *TRIANGLE["data"],
]
DRAW = """async (figure) => {
  const box = document.createElement("div");
  document.body.replaceChildren(box);
  await Plotly.newPlot(box, figure);
  return [...box.querySelectorAll(".main-svg")].map((one) => one.innerHTML.replaceAll(box._fullLayout._uid, "id"));
}"""


def test_the_script_of_pages_and_files_draws_every_kind_of_trace_as_the_whole_of_plotly_does(browser: Browser) -> None:
    assert plotly_script.path() != PLOTLY
    assert {one.get("type", "scatter") for one in KINDS} == set(get_args(draw.Kind))
    figure = {
        "data": [{**one, "uid": str(at)} for at, one in enumerate(KINDS)],
        "layout": {**PLANE["layout"], "ternary": {"domain": {"x": [0.7, 1], "y": [0.6, 1]}}},
    }
    pictures = []
    for script in (plotly_script.path(), PLOTLY):
        page = browser.new_page()
        page.add_script_tag(path=script)
        pictures.append(page.evaluate(DRAW, figure))
        page.close()
    assert pictures[0] == pictures[1]


def value_of(page: Page, script: str) -> Any:
    """Evaluate a JavaScript expression with the names of the module; `texts` returns the texts of elements."""
    head = f"const {{{', '.join(NAMES)}}} = inside, texts = (all) => Array.from(all, (one) => one.textContent);"
    return page.evaluate(f"() => {{ {head} return {script}; }}")


def test_drawn_figures_are_recognised(drawn: Page) -> None:
    assert value_of(drawn, "[isDrawn(plane), isDrawn(document.body), isDrawn(null)]") == [True, False, False]


def test_traces_are_as_given_with_what_plotly_adds(drawn: Page) -> None:
    assert value_of(drawn, "tracesOf(plane).map(({name, index, visible}) => [name, index, visible])") == [
        ["A", 0, True],
        ["B", 1, True],
    ]
    assert value_of(drawn, "[traceAt(plane, 1).type, traceAt(plane, 1).yaxis, traceAt(plane, 7)]") == ["bar", "y", None]
    assert value_of(drawn, "pointsOf(plane, 0).map(({x, y}) => [x, y])") == [[1, 3], [2, 6], [4, 9]]


def test_the_layout_has_notes_and_shapes_with_their_defaults(drawn: Page) -> None:
    note = "noteAt(plane, 0)"
    assert value_of(drawn, f"[{note}.xref, {note}.ax, {note}.xshift, {note}.xanchor]") == ["x", 30, 0, "auto"]
    assert value_of(drawn, "[shapeAt(plane, 0).type, shapeAt(plane, 0).x1, shapeAt(plane, 0).yref]") == ["line", 4, "y"]
    assert value_of(drawn, "[barsStack(plane), barsStack(triangle)]") == [True, False]
    assert value_of(drawn, "configOf(plane).displaylogo") is False


def test_the_room_is_what_the_margins_leave(drawn: Page) -> None:
    room = value_of(drawn, "roomOf(plane)")
    assert (room["l"], room["w"]) == (50, 400 - (room["r"] - 50))  # a legend at the right may widen that margin
    assert (room["t"], room["h"]) == (40, 400 - room["t"] - room["b"])
    assert 20 < value_of(drawn, "legendHeight(plane)") < 200


def test_axes_are_named_and_lead_to_pixels_and_back(drawn: Page) -> None:
    assert value_of(drawn, "axisNames(plane).sort()") == ["xaxis", "yaxis"]
    assert value_of(drawn, "[nameOfAxis('x'), nameOfAxis('y12')]") == ["xaxis", "yaxis12"]
    assert value_of(drawn, "[axisNamed(plane, 'xaxis').type, axisNamed(plane, 'xaxis').autorange]") == ["linear", False]
    assert value_of(drawn, "axisOf(plane, 'y').range") == [0, 10]
    for axis, wide in (("x", "roomOf(plane).w"), ("y", "roomOf(plane).h")):
        own = f"axisOf(plane, '{axis}')"
        assert value_of(drawn, f"lengthOf({own}) === {wide}")
        middle = value_of(drawn, f"{wide} / 2")
        for to in ("r2p", "c2p", "d2p"):
            assert value_of(drawn, f"{own}.{to}({4 if axis == 'x' else 5})") == pytest.approx(middle)
        assert value_of(drawn, f"{own}.p2r({middle})") == pytest.approx(4 if axis == "x" else 5)
    assert value_of(drawn, "[startOf(axisOf(plane, 'x')), startOf(axisOf(plane, 'y'))]") == [50, 40]
    assert value_of(drawn, "ticksOf(axisOf(plane, 'y')).map(({x}) => x)") == [2, 4]


def test_a_triangle_has_two_axes_and_a_corner(drawn: Page) -> None:
    top = "[triangleOf(triangle).xaxis.c2p(0), triangleOf(triangle).yaxis.c2p(1)]"
    left = "[triangleOf(triangle).xaxis.c2p(-1), triangleOf(triangle).yaxis.c2p(0)]"
    (x, y), (start, foot) = value_of(drawn, top), value_of(drawn, left)
    assert (y, start) == (pytest.approx(0), pytest.approx(0))
    assert foot == pytest.approx(x * 3**0.5, abs=0.5)  # its sides are alike, to half a pixel
    assert value_of(drawn, "[triangleOf(triangle).x0 >= 50, triangleOf(triangle).y0 >= 40]") == [True, True]
    moved = value_of(drawn, "[...marksOf(traceGroups(triangle).get(0))].map((one) => one.getAttribute('transform'))")
    places = [[float(match) for match in re.findall(r"[-\d.]+", text)] for text in moved]
    assert places == [pytest.approx([x, y]), pytest.approx([start, foot])]


def test_marks_words_lines_and_bars_belong_to_their_trace(drawn: Page) -> None:
    marks, bars = "traceGroups(plane).get(0)", "traceGroups(plane).get(1)"
    assert value_of(drawn, f"[...marksOf({marks})].map((one) => boundTo(one).i)") == [0, 1, 2]
    assert value_of(
        drawn, f"[...wordsOf({marks})].map((one) => [boundTo(one).i, boundTo(one).x, one.textContent])"
    ) == [
        [0, 1, "a"],
        [1, 2, "b"],
        [2, 4, "c"],
    ]
    assert value_of(drawn, f"[...linesOf({marks})].map((one) => one.getAttribute('d').match(/[ML]/g).join(''))") == [
        "MLL"
    ]
    assert value_of(drawn, f"[...barsOf({bars})].map((one) => [boundTo(one).i, boundTo(one).b])") == [[0, 0], [1, 0]]
    assert value_of(drawn, f"[...barsOf({bars})].every((one) => boundTo(one).p0 < boundTo(one).p1)")
    assert value_of(
        drawn, f"/^M[-\\d.]+,[-\\d.]+V[-\\d.]+H/.test(barsOf({bars})[0].querySelector('path').getAttribute('d'))"
    )


def test_a_note_has_a_frame_words_and_a_line(drawn: Page) -> None:
    parts = "noteParts(noteGroups(plane).get(0))"
    assert value_of(drawn, f"[{parts}.text.textContent, {parts}.words.textContent]") == ["here", "here"]
    assert value_of(drawn, f"Number({parts}.frame.getAttribute('width')) > 10")
    assert value_of(drawn, f"{parts}.arrow.contains({parts}.line) && /^M/.test({parts}.line.getAttribute('d'))")


def test_a_shape_is_drawn_from_corner_to_corner(drawn: Page) -> None:
    corners = [value_of(drawn, f"axisOf(plane, 'xyxy'[{i}]).r2p({at})") for i, at in enumerate([2, 5, 4, 10])]
    found = re.findall(r"[-\d.]+", value_of(drawn, "shapePath(plane, 0).getAttribute('d')"))
    assert [float(one) for one in found[:2]] == pytest.approx([50 + corners[0], 40 + corners[1]])
    assert [float(one) for one in found[2:]] == pytest.approx([50 + corners[2], 40 + corners[3]])


def test_ticks_and_titles_have_their_words(drawn: Page) -> None:
    labels = "[...tickParts(plane, 'y')].filter((one) => one.matches('g'))"
    assert value_of(
        drawn, f"{labels}.map((one) => [boundTo(one).x, ...texts(textLines(one.querySelector('text')))])"
    ) == [
        [2, "two", "lines"],
        [4, "four", "lines"],
    ]
    assert value_of(
        drawn, "[...tickParts(plane, 'y')].filter((one) => one.matches('path')).map((one) => boundTo(one).x)"
    ) == [2, 4]
    assert value_of(drawn, "titleOf(plane, 'x').textContent") == "rho"


def test_the_mouse_layer_lies_over_the_figure(drawn: Page) -> None:
    for name in ("plane", "triangle"):
        at = value_of(drawn, f"(({{x, y}}) => [x + 250, y + 250])({name}.getBoundingClientRect())")
        assert value_of(
            drawn, f"document.elementsFromPoint(...{at}).some((one) => {name}.contains(one) && listens(one))"
        )


def test_every_export_of_the_module_is_tested() -> None:
    used = set(re.findall(r"\w+", Path(__file__).read_text(encoding="utf-8")))
    assert [name for name in NAMES if name not in used] == []
