"""Step 5: why an ideal ranking matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.explain import upper_bounds
from evalcore.figures.style import Styles
from evalcore.measures import CAM, DCG, MM, RBP, Measure, nDCG
from evalcore.meta import winner
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings, Picture, lacks_an_aspect, second_aspect
from ui.widgets.fields import Choice, Switch
from ui.widgets.measures import scores
from ui.widgets.settings import setting
from ui.widgets.text import markdown

NAMES = ("DCG", "RBP", "CAM", "MM")
CAUSES = {
    "RBP": "a 1 would take an endless list of relevant documents",
    "CAM": "no order pleases both aspects",
    "MM": "no order pleases both aspects",
}


@dataclass(frozen=True)
class Reachable(LessonSettings):
    """Of which measure the best score is sought, and whether scores are divided by it."""

    lacks = staticmethod(lacks_an_aspect)
    measure: str = setting(Choice("Measure", NAMES, segmented=True, help="CAM and MM over nDCG of two aspects"))
    divided: bool = setting(Switch("Divide by the best", help="By the best attainable score: each topic counts alike"))


def show(page: Reachable, styles: Styles) -> LessonContent:
    collection, name, divided = page.data, page.measure, page.divided
    aspect = second_aspect(collection)
    measure = measures(aspect)[name]
    best = best_scores(collection.fingerprint, str(measure), ("relevance", aspect), collection).sort_values(
        kind="stable"
    )
    raw = scores(collection, measure).loc[best.index]
    shares = raw.div(best.where(best > 0, np.inf), axis=0)
    winners = list(dict.fromkeys([winner(raw.mean()), winner(shares.mean())]))
    table = (shares if divided else raw)[winners]
    table.insert(0, "ideal", best.gt(0).astype(float) if divided else best)
    title = name + (" / best attainable" if divided else "")
    figure = figures.against_ideal(table, styles, title, 440)
    shown = "before and the one after dividing" if len(winners) > 1 else "before and after dividing"
    return LessonContent(
        (
            Picture(
                figure, "path-ideal", f"Best attainable {name} of each topic, and what {' and '.join(winners)} reach"
            ),
        ),
        f"Grey: the best known ranking of each topic's assessed documents. Marks: the best system on average {shown}.",
        answer(name, raw, shares, best, winners),
        formulas=(measure.latex(collection.assessments.scales), nDCG().latex(collection.assessments.scales)),
        code=(
            "from evalcore.explain import upper_bounds",
            "from evalcore.meta import winner",
            "",
            f"best = upper_bounds({str(measure)!r}, c.assessments, {['relevance', aspect]!r}).max(axis=1)",
            f"raw = ec.evaluate({str(measure)!r}, c)",
            "shares = raw.div(best.where(best > 0, float('inf')), axis=0)",
            "first, reach_1 = (winner(raw.mean()), winner(shares.mean())), (best > 1 - 1e-9).mean()",
            "tau = ec.tau(raw.mean(), shares.mean())",
        ),
    )


def measures(aspect: str) -> dict[str, Measure]:
    pair = ("relevance", aspect)
    return {"DCG": DCG(), "RBP": RBP(), "CAM": CAM(nDCG(), aspects=pair), "MM": MM(nDCG(), aspects=pair)}


@st.cache_resource(max_entries=16, show_spinner=False)
def best_scores(fingerprint: str, measure: str, aspects: tuple[str, ...], _collection: Collection) -> pd.Series:
    """The best score by topic that is known to be attainable. Not to be written to."""
    return upper_bounds(measure, _collection.assessments, aspects).max(axis=1)


def answer(name: str, raw: pd.DataFrame, shares: pd.DataFrame, best: pd.Series, winners: list[str]) -> str:
    if not best.gt(0).any():
        return "Nothing in these data is worth finding: the best ranking of every topic scores 0."
    first = winners[0]
    lowest = str(raw[first][best > 0].idxmin())  # a topic with nothing to find is nobody's fault
    score, most, share = (float(one[lowest]) for one in (raw[first], best, shares[first]))
    then = f"**{markdown(winners[1])}** is first" if len(winners) > 1 else f"{markdown(first)} **stays** first"
    return (
        f"{markdown(first)} is lowest on {markdown(lowest)}, with {score:.2f}. The best ranking gets {most:.2f} there, "
        f"so it has {share:.0%} of what there is. {reach(name, best)} Divided by the best, {then} "
        f"(τ of the two rankings: {ec.tau(raw.mean(), shares.mean()):.3f})."
    )


def reach(name: str, best: pd.Series) -> str:
    """What the measure's upper limits mean."""
    low, high = float(best[best > 0].min()), float(best.max())
    if name == "DCG":
        return (
            f"The best DCG of a topic goes from {low:.1f} to {high:.1f}: topics with much to find outvote the others."
        )
    share = float((best > 1 - 1e-9).mean())
    some = f"{share:.0%} of the topics allow" if share else "No topic allows"
    return f"{some} a 1 by {name} (limits from {low:.2f} to {high:.2f}): {CAUSES[name]}."


LESSON = Lesson(
    name=STEPS[4],
    title="Why does an ideal ranking matter?",
    text=(
        f"A score says little before one knows the best there could be: that of the {term('ideal ranking')}, with a "
        f"topic's best documents first. DCG has no limit; divided by its ideal it is {term('nDCG')}. If one document "
        f"is more relevant and another easier to read, which comes first? CAM and MM cannot say, so no ranking may "
        f"reach 1. {term('TOMA')} orders the labels and has an ideal."
    ),
    question="On which topic is the winner lowest: its own fault, or the topic's? Does it win once divided?",
    settings=Reachable,
    controls={"measure": 0.56, "divided": 0.44},
    show=show,
    page="aspect_weights",
    page_label="Upper bounds on your own data: Aspect weights",
)
