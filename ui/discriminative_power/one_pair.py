"""One pair of systems: its difference on each topic, and its tests under each measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.progress import Tell
from evalcore.meta import PairComparison
from ui.address import families
from ui.discriminative_power import texts
from ui.discriminative_power.pair_settings import Power
from ui.discriminative_power.pairs import Tests, tested
from ui.screen.calls import Call, keyed, line, record
from ui.screen.items import Calls, Figure, Item, Table, Text
from ui.screen.text import reading_name
from ui.stage import show

PS = {"t": 3, "p (t-test)": 4, "ASL": 4, "p (permutation)": 4, "p (Wilcoxon)": 4, "d_z": 3, "g_z": 3}
CORRECTED = {"t-test": "p (t-test)", "bootstrap": "ASL", "Wilcoxon": "p (Wilcoxon)"}  # tests that run on all pairs


def one_pair(page: Power, tests: Tests) -> None:
    page.draw_in_row("a", "b")
    if page.pair is None:
        st.info(texts.SAME_SYSTEM, icon=":material/info:")
        return
    text = str(page.measure)
    shared = int(page.scores[text][list(page.pair)].notna().all(axis=1).sum())
    if shared < 2:
        st.info(texts.shared(shared), icon=":material/info:")
        return
    pairs = comparisons(page, list(tests.value), page.pair)
    if tested(page, tests, text) and text in pairs.value:
        show.screen(of_pair(page, tests, pairs))


def of_pair(page: Power, tests: Tests, pairs: Call[dict[str, PairComparison]]) -> Iterator[Item]:
    """Yield the differences of the pair by topic, and its tests under each measure."""
    assert page.pair is not None
    (a, b), text = page.pair, str(page.measure)
    pair = line("pair", pairs.it[text])
    shown = pair.value
    ahead = line("ahead", (pair.it.differences > 0).sum())
    behind = line("behind", (pair.it.differences < 0).sum())
    yield Text.note(texts.pair(page, a, b, ahead.value, behind.value, shown), calls=(ahead, behind))
    figure = families.plotted("", page.collection, pair.it, names=page.pair)
    yield Figure(figure, "pair", texts.differences(a, b, reading_name(text)), drawn=page.drawn)
    corrected = corrected_ps(page, tests, list(pairs.value))
    table = pair_table(page, tests, pairs.value, corrected)
    decimals = {name: PS.get(name.split(",")[0], 4) for name in table.columns}
    calls: Calls = (pairs, corrected) if corrected else (pairs,)
    yield Table(table, "pair", decimals=decimals, drawn=page.drawn, calls=calls)
    yield Text.note(texts.tests(page, shown.exact, len(tests.value[text].pairs)))


def comparisons(page: Power, measures: list[str], pair: tuple[str, str]) -> Call[dict[str, PairComparison]]:
    """Return the call of the comparison of one pair (`PairComparison`, with its tests) under each measure."""
    (a, b), frames = pair, {text: page.scores[text] for text in measures}

    def run(scores: pd.DataFrame, tell: Tell) -> PairComparison:
        return ec.compare_systems(scores, a, b, page.resamples, page.seed, counts=page.draws, progress=tell)

    pairs = page.kept("pair", "Testing the pair", run, (*page.known_by, "pair", a, b), frames, page.asked(0))
    return page.each(
        "pairs",
        lambda scores: record(ec.compare_systems)(scores, a, b, n_resamples=page.resamples, seed=page.seed),
        pairs,
    )


def corrected_ps(page: Power, tests: Tests, measures: list[str]) -> Call[dict[str, dict[str, pd.DataFrame]]] | None:
    """Return the call of all pairs with corrected p, by measure and then by test; None without a correction."""
    if page.correction == "none":
        return None

    def pairs(text: str) -> dict[str, pd.DataFrame]:
        corrected = record(ec.meta.corrected_pairs)
        return keyed(CORRECTED, lambda way: corrected(tests.it[text], way, page.correction))

    return line("corrected", keyed(measures, pairs))


def pair_table(
    page: Power,
    tests: Tests,
    pairs: Mapping[str, PairComparison],
    corrected: Call[dict[str, dict[str, pd.DataFrame]]] | None,
) -> pd.DataFrame:
    """Return the table of one pair, with its difference, interval and tests, one row per measure."""
    rows, pair = {}, page.pair or ()
    for text, one in pairs.items():
        listed = tests.value[text].pairs
        at = int(np.flatnonzero(listed["system_a"].isin(pair) & listed["system_b"].isin(pair))[0])
        more = [corrected.value[text][way]["p"].iloc[at] for way in CORRECTED] if corrected else []
        rows[page.names[text]] = (
            one.mean, one.low, one.high, one.t, one.p_t, one.asl, one.p_permutation, one.p_wilcoxon,
            one.d_z, one.g_z, *more,
        )  # fmt: skip
    columns = ["difference", "low", "high", *PS]
    columns += [f"{name}, corrected" for name in CORRECTED.values()] if corrected else []
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")
