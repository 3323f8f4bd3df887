"""All pairs of systems under one measure, and those that differ in a test corrected for the number of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.progress import Tell
from evalcore.common.rounding import less
from ui.address import families
from ui.address.families import all_short
from ui.computing.doubt import first_calls, leads
from ui.discriminative_power import texts
from ui.discriminative_power.pair_settings import TUKEY, Power
from ui.discriminative_power.pairs import MOST_PAIRS, Tests, take, tested
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Columns, Figure, Item, Metric, Sentence, Table, Text
from ui.screen.text import counted, markdown, reading_name


def of_all_pairs(page: Power, tests: Tests, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the share of significant pairs under one measure, a table of systems with letters, and a matrix of pairs.

    Two systems that share a letter do not differ significantly.
    """
    text = str(page.measure)
    name, styles = reading_name(text), families.styles_of(page.collection)
    means = line("means", page.of(text).it.mean())
    order = line("order", record(ec.best_first)(means.it).index.tolist())
    figure = call("", figures.pair_matrix, order.it, pairs.it, page.alpha, styles=styles)

    yield Text(f"Under {markdown(page.names[text])}", "heading")
    letters = call("letters", ec.meta.letters_of_pairs, order.it, pairs.it, page.alpha)
    frame = pd.DataFrame({"mean": means.value[order.value], "letters": letters.value}).rename_axis("system")
    scores = page.of(text)
    beside = (
        Sentence(f"{leads(scores.value)}.", calls=first_calls(scores)),
        *numbers_of_pairs(page, pairs),
        Table(frame.rename(index=all_short()), "letters", height=320, drawn=page.drawn, calls=(means, letters)),
        Text.note(f"{texts.LETTERS}{texts.untested(tests.value[text]) if text in tests.value else ''}"),
    )
    matrix = Figure(figure, "matrix", texts.matrix(name), partial(take, page), ("points",), page.drawn)
    yield Columns((beside, (matrix,)), (0.3, 0.7), gap="medium")


def list_of_pairs(page: Power, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the table of all pairs, in ascending order of p."""
    table = pairs.value
    listed = table.assign(significant=less(table["p"], page.alpha)).sort_values("p", kind="stable")
    if "p_equivalent" in table:
        listed["equivalent"] = less(listed["p_equivalent"], page.alpha)
    options: dict[str, Any] = {"height": 320, "download": listed, "drawn": page.drawn, "calls": (pairs,)}
    yield Table(listed.head(MOST_PAIRS), "pairs", index=False, **options)
    yield Text.note(texts.family(len(table)))


def decided_pairs(page: Power, tests: Tests) -> Call[pd.DataFrame] | None:
    """Return the call of all pairs with their p under the chosen test.

    None if the test was not run; the page then says so.
    """
    text = str(page.measure)
    if page.test != TUKEY:
        if not tested(page, tests, text):
            return None
        margin = {"margin": page.margin} if page.margin else {}
        return call("pairs", ec.meta.corrected_pairs, tests.it[text], page.test, page.correction, **margin)
    if not len(page.scores[text].dropna()):
        st.info(texts.NO_TOPIC, icon=":material/info:")
        return None

    def run(scores: pd.DataFrame, tell: Tell) -> pd.DataFrame:
        return ec.tukey_p(scores, page.resamples, page.seed, tell)

    frames, known_by = {text: page.scores[text]}, (*page.known_by, TUKEY)
    pairs = page.kept("tukey", "Shuffling scores", run, known_by, frames, page.asked(1)).get(text)
    return (
        None
        if pairs is None
        else call("pairs", ec.tukey_p, page.of(text).it, n_resamples=page.resamples, seed=page.seed).known(pairs)
    )


def numbers_of_pairs(page: Power, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the share of pairs that differ significantly, and notes if resamples or topics are too few to decide."""
    apart = call("significant", less, pairs.it["p"], page.alpha)
    share, count = line("share", apart.it.mean()), len(pairs.value)
    yield Metric.of("significant pairs", share, f"{int(apart.value.sum()):,} of {counted(count, 'pair')}", form=".1%")
    yield Text.note(texts.FAMILIES[page.correction if page.test != TUKEY else "Holm"].format(alpha=100 * page.alpha))
    if "p_equivalent" in pairs.value:
        equivalent = call("equivalent", less, pairs.it["p_equivalent"], page.alpha)
        of = texts.differ(int(equivalent.value.sum()), count, page.margin)
        yield Metric.of("equivalent pairs", line("share_equivalent", equivalent.it.mean()), of, form=".1%")
    smallest = 1 / page.resamples
    if page.test == "bootstrap" and page.correction in ("Bonferroni", "Holm") and smallest * count > page.alpha:
        yield Text.note(texts.smallest(smallest, count))
    # These tests never give scores in steps a smaller p than the sign-flip test does (`evalcore.meta.steps`).
    if page.test in ("bootstrap", "t-test") and page.correction != "none" and 2**page.n_topics < count:
        yield Text.note(texts.few_signs(page.n_topics))
