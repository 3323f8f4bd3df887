"""The page Pairs: pairs of systems that differ, their share by measure (Sakai's discriminative power), and one pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import figures
from ui.address import families
from ui.data import open_collection
from ui.data.compared import compared
from ui.discriminative_power import pairs, texts
from ui.discriminative_power.all_pairs import decided_pairs, list_of_pairs, of_all_pairs
from ui.discriminative_power.one_pair import one_pair
from ui.discriminative_power.pair_settings import TUKEY, Power
from ui.discriminative_power.pairs import Tests, power_of
from ui.screen.items import Figure, Headline, Item, Latex, Table, Text
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show


def main() -> None:
    collection = open_collection.titled("discriminative_power", texts.what_is_missing)
    left, right = show.two_columns()
    with left:
        page = compared(Power, collection)
        page.draw("alpha")
    if page.n_topics < 2:
        right.info(texts.FEW, icon=":material/info:")
        return
    with left:
        page.draw("measure", "test", *(["correction", "margin"] if page.test != TUKEY else []))
        with st.expander("More settings"):
            page.draw("resamples", "seed")
    with right:
        tests = pairs.bootstraps(page)
        if not tests.value:
            return
        # Alpha only moves the horizontal line of the figure, so its other positions are drawn without the curves.
        live.follow(page, lambda there: answer(there, tests, whole=there is page), "alpha")
    with left:
        show.put(power_table(page, tests))
    with show.errors():
        if (decided := decided_pairs(page, tests)) is not None:
            show.screen(of_all_pairs(page, tests, decided))
        st.header("One pair", anchor=False)
        one_pair(page, tests)
    show.explain(*texts.READING_PAIRS)
    with st.expander("All pairs as a table"):
        if decided is not None:
            show.screen(list_of_pairs(page, decided))
    formulas(page)


def answer(page: Power, tests: Tests, whole: bool) -> Iterator[Item]:
    """Yield the share of pairs that differ under each measure, and a figure, with curves if `whole`."""
    power = power_of(page, tests)
    yield Headline(texts.shares(page, power.value, len(next(iter(tests.value.values())).pairs)), (power,))
    for text, test in tests.value.items():
        if untested := texts.untested(test):
            yield Text.note(f"{markdown(page.names[text])}:{untested}")
    yield curves(page, tests, whole)


def curves(page: Power, tests: Tests, whole: bool) -> Figure:
    """Return the figure of the ASL curves; if `whole` is False, only its axes and the line of α."""
    made = families.plotted("", page.collection, tests.it, alpha=page.alpha, pair=page.pair)
    figure, styles = made.here(names=page.names), families.styles(page.collection)
    bare = partial(figures.asl_curves, {}, page.alpha, page.resamples, None, styles)
    make = figure if whole else bare
    return Figure(make, "asl", texts.CURVES, partial(pairs.take, page), ("points",), page.drawn, calls=(figure,))


def power_table(page: Power, tests: Tests) -> Table:
    """Return the table of the discriminative power of each measure."""
    power = power_of(page, tests)
    rows = [
        (page.names[text], power.value[text], len(test.significant_pairs(page.alpha)), len(test.pairs), text)
        for text, test in tests.value.items()
    ]
    full = pd.DataFrame(rows, columns=["measure", "power", "significant", "pairs", "text"])
    table = full[["measure", "power"]].sort_values("power", ascending=False, kind="stable")
    table["power"] *= 100
    help = texts.power(full["pairs"][0])
    columns = {"power": st.column_config.NumberColumn("significant pairs", format="%.1f%%", help=help)}
    options: dict[str, Any] = {"columns": columns, "download": full, "drawn": page.drawn | {"alpha": page.alpha}}
    height = 38 + 35 * min(len(table), 9)
    return Table(table, "discriminative power", index=False, height=height, calls=(power,), **options)


def formulas(page: Power) -> None:
    with st.expander("Formula with the current values"):
        topics = len(next(iter(page.scores.values())))
        show.put(
            Latex(
                rf"t = \frac{{\bar d}}{{s_d / \sqrt{{{topics}}}}}, \qquad w_k = d_k - \bar d, \qquad "
                rf"\mathrm{{ASL}} = \frac{{|\{{b : |t^*_b| \ge |t|\}}|}}{{{page.resamples}}} < {page.alpha:g}"
            )
        )
        st.caption(texts.formula(any(frame.isna().any(axis=None) for frame in page.scores.values())))
