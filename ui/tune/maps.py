"""The view Map of two: agreement with the default order, and the winner, for every pair of parameter values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.common.rounding import less
from evalcore.sensitivity import Grid
from ui.address.families import plotted
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Columns, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.stage import show
from ui.tune import texts
from ui.tune.state import FINENESS, HEIGHT, Tuned


def draw(page: Tuned, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the view Map of two."""
    if len(page.known) < 2:
        right.info(texts.one_parameter(str(page.tuned)), icon=":material/info:")
        return
    with left:
        page.draw("horizontal", "vertical", "fineness")
    maps = Maps(page)
    if maps.grid.value is None:
        return
    show.screen(_answer(maps), {"left": left, "right": right})
    show.explain(*texts.READING_MAPS)
    show.numbers(lambda: show.screen(_tables(maps)))


class Maps:
    """The scores for every pair of values of two parameters, as calls."""

    def __init__(self, page: Tuned) -> None:
        self.page = page
        self.ends = page.call_of(page.horizontal, "across"), page.call_of(page.vertical, "up")

    @cached_property
    def grid(self) -> Call[Any]:
        page, (columns, rows) = self.page, FINENESS[self.page.fineness]
        across, up = self.ends
        assert page.horizontal is not None
        assert page.vertical is not None
        xs, ys = across.it.round_values(columns), up.it.round_values(rows)
        tuned = str(page.tuned)
        made = call("maps", ec.sensitivity.grid, tuned, page.horizontal, xs, page.vertical, ys, page.collection)
        return page.kept(made, len(page.xs) * len(page.ys))

    @cached_property
    def shares(self) -> Call[pd.Series]:
        return line("shares", self.grid.it.shares())


def _answer(maps: Maps) -> Iterator[Item]:
    """Yield the winner, and the agreement with the default order, for every pair of values of the two parameters."""
    yield At("left", (in_row(*_numbers(maps)),))
    page, grid, winners = maps.page, maps.grid.value, line("n_first", (maps.shares.it > 0).sum())
    titles = tuple(figures.plain(page.parameter(name).reading) for name in (page.horizontal, page.vertical))
    figure = plotted("", page.collection, maps.grid.it).here(titles=titles, height=HEIGHT)
    headline = Headline(_headline(grid, maps.shares.value, int(winners.value)), (maps.shares, winners))
    yield At("right", (headline, Figure(figure, "maps", texts.MAPS)))


def _numbers(maps: Maps) -> Iterator[Metric]:
    grid = maps.grid
    count = line("n_first", (maps.shares.it > 0).sum())
    yield Metric.of("winners", count, texts.WINNERS, form="d")
    taus = line("taus", grid.it.tau[record(np.isfinite)(grid.it.tau)])
    alike = line("alike", (~record(less)(taus.it, 0.9)).mean() if taus.value.size else None)
    yield Metric.of("τ ≥ 0.9", alike, texts.ALIKE, form=".0%")


def _headline(grid: Grid, shares: pd.Series, winners: int) -> str:
    """Return a text with the share of the map of each winner named in the figure, and the number of other winners."""
    each = {str(name): share for name, share in shares.head(figures.WINNERS).items() if share > 0}
    return texts.winners(each, winners - len(each), int((grid.winner < 0).sum()))


def _tables(maps: Maps) -> Iterator[Item]:
    shares, settings = maps.shares, line("settings", maps.grid.it.frame())
    first, decimals = shares.value[shares.value > 0].to_frame(), {"share first": 3}
    winners = Table(first, "winners", decimals=decimals, height=300, calls=(shares,))
    table = Table(settings, "settings", {"tau": 3}, 300, index=False)
    yield Columns(((Text("**Winners**"), winners), (Text("**Settings**"), table)), (0.35, 0.65), "medium")
