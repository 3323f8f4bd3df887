"""Any number of parameters: where the systems end up, and which parameter moves them."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.sensitivity import Parameter, importance, sample
from ui import collections, show
from ui.code import as_python
from ui.controls import choose, choose_many, slider
from ui.sensitivity.controls import HEIGHT, computed, highlighted, is_quick, narrowed, take_systems, usual
from ui.text import markdown

MOST = 5  # parameters varied at first
SAMPLES = {"200": 32, "1,000": 128, "4,000": 512}  # random settings -> base points of the Sobol indices


def draw(
    collection: Collection, measure: Measure, known: list[Parameter], left: DeltaGenerator, right: DeltaGenerator
) -> None:
    """The view Any number."""
    with left:
        first = [one.path for one in usual(known)[:MOST]]
        picked = choose_many("Parameters", "many", [one.path for one in known], placeholder=", ".join(first)) or first
        varied = narrowed([one for one in known if one.path in picked])
        settings, seed = st.columns(2)
        with settings:
            usually = "1,000" if is_quick(measure) else "200"
            count = choose("Settings", "draws", list(SAMPLES), usually, help="Drawn uniformly between the ends")
        with seed:
            start = int(slider("Seed", "seed", 0, 20, 0, 1))
    table = _sampled(collection, measure, varied, int(count.replace(",", "")), start)
    if table is None:
        return
    settings_drawn = {"settings": int(count.replace(",", "")), "seed": start}
    with right:
        st.markdown(_headline(table))
        styles = collections.styles(collection)
        figure = figures.rank_intervals(table, styles, selected=highlighted(collection), height=HEIGHT)
        alt = f"Rank intervals of {len(table)} systems over {count} settings; the values are in the table Systems"
        show.figure(figure, "intervals", alt, on_select=take_systems, modes=("points",), drawn=settings_drawn)
    with left:
        _draw_importance(collection, measure, varied, SAMPLES[count], start)
    show.explain(
        f"{count} settings are drawn at random, each parameter between its ends. A line covers the ranks that a system "
        "has in the middle 90 % of them; the mark is the median, the ring its rank at the default setting.",
        "A system whose line is short holds its place whatever the setting. Bars: the share of settings in which it is "
        "first (dark), in the top 5 (pale). Ties share.",
        "Leave the most important parameter out: how much shorter do the lines become? Narrow its range to what "
        "people really use.",
    )
    st.markdown("**Systems**")
    decimals = {"share first": 3, "share top 5": 3}
    show.table(table, "systems over settings", height=400, decimals=decimals, drawn=settings_drawn)
    as_python(collection, *_code(measure, varied, count, start))


def _code(measure: Measure, varied: list[Parameter], count: str, seed: int) -> list[str]:
    """What recomputes the table and the indices."""
    each = [f"    parameter_of(measure, {one.path!r}, c).within({one.low!r}, {one.high!r})," for one in varied]
    return [
        "from evalcore.sensitivity import importance, parameter_of, sample",
        "",
        f"measure = {str(measure)!r}",
        *("varied = [", *each, "]"),
        f"table = sample(measure, varied, c, count={count.replace(',', '')}, seed={seed}).table()",
        f"indices = importance(measure, varied, c, points={SAMPLES[count]}, seed={seed}).table",
    ]


def _sampled(
    collection: Collection, measure: Measure, varied: list[Parameter], count: int, seed: int
) -> pd.DataFrame | None:
    return computed(
        "sample",
        f"Scoring {count:,} settings",
        ("sample", collection.fingerprint, str(measure), tuple(varied), count, seed),
        lambda tell: sample(
            measure, varied, collections.for_sweeps(collection, tell), count=count, seed=seed, tell=tell
        ).table(),
    )


def _headline(table: pd.DataFrame) -> str:
    best = table.sort_values("share first", ascending=False, kind="stable")
    first, share, place = best.index[0], best["share first"].iloc[0], best["rank"].iloc[0]
    winners = int((table["share first"] > 0).sum())
    return (
        f"**{markdown(first)}** is first in **{share:.0%}** of the settings (by default: rank {place}); "
        f"{winners} system{'s are' if winners > 1 else ' is'} first somewhere."
    )


def _draw_importance(collection: Collection, measure: Measure, varied: list[Parameter], points: int, seed: int) -> None:
    found = computed(
        "importance",
        "Which parameter moves the ranking most",
        ("importance", collection.fingerprint, str(measure), tuple(varied), points, seed),
        lambda tell: importance(
            measure, varied, collections.for_sweeps(collection, tell), points=points, seed=seed, tell=tell
        ),
    )
    if found is None:
        return
    help = (
        f"Sobol indices from {found.settings:,} settings: the share of the variance of τ (with the default) that a "
        "parameter explains alone, and together with others. Whiskers: 95 % bootstrap intervals."
    )
    st.markdown("**What moves the ranking most**", help=help)
    if found.note:
        st.caption(found.note)
    alt = f"Sobol indices of {len(varied)} parameters; the values are in the table under the figure"
    drawn = {"settings": found.settings, "seed": seed}
    show.figure(figures.importance_bars(found.table), "importance", alt, drawn=drawn)
    with st.expander("As a table"):
        show.table(found.table, "importance", decimals=dict.fromkeys(found.table.columns, 3), drawn=drawn)
