"""The bootstrap test of every pair of systems, used by all parts of the page."""

from __future__ import annotations

import json
from typing import TypeAlias

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.progress import Tell
from evalcore.meta import PairedBootstrap
from ui.discriminative_power import texts
from ui.discriminative_power.pair_settings import Power
from ui.screen.calls import Call, line, mapped, record

Tests: TypeAlias = Call[dict[str, PairedBootstrap]]
MOST_PAIRS = 2_000  # most pairs in a table; the download has all


def bootstraps(page: Power) -> Tests:
    """Return the call of the tests of every pair under each measure; some are missing if the work was stopped."""

    def run(scores: pd.DataFrame, tell: Tell) -> PairedBootstrap:
        return ec.paired_bootstrap(scores, counts=page.draws, progress=tell)

    known_by, frames = (*page.known_by, "bootstrap"), page.scores
    tests = page.kept("power", "Resampling topics", run, known_by, frames, page.asked(len(frames)))
    return page.each(
        "tests", lambda scores: record(ec.paired_bootstrap)(scores, n_resamples=page.resamples, seed=page.seed), tests
    )


def power_of(page: Power, tests: Tests) -> Call[dict[str, float]]:
    """Return the call of the discriminative power of each measure: its share of significant pairs."""
    return line("power", mapped(tests.it, lambda tested: tested.power(page.alpha)))


def take(page: Power, clicked: list[str]) -> None:
    """Make the clicked pair the one that is shown below the figure."""
    if clicked:
        a, b = json.loads(clicked[0])
        page.change(a=a, b=b)


def tested(page: Power, tests: Tests, *measures: str) -> bool:
    """Return True if these measures are tested; otherwise show which are not, because the work was stopped."""
    waiting = [page.names[text] for text in measures if text not in tests.value]
    if waiting:
        st.info(texts.waiting(waiting), icon=":material/pause_circle:")
    return not waiting
