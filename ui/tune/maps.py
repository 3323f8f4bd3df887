"""Map of two parameters: how alike the order is, and who is first, at every pair of values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import less, percent
from evalcore.measures import Measure
from evalcore.sensitivity import Grid
from ui.address.families import named, plotted
from ui.computing.doubt import doubt_of, intervals_of_tau, leads
from ui.computing.measures import evaluate, scored
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Calls, Columns, Figure, Headline, Item, Metric, Sentence, Table, Text, in_row
from ui.screen.text import counted, markdown, measure_name, score_text
from ui.stage import show
from ui.tune.state import FINENESS, HEIGHT, TELLING, Tuned


def draw(page: Tuned, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The view Map of two."""
    if len(page.known) < 2:
        lack = f"{measure_name(str(page.tuned))} has only one thing to vary; see it along that parameter."
        right.info(lack, icon=":material/info:")
        return
    with left:
        page.draw("horizontal", "vertical", "fineness", "first")
    maps = Maps(page)
    if maps.grid.value is None:
        return
    with left:
        page.draw_in_row("x", "y")
    show.screen(_answer(maps), {"left": left, "right": right})
    with right, show.errors():
        show.screen(_compare(maps))
    show.explain(
        "Every cell is a setting of the measure. Left: how alike the order of all systems is to that of the default "
        "setting. Right: who is first. The star is the default, the ring the setting looked at.",
        "A winner whose region around the star is large does not depend on small changes of these two; near a border "
        "it does. Dark blue, τ from 0.9 on: an order usually read as equivalent to the default's.",
        "Click a cell: under the map, how the order there differs from the default's.",
    )
    show.numbers(lambda: show.screen(_tables(maps)))


FOREMOST = 3  # winners that are named first


class Maps:
    """Two parameters at all pairs of their values, and the pair that is looked at, as calls."""

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
        made = call(
            "maps", ec.sensitivity.grid, str(page.tuned), page.horizontal, xs, page.vertical, ys, page.collection
        )
        return page.kept(made, len(page.xs) * len(page.ys))

    @cached_property
    def shares(self) -> Call[pd.Series]:
        return line("shares", self.grid.it.shares())

    @cached_property
    def at(self) -> tuple[float, float]:
        return _looked_at(self.page, self.grid.value)

    @cached_property
    def other(self) -> Call[Measure]:
        """The measure at the setting looked at."""
        page, (across, up), (x, y) = self.page, self.ends, self.at
        full = record(ec.sensitivity.written_out)(record(ec.parse)(str(page.tuned)), page.collection)
        settings = {str(page.horizontal): across.it.setting(x), str(page.vertical): up.it.setting(y)}
        return call("other", ec.sensitivity.with_settings, full, settings)


def _looked_at(page: Tuned, maps: Grid) -> tuple[float, float]:
    """The setting looked at closely: chosen, clicked, or the most telling one."""
    row, column = _telling(maps, page.parameter(page.horizontal).value, page.parameter(page.vertical).value)
    x, y = page.x, page.y
    return float(maps.xs[column] if x == TELLING else x), float(maps.ys[row] if y == TELLING else y)


def _telling(maps: Grid, x: float | None, y: float | None) -> tuple[int, int]:
    """Row and column of the nearest setting to the default with another winner, else of the one least like it."""
    rows, columns = maps.tau.shape
    if x is not None and y is not None:
        row, column = int(np.abs(maps.ys - y).argmin()), int(np.abs(maps.xs - x).argmin())
        other = (maps.winner != maps.winner[row, column]) & (maps.tied == 1)
        if other.any():
            down, along = np.indices(maps.tau.shape)
            away = np.hypot((down - row) / rows, (along - column) / columns)
            return _place(np.where(other, away, np.inf))
    return _place(np.nan_to_num(maps.tau, nan=2.0))


def _place(values: FloatArray) -> tuple[int, int]:
    row, column = np.unravel_index(int(values.argmin()), values.shape)
    return int(row), int(column)


def _take_cell(page: Tuned, grid: Grid, cells: list[str]) -> None:
    """The cell that was clicked is looked at."""
    if cells:
        column, row = map(int, cells[0].split(","))
        page.change(x=float(grid.xs[column]), y=float(grid.ys[row]))


def _answer(maps: Maps) -> Iterator[Item]:
    """Who wins where, and how alike the order is."""
    yield At("left", (in_row(*_numbers(maps)),))
    page, grid, winners = maps.page, maps.grid.value, line("n_first", (maps.shares.it > 0).sum())
    titles = (
        figures.plain(page.parameter(page.horizontal).reading),
        figures.plain(page.parameter(page.vertical).reading),
    )
    figure = plotted("", page.collection, maps.grid.it, looked_at=maps.at).here(titles=titles, height=HEIGHT)
    alt = f"τ with the default and the winner at {grid.winner.size:,} settings; the values are in the table Settings"
    headline = Headline(_headline(grid, maps.shares.value, int(winners.value)), (maps.shares, winners))
    yield At("right", (headline, Figure(figure, "maps", alt, partial(_take_cell, page, grid), ("points",))))


def _numbers(maps: Maps) -> Iterator[Metric]:
    grid, first = maps.grid, maps.page.first
    count = line("n_first", (maps.shares.it > 0).sum())
    yield Metric.of("winners", count, "Systems first at some setting, alone or tied", form="d")
    taus = line("taus", grid.it.tau[record(np.isfinite)(grid.it.tau)])
    alike = line("alike", (~record(less)(taus.it, 0.9)).mean() if taus.value.size else None)
    help = "Share of the settings that order the systems much as the default does"
    yield Metric.of("τ ≥ 0.9", alike, help, form=".0%")
    kept = line("kept", grid.it.keeps(first))
    help = f"Share of the settings at which the first {first} keep their order"
    yield Metric.of(f"first {first} kept", kept, help, form=".0%")


def _headline(grid: Grid, shares: pd.Series, winners: int) -> str:
    """Who wins on which share of the map: those that the figure names, too."""
    each = [f"**{named(name)}** {percent(share)}" for name, share in shares.head(figures.WINNERS).items() if share > 0]
    lines = [f"First in this share of the settings: {', '.join(each[:FOREMOST])}."]
    if more := each[FOREMOST:]:
        others = winners - len(each)
        rest = f"; {counted(others, 'other')}, each on less" if others else ""
        lines.append(f"Also first: {', '.join(more)}{rest}.")
    if undefined := int((grid.winner < 0).sum()):
        lines.append(f"At {counted(undefined, 'setting')} the measure is none.")
    return "  \n".join(lines)


def _compare(maps: Maps) -> Iterator[Item]:
    """How alike the order at the setting looked at is to the default's, who leads there, and its measure."""
    page, other = maps.page, maps.other.value
    ends = zip((page.parameter(page.horizontal), page.parameter(page.vertical)), maps.at, strict=True)
    values = ((parameter, parameter.name(value) if parameter.options else f"{value:.4g}") for parameter, value in ends)
    setting = ", ".join(f"{parameter.reading} = {value}" for parameter, value in values)
    default = scored("default", page.tuned, page.collection)
    there: Call[pd.DataFrame] = call("there", ec.evaluate, maps.other.it, page.collection).by(evaluate)
    tau = call("tau", ec.tau, default.it.mean(), there.it.mean())
    words = f"**{markdown(setting)}, against the default**: τ {score_text(tau.value, 3)}"
    yield Sentence(words, calls=(tau,))
    yield from intervals_of_tau({"τ": ("tau", there, default)})
    first, doubt = line("first", record(ec.best_first)(there.it.mean()).head(1)), doubt_of(default, there)
    calls: Calls = (first, *([doubt] if doubt else []))
    yield Sentence(f"There {leads(there.value)}. The measure is {markdown(str(other))}.", calls=calls)


def _tables(maps: Maps) -> Iterator[Item]:
    shares, settings = maps.shares, line("settings", maps.grid.it.frame())
    first, decimals = shares.value[shares.value > 0].to_frame(), {"share first": 3}
    winners = Table(first, "winners", decimals=decimals, height=300, calls=(shares,))
    table = Table(settings, "settings", {"tau": 3}, 300, index=False)
    yield Columns(((Text("**Who is first**"), winners), (Text("**Settings**"), table)), (0.35, 0.65), "medium")
