"""Step Gain: what a better page is worth, at the top and further down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import TIE
from evalcore.explain.arithmetic import arithmetic
from evalcore.figures.style import Styles
from evalcore.measures import DCG, nDCG
from ui.address.settings import setting
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent
from ui.teaching.guided_path.precision import score
from ui.teaching.guided_path.small_ranking import SmallRanking, moves, played, seen
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice

GAINS = {"the grade": "log2", "2^grade − 1": "exp-log2"}
GAIN_HELP = "How a grade becomes a gain: with 2^grade − 1, a page of grade 3 has a gain of 7 rather than 3"
DRAWN = "DCG down to each rank, for this ranking and for the ideal one, which has the best pages first."


@dataclass(frozen=True)
class Graded(SmallRanking):
    """Settings of the step: the gain of a grade, and the settings of the small ranking."""

    GIVEN: ClassVar[str] = "document relevance/3\na 1\nb 3\nc 0\nd 2\ne 0\nf 3\ng 0\nh 1\n---\ni 2\n"

    gain: str = setting(Choice("Gain", list(GAINS), segmented=True, help=GAIN_HELP))

    def measure(self, gain: str = "") -> nDCG:
        return nDCG(dcg=GAINS[gain or self.gain], cutoff=self.cutoff)


def show(page: Graded, _: Styles) -> LessonContent:
    c, whole = page.ranking, page.measure().with_(cutoff=None)
    pool, rankings = c.it.assessments, c.it.rankings
    parts = call("parts", arithmetic, record(ec.parse)(str(whole)), pool, rankings)
    sums = {"this ranking": parts.it.terms["running sum"], "ideal": parts.it.ideal["running sum"]}  # type: ignore[index]
    curves = call("curves", pd.DataFrame, sums)
    figure = call("", figures.by_place, curves.it, page.cutoff, "rank k", 260)
    dcg = score("dcg", str(DCG(dcg=page.measure().dcg, cutoff=page.cutoff)), c)
    ndcg = {name: score(f"ndcg_{at}", str(page.measure(name)), c) for at, name in enumerate(GAINS)}
    place, scales = lowest_best(page.grades), c.value.assessments.scales
    moved = page.moved("moved", place, 1)
    after = {name: score(f"after_{at}", str(page.measure(name)), moved) for at, name in enumerate(GAINS)}
    best = line("best", curves.it["ideal"].iloc[: page.cutoff].max())
    return LessonContent(
        (Figure(figure, "path-gain", "DCG down to each rank, for this ranking and the ideal ranking"),),
        (state("drawn", DRAWN),),
        tuple(answer(page, place, ndcg, after)),
        (*ndcg.values(), *after.values()),
        formulas=(DCG(dcg=page.measure().dcg, cutoff=page.cutoff).latex(scales), page.measure().latex(scales)),
        numbers=(
            Metric.of(f"DCG@{page.cutoff}", dcg, "The sum of gains, each divided by log2(1 + rank)"),
            Metric.of("ideal", best, "DCG of the best order of all assessed pages"),
            Metric.of(f"nDCG@{page.cutoff}", ndcg[page.gain], "DCG divided by the ideal DCG"),
        ),
    )


def lowest_best(grades: list[float]) -> int:
    """Return the lowest position (largest rank) that has the highest grade.

    >>> lowest_best([1, 3, 0, 3])
    4
    """
    return max(rank for rank, grade in enumerate(grades, start=1) if grade == max(grades))


def answer(
    page: Graded, place: int, before: dict[str, Call[float]], after: dict[str, Call[float]]
) -> Iterator[Statement]:
    """Yield statements on the rise in nDCG if one page moves to the top, for both gains, and on the discount."""
    rises = {name: after[name].value - before[name].value for name in GAINS}
    linear, exponential = rises.values()
    more = "both alike" if abs(exponential - linear) < TIE else max(rises, key=lambda name: rises[name])
    text = (
        "**{more}.** If the page at rank {place} moves to the top, nDCG@{k} goes from {low:.3f} to {high:.3f} with "
        "the grade as gain, from {exp_low:.3f} to {exp_high:.3f} with 2^grade − 1."
    )
    ends = dict(zip(("low", "exp_low"), (one.value for one in before.values()), strict=True))
    ends |= dict(zip(("high", "exp_high"), (one.value for one in after.values()), strict=True))
    yield state("to the top", text, place=place, k=page.cutoff, more=more, **ends)
    text = "At rank {k} a page earns {share:.0%} of what it would earn at rank 1: its gain is divided by log2(1 + {k})."
    yield state("discount", text, k=page.cutoff, share=float(DCG().of([0] * (page.cutoff - 1) + [1])))


LESSON = Lesson(
    "Gain",
    Graded,
    {"gain": 0.5, "cutoff": 0.5},
    show,
    played(lambda page: str(page.measure())),
    moves,
    seen,
    in_text=True,
)
