"""What explains the scores: topics, systems, or what systems are made of, as a view."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import Anova, PairedBootstrap
from evalcore.meta.anova import ERROR, TOPIC
from evalcore.progress import Tell
from ui.computing import work
from ui.discriminative_power.controls import COMPONENTS, Power
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show

REST = "not explained"
NAMED = 4  # effects in the sentence
HEADS = {
    "sum_of_squares": "sum of squares",
    "mean_square": "mean square",
    "f": "F",
    "omega2": "ω²",
    "partial_omega2": "partial ω²",
}
OF_SYSTEMS = "and noise. With a table of what systems are made of, see which component matters."
OF_COMPONENTS = (
    "what the components leave of the differences of systems, and noise. Look at interactions, or at fewer components."
)
NO_TABLE = (
    "The open collection does not say what its systems are made of. Put a table `systems.csv` beside the runs and open "
    "them again: a column `system`, and one for each of stemmer, model, team, ..., such that several systems have the "
    "same value in it:"
)
TABLE_LINES = "system,stemmer,model,team\nrun_a,porter,BM25,north\nrun_b,porter,LM,north\nrun_c,none,BM25,south"


HOW_TO_READ = (
    "Each bar is a measure, divided by what explains its scores. ω² is the share of all variance, corrected for what "
    "chance alone would explain; where it is below 0, as chance may have it, nothing is drawn. Topics usually explain "
    "most, as some are harder for all. Not explained: systems that do better on some topics than on others, "
)


def analysis_of_variance(page: Power, tests: Mapping[str, PairedBootstrap]) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("explained", "measure")
        if page.explained == COMPONENTS:
            page.draw("factors", "interactions")
    with right:
        known = known_analyses(page)
        if not known:
            return
        shares = pd.DataFrame({page.names[text]: shares_of(one) for text, one in known.items()}).T
        shown = known.get(str(page.measure))
        if shown is not None:
            show.put(Headline(sentence(page, shares_of(shown))))
        alt = f"What explains the scores under {len(shares)} measures: shares of variance; the table has the numbers"
        show.put(Figure(figures.variance_shares(shares), "variance", alt))
    st.caption(HOW_TO_READ + (OF_COMPONENTS if page.explained == COMPONENTS else OF_SYSTEMS))
    show.put(Table(shares.rename_axis("measure"), "shares of variance"))
    if shown is not None:
        show.put(Table(shown.table.rename(columns=HEADS), "analysis of variance", decimals={"F": 2}))
        st.caption(f"{markdown(page.names[str(page.measure)])}: {about(shown)}")


def known_analyses(page: Power) -> dict[str, Anova]:
    """The analysis under each measure that has one; says why others have none."""
    if page.explained == COMPONENTS and not page.components:
        st.info(NO_TABLE, icon=":material/info:")
        st.code(TABLE_LINES, language=None)
        return {}
    found = analyses(page)
    for text, one in found.items():
        if isinstance(one, ValueError):
            st.warning(f"{markdown(page.names[text])} is left out: {markdown(one)}", icon=":material/info:")
    return {text: one for text, one in found.items() if isinstance(one, Anova)}


def analyses(page: Power) -> dict[str, Anova | ValueError]:
    """The analysis of the scores under each measure, or why there is none."""
    table = made_of(page)
    settings = bool(page.interactions), "" if table is None else table.to_csv()
    keys = {text: ("anova", work.digest(page.scores[text]), *settings) for text in page.scores}
    jobs: dict[Hashable, work.Job[Anova | ValueError]]
    jobs = {keys[text]: partial(run_analysis, page.scores[text], table, bool(page.interactions)) for text in keys}
    found = work.results("anova", "Analysing variance", jobs)
    return {text: found[key] for text, key in keys.items() if key in found}


def made_of(page: Power) -> pd.DataFrame | None:
    """The chosen components of each system; None where systems are taken whole."""
    table = page.collection.system_table
    if page.explained != COMPONENTS or table is None:
        return None
    chosen: pd.DataFrame = table[list(page.factors or page.components)]
    return chosen


def run_analysis(
    scores: pd.DataFrame, table: pd.DataFrame | None, interactions: bool, progress: Tell
) -> Anova | ValueError:
    try:
        return (
            ec.two_way_anova(scores)
            if table is None
            else ec.component_anova(scores, table, [str(name) for name in table], interactions)
        )
    except ValueError as why:
        return why.with_traceback(None)


def shares_of(found: Anova) -> pd.Series:
    """omega squared of each effect, and what is left of the whole."""
    shares: pd.Series[float] = found.table["omega2"].drop(ERROR)
    known = shares.notna().any()  # not where all scores are equal
    shares[REST] = max(1 - shares.clip(lower=0).sum(), 0.0) if known else np.nan
    return shares


def sentence(page: Power, shares: pd.Series) -> str:
    """Which shares of the variance are explained, in words."""
    name = markdown(page.names[str(page.measure)])
    if np.isnan(shares[REST]):
        return f"All scores under **{name}** are equal: there is nothing to explain."
    explained = shares.drop([TOPIC, REST]).dropna().clip(lower=0)
    effects = explained.sort_values(ascending=False, kind="stable")
    said = [
        f"{'systems' if page.explained != COMPONENTS else markdown(effect)} {share:.1%}"
        for effect, share in effects.head(NAMED).items()
    ]
    more = f", {counted(len(effects) - NAMED, 'other effect')} less" if len(effects) > NAMED else ""
    return (
        f"Under **{name}**, topics explain {max(shares[TOPIC], 0):.1%} of the variance of all scores, "
        f"{', '.join(said)}{more}; {shares[REST]:.1%} is not explained."
    )


def about(found: Anova) -> str:
    """What was analysed, and what is to be known when reading it."""
    text = f"sums of squares of type II over {counted(found.n_scores, 'score')}."
    if found.left_out:
        text += f" {counted(found.left_out, 'score')} left out: lacking, infinite, or of systems without a component."
    if not found.balanced:
        text += " Not every combination occurs equally often, so shares overlap and need not add up."
    if (found.table["df"] == 0).any():
        text += " An effect without degrees of freedom is determined by the others."
    return f"{text} Partial ω² holds the other effects fixed: above .14 large, above .06 medium, above .01 small."
