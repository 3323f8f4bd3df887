"""Step Combining: combining aspects before or after scoring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.small_collections import small_collection
from evalcore.figures.style import Styles
from evalcore.measures import CAM, MM, TOMA, AboveWorst, CustomWeights, Measure, P, Product
from evalcore.measures.parts.gains import Gain, relevant
from ui.address.settings import setting
from ui.screen.calls import call, line, mapped, record
from ui.screen.items import Figure
from ui.teaching.guided_path.base import (
    Lesson,
    LessonContent,
    LessonSettings,
    firsts,
    how_alike,
    lacks_an_aspect,
    mean_scores,
    second_aspect,
)
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Number

PAIR = ("relevance", "understandability")
LABELS = pd.DataFrame({"both": (1, 1), "neither": (0, 0), "on topic": (1, 0), "readable": (0, 1)}, index=PAIR).T
A, B = "A: one page does both", "B: each page does one thing"
RANKINGS = {A: ["both", "neither"], B: ["on topic", "readable"]}
DRAWN = (
    "All four measures read the first two documents. CAM and MM average two scores, one for each aspect; Product and "
    "TOMA turn the two labels of a document into one gain."
)
TABLE = pd.DataFrame(
    {"ranking A": ["relevant, readable", "neither"], "ranking B": ["relevant, unreadable", "irrelevant, readable"]},
    index=pd.Index([1, 2], name="rank"),
)
GOOD = {"both aspects": CustomWeights(weights=(0.0, 0.0, 1.0)), "any aspect": AboveWorst()}
GOOD_HELP = "The classes of labels that get weight 1: only the best, or all except the worst"
GROUPS = {"score, then combine": 2, "combine labels, then score": 2}


@dataclass(frozen=True)
class Combined(LessonSettings, lacks=lacks_an_aspect):
    """Settings of the step: the weight of relevance, and which pages TOMA counts as good."""

    weight: float = setting(Number("Weight of relevance", 0.05, 0.95, 0.5, 0.05))
    good: str = setting(Choice("TOMA counts a page as good on", list(GOOD), segmented=True, help=GOOD_HELP))


def show(page: Combined, _: Styles) -> LessonContent:
    measures = measures_of(page.weight, page.good)
    labels = line("labels", record(pd.DataFrame)(LABELS.T.to_dict("list"), index=list(PAIR)).T)
    example = call("example", small_collection, labels.it, RANKINGS)
    texts = {name: str(measure) for name, measure in measures.items()}
    scores = mapped(texts, lambda measure: record(ec.evaluate)(measure, example.it).iloc[0])
    table = line("table", record(pd.DataFrame)(scores).T)
    figure = call("", figures.two_rankings, table.it, GROUPS, 330)
    after, before = (mean_scores(*of, page.data) for of in zip(("after", "before"), both_ways(page.data), strict=True))
    tau = call("tau", ec.tau, after.it, before.it)
    in_practice = how_alike("On P@10,", tau, after, before, ("CAM", "Product"), 2)
    return LessonContent(
        (Figure(figure, "path-combining", "Two rankings under four measures"),),
        (state("drawn", DRAWN),),
        (*answer(table.value, page.weight, page.good), *in_practice),
        (table, tau, firsts(after, before)),
        grid=TABLE,
        formulas=tuple(measure.latex(example.value.assessments.scales) for measure in measures.values()),
    )


def measures_of(weight: float, good: str) -> dict[str, Measure]:
    top, weights = P(cutoff=2), (weight, 1 - weight)
    steps: dict[str, Gain] = dict.fromkeys(PAIR, relevant(None))
    return {
        "CAM": CAM(top, aspects=PAIR, weights=weights),
        "MM": MM(top, aspects=PAIR, weights=weights),
        "Product": Product(top, gains=steps),
        "TOMA": TOMA(top, aspects=PAIR, weights=GOOD[good]),
    }


def answer(table: pd.DataFrame, weight: float, good: str) -> Iterator[Statement]:
    """Yield statements on the measures that give both rankings the same score, and on the ranking that TOMA prefers."""
    rows = {str(name): (float(row[A]), float(row[B])) for name, row in table.iterrows()}
    blind = [name for name, (a, b) in rows.items() if abs(a - b) < 1e-12]
    a, b = rows["TOMA"]
    yield state(
        "blind",
        "**None.** In both rankings half of the pages are relevant and half readable, so "
        "{measures:systems} give {score:.2f} to both, here with {weight:.0%} on relevance.",
        measures=blind,
        score=rows["CAM"][0],
        weight=weight,
    )
    yield state(
        "prefers",
        "If you combine first, you must decide what a half-good page is worth. Product gives it no gain; TOMA with "
        "“{good}” prefers {better}.",
        good=good,
        better="B" if b > a else "A",
    )


def both_ways(collection: Collection) -> tuple[Measure, Measure]:
    """Return two measures: the mean of P@10 on two aspects, and P@10 of the documents that are good on both."""
    aspect = second_aspect(collection)
    borders = {PAIR[0]: None, aspect: collection.assessments.scale(aspect).border}
    parts = tuple(P(rel=border, aspect=name) for name, border in borders.items())
    steps: dict[str, Gain] = {name: relevant(border) for name, border in borders.items()}
    return CAM(parts), Product(P(), gains=steps)


LESSON = Lesson("Combining", Combined, {"weight": 0.5, "good": 0.5}, show)
