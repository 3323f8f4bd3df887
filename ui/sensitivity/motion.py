"""Systems that move while a parameter is dragged inside the browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.direction import directed, good_of
from evalcore.figures.endless import score_text
from evalcore.measures import Measure, short_names
from evalcore.measures.paths import leaves
from evalcore.meta import ranks
from evalcore.progress import Tell, part_of
from evalcore.sensitivity import trajectory
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing.measures import scores
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.sensitivity.controls import HEIGHT, SensitivitySettings, computed, shorter
from ui.stage import show
from ui.widgets.download import download

FRAMES = 60  # at most


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Motion."""
    with left:
        page.draw("path", "against", "named")
    positions = _positions(page)
    if positions is None:
        return
    figure = _figure(page, *positions)
    with right:
        alt = f"Systems that move with {page.path}: drag the slider under the figure, or press Play"
        show.put(Figure(figure, "motion", alt))
    with left:
        _download(figure, f"{page.measure}: {page.path}")
    show.explain(
        f"Each mark is a system. Up: {markdown(page.measure)} while {markdown(page.path)} moves. To the right: "
        + (
            "the same systems by one aspect alone."
            if page.set_against is not None
            else "the measure at its default setting."
        ),
        "A system that sinks as you drag loses what the parameter takes away; one that stays has nothing to lose. On "
        "the dotted line both sides agree.",
        "Follow the leader from one end to the other. Save the figure as a page and show it without the app.",
    )
    as_python(page.collection, *_code(page))


def _code(page: SensitivitySettings) -> list[str]:
    """What makes the figure anew; another measure across that has the parameter moves along."""
    other = page.set_against
    moving = f"x = ec.trajectory({str(other)!r}, parameter.path, values, c).means"
    still = f"x = y * 0 + ec.evaluate({str(other or page.measure)!r}, c).mean()"
    return [
        "from evalcore import figures",
        "",
        f"parameter = ec.sensitivity.parameter_of({page.measure!r}, {page.path!r}, c)",
        f"values = parameter.round_values({FRAMES})",
        f"y = ec.trajectory({page.measure!r}, parameter.path, values, c).means",
        moving if _along(page) else still,
        "defined = y.notna().all(axis=1) & x.notna().all(axis=1)",
        "x, y = x[defined], y[defined]",
        "notes = [f'τ {ec.tau(x.iloc[at], y.iloc[at]):.3f}' for at in range(len(y))]",
        *families.code(open_collection.whole()),
        f"figure = figures.motion(x, y, styles, parameter=parameter.path, notes=notes, named={page.named}, "
        "names=parameter.names)",
        "page = figures.standalone(figure, 'Motion')",
        "figure",
    ]


def _positions(page: SensitivitySettings) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Mean scores across and up, values x systems."""
    parameter = page.parameter(page.path)
    values = parameter.round_values(FRAMES)

    def job(tell: Tell) -> tuple[pd.DataFrame, pd.DataFrame]:
        swept = open_collection.for_sweeps(page.collection)
        up = trajectory(page.varied, parameter.path, values, swept, tell=part_of(tell, 0, 2)).means
        across = _across(page, up, part_of(tell, 1, 2))
        defined = up.notna().all(axis=1) & across.notna().all(axis=1)  # elsewhere there is nothing to draw
        return across[defined], up[defined]

    name = ("motion", page.collection.fingerprint, page.measure, parameter, str(page.set_against))
    return computed(page, "motion", name, len(values), job)


def _along(page: SensitivitySettings) -> bool:
    """Whether the measure across has the same number, and so moves along."""
    return page.set_against is not None and page.path in {leaf.path for leaf in leaves(page.set_against)}


def _across(page: SensitivitySettings, up: pd.DataFrame, tell: Tell | None) -> pd.DataFrame:
    """Another measure, which moves along where it has the same number; else the default."""
    other = page.set_against
    if other is not None and _along(page):
        values = up.index.tolist()
        swept = open_collection.for_sweeps(page.collection)
        return trajectory(other, str(page.path), values, swept, tell=tell).means
    still = scores(page.collection, other or page.varied).mean()
    same = pd.DataFrame(np.tile(still.to_numpy(), (len(up), 1)), index=up.index, columns=up.columns)
    return directed(same, good_of(still))


def _figure(page: SensitivitySettings, x: pd.DataFrame, y: pd.DataFrame) -> go.Figure:
    parameter, other = page.parameter(page.path), page.set_against
    taus = [ec.tau(x.iloc[at], y.iloc[at]) for at in range(len(y))]
    first = [shorter(", ".join(y.columns[ranks(y.iloc[at]) == 1])) for at in range(len(y))]
    start = parameter.value if parameter.value is not None else float(y.index[0])
    return figures.motion(
        x,
        y,
        open_collection.styles(page.collection),
        parameter=parameter.path,
        notes=[f"τ {score_text(tau, 3)}   first: {figures.plain(name)}" for tau, name in zip(taus, first, strict=True)],
        start=int(np.abs(y.index.to_numpy(dtype=float) - start).argmin()),
        named=page.named,
        x_title=figures.plain(f"default: {page.measure}" if other is None else _short(other)),
        y_title=figures.plain(_short(page.varied)),
        height=HEIGHT + 40,
        names=parameter.names,
    )


def _short(measure: Measure) -> str:
    return short_names([str(measure)])[str(measure)]


def _download(figure: go.Figure, title: str) -> None:
    download(
        "The figure as a page",
        lambda: figures.standalone(figure, title),
        "motion.html",
        "One HTML file that moves without the app and without a network",
        width="stretch",
    )
    st.caption("Drag the slider under the figure, or press Play: all positions are in the browser already.")
