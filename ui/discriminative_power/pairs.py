"""The bootstrap test of every pair of systems, which all looks share."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.meta import PairedBootstrap
from evalcore.meta.discrimination import DECISIONS
from evalcore.progress import Tell
from ui.discriminative_power.controls import ONE_PAIR, Power, of_each
from ui.screen.calls import Call
from ui.screen.items import Headline, Item, Text
from ui.screen.text import counted, markdown

Tests: TypeAlias = Call[dict[str, PairedBootstrap]]
MOST_PAIRS = 2_000  # that a table lists; the download has them all


def bootstraps(page: Power) -> Tests:
    """The test of every pair under each measure; fewer measures where the work was stopped."""
    tests = bootstrapped(page, "power", "Resampling topics", page.scores)
    return page.each("tests", "ec.paired_bootstrap({scores}[text], {drawn})", tests)


def bootstrapped(page: Power, name: str, label: str, frames: Mapping[str, pd.DataFrame]) -> dict[str, PairedBootstrap]:
    """The tests of some scores."""

    def run(scores: pd.DataFrame, tell: Tell) -> PairedBootstrap:
        return ec.paired_bootstrap(scores, counts=page.draws, progress=tell)

    return page.kept(name, label, run, (*page.known_by, "bootstrap"), frames, page.asked(len(frames)))


def power_of(page: Power, tests: Tests) -> Call[dict[str, float]]:
    """The discriminative power of each measure."""
    return of_each("power", "result.power({alpha})", tests, alpha=page.alpha)


def take(page: Power, clicked: list[str]) -> None:
    """A pair clicked in a figure is looked at below."""
    if clicked:
        a, b = json.loads(clicked[0])
        page.change(a=a, b=b, look=ONE_PAIR)


def tested(page: Power, tests: Tests, *texts: str) -> bool:
    """Whether these measures are tested; says so where the work was stopped before."""
    waiting = [markdown(page.names[text]) for text in texts if text not in tests.value]
    if waiting:
        st.info(f"Not tested yet: {', '.join(waiting)}. Go on above.", icon=":material/pause_circle:")
    return not waiting


def untested(tests: PairedBootstrap) -> str:
    """How many pairs cannot be tested, and why; empty where all can."""
    if not tests.untested:
        return ""
    count = f"{tests.untested:,} of {counted(len(tests.pairs), 'pair')} {'has' if tests.untested == 1 else 'have'}"
    return f" {count} an infinite score: what cannot be tested is not told apart."


SAME = DECISIONS[0], DECISIONS[-1]  # told apart with the same winner, or by neither


def tests_before(page: Power, tests: Tests) -> Tests | None:
    """For each measure of ours on an interval scale, the test of its scores of the same documents as they are.

    None where scores are as they are.
    """
    if page.first is None:
        return None
    plain = page.cut_scores(page.first)
    frames = of_each("plain", "{cut}[text].loc[result.index, result.columns]", page.scored, cut=plain)
    known = {text: frames.value[text] for text in page.ours if text in tests.value}
    before = bootstrapped(page, "changed", "Resampling scores as they are", known)
    return page.each("before", "ec.paired_bootstrap({plain}[text], {drawn})", before, plain=frames)


def changed_decisions(page: Power, before: Tests | None, tests: Tests) -> Call[dict[str, int]] | None:
    """For each measure that was tested before, how many pairs are decided otherwise now; None where none was."""
    if before is None or not before.value:
        return None
    text = "int((~ec.pair_decisions(result, {tests}[text], {alpha})['decision'].isin({same})).sum())"
    return of_each("changed", text, before, tests=tests, alpha=page.alpha, same=SAME)


def otherwise(page: Power, changed: Call[dict[str, int]], n_pairs: int) -> Iterator[Item]:
    """How many decisions the interval scale changes, in a sentence."""
    count = changed.value
    most, least = max(count, key=count.__getitem__), min(count, key=count.__getitem__)
    pairs = f"**{count[most]}** of {counted(n_pairs, 'pair')}"
    line = f"On an interval scale of the first {counted(page.first or 0, 'document')}, "
    if len(count) == 1:
        line += f"{markdown(page.names[most])} decides {pairs} otherwise than its scores do"
    elif count[most] == count[least]:
        line += f"each measure decides {pairs} otherwise than its scores do"
    else:
        line += f"most change under {markdown(page.names[most])}, which decides {pairs} otherwise than its scores do; "
        line += f"least under {markdown(page.names[least])}: **{count[least]}**"
    yield Headline(f"{line}.", (changed,))
    if len(page.ours) < len(page.scores):
        yield Text.note("Scores of other tools stay as they are.")
