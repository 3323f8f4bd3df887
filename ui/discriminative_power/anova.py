"""What explains the scores: topics, systems, or what systems are made of, as a view."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.progress import Tell
from evalcore.meta import Anova
from evalcore.meta.anova import REST, TOPIC
from ui.computing.work import found_or_why
from ui.discriminative_power.controls import COMPONENTS, Power
from ui.discriminative_power.pairs import Tests
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import At, Figure, Headline, Item, Table, Text
from ui.screen.text import counted, markdown
from ui.stage import show

NAMED = 4  # effects in the sentence
HEADS = {
    "sum_of_squares": "sum of squares",
    "mean_square": "mean square",
    "f": "F",
    "p_corrected": "p corrected",
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
        analyses = known_analyses(page)
    if analyses is not None and analyses.value:
        show.screen(draw(page, analyses), {"right": right})


def draw(page: Power, analyses: Call[dict[str, Anova]]) -> Iterator[Item]:
    """What explains the scores under each measure, and the whole analysis under one."""
    shares = line("shares", record(pd.DataFrame)(mapped(analyses.it, lambda anova: anova.shares)).T)
    shown = analyses.value.get(str(page.measure))
    words = () if shown is None else (Headline(in_words(page, shown.shares), (shares,)),)
    figure = call("", figures.variance_shares, shares.it.rename(page.named.it))
    count = len(shares.value)
    alt = f"What explains the scores under {count} measures: shares of variance; the table has the numbers"
    yield At("right", (*words, Figure(figure, "variance", alt)))
    yield Text.note(HOW_TO_READ + (OF_COMPONENTS if page.explained == COMPONENTS else OF_SYSTEMS))
    yield Table(shares.value.rename(page.names).rename_axis("measure"), "shares of variance", calls=(shares,))
    if shown is not None:
        table = line("table", analyses.it[str(page.measure)].table)
        narrow = {name: st.column_config.NumberColumn(format="%.4f", width="small") for name in ("p", "p corrected")}
        yield Table(table.value.rename(columns=HEADS), "analysis of variance", {"F": 2}, calls=(table,), columns=narrow)
        yield Text.note(f"{markdown(page.names[str(page.measure)])}: {about(shown)}")


def known_analyses(page: Power) -> Call[dict[str, Anova]] | None:
    """The analysis under each measure that has one; says why others have none."""
    if page.explained == COMPONENTS and not page.components:
        st.info(NO_TABLE, icon=":material/info:")
        st.code(TABLE_LINES, language=None)
        return None
    results = analyses_or_why(page)
    for text, result in results.items():
        if isinstance(result, ec.InputError):
            st.warning(f"{markdown(page.names[text])} is left out: {markdown(result)}", icon=":material/info:")
    known = {text: result for text, result in results.items() if isinstance(result, Anova)}
    if page.explained != COMPONENTS:
        return page.each("analyses", record(ec.two_way_anova), known)
    table, how = record(page.collection).system_table, factors_of(page)
    return page.each("analyses", lambda scores: record(ec.component_anova)(scores, table, *how), known)


def factors_of(page: Power) -> tuple[list[str], bool]:
    """The components that are looked at, and whether every two of them are too."""
    return list(page.factors or page.components), bool(page.interactions)


def analyses_or_why(page: Power) -> dict[str, Anova | ec.InputError]:
    """The analysis under each measure, or why there is none."""
    table, how = page.collection.system_table, factors_of(page)
    whole = page.explained != COMPONENTS or table is None

    def analysis(scores: pd.DataFrame) -> Anova:
        return ec.two_way_anova(scores) if table is None or whole else ec.component_anova(scores, table, *how)

    def run(scores: pd.DataFrame, tell: Tell) -> Anova | ec.InputError:
        return found_or_why(lambda: analysis(scores))

    known_by = () if table is None or whole else (table.to_csv(), *map(str, how))
    return page.kept("anova", "Analysing variance", run, ("anova", *known_by), page.scores)


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
    text += (
        " p is the textbook's, as if all differences of systems varied alike from topic to topic: among systems that "
        "move together it is often too small. p corrected holds there too, and where systems differ by more than their "
        "components; it is lacking for topics, and where fewer than two topics have scores of all systems."
    )
    return f"{text} Partial ω² holds the other effects fixed: above .14 large, above .06 medium, above .01 small."
