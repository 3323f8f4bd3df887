"""Step Precision: what precision, recall and average precision measure in a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import AP, P, R
from ui.screen.calls import Call, call, record
from ui.screen.items import Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent
from ui.teaching.guided_path.small_ranking import RANKS, SmallRanking, moves, played, seen
from ui.teaching.guided_path.statements import Statement, state

DRAWN = "The large marks are at the cut-off."


@dataclass(frozen=True)
class Counted(SmallRanking):
    """Settings of the step: the settings of its small ranking, in which one of four relevant pages is not retrieved."""

    GIVEN: ClassVar[str] = "document relevance\na 1\nb 0\nc 1\nd 0\ne 0\nf 1\ng 0\nh 0\n---\ni 1\n"


def show(page: Counted, _: Styles) -> LessonContent:
    k, c = page.cutoff, page.ranking
    numbers = {name: score(name, text, c) for name, text in (("P", f"P@{k}"), ("R", f"R@{k}"), ("AP", "AP"))}
    precision, recall = page.walk("precision", "AP"), page.walk("recall", f"R@{RANKS + 1}")
    both = call("curves", pd.DataFrame, {"precision": precision.it["discount"], "recall": recall.it["sum so far"]})
    figure = call("", figures.by_place, both.it, k, "rank k", 260)
    place = can_rise(page.grades, k)
    after = score("after", "AP", page.moved("moved", place, place - 1)) if place else None
    scales = c.value.assessments.scales
    return LessonContent(
        (Figure(figure, "path-precision", "Precision and recall down to each rank"),),
        (state("drawn", DRAWN),),
        tuple(answer(page, numbers, place, after)),
        (*numbers.values(), *([after] if after else [])),
        formulas=(P(cutoff=k).latex(scales), R(cutoff=k).latex(scales), AP().latex(scales)),
        numbers=(
            Metric.of(f"P@{k}", numbers["P"], "Precision: the share of the first k pages that are relevant"),
            Metric.of(f"R@{k}", numbers["R"], "Recall: the share of all relevant pages found in the first k"),
            Metric.of("AP", numbers["AP"], "Mean of the precisions at the ranks of the relevant pages"),
        ),
    )


def score(name: str, text: str, ranking: Call[Collection]) -> Call[float]:
    """Return the call that computes the score of the ranking under a measure."""
    return call(name, float, record(ec.evaluate)(text, ranking.it).iloc[0, 0])  # type: ignore[arg-type]


def can_rise(grades: list[float], cutoff: int) -> int:
    """Return the last rank within the cut-off with a relevant page right below an irrelevant one; 0 if none.

    >>> can_rise([1, 0, 0, 1, 0, 1], 4), can_rise([1, 1, 0], 3)
    (4, 0)
    """
    ranks = range(2, min(cutoff, len(grades)) + 1)
    return max((rank for rank in ranks if grades[rank - 1] > 0 >= grades[rank - 2]), default=0)


def answer(
    page: Counted, numbers: dict[str, Call[float]], place: int, after: Call[float] | None
) -> Iterator[Statement]:
    """Yield statements on the measure that changes if a page moves up within the cut-off, and on the pages counted."""
    grades, pool = page.grades, page.ranking.value.assessments.column("relevance")
    relevant, found, above = (sum(one > 0 for one in some) for some in (pool, grades, grades[: page.cutoff]))
    values = {"k": page.cutoff, "before": numbers["AP"].value}
    if after is None:
        text = "No relevant page down to rank {k} has an irrelevant page directly above it; move a page first."
        yield state("cannot rise", text, **values)
    else:
        text = (
            "**Only AP.** If the page at rank {place} moves up by one, AP rises from {before:.3f} to {after:.3f}. "
            "P@{k} and R@{k} do not change: they count the relevant pages down to rank {k}, in any order."
        )
        yield state("only AP", text, place=place, after=after.value, **values)
    text = "Of the first {k} pages {above} are relevant (P); that is {above} of all {relevant} relevant pages (R)."
    yield state("counted", text, above=above, k=page.cutoff, relevant=relevant)
    text = "AP is the mean precision at all {relevant} relevant pages; pages not in the ranking ({missing}) count as 0."
    yield state("missing", text, relevant=relevant, missing=relevant - found)


LESSON = Lesson("Precision", Counted, {"cutoff": 1}, show, played(lambda page: "AP"), moves, seen, in_text=True)
