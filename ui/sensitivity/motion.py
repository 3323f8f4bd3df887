"""Systems that move while a parameter is dragged inside the browser."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.measures import Measure, short_names
from evalcore.measures.paths import leaves
from evalcore.meta import leaders
from ui.address.families import styles_call
from ui.address.highlight import Highlight
from ui.computing.measures import scored
from ui.data import open_collection
from ui.screen.calls import Call, call, call_of
from ui.screen.items import Figure
from ui.screen.text import markdown, measure_name, reading_name, score_text
from ui.sensitivity.controls import HEIGHT, SensitivitySettings, shorter
from ui.stage import show
from ui.widgets.download import download

FRAMES = 60  # at most


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Motion."""
    with left:
        page.draw("path", "against", "named")
    moving = Moving(page)
    if moving.both is None:
        return
    figure = moving.figure(*moving.both)
    name = page.parameter(page.path).reading
    file = call_of("page", figures.standalone, "{figure}, {title}", figure=figure, title=moving.title)
    with right:
        alt = f"Systems that move with {name}: drag the slider under the figure, or press Play"
        show.put(Figure(figure.value, "motion", alt, calls=(file, call("", "{figure}", figure=figure))))
    with left:
        _download(file)
    show.explain(
        f"Each mark is a system. Up: {measure_name(page.measure)} while {markdown(name)} moves. To "
        "the right: "
        + (
            "the same systems by one aspect alone."
            if page.set_against is not None
            else "the measure at its default setting."
        ),
        "A system that sinks as you drag loses what the parameter takes away; one that stays has nothing to lose. On "
        "the dotted line both sides agree.",
        "Follow the leader from one end to the other. Save the figure as a page and show it without the app.",
    )


class Moving:
    """Mean scores across and up, values x systems, and the figure that goes through them, as calls."""

    def __init__(self, page: SensitivitySettings) -> None:
        self.page, self.parameter = page, page.call_of(page.path)

    def along(self, name: str, measure: str) -> Call[pd.DataFrame] | None:
        """The means by a measure while the parameter moves; None where the work was held."""
        text, count = "{measure}, {path}, {values}, {c}", len(self.page.parameter(self.page.path).round_values(FRAMES))
        values = self.parameter.then("values", ".round_values({most})", most=FRAMES)
        parts = {"measure": measure, "path": self.page.path, "values": values}
        trajectory = self.page.kept("", "trajectory", text, "", count, **parts)
        return None if trajectory.value is None else trajectory.then(name, ".means")

    @cached_property
    def up(self) -> Call[pd.DataFrame] | None:
        return self.along("y", self.page.measure)

    @cached_property
    def across(self) -> Call[pd.DataFrame] | None:
        """Another measure, which moves along where it has the same number; else the default."""
        other = self.page.set_against
        if other is not None and self.page.path in {leaf.path for leaf in leaves(other)}:
            return self.along("x", str(other))
        still = str(other or self.page.measure)
        means = scored("", still, self.page.collection).then("still", ".mean()")
        text = "ec.directed(pd.DataFrame([{means}] * len({y}), {y}.index), ec.parse({measure}).good)"
        return call("x", text, means=means, y=self.up, measure=still)

    @cached_property
    def both(self) -> tuple[Call[pd.DataFrame], Call[pd.DataFrame]] | None:
        """Both where they are defined: elsewhere there is nothing to draw. None where the work was held."""
        if self.up is None or self.across is None:
            return None
        defined = call("defined", "{y}.notna().all(axis=1) & {x}.notna().all(axis=1)", y=self.up, x=self.across)
        x, y = (column.then(column.name, "[{defined}]", defined=defined) for column in (self.across, self.up))
        return x, y

    @property
    def title(self) -> str:
        return f"{self.page.measure}: {self.page.path}"

    def figure(self, x: Call[pd.DataFrame], y: Call[pd.DataFrame]) -> Call[go.Figure]:
        """The figure through these means."""
        page, text = self.page, "[ec.tau({x}.iloc[at], {y}.iloc[at]) for at in range(len({y}))]"
        taus = call("taus", text, x=x, y=y)
        text = "{motion}({x}, {y}, {styles}, parameter={path}, notes=[f'τ {{tau:.3f}}' for tau in {taus}], "
        text += "named={named}, names={parameter}.names)"
        parts: dict[str, Any] = {
            "x": x,
            "y": y,
            "taus": taus,
            "styles": styles_call(open_collection.whole()),
            "path": page.path,
        }
        parts |= {"path": page.path, "named": page.named, "parameter": self.parameter, "motion": figures.motion}
        here = self._here(taus.value, y.value)

        def motion(*given: Any, **options: Any) -> go.Figure:
            return figures.motion(*given, **{**options, **here})

        return Call("figure", text, parts, {"motion": motion})

    def _here(self, taus: list[float], y: pd.DataFrame) -> dict[str, Any]:
        """What the page says of the figure beside its data."""
        page, own, other = self.page, self.parameter.value.value, self.page.set_against
        first = [shorter(", ".join(leaders(y.iloc[at]))) for at in range(len(y))]
        start = own if own is not None else float(y.index[0])
        pairs = zip(taus, first, strict=True)
        return {
            "notes": [f"τ {score_text(tau, 3)}   first: {figures.plain(name)}" for tau, name in pairs],
            "start": int(np.abs(y.index.to_numpy(dtype=float) - start).argmin()),
            "x_title": figures.plain(f"default: {reading_name(page.measure)}" if other is None else _short(other)),
            "y_title": figures.plain(_short(page.varied)),
            "height": HEIGHT + 40,
        }


def _short(measure: Measure) -> str:
    return short_names([str(measure)])[str(measure)]


def _download(page: Call[str]) -> None:
    text = "One HTML file that moves without the app and without a network"
    download("The figure as a page", lambda: page.value, "motion.html", text, width="stretch")
    st.caption("Drag the slider under the figure, or press Play: all positions are in the browser already.")
