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
from evalcore.rounding import SOLVED, less, percent
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    inside,
    lacks_an_aspect,
    leaders,
    named,
    second_aspect,
)
from ui.screen.items import Figure
from ui.screen.text import counted, markdown
from ui.widgets.fields import Choice, Switch

NAMES = ("DCG", "RBP", "CAM", "MM")


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
    first, then = leaders(raw.mean()), leaders(shares.mean())
    winners = list(dict.fromkeys([first[0], then[0]]))
    lowest = lowest_topics(raw[first[0]], best)
    lacking = one_has_nothing(collection, aspect).reindex(best.index)
    table = (shares if divided else raw)[winners]
    table.insert(0, "ideal", best.gt(0).astype(float) if divided else best)
    title = name + (" / best attainable" if divided else "")
    figure = figures.against_ideal(table, styles, title, 440, next(iter(lowest), ""))
    shown = "before, and the one after dividing" if len(winners) > 1 else "before and after dividing"
    return LessonContent(
        (
            Figure(
                figure, "path-ideal", f"Best attainable {name} of each topic, and what {' and '.join(winners)} reach"
            ),
        ),
        f"Grey: the best known ranking of each topic's assessed documents. Marks: the best system on average {shown}.",
        answer(name, raw, shares, best, lowest, lacking),
        formulas=(measure.latex(collection.assessments.scales), nDCG().latex(collection.assessments.scales)),
        code=(
            "from evalcore.explain import upper_bounds",
            "from evalcore.meta import winner",
            "",
            f"best = upper_bounds({str(measure)!r}, c.assessments, {['relevance', aspect]!r}).max(axis=1)",
            f"raw = ec.evaluate({str(measure)!r}, c)",
            "shares = raw.div(best.where(best > 0, float('inf')), axis=0)",
            "first, reach_1 = (winner(raw.mean()), winner(shares.mean())), (best > 1 - 1e-9).mean()",
            "scored = best > 0",
            "on_average = best[scored].mean(), shares[first[0]][scored].mean()",
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


def one_has_nothing(collection: Collection, aspect: str) -> pd.Series:
    """By topic, whether one of the two aspects has nothing to find."""
    pair = ("relevance", aspect)
    ideal = [best_scores(collection.fingerprint, str(nDCG(aspect=one)), pair, collection) for one in pair]
    return (ideal[0] <= 0) | (ideal[1] <= 0)


def lowest_topics(scores: pd.Series, best: pd.Series) -> list[str]:
    """Where a system scores lowest, as listed; a topic with nothing to find is nobody's fault."""
    counted = scores[best > 0]
    return list(map(str, counted.index[~less(counted.min(), counted)])) if len(counted) else []


def answer(
    name: str, raw: pd.DataFrame, shares: pd.DataFrame, best: pd.Series, lowest: list[str], lacking: pd.Series
) -> str:
    if not lowest:
        return "Nothing in these data is worth finding: the best ranking of every topic scores 0."
    first, then = leaders(raw.mean()), leaders(shares.mean())
    system, found = first[0], best > 0
    also = f", as on {counted(len(lowest) - 1, 'other topic')}," if len(lowest) > 1 else ""
    if first == then:
        winning = f"{named(first)} **{'stays' if len(first) == 1 else 'stay'}** first"
    else:
        winning = f"**{named(then)}** {'is' if len(then) == 1 else 'are'} first"
    tau = ec.tau(raw.mean(), shares.mean())
    return (
        f"{markdown(system)} is lowest on {markdown(lowest[0])}{also} with {raw[system][lowest[0]]:.2f}. "
        f"{whose_fault(best[found], shares[system][found], lowest[0])} {reach(name, best[found], lacking[found])} "
        f"Divided by the best, {winning}{'' if np.isnan(tau) else f' (τ of the two rankings: {tau:.3f})'}."
    )


def whose_fault(best: pd.Series, share: pd.Series, topic: str) -> str:
    """Whether a topic has less to find than others, or the system finds less of it; decided by what is shown."""
    limit, part = f"{best[topic]:.2f}", f"{share[topic]:.0%}"
    if len(best) == 1:
        return f"The best ranking gets {limit} there, so it has {part} of what there is."
    usual_limit, usual_part = f"{best.mean():.2f}", f"{share.mean():.0%}"
    fault = blame(short_of(float(part[:-1]), float(usual_part[:-1])), short_of(float(limit), float(usual_limit)))
    return (
        f"**{fault}**: the best ranking gets {limit} there ({usual_limit} on average), and it has {part} of that "
        f"({usual_part} on average)."
    )


def short_of(value: float, usual: float) -> float:
    """How far a value falls short of what is usual, as the logarithm of their ratio; 0 where it does not.

    >>> short_of(2.0, 1.0), round(short_of(1.0, 2.0), 2), short_of(0.0, 1.0)
    (0.0, 0.69, inf)
    """
    if value >= usual:
        return 0.0
    return float(np.log(usual / value)) if value else float("inf")


def blame(own: float, topic: float) -> str:
    """Who is at fault for a low score: one alone if it falls short by more than twice as much as the other."""
    if max(own, topic) == 0:
        return "The fault of neither"
    if min(own, topic) >= max(own, topic) / 2:
        return "The fault of both"
    whose = "its own fault" if own > topic else "the topic's fault"
    return f"Mostly {whose}" if min(own, topic) > 0 else whose[0].upper() + whose[1:]


def reach(name: str, best: pd.Series, lacking: pd.Series) -> str:
    """What the measure's upper limits mean, of the topics where there is something to find."""
    low, high = float(best.min()), float(best.max())
    if name == "DCG":
        same = f"{low:.1f}" == f"{high:.1f}"
        outvote = "topics with much to find outvote the others"
        return (
            f"The best DCG is {low:.1f} on every topic."
            if same
            else f"The best DCG of a topic goes from {low:.1f} to {high:.1f}: {outvote}."
        )
    perfect = ~less(best, 1.0, SOLVED)
    limits = f"(limits from {inside(low)} to {'1' if perfect.any() and name != 'RBP' else inside(high)})"
    if name == "RBP":
        return f"No topic allows a 1 by RBP {limits}: a 1 would take an endless list of relevant documents."
    if perfect.all():
        return f"Every topic allows a 1 by {name}: there is an order that pleases both aspects."
    some = f"{percent(float(perfect.mean()))} of the topics allow" if perfect.any() else "No topic allows"
    return f"{some} a 1 by {name} {limits}: {'elsewhere ' * bool(perfect.any())}{why_not(lacking[~perfect])}."


def why_not(lacking: pd.Series) -> str:
    """Why topics do not allow a 1; `lacking`: whether one aspect has nothing to find there."""
    if lacking.all():
        return "one of the aspects has nothing to find"
    return "no order pleases both aspects" + (", or one has nothing to find" if lacking.any() else "")


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
