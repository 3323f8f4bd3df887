"""Every system against one or several baselines, as a view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.progress import Tell
from evalcore.common.rounding import less
from ui.address import families
from ui.address.families import named
from ui.discriminative_power.controls import Power
from ui.discriminative_power.pairs import Tests
from ui.screen.calls import Call, call, keyed, line, record
from ui.screen.items import At, Figure, Headline, Item, Table, Text
from ui.screen.text import counted, markdown, score_text
from ui.stage import show

DRAWING = ("permutation", "bootstrap")  # tests that draw at random


def against_baselines(page: Power, tests: Tests) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("baselines", "measure", "baseline_test", "baseline_correction")
    with right:
        gains = gains_of(page)
    if gains is not None:
        show.screen(draw(page, gains), {"right": right})


def draw(page: Power, gains: Call[pd.DataFrame]) -> Iterator[Item]:
    """Who is ahead of each baseline, and the gains."""
    drawn, alpha = page.drawn if page.baseline_test in DRAWING else {}, page.alpha
    figure = families.plotted("", page.collection, gains.it, alpha=alpha)
    count = gains.value["system"].nunique()
    alt = f"Gain of {count} systems over {', '.join(page.baselines or ())}; the values are in the table below"
    yield At("right", (headline(page, gains), Figure(figure, "gains", alt, drawn=drawn)))
    yield Text.note(
        "Each dot is what a system gains over a baseline on the topics that both have, best system first; the line is "
        "its 95% interval by t, for this one gain; there is none of a gain that is the same on every topic. Right of 0 "
        "the system is ahead, also where low scores are good. A filled dot is told apart: its p, corrected over all "
        f"rows of the table, is below α = {alpha:g}. "
        "Intervals are not corrected, and the test may be another one: a line may leave out 0 where the dot is open. "
        "Try a second baseline, or another test."
    )
    shown = gains.value.assign(significant=less(gains.value["p_corrected"], alpha))
    decimals = {"gain_percent": 1}
    yield Table(shown, "against baselines", decimals, height=320, index=False, drawn=drawn, calls=(gains,))


def gains_of(page: Power) -> Call[pd.DataFrame] | None:
    """The table of all systems against the baselines; None where the work was stopped."""
    text, how = str(page.measure), (list(page.baselines or ()), page.baseline_test, page.baseline_correction)

    def run(scores: pd.DataFrame, tell: Tell) -> pd.DataFrame:
        return ec.against_baselines(scores, *how, page.resamples, page.seed, tell)

    asked = page.asked(1) if page.baseline_test in DRAWING else None
    frames, known_by = {text: page.scores[text]}, (*page.known_by, "baselines", *map(str, how))
    table = page.kept("baselines", "Testing against baselines", run, known_by, frames, asked).get(text)
    made = call("gains", ec.against_baselines, page.of(text).it, *how, n_resamples=page.resamples, seed=page.seed)
    return None if table is None else made.known(table)


def headline(page: Power, gains: Call[pd.DataFrame]) -> Headline:
    """For each baseline, how many systems are told apart from it, and which gains most."""
    name, how = markdown(page.names[str(page.measure)]), page.baseline_test
    how += f", {page.baseline_correction}" if page.baseline_correction != "none" else ", not corrected"
    apart = line("apart", gains.it[record(less)(gains.it["p_corrected"], page.alpha)])
    bases, gain, baseline = list[Any](page.baselines or ()), apart.it["gain"], apart.it["baseline"]
    ahead = line("ahead", keyed(bases, lambda base: (gain[baseline == base] > 0).sum()))
    behind = line("behind", keyed(bases, lambda base: (gain[baseline == base] < 0).sum()))
    by_baseline = (
        of_baseline(str(base), rows, ahead.value[base], behind.value[base])
        for base, rows in gains.value.groupby("baseline", sort=False)
    )
    lines = [f"Under {name} ({markdown(how)}, α = {page.alpha:g}):", *by_baseline]
    return Headline("  \n".join(lines), (ahead, behind))


def of_baseline(base: str, rows: pd.DataFrame, ahead: int, behind: int) -> str:
    """How many systems are told apart from a baseline, and which gains most."""
    line = (
        f"**{ahead}** of {counted(len(rows), 'system')} {'is' if ahead == 1 else 'are'} told apart from "
        f"**{named(base)}** and ahead of it, **{behind}** behind"
    )
    if untested := int(rows["p"].isna().sum()):
        line += f"; {untested} cannot be tested, as a score is infinite"
    known = rows.dropna(subset="gain")
    if not len(known):
        return f"{line}; no gain is known."
    most = known.sort_values("gain", ascending=False, kind="stable").iloc[0]
    return f"{line}; the largest gain is {score_text(most['gain'], sign='+')}, of {named(most['system'])}."
