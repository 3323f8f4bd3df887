"""Figures of hundreds of systems: a few in colour and named, all of them there to point at, and quickly made."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.comparison import LEADERS, MOVERS
from evalcore.figures.labels import BEYOND, LETTER, LINE_HEIGHT, MARK, ROOMS, placed, pushed_apart
from evalcore.figures.style import FADED, PALE
from evalcore.meta import movers, rank_intervals

NAMES = [f"team{at:03d}x" for at in range(300)]
RNG = np.random.default_rng(7)
X = pd.Series(RNG.random(300), NAMES, name="RBP")
Y = 0.5 * X + pd.Series(RNG.normal(0, 0.02, 300), NAMES)
STYLES = figures.system_styles(NAMES)


def systems_of(mark):
    return [row[0] for row in mark.customdata]


def boxes(names, at, places):
    for name, mark, place in zip(names, at, places, strict=True):
        if place is not None:
            middle, half = mark + place, np.array([LETTER * len(name), LINE_HEIGHT]) / 2
            yield *(middle - half), *(middle + half)


def test_names_cover_neither_each_other_nor_marks_and_stay_inside_however_large_the_figure_is(subtests):
    for width, height in ROOMS:
        for seed in range(3):
            with subtests.test(f"{width}, {height}, {seed}"):
                rng = np.random.default_rng(seed)
                shares = rng.normal(0.5, (0.17, 0.14), size=(300, 2)) % 1
                names = ["x" * length for length in rng.integers(3, 20, 40)]
                places, marks = placed(names, shares[:40], shares), shares * (width, height)
                found = list(boxes(names, marks[:40], places))
                assert len(found) > 5
                for at, (left, top, right, bottom) in enumerate(found):
                    assert -BEYOND <= left < right <= width + BEYOND
                    assert -BEYOND <= top < bottom <= height + BEYOND
                    near = (marks > (left - MARK, top - MARK)) & (marks < (right + MARK, bottom + MARK))
                    assert not near.all(axis=1).any()
                    assert all(
                        right <= one[0] or one[2] <= left or bottom <= one[1] or one[3] <= top for one in found[:at]
                    )


def test_a_name_that_is_needed_has_a_place_where_none_is_clear():
    crowd = np.stack(np.meshgrid(np.arange(0, 1, 0.005), np.arange(0, 1, 0.01)), axis=-1).reshape(-1, 2)
    first, second = placed(["needed", "other"], crowd[:2], crowd, needed=1)
    assert first is not None
    assert second is None


def test_names_are_pushed_apart_no_further_than_the_ends():
    places = pushed_apart(np.array([0.0, 0.0, 4.9, 5.0]), 1.0, 0.0, 5.0)
    assert (np.diff(places) >= 1).all()
    assert (places.min(), places.max()) == (0.0, 5.0)


def test_the_first_and_the_movers_are_in_colour_and_everyone_is_there():
    (mark,) = (trace for trace in figures.scatter(X, {"uRBP": Y}, STYLES).data if trace.mode == "markers")
    assert (systems_of(mark), mark.showlegend) == (NAMES, False)
    vivid = {name for name, colour in zip(NAMES, mark.marker.color, strict=True) if colour != PALE}
    first = set(Y.nlargest(LEADERS).index)
    moved = [name for name in movers(X, Y).index if name not in first][:MOVERS]
    assert vivid == {*first, *moved}
    assert set(mark.marker.opacity) == {1.0, 0.4}


def test_the_highlighted_are_named_first_and_the_others_fade():
    figure = figures.scatter(X, {"uRBP": Y}, STYLES, selected=NAMES[:2])
    (mark,) = (trace for trace in figure.data if trace.mode == "markers")
    opacity = dict(zip(NAMES, mark.marker.opacity, strict=True))
    pale = [name for name, colour in zip(NAMES, mark.marker.color, strict=True) if colour == PALE]
    assert (opacity[NAMES[0]], {opacity[name] for name in pale}) == (1.0, {FADED})
    notes = figure.layout.annotations
    assert [(note.text, note.opacity) for note in notes[:2]] == [(name, 1) for name in NAMES[:2]]
    assert len(notes) == 2 + LEADERS + MOVERS


@pytest.mark.parametrize("count", [12, 300])
def test_other_scores_make_the_same_traces_points_and_names(count):
    x, y = X[:count], Y[:count]
    before, after = (figures.scatter(one, {"uRBP": other}, STYLES) for one, other in ((x, y), (y, x)))
    assert [(trace.name, trace.mode, len(trace.x)) for trace in before.data] == [
        (trace.name, trace.mode, len(trace.x)) for trace in after.data
    ]
    assert [systems_of(trace) for trace in before.data[1:]] == [systems_of(trace) for trace in after.data[1:]]
    assert len(before.layout.annotations) == len(after.layout.annotations)


def test_axes_keep_to_the_data_or_to_the_window():
    x, y = pd.Series([0.7, 0.8], ["a", "b"]), pd.Series([0.10, 0.11], ["a", "b"])
    styles = figures.system_styles(["a", "b"])
    layout = figures.scatter(x, {"y": y}, styles).layout
    ends = [(one.autorangeoptions.minallowed, one.autorangeoptions.maxallowed) for one in (layout.xaxis, layout.yaxis)]
    assert ends == [pytest.approx((0.694, 0.806)), pytest.approx((0.0994, 0.1106))]
    assert layout.xaxis.range is None  # else the zoom of a reader would end with the next move
    held = figures.scatter(x, {"y": y}, styles, window=((0, 1), (0, 0.5))).layout
    assert (held.xaxis.range, held.yaxis.range) == ((0, 1), (0, 0.5))


def test_ranks_along_a_parameter_name_winners_and_the_selected_at_leader_lines():
    values = pd.Index([0.1, 0.5, 0.9])
    means = pd.DataFrame([X, X, Y], index=values)
    ranks = means.rank(axis=1, ascending=False).astype(int)
    changes = pd.DataFrame({"low": [], "high": [], "before": [], "after": []})
    figure = figures.rank_trajectories(
        ranks, means, pd.Series([1.0, 1.0, 0.9], values), changes, STYLES, title="rho", selected=[NAMES[5]]
    )
    (pale,) = (trace for trace in figure.data if trace.name == "systems")
    assert {row[0] for row in pale.customdata} == set(NAMES)
    drawn = {trace.name for trace in figure.data if trace.name in NAMES}
    assert drawn == {NAMES[5], *ranks.columns[(ranks == 1).any()]}
    names = [note for note in figure.layout.annotations if note.showarrow]
    assert {note.text for note in names} == {STYLES[name].shown or name for name in drawn}
    height = figure.layout.yaxis.range[0] - figure.layout.yaxis.range[1]
    pixels = (0.955 - 0.27) * (figure.layout.height - 70) / height
    at = sorted(note.y * pixels + note.ay for note in names)
    assert all(above - below >= 12 - 1e-6 for below, above in pairwise(at))  # a line of letters apart
    assert sorted(note.y**2 for note in names) == pytest.approx(sorted(ranks.iloc[-1][list(drawn)]))


def test_ranks_over_topics_fit_one_screen():
    scores = pd.DataFrame(RNG.random((8, 300)) + X.to_numpy(), columns=NAMES)
    table = rank_intervals(scores, 100).table
    figure = figures.ranks_over_topics(table, STYLES, selected=[table.index[150]])
    assert figure.layout.height < 1000
    assert {*table.index[:10], table.index[150]} == {note.text for note in figure.layout.annotations}
    assert len(figure.data[2].customdata) == 300
