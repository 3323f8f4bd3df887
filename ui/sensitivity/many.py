"""Any number of parameters: where the systems end up, and which parameter moves them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from ui.address import families
from ui.address.families import named, plotted_plain, styles_call
from ui.address.highlight import Highlight
from ui.screen.calls import Call, call, line
from ui.screen.items import At, Figure, Headline, Item, Table, Text
from ui.screen.text import counted
from ui.sensitivity.controls import HEIGHT, SAMPLES, SensitivitySettings
from ui.stage import show


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Any number."""
    with left:
        page.draw("many")
        with st.popover("Ranges", width="stretch", icon=":material/tune:"):
            st.caption("Settings are drawn between these ends")
            page.draw("ranges")
        page.draw_in_row("count", "seed")
        page.draw("first")
    drawn = Drawn(page)
    if drawn.sample.value is None:
        return
    show.screen(_answer(drawn, highlight), {"right": right})
    with left:
        _draw_importance(drawn)
    show.explain(
        f"{page.count:,} settings are drawn at random, each parameter between its ends. A line covers the ranks that a "
        "system has in the middle 90% of them; the mark is the median, the ring its rank at the default setting.",
        "A system whose line is short keeps its place in most settings. Bars: the share of settings in which it is "
        "first (dark), in the top 5 (pale). Ties share.",
        "Leave the most important parameter out: how much shorter do the lines become? Narrow its range to what "
        "people really use.",
    )
    decimals = {"share first": 3, "share top 5": 3}
    frame, calls = drawn.table.value, (drawn.table,)
    table = Table(frame, "systems over settings", decimals, 400, drawn=drawn.about, calls=calls)
    show.put(Text("**Systems**"), table)


class Drawn:
    """Settings drawn at random, and the systems there, as calls."""

    def __init__(self, page: SensitivitySettings) -> None:
        self.page, self.about = page, {"settings": page.count, "seed": page.seed}
        self.parameters = page.narrowed
        each = [page.call_of(one.path, "").it.within(one.low, one.high) for one in self.parameters]
        self.varied = line("varied", each)

    @cached_property
    def sample(self) -> Call[Any]:
        page, of = self.page, (self.page.measure, self.varied.it, self.page.collection)
        return page.kept(call("drawn", ec.sensitivity.sample, *of, count=page.count, seed=page.seed), page.count)

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        return line("table", self.sample.it.table())

    @cached_property
    def importance(self) -> Call[Any]:
        page, points = self.page, SAMPLES[self.page.count]
        of, count = (page.measure, self.varied.it, page.collection), points * (len(self.parameters) + 2)
        made = call("importance", ec.sensitivity.importance, *of, points=points, seed=page.seed)
        return page.kept(made, count, "Which parameter moves the ranking most")


def _answer(drawn: Drawn, highlight: Highlight) -> Iterator[Item]:
    page, table = drawn.page, drawn.table
    kept = line("kept", drawn.sample.it.keeps(page.first))
    winners = line("n_first", (table.it["share first"] > 0).sum())
    styles = families.styles(page.collection)
    colours = styles_call(page.collection)  # of systems in their own order, and not in that of the table
    figure = plotted_plain("", table.it, styles=colours.it).here(
        styles=styles, selected=highlight.systems, height=HEIGHT
    )
    alt = (
        f"Rank intervals of {len(table.value)} systems over {page.count:,} settings; "
        "the values are in the table Systems"
    )
    yield At(
        "right",
        (
            Headline(_headline(table.value, page.first, kept.value, int(winners.value)), (kept, winners)),
            Figure(figure, "intervals", alt, highlight.take, ("points",), drawn.about),
        ),
    )


def _headline(table: pd.DataFrame, top: int, kept: float, winners: int) -> str:
    best = table.sort_values("share first", ascending=False, kind="stable")
    first, share, place = best.index[0], best["share first"].iloc[0], best["rank"].iloc[0]
    return (
        f"**{named(first)}** is first in **{share:.0%}** of the settings (by default: rank {place}); "
        f"{counted(winners, 'system')} {'is' if winners == 1 else 'are'} first somewhere. "
        f"The first {top} keep their order in **{kept:.0%}**."
    )


def _draw_importance(drawn: Drawn) -> None:
    importance = drawn.importance.value
    if importance is None:
        return
    help = (
        f"Sobol indices from {importance.settings:,} settings: the share of the variance of τ (with the default) that "
        "a parameter explains alone, and together with others. Whiskers: 95% intervals over the settings drawn."
    )
    st.markdown("**What moves the ranking most**", help=help)
    if importance.note:
        show.put(Text.note(importance.note))
    about = {"settings": importance.settings, "seed": drawn.page.seed}
    indices = line("indices", drawn.importance.it.table)
    of = counted(len(drawn.parameters), "parameter")
    alt = f"Sobol indices of {of}; the values are in the table under the figure"
    names = {parameter.path: parameter.reading for parameter in drawn.parameters if parameter.reading != parameter.path}
    figure = call("importance_figure", figures.importance_bars, indices.it, names=names)
    show.put(Figure(figure, "importance", alt, drawn=about))
    decimals = dict.fromkeys(indices.value.columns, 3)
    with st.expander("As a table"):
        show.put(Table(indices, "importance", decimals=decimals, drawn=about))
