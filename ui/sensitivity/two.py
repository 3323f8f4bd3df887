"""Two parameters: how alike the order is, and who is first, at every pair of values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import InputError, figures
from evalcore.arrays import FloatArray, IntArray
from evalcore.figures.endless import score_text
from evalcore.measures import Measure
from evalcore.rounding import less
from evalcore.sensitivity import Grid, Parameter, grid, with_settings, written_out
from ui.address import families
from ui.address.families import named
from ui.address.highlight import Highlight
from ui.computing.first import code as first_code
from ui.computing.first import first_of, tables
from ui.computing.measures import scores
from ui.computing.tau import code as tau_code
from ui.computing.tau import intervals
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.sensitivity.controls import FINENESS, HEIGHT, TELLING, SensitivitySettings, computed, kept_of
from ui.stage import show


@dataclass(frozen=True, eq=False)
class Maps:
    """What is shown of a grid: without the scores of all systems, so that many can be kept."""

    xs: FloatArray
    ys: FloatArray
    tau: FloatArray
    winner: IntArray
    tied: IntArray
    shares: pd.Series
    table: pd.DataFrame
    kept: tuple[float, ...]  # share of the settings at which the first 1, 2, ... keep their order

    @classmethod
    def of(cls, grid: Grid) -> Maps:
        return cls(grid.xs, grid.ys, grid.tau, grid.winner, grid.tied, grid.shares(), grid.frame(), kept_of(grid))


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Two parameters."""
    if len(page.known) < 2:
        right.info(f"{markdown(page.measure)} has only one thing to vary; see One parameter.", icon=":material/info:")
        return
    with left:
        page.draw("across", "up", "fineness", "first")
    maps = _mapped(page)
    if maps is None:
        return
    at = _looked_at(page, maps)
    with left:
        for place, name in zip(st.columns(2), ("x", "y"), strict=True):
            with place:
                page.draw(name)
        _numbers(maps, page.first)
    with right:
        show.put(Headline(_headline(maps)))
        _draw_maps(page, maps, at)
    show.explain(
        "Every cell is a setting of the measure. Left: how alike the order of all systems is to that of the default "
        "setting. Right: who is first. The star is the default, the ring the setting looked at.",
        "A winner whose region around the star is large does not depend on small changes of these two; near a border "
        "it does. Dark blue, τ from 0.9 on: an order usually read as equivalent to the default's.",
        "Click a cell: below, the systems under that setting against the default.",
    )
    _compare(page, at, highlight)
    _tables(maps)
    as_python(page.collection, *_code(page, at))


def _code(page: SensitivitySettings, at: tuple[float, float]) -> list[str]:
    """What recomputes the maps, and the setting looked at."""
    columns, rows = FINENESS[page.fineness]
    return [
        "import numpy as np",
        "",
        "from evalcore.rounding import less",
        "from evalcore.sensitivity import grid, parameter_of, with_settings, written_out",
        "",
        f"measure = {page.measure!r}",
        f"across, up = (parameter_of(measure, path, c) for path in ({page.across!r}, {page.up!r}))",
        f"xs, ys = across.round_values({columns}), up.round_values({rows})",
        "maps = grid(measure, across.path, xs, up.path, ys, c)",
        "taus, shares, settings = maps.tau[np.isfinite(maps.tau)], maps.shares(), maps.frame()",
        f"kept = maps.keeps({page.first})",
        "n_first, alike = (shares > 0).sum(), (~less(taus, 0.9)).mean() if taus.size else None",
        f"at = {{across.path: across.setting({at[0]!r}), up.path: up.setting({at[1]!r})}}",
        "other = with_settings(written_out(ec.parse(measure), c), at)",
        "both = [ec.evaluate(one, c) for one in (measure, other)]",
        "tau = ec.tau(both[0].mean(), both[1].mean())",
        *tau_code(("both[1]", "both[0]")),
        "first = ec.best_first(both[1].mean()).head(1)",
        *_doubt_code(page, at),
        *families.plot_code(page.collection, f"maps, looked_at={tuple(map(float, at))!r}"),
    ]


def _doubt_code(page: SensitivitySettings, at: tuple[float, float]) -> list[str]:
    try:
        return first_code("both", *(scores(page.collection, one) for one in (page.varied, _other(page, at))))
    except InputError:  # said above
        return []


def _mapped(page: SensitivitySettings) -> Maps | None:
    xs, ys = page.xs, page.ys
    across, up = page.parameter(page.across), page.parameter(page.up)
    return computed(
        page,
        "maps",
        ("maps", page.collection.fingerprint, page.measure, across, up, page.fineness),
        len(xs) * len(ys),
        lambda tell: Maps.of(
            grid(page.varied, across.path, xs, up.path, ys, open_collection.for_sweeps(page.collection), tell=tell)
        ),
    )


def _looked_at(page: SensitivitySettings, maps: Maps) -> tuple[float, float]:
    """The setting looked at closely: chosen, clicked, or the most telling one."""
    row, column = _telling(maps, page.parameter(page.across).value, page.parameter(page.up).value)
    x, y = page.x, page.y
    return float(maps.xs[column] if x == TELLING else x), float(maps.ys[row] if y == TELLING else y)


def _telling(maps: Maps, x: float | None, y: float | None) -> tuple[int, int]:
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


def _take_cell(page: SensitivitySettings, maps: Maps, cells: list[str]) -> None:
    """The cell that was clicked is looked at."""
    if cells:
        column, row = map(int, cells[0].split(","))
        page.change(x=float(maps.xs[column]), y=float(maps.ys[row]))


def _numbers(maps: Maps, first: int) -> None:
    winners, alike, kept = st.columns(3)
    show.metric(winners, "winners", int((maps.shares > 0).sum()), help="Systems first at some setting, alone or tied")
    known = maps.tau[np.isfinite(maps.tau)]
    share = f"{(~less(known, 0.9)).mean():.0%}" if known.size else "none"
    show.metric(alike, "τ ≥ 0.9", share, help="Share of the settings that order the systems much as the default does")
    help = f"Share of the settings at which the first {first} keep their order"
    show.metric(kept, f"first {first} kept", f"{maps.kept[first - 1]:.0%}", help=help)


def _headline(maps: Maps) -> str:
    """Who wins on which share of the map."""
    listed = [f"**{named(name)}** {share:.0%}" for name, share in maps.shares.head(3).items() if share > 0]
    more = int((maps.shares > 0).sum()) - len(listed)
    undefined = int((maps.winner < 0).sum())
    without = f" At {counted(undefined, 'setting')} the measure is none." if undefined else ""
    first = f"{', '.join(listed)}{f', and {more} more' if more > 0 else ''}"
    return f"First in this share of the settings: {first}.{without}"


def _draw_maps(page: SensitivitySettings, maps: Maps, at: tuple[float, float]) -> None:
    make = partial(
        figures.setting_maps,
        maps.xs,
        maps.ys,
        maps.tau,
        maps.winner,
        maps.tied,
        page.collection.systems,
        open_collection.styles(page.collection),
        titles=(figures.plain(page.across), figures.plain(page.up)),
        default=(page.parameter(page.across).value, page.parameter(page.up).value),
        looked_at=at,
        height=HEIGHT,
        names=(page.parameter(page.across).names, page.parameter(page.up).names),
    )
    alt = f"τ with the default and the winner at {maps.winner.size:,} settings; the values are in the table Settings"
    show.put(Figure(make, "maps", alt, on_select=partial(_take_cell, page, maps), modes=("points",)))


def _other(page: SensitivitySettings, at: tuple[float, float]) -> Measure:
    """The measure at the setting looked at."""
    ends = zip(_ends(page), at, strict=True)
    return with_settings(
        written_out(page.varied, page.collection), {one.path: one.setting(value) for one, value in ends}
    )


def _ends(page: SensitivitySettings) -> tuple[Parameter, Parameter]:
    """What varies across and up."""
    return page.parameter(page.across), page.parameter(page.up)


def _compare(page: SensitivitySettings, at: tuple[float, float], highlight: Highlight) -> None:
    """The systems under another setting against the default."""
    other, measure = _other(page, at), page.varied
    ends = zip(_ends(page), at, strict=True)
    told = ", ".join(f"{one.path} = {one.name(value) if one.options else f'{value:.4g}'}" for one, value in ends)
    with show.errors():
        both = [scores(page.collection, one) for one in (measure, other)]
        x, y = (one.mean() for one in both)
        st.markdown(f"**{markdown(told)}, against the default**: τ {score_text(ec.tau(x, y), 3)}")
        show.screen(intervals({"τ": ("tau", both[1], both[0])}))
        st.markdown(f"First there: {first_of(both[1])}")
        make = partial(
            figures.scatter,
            x,
            {str(other): y},
            open_collection.styles(page.collection),
            selected=highlight.systems,
            x_title=f"default: {figures.plain(measure)}",
            y_title=figures.plain(told),
            doubt=tables(*both),
        )
        alt = f"Scatter of {len(x)} systems: the default across, the setting looked at up"
        show.put(Figure(make, "atsetting", alt, on_select=highlight.take, layout={"height": 420}))
    st.code(str(other), language=None)


def _tables(maps: Maps) -> None:
    one, other = st.columns([0.35, 0.65], gap="medium")
    with one:
        st.markdown("**Who is first**")
        show.put(Table(maps.shares[maps.shares > 0].to_frame(), "winners", decimals={"share first": 3}, height=300))
    with other:
        st.markdown("**Settings**")
        show.put(Table(maps.table, "settings", index=False, height=300, decimals={"tau": 3}))
