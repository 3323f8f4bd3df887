"""All pairs of systems under one measure: which differ by the chosen test, corrected for the number of pairs."""

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
from ui.discriminative_power.pair_settings import BH, TUKEY, Power
from ui.discriminative_power.pairs import MOST_PAIRS, Tests, take, tested, untested
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Columns, Figure, Item, Metric, Sentence, Table, Text
from ui.screen.text import counted, markdown, reading_name

FAMILIES = {
    "none": "Each pair is tested by itself: {alpha:g} % of the pairs of equal systems are called different.",
    BH: "False discovery rate: on average at most {alpha:g} % of the pairs called different are equal.",
    **dict.fromkeys(("Bonferroni", "Holm"), "Family-wise: the chance of any false difference is at most {alpha:g} %."),
}


def of_all_pairs(page: Power, tests: Tests, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """Share of the pairs that differ significantly under one measure, their matrix, and the letters of the systems."""
    text = str(page.measure)
    name, styles = reading_name(text), families.styles_of(page.collection)
    means = line("means", page.of(text).it.mean())
    order = line("order", record(ec.best_first)(means.it).index.tolist())
    figure = call("", figures.pair_matrix, order.it, pairs.it, page.alpha, styles=styles)
    alt = f"Matrix of systems, best first, under {name}: significant differences of pairs; the list is below"
    yield Text(f"Under {markdown(page.names[text])}", "heading")
    letters = call("letters", ec.meta.letters_of_pairs, order.it, pairs.it, page.alpha)
    frame = pd.DataFrame({"mean": means.value[order.value], "letters": letters.value}).rename_axis("system")
    scores = page.of(text)
    beside = (
        Sentence(f"{leads(scores.value)}.", calls=first_calls(scores)),
        *numbers_of_pairs(page, pairs),
        Table(frame.rename(index=all_short()), "letters", height=320, drawn=page.drawn, calls=(means, letters)),
        Text.note(
            "Two systems that share a letter do not differ significantly."
            f"{untested(tests.value[text]) if text in tests.value else ''}"
        ),
    )
    matrix = Figure(figure, "matrix", alt, partial(take, page), ("points",), page.drawn)
    yield Columns((beside, (matrix,)), (0.3, 0.7), gap="medium")


def list_of_pairs(page: Power, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """Table of all pairs, by ascending p."""
    table = pairs.value
    listed = table.assign(significant=less(table["p"], page.alpha)).sort_values("p", kind="stable")
    if "p_equivalent" in table:
        listed["equivalent"] = less(listed["p_equivalent"], page.alpha)
    options: dict[str, Any] = {"height": 320, "download": listed, "drawn": page.drawn, "calls": (pairs,)}
    yield Table(listed.head(MOST_PAIRS), "pairs", index=False, **options)
    yield Text.note(
        f"The p values are for the family of all {counted(len(table), 'pair')}; *Table* compares systems with the best "
        "alone. difference: mean of system_a minus mean of system_b, reversed if low scores are good; above 0, "
        "system_a is better."
    )


def decided_pairs(page: Power, tests: Tests) -> Call[pd.DataFrame] | None:
    """Return all pairs with their p by the chosen test; None if there is none yet, which the page then reports."""
    text = str(page.measure)
    if page.test != TUKEY:
        if not tested(page, tests, text):
            return None
        margin = {"margin": page.margin} if page.margin else {}
        return call("pairs", ec.meta.corrected_pairs, tests.it[text], page.test, page.correction, **margin)
    if not len(page.scores[text].dropna()):
        st.info("No topic has scores of all systems, as this test needs. Choose another test.", icon=":material/info:")
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
    """Share of the pairs that differ significantly, and notes if there are too few resamples or topics to decide."""
    apart = call("significant", less, pairs.it["p"], page.alpha)
    share, count = line("share", apart.it.mean()), len(pairs.value)
    yield Metric.of("significant pairs", share, f"{int(apart.value.sum()):,} of {counted(count, 'pair')}", form=".1%")
    yield Text.note(FAMILIES[page.correction if page.test != TUKEY else "Holm"].format(alpha=100 * page.alpha))
    if "p_equivalent" in pairs.value:
        equivalent = call("equivalent", less, pairs.it["p_equivalent"], page.alpha)
        of = f"{int(equivalent.value.sum()):,} of {counted(count, 'pair')} differ by less than {page.margin:g}"
        yield Metric.of("equivalent pairs", line("share_equivalent", equivalent.it.mean()), of, form=".1%")
    smallest = 1 / page.resamples
    if page.test == "bootstrap" and page.correction in ("Bonferroni", "Holm") and smallest * count > page.alpha:
        yield Text.note(
            f"The smallest ASL above 0 is {smallest:g}; corrected for {counted(count, 'pair')} it may exceed α. With "
            "more resamples it is smaller."
        )
    if held_against_signs(page) and (signs := 2**page.n_topics) < count:
        yield Text.note(
            f"The signs of {counted(page.n_topics, 'topic')} can be flipped in {signs:,} ways, fewer than there are "
            "pairs. If scores come in steps, as with P@5, some pairs then differ by the same amount on all topics by "
            "chance. The uncorrected p of such a pair is therefore at least that of a sign-flip test."
        )


def held_against_signs(page: Power) -> bool:
    """Return True if the p of scores in steps is at least the p of flipped signs (`evalcore.meta.steps`)."""
    return page.test in ("bootstrap", "t-test") and page.correction != "none"
