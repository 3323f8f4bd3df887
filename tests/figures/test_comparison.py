"""The scatter of systems and the lines of their ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.style import BLUE, FADED, RED

X = pd.Series({"a_1": 0.4, "a_2": 0.2, "b": 0.3}, name="RBP")
Y = pd.Series({"a_1": 0.1, "a_2": 0.2, "b": 0.3}, name="uRBP")
STYLES = figures.system_styles(list(X.index))


def by_name(figure, name):
    return next(trace for trace in figure.data if (trace.name or "").partition(" <span")[0] == name)


def test_a_family_has_one_trace_and_each_mark_its_system():
    marks = by_name(figures.scatter(X, {"uRBP": Y}, STYLES), "a")
    assert (list(marks.x), list(marks.y)) == ([0.4, 0.2], [0.1, 0.2])
    assert [list(one) for one in marks.customdata] == [
        ["a_1", "a_1", 1, 3, "0.4000", "0.1000"],
        ["a_2", "a_2", 3, 2, "0.2000", "0.2000"],
    ]
    assert list(marks.marker.color) == [STYLES["a_1"].colour, STYLES["a_2"].colour]


@pytest.mark.parametrize(("selected", "opacity"), [((), [1, 1]), (("a_2",), [FADED, 1]), (("b",), [FADED, FADED])])
def test_what_is_not_selected_fades_in_the_scatter(selected, opacity):
    figure = figures.scatter(X, {"uRBP": Y}, STYLES, selected=selected)
    assert list(by_name(figure, "a").marker.opacity) == opacity


@pytest.mark.parametrize("count", [20, 100])
def test_the_first_across_and_the_first_up_are_seen_by_name_however_crowded_it_is(count):
    names = [f"a_system_of_a_long_name_{at}" for at in range(count)]
    x = pd.Series(np.linspace(0.5, 0.501, count), names, name="RBP")
    y = pd.Series(np.roll(x.to_numpy(), 1), names)  # the last is first across, the one after the first is first up
    y.iloc[0], y.iloc[1] = y.iloc[1], 0.6
    notes = figures.scatter(x, {"uRBP": y}, figures.system_styles(names)).layout.annotations
    assert {names[-1], names[1]} <= {note.text for note in notes if note.opacity == 1}


def test_the_identity_line_spans_all_scores():
    line = figures.scatter(X, {"uRBP": Y, "low": Y - 0.5}, STYLES).data[0]
    assert list(line.x) == list(line.y)
    assert line.x[0] <= -0.4 < 0.4 <= line.x[1]


def test_pairs_that_are_apart_are_joined_in_blue_and_red():
    pair = pd.DataFrame({"system_a": ["a_1"], "system_b": ["b"]})
    figure = figures.scatter(X, {"uRBP": Y}, STYLES, apart={"by both": pair, "by one": pair[:0]})
    both = by_name(figure, "by both")
    assert (list(both.x), list(both.y), both.line.color) == ([0.4, 0.3, None], [0.1, 0.3, None], BLUE)
    assert (len(by_name(figure, "by one").x), by_name(figure, "by one").line.color) == (0, RED)


SURE = pd.DataFrame({"rank_low": [1.0, 2.0, 2.0], "rank_high": [1.0, 3.0, 3.0]}, index=["a_1", "b", "a_2"])
SURE = SURE.assign(all_low=1.0, all_high=3.0)


def test_a_mark_and_a_line_say_from_where_to_where_a_rank_goes():
    marks = by_name(figures.scatter(X, {"uRBP": Y}, STYLES, doubt=[SURE, SURE]), "a")
    assert [one[2:4] for one in marks.customdata] == [
        ["1 (interval over topics: 1)", "3 (interval over topics: 1)"],
        ["3 (interval over topics: 2 to 3)", "2 (interval over topics: 2 to 3)"],
    ]
    line = by_name(figures.bump({"RBP": X, "uRBP": Y}, STYLES, doubt=[SURE, SURE]), "b")
    intervals = "RBP: rank interval 2 to 3 over topics<br>uRBP: rank interval 2 to 3 over topics"
    assert line.text[0] == f"<b>b</b><br>2 → 1<br>{intervals}"


def test_lines_of_ranks_fade_behind_the_selected_one():
    alone = figures.bump({"RBP": X, "uRBP": Y}, STYLES)
    figure = figures.bump({"RBP": X, "uRBP": Y}, STYLES, selected=["b"])
    assert by_name(figure, "a").opacity < 0.5 < by_name(alone, "a").opacity
    chosen = next(trace for trace in figure.data if trace.line.width == 3.5)
    assert (list(chosen.y), chosen.opacity) == ([2, 1], None)
    assert not [trace for trace in alone.data if trace.line.width == 3.5]


def test_ranks_stand_at_both_sides_and_all_are_in_sight():
    figure = figures.bump({"RBP": X, "uRBP": Y}, STYLES)
    assert list(figure.layout.yaxis.ticktext) == ["a_1  1", "b  2", "a_2  3"]
    assert list(figure.layout.yaxis2.ticktext) == ["1  b", "2  a_2", "3  a_1"]
    worst, best = figure.layout.yaxis.range
    assert worst > 3 > 1 > best
    assert not figure.layout.yaxis.showgrid  # across the lines of systems
    left, right = figure.layout.xaxis.range
    assert left <= 0 < 1 <= right
    line = by_name(figure, "a")
    np.testing.assert_array_equal(line.y, [1, 3, np.nan, 3, 2, np.nan])
    assert line.text[0] == "<b>a_1</b><br>1 → 3"


def test_tied_systems_keep_the_order_of_the_measure_before():
    tied = pd.Series({"a_1": 0.5, "a_2": 0.5, "b": 0.5})
    figure = figures.bump({"RBP": X, "tied": tied}, STYLES)
    assert list(figure.layout.yaxis2.ticktext) == ["1  a_1", "1  b", "1  a_2"]
    np.testing.assert_array_equal(by_name(figure, "b").y, [2, 2, np.nan])
