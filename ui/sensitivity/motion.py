"""Systems that move while a parameter is dragged inside the browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.direction import directed, good_of
from evalcore.measures import Measure, short_names
from evalcore.meta import ranks
from evalcore.sensitivity import Parameter, trajectory
from evalcore.sensitivity.paths import leaves
from ui import collections, show
from ui.code import as_python
from ui.controls import choose, slider
from ui.measures import scores
from ui.sensitivity.controls import HEIGHT, choose_parameter, computed, counterpart, shorter, usual
from ui.text import markdown
from ui.work import Tell

FRAMES = 60  # at most
ALONE, DEFAULT = "one aspect alone", "default setting"


def draw(
    collection: Collection, measure: Measure, known: list[Parameter], left: DeltaGenerator, right: DeltaGenerator
) -> None:
    """The view Motion."""
    single = counterpart(measure)
    with left:
        parameter = choose_parameter("Parameter", "p1", known, usual(known)[0])
        options = [ALONE, DEFAULT] if single is not None else [DEFAULT]
        against = choose("Across", "across2", options, help="What the moving measure is set against")
        named = int(slider("Names of the first", "named", 0, 8, 3, 1))
    other = single if against == ALONE else None
    positions = _positions(collection, measure, parameter, other)
    if positions is None:
        return
    figure = _figure(collection, measure, parameter, other, named, *positions)
    with right:
        alt = f"Systems that move with {parameter.path}: drag the slider under the figure, or press Play"
        show.figure(figure, "motion", alt)
    with left:
        _download(figure, f"{measure}: {parameter.path}")
    show.explain(
        f"Each mark is a system. Up: {markdown(measure)} while {markdown(parameter.path)} moves. To the right: "
        + ("the same systems by one aspect alone." if other is not None else "the measure at its default setting."),
        "A system that sinks as you drag loses what the parameter takes away; one that stays has nothing to lose. On "
        "the dotted line both sides agree.",
        "Follow the leader from one end to the other. Save the figure as a page and show it without the app.",
    )
    as_python(collection, *_code(measure, parameter, other))


def _code(measure: Measure, parameter: Parameter, other: Measure | None) -> list[str]:
    """What makes the figure anew; another measure across that has the parameter moves along."""
    still = f"y * 0 + ec.evaluate({str(other or measure)!r}, c).mean()"
    return [
        "from evalcore import figures",
        "",
        f"parameter = ec.sensitivity.parameter_of({str(measure)!r}, {parameter.path!r}, c)",
        f"values = parameter.round_values({FRAMES})",
        f"y = ec.trajectory({str(measure)!r}, parameter.path, values, c).means",
        f"x = ec.trajectory({str(other)!r}, parameter.path, values, c).means"
        if _along(other, parameter)
        else f"x = {still}",
        "styles, notes = figures.system_styles(c.systems), [''] * len(y)",
        "figure = figures.motion(x, y, styles, parameter=parameter.path, notes=notes)",
        "page = figures.standalone(figure, 'Motion')",
    ]


def _positions(
    collection: Collection, measure: Measure, parameter: Parameter, other: Measure | None
) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Mean scores across and up, values x systems."""
    values = parameter.round_values(FRAMES)

    def job(tell: Tell) -> tuple[pd.DataFrame, pd.DataFrame]:
        up = trajectory(measure, parameter.path, values, collections.for_sweeps(collection, tell), tell=tell).means
        across = _across(collection, measure, parameter, other, up, tell)
        defined = up.notna().all(axis=1) & across.notna().all(axis=1)  # elsewhere there is nothing to draw
        return across[defined], up[defined]

    name = ("motion", collection.fingerprint, str(measure), parameter, str(other))
    return computed("motion", f"Scoring {len(values)} settings", name, job)


def _along(other: Measure | None, parameter: Parameter) -> bool:
    """Whether the measure across has the same number, and so moves along."""
    return other is not None and parameter.path in {leaf.path for leaf in leaves(other)}


def _across(
    collection: Collection, measure: Measure, parameter: Parameter, other: Measure | None, up: pd.DataFrame, tell: Tell
) -> pd.DataFrame:
    """Another measure, which moves along where it has the same number; else the default."""
    if other is not None and _along(other, parameter):
        return trajectory(other, parameter.path, up.index.tolist(), collections.for_sweeps(collection, tell)).means
    still = scores(collection, other or measure).mean()
    same = pd.DataFrame(np.tile(still.to_numpy(), (len(up), 1)), index=up.index, columns=up.columns)
    return directed(same, good_of(still))


def _figure(
    collection: Collection,
    measure: Measure,
    parameter: Parameter,
    other: Measure | None,
    named: int,
    x: pd.DataFrame,
    y: pd.DataFrame,
) -> go.Figure:
    taus = [ec.tau(x.iloc[at], y.iloc[at]) for at in range(len(y))]
    first = [shorter(", ".join(y.columns[ranks(y.iloc[at]) == 1])) for at in range(len(y))]
    start = parameter.value if parameter.value is not None else float(y.index[0])
    return figures.motion(
        x,
        y,
        collections.styles(collection),
        parameter=parameter.path,
        notes=[f"τ {tau:.3f}   first: {figures.plain(name)}" for tau, name in zip(taus, first, strict=True)],
        start=int(np.abs(y.index.to_numpy(dtype=float) - start).argmin()),
        named=named,
        x_title=figures.plain(f"default: {measure}" if other is None else _short(other)),
        y_title=figures.plain(_short(measure)),
        height=HEIGHT + 40,
    )


def _short(measure: Measure) -> str:
    return short_names([str(measure)])[str(measure)]


def _download(figure: go.Figure, title: str) -> None:
    st.download_button(
        "The figure as a page",
        lambda: figures.standalone(figure, title),
        file_name="motion.html",
        mime="text/html",
        icon=":material/download:",
        width="stretch",
        help="One HTML file that moves without the app and without a network",
    )
    st.caption("Drag the slider under the figure, or press Play: all positions are in the browser already.")
