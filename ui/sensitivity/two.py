"""Two parameters: how alike the order is, and who is first, at every pair of values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.structures import Floats, Integers
from evalcore.measures import Measure
from evalcore.sensitivity import Grid, Parameter, grid, with_path, written_out
from ui import collections, show
from ui.code import as_python
from ui.controls import choose
from ui.measures import scores
from ui.sensitivity.controls import HEIGHT, choose_parameter, computed, highlighted, is_quick, take_systems, usual
from ui.text import markdown

FINENESS = {"coarse": (25, 15), "medium": (60, 40), "fine": (102, 52)}
FINENESS_HELP = "At most 25 × 15, 60 × 40 or 102 × 52 settings, at round values"


@dataclass(frozen=True, eq=False)
class Maps:
    """What is shown of a grid: without the scores of all systems, so that many can be kept."""

    xs: Floats
    ys: Floats
    tau: Floats
    winner: Integers
    tied: Integers
    shares: pd.Series
    table: pd.DataFrame

    @classmethod
    def of(cls, grid: Grid) -> Maps:
        return cls(grid.xs, grid.ys, grid.tau, grid.winner, grid.tied, grid.shares(), grid.frame())


def draw(
    collection: Collection, measure: Measure, known: list[Parameter], left: DeltaGenerator, right: DeltaGenerator
) -> None:
    """The view Two parameters."""
    if len(known) < 2:
        right.info(f"{markdown(measure)} has only one number to vary; see One parameter.", icon=":material/info:")
        return
    with left:
        first, second = usual(known)[:2]
        across = choose_parameter("Across", "px", known, first)
        rest = [one for one in known if one.path != across.path]
        up = choose_parameter("Up", "py", rest, second if second.path != across.path else first)
        usually = "medium" if is_quick(measure) else "coarse"
        fineness = choose("Grid", "fineness", list(FINENESS), usually, segmented=True, help=FINENESS_HELP)
    maps = _mapped(collection, measure, across, up, fineness)
    if maps is None:
        return
    with left:
        x, y = _looked_at(maps, across, up)
        _numbers(maps)
    with right:
        st.markdown(_headline(maps))
        _draw_maps(collection, maps, across, up, (x, y))
    show.explain(
        "Every cell is a setting of the measure. Left: how alike the order of all systems is to that of the default "
        "setting. Right: who is first. The star is the default, the ring the setting looked at.",
        "A winner whose ground is wide around the star is a safe claim; near a border it is a claim about the setting. "
        "Dark blue, τ from 0.9 on, is usually read as the same measure, paler as another one.",
        "Click a cell: below, the systems under that setting against the default.",
    )
    _compare(collection, measure, {across.path: x, up.path: y})
    _tables(maps)
    columns, rows = FINENESS[fineness]
    as_python(
        collection,
        "from evalcore.sensitivity import grid, parameter_of",
        "",
        f"measure = {str(measure)!r}",
        f"across, up = (parameter_of(measure, path, c) for path in ({across.path!r}, {up.path!r}))",
        f"xs, ys = across.round_values({columns}), up.round_values({rows})",
        "maps = grid(measure, across.path, xs, up.path, ys, c)",
        "maps.tau, maps.winner, maps.shares()",
    )


def _mapped(collection: Collection, measure: Measure, across: Parameter, up: Parameter, fineness: str) -> Maps | None:
    columns, rows = FINENESS[fineness]
    xs, ys = across.round_values(columns), up.round_values(rows)
    return computed(
        "maps",
        f"Scoring {len(xs) * len(ys):,} settings",
        ("maps", collection.fingerprint, str(measure), across, up, fineness),
        lambda tell: Maps.of(
            grid(measure, across.path, xs, up.path, ys, collections.for_sweeps(collection, tell), tell=tell)
        ),
    )


def _looked_at(maps: Maps, across: Parameter, up: Parameter) -> tuple[float, float]:
    """The setting looked at closely, chosen here or by a click."""
    row, column = _telling(maps, across.value, up.value)
    help = "At first the nearest setting to the default with another winner"
    x_box, y_box = st.columns(2)
    with x_box:
        x = choose("Look at: across", "atx", maps.xs.tolist(), float(maps.xs[column]), names=_four)
    with y_box:
        y = choose("and up", "aty", maps.ys.tolist(), float(maps.ys[row]), names=_four, help=help)
    return x, y


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


def _place(values: Floats) -> tuple[int, int]:
    row, column = np.unravel_index(int(values.argmin()), values.shape)
    return int(row), int(column)


def _four(value: float) -> str:
    return f"{value:.4g}"


def _take_cell(cells: list[str], maps: Maps) -> None:
    """The cell that was clicked is looked at."""
    if cells:
        column, row = map(int, cells[0].split(","))
        st.session_state["atx"], st.session_state["aty"] = float(maps.xs[column]), float(maps.ys[row])


def _numbers(maps: Maps) -> None:
    winners, alike = st.columns(2)
    winners.metric("winners", int((maps.shares > 0).sum()), help="Systems first at some setting, alone or tied")
    known = maps.tau[np.isfinite(maps.tau)]
    share = f"{(known >= 0.9).mean():.0%}" if known.size else "none"
    alike.metric("τ ≥ 0.9", share, help="Share of the settings that order the systems much as the default does")


def _headline(maps: Maps) -> str:
    """Who wins on which share of the map."""
    listed = [f"**{markdown(name)}** {share:.0%}" for name, share in maps.shares.head(3).items() if share > 0]
    more = int((maps.shares > 0).sum()) - len(listed)
    return f"First in this share of the settings: {', '.join(listed)}{f', and {more} more' if more > 0 else ''}."


def _draw_maps(collection: Collection, maps: Maps, across: Parameter, up: Parameter, at: tuple[float, float]) -> None:
    figure = figures.setting_maps(
        maps.xs,
        maps.ys,
        maps.tau,
        maps.winner,
        maps.tied,
        collection.systems,
        collections.styles(collection),
        titles=(figures.plain(across.path), figures.plain(up.path)),
        default=(across.value, up.value),
        looked_at=at,
        height=HEIGHT,
    )
    alt = f"τ with the default and the winner at {maps.winner.size:,} settings; the values are in the table Settings"
    show.figure(figure, "maps", alt, on_select=lambda cells: _take_cell(cells, maps), modes=("points",))


def _compare(collection: Collection, measure: Measure, at: dict[str, float]) -> None:
    """The systems under another setting against the default."""
    other = written_out(measure, collection)
    for path, value in at.items():
        other = with_path(other, path, value)
    told = ", ".join(f"{path} = {value:.4g}" for path, value in at.items())
    with show.errors():
        x, y = (scores(collection, one).mean() for one in (measure, other))
        st.markdown(f"**{markdown(told)}, against the default**: τ {ec.tau(x, y):.3f}")
        figure = figures.scatter(
            x,
            {str(other): y},
            collections.styles(collection),
            selected=highlighted(collection),
            x_title=f"default: {figures.plain(measure)}",
            y_title=figures.plain(told),
        )
        figure.update_layout(height=420)
        alt = f"Scatter of {len(x)} systems: the default across, the setting looked at up"
        show.figure(figure, "atsetting", alt, on_select=take_systems)
    st.code(str(other), language=None)


def _tables(maps: Maps) -> None:
    one, other = st.columns([0.35, 0.65], gap="medium")
    with one:
        st.markdown("**Who is first**")
        show.table(maps.shares[maps.shares > 0].to_frame(), "winners", decimals={"share first": 3}, height=300)
    with other:
        st.markdown("**Settings**")
        show.table(maps.table, "settings", index=False, height=300, decimals={"tau": 3})
