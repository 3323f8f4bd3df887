"""The page Pairs: pairs of systems that differ, their share by measure (Sakai's discriminative power), and one pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.data import Collection
from ui.address import families
from ui.data import open_collection
from ui.data.compared import compared
from ui.discriminative_power import pairs
from ui.discriminative_power.all_pairs import decided_pairs, list_of_pairs, of_all_pairs
from ui.discriminative_power.one_pair import one_pair
from ui.discriminative_power.pair_settings import TUKEY, Power
from ui.discriminative_power.pairs import Tests, power_of
from ui.screen.items import Figure, Headline, Item, Latex, Table, Text
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show

FEW = "Choose measures that have at least two systems and two topics in common."


def main() -> None:
    collection = open_collection.titled("discriminative_power", what_is_missing)
    left, right = show.two_columns()
    with left:
        page = compared(Power, collection)
        page.draw("alpha")
    if page.n_topics < 2:
        right.info(FEW, icon=":material/info:")
        return
    with left:
        page.draw("measure", "test", *(["correction", "margin"] if page.test != TUKEY else []))
        with st.expander("More settings"):
            page.draw("resamples", "seed")
    with right:
        tests = pairs.bootstraps(page)
        if not tests.value:
            return
        # Alpha moves only the level in the figure: at its other values, the lines are left out.
        live.follow(page, lambda there: answer(there, tests, whole=there is page), "alpha")
    with left:
        show.put(power_table(page, tests))
    with show.errors():
        if (decided := decided_pairs(page, tests)) is not None:
            show.screen(of_all_pairs(page, tests, decided))
        st.header("One pair", anchor=False)
        one_pair(page, tests)
    show.explain(*EXPLANATION)
    with st.expander("All pairs as a table"):
        if decided is not None:
            show.screen(list_of_pairs(page, decided))
    formulas(page)


def what_is_missing(collection: Collection) -> str:
    """Say why there is nothing to show, and what to do; "" if there is something."""
    if min(len(collection.systems), len(collection.topics)) > 1:
        return ""
    counts = f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}"
    return f"Pairs need two systems, tests two topics; the open collection has {counts}."


def answer(page: Power, tests: Tests, whole: bool) -> Iterator[Item]:
    """Share of the pairs that differ under each measure, in words and as a figure, whose lines may be left out."""
    power = power_of(page, tests)
    powers, n_pairs = power.value, len(next(iter(tests.value.values())).pairs)
    best, worst = max(powers, key=powers.__getitem__), min(powers, key=powers.__getitem__)
    line = f"**{markdown(page.names[best])}** separates **{powers[best]:.1%}** of {counted(n_pairs, 'pair')}"
    if powers[worst] < powers[best]:
        line += f", **{markdown(page.names[worst])}** {powers[worst]:.1%}"
    yield Headline(f"{line} at α = {page.alpha:g}.", (power,))
    for text, test in tests.value.items():
        if untested := pairs.untested(test):
            yield Text.note(f"{markdown(page.names[text])}:{untested}")
    yield curves(page, tests, n_pairs, whole)


def curves(page: Power, tests: Tests, n_pairs: int, whole: bool) -> Figure:
    """Figure of the ASL curves; without their lines unless it is the `whole` figure."""
    made = families.plotted("", page.collection, tests.it, alpha=page.alpha, pair=page.pair)
    figure, styles = made.here(names=page.names), families.styles(page.collection)
    bare = partial(figures.asl_curves, {}, page.alpha, page.resamples, None, styles)
    count = len(tests.value)
    alt = f"ASL curves of {count} measures over {n_pairs} pairs of systems; the values are in the table beside them"
    make = figure if whole else bare
    return Figure(make, "asl", alt, partial(pairs.take, page), ("points",), page.drawn, calls=(figure,))


def power_table(page: Power, tests: Tests) -> Table:
    """Table of the discriminative power of each measure."""
    power = power_of(page, tests)
    rows = [
        (page.names[text], power.value[text], len(test.significant_pairs(page.alpha)), len(test.pairs), text)
        for text, test in tests.value.items()
    ]
    full = pd.DataFrame(rows, columns=["measure", "power", "significant", "pairs", "text"])
    table = full[["measure", "power"]].sort_values("power", ascending=False, kind="stable")
    table["power"] *= 100
    help = f"Discriminative power: the share of {full['pairs'][0]:,} pairs that differ significantly by the bootstrap"
    columns = {"power": st.column_config.NumberColumn("significant pairs", format="%.1f%%", help=help)}
    options: dict[str, Any] = {"columns": columns, "download": full, "drawn": page.drawn | {"alpha": page.alpha}}
    height = 38 + 35 * min(len(table), 9)
    return Table(table, "discriminative power", index=False, height=height, calls=(power,), **options)


EXPLANATION = (
    "Each line is a measure, with all pairs of systems in order of falling ASL. The vertical axis is the ASL: how "
    "often two equal systems would differ this much by chance. Below are the pairs under one measure, by the chosen "
    "test.",
    "The further left a line falls below α, the more pairs the measure separates: its discriminative power. That shows "
    "how clearly a measure orders systems, not whether it measures the right thing. Systems that share a letter do not "
    "differ significantly.",
    "Move α, add measures, or click a line or a cell to see its pair. A correction accounts for the number of pairs; "
    "*Topics needed* shows what more topics would add.",
)
LACKING = " A pair is tested on the topics that both systems have, with resamples of that size."


def formulas(page: Power) -> None:
    with st.expander("Formula with the current values"):
        topics = len(next(iter(page.scores.values())))
        show.put(
            Latex(
                rf"t = \frac{{\bar d}}{{s_d / \sqrt{{{topics}}}}}, \qquad w_k = d_k - \bar d, \qquad "
                rf"\mathrm{{ASL}} = \frac{{|\{{b : |t^*_b| \ge |t|\}}|}}{{{page.resamples}}} < {page.alpha:g}"
            )
        )
        st.caption(
            "d is the difference of two systems on each topic. Each resample b draws the same number of topics with "
            "replacement from w, whose mean is 0; t* is its t. The same resamples serve all pairs and measures, so "
            "measures with equal scores separate the same pairs. If s is 0, t is 0 or infinite (Sakai 2006)."
            + (LACKING if any(frame.isna().any(axis=None) for frame in page.scores.values()) else "")
        )
