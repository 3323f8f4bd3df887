"""Every system against one or several baselines, as a view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.meta import PairedBootstrap
from evalcore.progress import Tell
from evalcore.rounding import less
from ui.address.families import named
from ui.computing import work
from ui.data import open_collection
from ui.discriminative_power.controls import Power
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show

DRAWING = ("permutation", "bootstrap")  # tests that draw at random


def against_baselines(page: Power, tests: Mapping[str, PairedBootstrap]) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("baselines", "measure", "baseline_test", "baseline_correction")
    with right:
        table = gains(page)
        if table is None:
            return
        show.put(Headline(sentences(page, table)))
        drawn = page.drawn if page.baseline_test in DRAWING else {}
        count = table["system"].nunique()
        alt = f"Gain of {count} systems over {', '.join(page.baselines or ())}; the values are in the table below"
        styles = open_collection.styles(page.collection)
        figure = figures.baseline_gains(table, page.alpha, styles=styles)
        show.put(Figure(figure, "gains", alt, drawn=drawn))
    st.caption(
        "Each dot is what a system gains over a baseline on the topics that both have, best system first; the line is "
        "its 95% interval by t, for this one gain. Right of 0 the system is ahead, also where low scores are good. A "
        f"filled dot is told apart: its p, corrected over all rows of the table, is below α = {page.alpha:g}. "
        "Intervals are not corrected, and the test may be another one: a line may leave out 0 where the dot is open. "
        "Try a second baseline, or another test."
    )
    shown = table.assign(significant=less(table["p_corrected"], page.alpha))
    show.put(Table(shown, "against baselines", decimals={"gain_percent": 1}, index=False, height=320, drawn=drawn))


def gains(page: Power) -> pd.DataFrame | None:
    """The table of all systems against the baselines; None where the work was stopped."""
    text, settings = str(page.measure), (page.baselines, page.baseline_test, page.baseline_correction)
    key = page.kept_as(text, "baselines", *settings)
    asked = page.asked(1) if page.baseline_test in DRAWING else None
    return work.results("baselines", "Testing against baselines", {key: partial(run_gains, page, text)}, asked).get(key)


def run_gains(page: Power, text: str, progress: Tell) -> pd.DataFrame:
    return ec.against_baselines(
        page.scores[text],
        list(page.baselines or ()),
        page.baseline_test,
        page.baseline_correction,
        page.resamples,
        page.seed,
        progress,
    )


def sentences(page: Power, table: pd.DataFrame) -> str:
    """For each baseline, how many systems are told apart from it, and which gains most."""
    name, how = markdown(page.names[str(page.measure)]), page.baseline_test
    how += f", {page.baseline_correction}" if page.baseline_correction != "none" else ", not corrected"
    by_baseline = [_sentence(str(base), rows, page.alpha) for base, rows in table.groupby("baseline", sort=False)]
    return "  \n".join([f"Under {name} ({markdown(how)}, α = {page.alpha:g}):", *by_baseline])


def _sentence(base: str, rows: pd.DataFrame, alpha: float) -> str:
    apart = less(rows["p_corrected"], alpha)
    ahead, behind = int((apart & (rows["gain"] > 0)).sum()), int((apart & (rows["gain"] < 0)).sum())
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
