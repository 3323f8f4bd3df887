"""Closer looks at all pairs of systems: which differ, by any test, corrected for their number."""

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
from ui.computing.doubt import first_calls, leads
from ui.discriminative_power.controls import TUKEY, Power
from ui.discriminative_power.pairs import MOST_PAIRS, Tests, take, tested, untested
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Figure, Item, Metric, Sentence, Table, Text
from ui.screen.text import counted, reading_name
from ui.stage import show


def all_pairs(page: Power, tests: Tests) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("measure", "test", *(["correction"] if page.test != TUKEY else []))
        pairs = decided_pairs(page, tests)
    if pairs is not None:
        show.screen(of_all_pairs(page, tests, pairs), {"left": left, "right": right})


def of_all_pairs(page: Power, tests: Tests, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """How many pairs differ significantly, which, and how sure each is."""
    text, table, drawn = str(page.measure), pairs.value, page.drawn
    yield At("left", tuple(numbers_of_pairs(page, pairs)))
    order = line("order", record(ec.best_first)(page.of(text).it.mean()).index.tolist())
    figure = call("", figures.pair_matrix, order.it, pairs.it, page.alpha, styles=families.styles_of(page.collection))
    name = reading_name(text)
    alt = f"Systems against systems, best first, under {name}: which pairs are told apart; the list is below"
    scores = page.of(text)
    who = Sentence(f"{leads(scores.value)}.", calls=first_calls(scores))
    yield At(
        "right",
        (
            who,
            Figure(figure, "matrix", alt, partial(take, page), ("points",), drawn),
        ),
    )
    listed = table.assign(significant=less(table["p"], page.alpha)).sort_values("p", kind="stable")
    options: dict[str, Any] = {"height": 320, "download": listed, "drawn": drawn, "calls": (pairs,)}
    yield Table(listed.head(MOST_PAIRS), "pairs", index=False, **options)
    yield Text.note(
        f"Each p is among all {counted(len(table), 'pair')}; who leads is compared with the best alone. "
        "difference: mean of system_a less mean of system_b; where low scores are good, the other way round: above 0 "
        f"system_a is better.{untested(tests.value[text]) if text in tests.value else ''} Click a cell to look at its "
        "pair."
    )


def decided_pairs(page: Power, tests: Tests) -> Call[pd.DataFrame] | None:
    """All pairs with their p by the chosen test; None where there is none yet, which is said."""
    text = str(page.measure)
    if page.test != TUKEY:
        if not tested(page, tests, text):
            return None
        return call("pairs", ec.meta.corrected_pairs, tests.it[text], page.test, page.correction)
    if not len(page.scores[text].dropna()):
        st.info("This test takes topics that all systems have; there is none.", icon=":material/info:")
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
    """How many pairs differ significantly, and whether the resamples are too few to say."""
    apart = call("significant", less, pairs.it["p"], page.alpha)
    share, count = line("share", apart.it.mean()), len(pairs.value)
    yield Metric.of("significant pairs", share, f"{int(apart.value.sum()):,} of {counted(count, 'pair')}", form=".1%")
    smallest = 1 / page.resamples
    if page.test == "bootstrap" and page.correction != "none" and smallest * count > page.alpha:
        yield Text.note(
            f"The smallest ASL above 0 is {smallest:g}; corrected for {counted(count, 'pair')} it may exceed α. "
            "More resamples make it finer."
        )
    if held_against_signs(page) and (signs := 2**page.n_topics) < count:
        yield Text.note(
            f"There are more pairs than ways to flip the signs of {counted(page.n_topics, 'topic')}, {signs:,}: where "
            "scores come in steps, as those of P@5, some pairs differ alike on all topics by chance. Before it is "
            "corrected, the p of such a pair is at least what flipped signs of the topics say of it."
        )


def held_against_signs(page: Power) -> bool:
    """Whether a p of scores in steps is at least what flipped signs say (`evalcore.meta.steps`)."""
    return page.test in ("bootstrap", "t-test") and page.correction != "none"
