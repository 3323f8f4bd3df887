"""What explains the scores: topics, systems, or what systems are made of, as a view."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import Anova
from evalcore.meta.anova import REST, TOPIC
from evalcore.progress import Tell
from ui.computing import work
from ui.discriminative_power.controls import COMPONENTS, Power
from ui.discriminative_power.pairs import Tests
from ui.screen.calls import call
from ui.screen.items import At, Figure, Headline, Item, Table, Text
from ui.screen.text import counted, markdown
from ui.stage import show

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


def analysis_of_variance(page: Power, tests: Tests) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("explained", "measure")
        if page.explained == COMPONENTS:
            page.draw("factors", "interactions")
    with right:
        known = known_analyses(page)
    if known:
        show.screen(draw(page, known), {"right": right})


def draw(page: Power, known: Mapping[str, Anova]) -> Iterator[Item]:
    """What explains the scores under each measure, and the whole analysis under one."""
    analyses = page.each("analyses", analysis(page), known, c=page.collection, **how(page))
    text = "pd.DataFrame({{text: one.shares for text, one in {analyses}.items()}}).T"
    shares = call("shares", text, analyses=analyses)
    shown = known.get(str(page.measure))
    words = () if shown is None else (Headline(in_words(page, shown.shares), (shares,)),)
    text = "{variance_shares}({shares}.rename({names}))"
    figure = call("", text, variance_shares=figures.variance_shares, shares=shares, names=page.names)
    alt = f"What explains the scores under {len(known)} measures: shares of variance; the table has the numbers"
    yield At("right", (*words, Figure(figure.compute, "variance", alt, calls=(figure,))))
    yield Text(HOW_TO_READ + (OF_COMPONENTS if page.explained == COMPONENTS else OF_SYSTEMS), "note")
    yield Table(shares.value.rename(page.names).rename_axis("measure"), "shares of variance", calls=(shares,))
    if shown is not None:
        table = call("table", "{analyses}[{measure}].table", analyses=analyses, measure=page.measure)
        yield Table(table.value.rename(columns=HEADS), "analysis of variance", {"F": 2}, calls=(table,))
        yield Text(f"{markdown(page.names[str(page.measure)])}: {about(shown)}", "note")


def known_analyses(page: Power) -> dict[str, Anova]:
    """The analysis under each measure that has one; says why others have none."""
    if page.explained == COMPONENTS and not page.components:
        st.info(NO_TABLE, icon=":material/info:")
        st.code(TABLE_LINES, language=None)
        return {}
    results = kept_analyses(page)
    for text, one in results.items():
        if isinstance(one, ValueError):
            st.warning(f"{markdown(page.names[text])} is left out: {markdown(one)}", icon=":material/info:")
    return {text: one for text, one in results.items() if isinstance(one, Anova)}


def kept_analyses(page: Power) -> dict[str, Anova | ValueError]:
    """The analysis of the scores under each measure, or why there is none."""
    table = made_of(page)
    settings = bool(page.interactions), "" if table is None else table.to_csv()
    keys = {text: ("anova", work.digest(page.scores[text]), *settings) for text in page.scores}
    jobs: dict[Hashable, work.Job[Anova | ValueError]]
    jobs = {keys[text]: partial(run_analysis, page.scores[text], table, bool(page.interactions)) for text in keys}
    results = work.results("anova", "Analysing variance", jobs)
    return {text: results[key] for text, key in keys.items() if key in results}


def analysis(page: Power) -> str:
    """The analysis under one measure, in Python."""
    if page.explained != COMPONENTS:
        return "ec.two_way_anova({scores}[text])"
    return "ec.component_anova({scores}[text], {c}.system_table, {factors}, {interactions})"


def how(page: Power) -> dict[str, Any]:
    return {"factors": list(page.factors or page.components), "interactions": bool(page.interactions)}


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


def in_words(page: Power, shares: pd.Series) -> str:
    """Which shares of the variance are explained, in words."""
    name = markdown(page.names[str(page.measure)])
    if np.isnan(shares[REST]):
        return f"All scores under **{name}** are equal: there is nothing to explain."
    explained = shares.drop([TOPIC, REST]).dropna().clip(lower=0)
    effects = explained.sort_values(ascending=False, kind="stable")
    largest = [
        f"{'systems' if page.explained != COMPONENTS else markdown(effect)} {share:.1%}"
        for effect, share in effects.head(NAMED).items()
    ]
    more = f", {counted(len(effects) - NAMED, 'other effect')} less" if len(effects) > NAMED else ""
    return (
        f"Under **{name}**, topics explain {max(shares[TOPIC], 0):.1%} of the variance of all scores, "
        f"{', '.join(largest)}{more}; {shares[REST]:.1%} is not explained."
    )


def about(analysis: Anova) -> str:
    """What was analysed, and what is to be known when reading it."""
    text = f"sums of squares of type II over {counted(analysis.n_scores, 'score')}."
    if analysis.left_out:
        text += (
            f" {counted(analysis.left_out, 'score')} left out: lacking, infinite, or of systems without a component."
        )
    if not analysis.balanced:
        text += " Not every combination occurs equally often, so shares overlap and need not add up."
    if (analysis.table["df"] == 0).any():
        text += " An effect without degrees of freedom is determined by the others."
    return f"{text} Partial ω² holds the other effects fixed: above .14 large, above .06 medium, above .01 small."
