"""Looks of systems: families share a hue, members differ in lightness and mark, whoever stands beside them."""

from __future__ import annotations

import colorsys

import plotly.graph_objects as go
import pytest
from plotly.io import templates

from evalcore.figures.draw import Spec, axis, figure_of, spec_of, trace
from evalcore.figures.style import DASHES, MANY, PALETTE, SYMBOLS, by_family, family, look_of_line, plain, system_styles


def lightness(colour: str) -> float:
    return colorsys.rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[1]


def test_members_of_a_family_go_from_dark_to_light_around_its_colour():
    styles = system_styles([f"bm25_{at}" for at in range(5)])
    shades = [lightness(style.colour) for style in styles.values()]
    assert shades == sorted(shades)
    assert len(set(shades)) == 5
    assert shades[2] == pytest.approx(lightness(PALETTE[0]), abs=0.01)
    assert shades[4] - shades[0] == pytest.approx(0.24, abs=0.01)
    assert [(style.family, style.symbol) for style in styles.values()] == [("bm25", mark) for mark in SYMBOLS[:5]]


def test_a_family_of_one_is_called_in_legends_as_its_member_is_in_the_figure():
    systems = ["a_1", "a_2", "b_En.1.dat"]
    named = system_styles(systems, shown={"b_En.1.dat": "b 1", "a_1": "a 1"})
    assert list(by_family(systems, named)) == ["a", "b 1"]
    taken = system_styles(systems, shown={"b_En.1.dat": "a"})  # of which there is one
    assert list(by_family(systems, taken)) == ["a", "b_En.1.dat"]


@pytest.mark.parametrize("count", [20, 143])
def test_families_beyond_the_palette_begin_anew_in_other_shades(count):
    styles = system_styles([f"{at} alone" for at in range(count)], {f"{at} alone": str(at) for at in range(count)})
    assert len({style.colour for style in styles.values()}) == count


def test_styles_do_not_depend_on_the_order_of_families():
    assert system_styles(["a", "b_1", "b_2"]) == system_styles(["b_1", "a", "b_2"])


@pytest.mark.parametrize(
    ("system", "named"), [("a-b", "a"), ("a.b", "a"), ("12", "12"), ("_x", "_x"), ("run7", "run"), (" x y", "x")]
)
def test_families_by_name(system, named):
    assert family(system) == named


def test_what_all_names_begin_with_tells_no_family():
    styles = system_styles(["input.ims", "input.uw_1", "input.uw_2"])  # as TREC's archive names files
    assert [style.family for style in styles.values()] == ["input.ims", "uw", "uw"]


def test_foreign_text_is_text():
    assert plain('<a href="x">&') == '&lt;a href="x"&gt;&amp;'


def test_many_systems_are_of_families_where_these_are_few_and_have_members():
    def families(*names):
        return {style.family for style in system_styles(names).values()}

    assert families(*(f"{team}_{at}" for team in "abcdefgh" for at in range(8))) == set("abcdefgh")
    assert families(*(f"{team}_{at}" for team in "abcdefghi" for at in range(8))) == {""}
    assert families(*(f"t{at}x" for at in range(MANY))) == {""}
    assert len(families(*(f"t{at}x" for at in range(MANY - 1)))) == MANY - 1


def test_without_families_each_system_has_a_look_of_its_own():
    styles = system_styles(["a_1", "a_2", "b"], {})
    assert {style.family for style in styles.values()} == {""}
    assert len({(style.colour, style.symbol) for style in styles.values()}) == 3


def test_lines_of_one_colour_differ_in_their_dashes():
    looks = [tuple(look_of_line(at).values()) for at in range(24)]
    assert len(set(looks)) == 24
    family = system_styles([f"bm25_{at}" for at in range(len(DASHES))]).values()
    assert len({style.dash for style in family}) == len(DASHES)


def test_a_figure_as_a_spec_is_what_plotly_would_make_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "default", None)  # as in the app

    def make() -> go.Figure:
        return figure_of([trace("scatter", x=[1, 2], y=[3.0, None])], xaxis=axis("rank"))

    spec, figure = spec_of(make), make()
    assert [dict(one) for one in spec.data] == [one.to_plotly_json() for one in figure.data]
    assert spec.layout == figure.layout.to_plotly_json()
    touched = spec_of(lambda: go.Figure(figure).update_layout(height=300))
    assert touched.layout == {**spec.layout, "height": 300}
    assert spec.with_layout(height=300).layout == touched.layout


def test_what_a_layout_has_beside_its_own_is_added_inside_too() -> None:
    spec = Spec([], {"margin": {"l": 8, "t": 28}, "height": 540})
    assert spec.with_layout(margin={"t": 8}, meta=1).layout == {"margin": {"l": 8, "t": 8}, "height": 540, "meta": 1}
