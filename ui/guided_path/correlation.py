"""Step 6: what a correlation of rankings hides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.direction import directed
from evalcore.figures.style import Styles
from evalcore.measures import RBP, nDCG
from evalcore.meta import best_first
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    how_alike,
    lacks_relevance,
)
from ui.screen.items import Figure
from ui.widgets.fields import Choice, Number

BEST = 8
SWAP, TIE = "swap", "tie"
PLACE_HELP = "1: the first two systems of the list; the last: the two at its end"


def _place(page: Neighbours) -> Number:
    last = min(BEST, len(page.data.systems)) - 1
    return Number("at place", 1, last, last, 1, help=PLACE_HELP)


@dataclass(frozen=True)
class Neighbours(LessonSettings):
    """What happens to two neighbours of a ranking, and where."""

    lacks = staticmethod(lacks_relevance)
    event: str = setting(Choice("Two neighbours", (SWAP, TIE), segmented=True))
    place: int = setting(_place)


def show(page: Neighbours, styles: Styles) -> LessonContent:
    collection, event, place = page.data, page.event, page.place
    means = best_first(scores(collection, RBP()).mean())[:BEST]
    before = directed(pd.Series(np.arange(len(means), 0, -1, dtype=float), index=means.index), "high")
    after, curve = changed(before, place, event), curves(before, event)
    verb = "tied" if event == TIE else "swapped"
    lists = figures.bump({"by RBP": before, f"{place} and {place + 1} {verb}": after}, styles)
    places = figures.by_place(curve, place, f"place of the two that are {verb}", 160)
    return LessonContent(
        (
            Figure(lists.update_layout(height=240), "path-correlation", f"{len(means)} systems, two of them {verb}"),
            Figure(places, "path-byplace", f"Correlation of the two lists by the place of the two that are {verb}"),
        ),
        f"The {len(means)} best systems by RBP, and the same list with one change. Below: both correlations for a "
        "change at each place.",
        answer(before, after, event, curve, collection),
        numbers=(
            ("τ", f"{ec.tau(before, after):.3f}", "Kendall's tau_b of the two lists"),
            ("τ_AP", f"{ec.tau_ap(after, before):.3f}", "Yilmaz's AP correlation, reference the list by RBP"),
            ("first", leader(after), "Who leads the list to the right"),
        ),
        code=(
            "import pandas as pd",
            "",
            f"before = ec.directed(pd.Series({before.to_dict()!r}), 'high')",
            "lists = [before.copy() for _ in before.index[1:]]  # one for each place of the two",
            "for (a, b), one in zip(zip(before.index, before.index[1:]), lists):",
            f"    one[a], one[b] = before[{'a' if event == TIE else 'b'}], before[a]",
            "taus = [(ec.tau(before, one), ec.tau_ap(one, before), ec.tau_a(before, one)) for one in lists]",
            f"tau, tau_ap, tau_a = taus[{place - 1}]",
            f"x, y = (ec.evaluate(text, c).mean() for text in {[str(RBP()), str(nDCG())]!r})",
            "real_tau = ec.tau(x, y)",
        ),
    )


def changed(scores: pd.Series, place: int, event: str) -> pd.Series:
    """The list with the systems at a place and the one below it swapped, or tied."""
    result = scores.copy()
    a, b = result.index[place - 1 : place + 1]
    result[a], result[b] = (scores[b], scores[a]) if event == SWAP else (scores[a], scores[a])
    return result


def curves(scores: pd.Series, event: str) -> pd.DataFrame:
    """tau and tau_AP of the list and its changed forms, by the place of the change."""
    rows = {}
    for place in range(1, len(scores)):
        other = changed(scores, place, event)
        rows[place] = {"τ": ec.tau(scores, other), "τ_AP": ec.tau_ap(other, scores)}
    return pd.DataFrame(rows).T


def leader(scores: pd.Series) -> str:
    leaders = scores.index[scores == scores.max()].tolist()
    return str(leaders[0]) if len(leaders) == 1 else f"{len(leaders)} tied"


def answer(before: pd.Series, after: pd.Series, event: str, curve: pd.DataFrame, collection: Collection) -> str:
    pairs = len(before) * (len(before) - 1) // 2
    top, end = float(curve["τ_AP"].iloc[0]), float(curve["τ_AP"].iloc[-1])
    if event == TIE:
        start = (
            f"A tie orders nothing, so its pair is neither right nor wrong: τ_b, which allows for ties, is "
            f"{ec.tau(before, after):.3f}; τ_a, over all {pairs} pairs, {ec.tau_a(before, after):.3f}. "
        )
    else:
        start = f"**τ_AP.** For τ every pair is one of {pairs}, so it is {float(curve['τ'].iloc[0]):.3f} at any place. "
    return f"{start}τ_AP falls from {end:.3f} at the end to **{top:.3f}** at the top. {real_case(collection)}"


def real_case(collection: Collection) -> str:
    """Two real measures of all systems: how alike, and who is first."""
    x, y = scores(collection, RBP()).mean(), scores(collection, nDCG()).mean()
    return f"A real case: {how_alike(x, y, ('RBP', 'nDCG'))}"


LESSON = Lesson(
    name=STEPS[5],
    title="What does a correlation of rankings hide?",
    text=(
        f"Two measures rank the same systems; one number says how alike. Kendall's {term('tau', 'τ')} counts pairs: "
        f"those ordered alike less those ordered differently. Above 0.9, rankings are often called "
        f"{term('equivalence', 'equivalent')}. But whoever reads a ranking looks at its top. {term('tau_AP', 'τ_AP')} "
        f"walks down the list, and what goes wrong near the top costs more. {term('ties', 'Ties')} need a rule of "
        "their own."
    ),
    question="One pair changes. Which of the two numbers can tell whether it was the winner?",
    settings=Neighbours,
    controls={"event": 0.38, "place": 0.62},
    show=show,
    page="correlations",
    page_label="On your own data: Correlations",
)
