"""Any number of parameters: where the systems end up, and which parameter moves them."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.progress import Tell
from evalcore.sensitivity import Parameter, importance, sample
from ui.address import families
from ui.address.families import named
from ui.address.highlight import Highlight
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted
from ui.sensitivity.controls import HEIGHT, SAMPLES, SensitivitySettings, computed, kept_of
from ui.stage import show


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Any number."""
    with left:
        page.draw("many")
        with st.popover("Ranges", width="stretch", icon=":material/tune:"):
            st.caption("Settings are drawn between these ends")
            page.draw("ranges")
        for place, name in zip(st.columns(2), ("count", "seed"), strict=True):
            with place:
                page.draw(name)
        page.draw("first")
    varied, drawn = page.narrowed, {"settings": page.count, "seed": page.seed}
    sampled = _sampled(page, varied)
    if sampled is None:
        return
    table, kept = sampled
    with right:
        show.put(Headline(_headline(table, page.first, kept[page.first - 1])))
        styles = open_collection.styles(page.collection)
        figure = figures.rank_intervals(table, styles, selected=highlight.systems, height=HEIGHT)
        alt = (
            f"Rank intervals of {len(table)} systems over {page.count:,} settings; the values are in the table Systems"
        )
        show.put(Figure(figure, "intervals", alt, on_select=highlight.take, modes=("points",), drawn=drawn))
    with left:
        _draw_importance(page, varied)
    show.explain(
        f"{page.count:,} settings are drawn at random, each parameter between its ends. A line covers the ranks that a "
        "system has in the middle 90% of them; the mark is the median, the ring its rank at the default setting.",
        "A system whose line is short keeps its place in most settings. Bars: the share of settings in which it is "
        "first (dark), in the top 5 (pale). Ties share.",
        "Leave the most important parameter out: how much shorter do the lines become? Narrow its range to what "
        "people really use.",
    )
    st.markdown("**Systems**")
    decimals = {"share first": 3, "share top 5": 3}
    show.put(Table(table, "systems over settings", height=400, decimals=decimals, drawn=drawn))
    as_python(page.collection, *_code(page, varied))


def _code(page: SensitivitySettings, varied: list[Parameter]) -> list[str]:
    """What recomputes the table and the indices."""
    each = [f"    parameter_of(measure, {one.path!r}, c).within({one.low!r}, {one.high!r})," for one in varied]
    return [
        "from evalcore import figures",
        "from evalcore.sensitivity import importance, parameter_of, sample",
        "",
        f"measure = {page.measure!r}",
        *("varied = [", *each, "]"),
        f"drawn = sample(measure, varied, c, count={page.count}, seed={page.seed})",
        f"table, kept = drawn.table(), drawn.keeps({page.first})",
        "n_first = (table['share first'] > 0).sum()",
        f"indices = importance(measure, varied, c, points={SAMPLES[page.count]}, seed={page.seed}).table",
        *families.code(page.collection),
        "ec.plot(table, styles=styles)",
    ]


def _sampled(page: SensitivitySettings, varied: list[Parameter]) -> tuple[pd.DataFrame, tuple[float, ...]] | None:
    def job(tell: Tell) -> tuple[pd.DataFrame, tuple[float, ...]]:
        swept = open_collection.for_sweeps(page.collection)
        found = sample(page.varied, varied, swept, count=page.count, seed=page.seed, tell=tell)
        return found.table(), kept_of(found)

    return computed(
        page,
        "sample",
        ("sample", page.collection.fingerprint, page.measure, tuple(varied), page.count, page.seed),
        page.count,
        job,
    )


def _headline(table: pd.DataFrame, top: int, kept: float) -> str:
    best = table.sort_values("share first", ascending=False, kind="stable")
    first, share, place = best.index[0], best["share first"].iloc[0], best["rank"].iloc[0]
    winners = int((table["share first"] > 0).sum())
    return (
        f"**{named(first)}** is first in **{share:.0%}** of the settings (by default: rank {place}); "
        f"{counted(winners, 'system')} {'is' if winners == 1 else 'are'} first somewhere. "
        f"The first {top} keep their order in **{kept:.0%}**."
    )


def _draw_importance(page: SensitivitySettings, varied: list[Parameter]) -> None:
    points = SAMPLES[page.count]
    found = computed(
        page,
        "importance",
        ("importance", page.collection.fingerprint, page.measure, tuple(varied), points, page.seed),
        points * (len(varied) + 2),
        lambda tell: importance(
            page.varied,
            varied,
            open_collection.for_sweeps(page.collection),
            points=points,
            seed=page.seed,
            tell=tell,
        ),
        "Which parameter moves the ranking most",
    )
    if found is None:
        return
    help = (
        f"Sobol indices from {found.settings:,} settings: the share of the variance of τ (with the default) that a "
        "parameter explains alone, and together with others. Whiskers: 95% intervals over the settings drawn."
    )
    st.markdown("**What moves the ranking most**", help=help)
    if found.note:
        st.caption(found.note)
    alt = f"Sobol indices of {counted(len(varied), 'parameter')}; the values are in the table under the figure"
    drawn = {"settings": found.settings, "seed": page.seed}
    show.put(Figure(figures.importance_bars(found.table), "importance", alt, drawn=drawn))
    with st.expander("As a table"):
        show.put(Table(found.table, "importance", decimals=dict.fromkeys(found.table.columns, 3), drawn=drawn))
