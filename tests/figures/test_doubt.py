"""Ranks with their doubt over topics."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.meta import rank_intervals

SCORES = pd.DataFrame(
    np.random.default_rng(2).random((12, 4)) / 4 + np.array([0.5, 0.45, 0.1, 0.1]), columns=["<a>", "b", "c", "d"]
)
FOUND = rank_intervals(SCORES, 300)
STYLES = figures.system_styles([str(name) for name in SCORES])


def test_each_system_has_its_rank_its_interval_and_its_chance_the_best_on_top():
    thin, lines, dots, bars = figures.ranks_over_topics(FOUND.table, STYLES).data
    shown = FOUND.table.iloc[::-1]
    assert list(thin.x)[0::3] == shown["all_low"].tolist()
    assert list(thin.x)[1::3] == shown["all_high"].tolist()
    assert list(dots.x) == shown["rank"].tolist()
    assert list(bars.x) == shown["share_first"].tolist()
    assert list(lines.x)[0::3] == shown["rank_low"].tolist()
    assert list(lines.x)[1::3] == shown["rank_high"].tolist()
    assert [one[0] for one in dots.customdata] == shown.index.tolist()


def test_a_filled_mark_may_be_the_best_and_an_open_one_may_not():
    dots = figures.ranks_over_topics(FOUND.table, STYLES).data[2]
    opened = [symbol.endswith("-open") for symbol in dots.marker.symbol]
    assert opened == (~FOUND.table["may_be_best"]).tolist()[::-1]
    assert set(opened) == {True, False}


def test_a_band_stands_behind_those_who_may_be_the_best():
    table = FOUND.table.assign(may_be_best=[True, False, True, True])
    bands = figures.ranks_over_topics(table, STYLES).layout.shapes
    assert [(band.y0, band.y1) for band in bands] == [(-0.5, 1.5), (2.5, 3.5)]  # the leader stands on top


def test_a_bump_chart_has_bars_of_the_selected_systems_or_of_the_first_in_each_column():
    tables = [rank_intervals(SCORES, n_resamples=50).table]
    columns = {"x": SCORES.mean(), "y": SCORES.mean()}

    def bars(*selected: str) -> list[tuple[float, ...]]:
        figure = figures.bump(columns, STYLES, selected, tables)
        return [tuple(trace.y) for trace in figure.data if trace.line.width == 9]

    bounds = tables[0][["rank_low", "rank_high"]]
    assert bars() == [tuple(bounds.iloc[0])]
    assert bars(str(bounds.index[1])) == [tuple(bounds.iloc[1])]
