"""Step 4: combining aspects before or after scoring."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.small import small_collection
from evalcore.figures.style import Styles
from evalcore.measures import CAM, MM, TOMA, AboveWorst, CustomWeights, Measure, P, Product
from evalcore.measures.parts.gains import Gain, relevant
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    how_alike,
    lacks_an_aspect,
    second_aspect,
)
from ui.screen.items import Figure
from ui.widgets.fields import Choice, Number

PAIR = ("relevance", "understandability")
LABELS = pd.DataFrame({"both": (1, 1), "neither": (0, 0), "on topic": (1, 0), "readable": (0, 1)}, index=PAIR).T
A, B = "A: one page does both", "B: each page does one thing"
RANKINGS = {A: ["both", "neither"], B: ["on topic", "readable"]}
TABLE = pd.DataFrame(
    {"ranking A": ["relevant, readable", "neither"], "ranking B": ["relevant, unreadable", "irrelevant, readable"]},
    index=pd.Index([1, 2], name="rank"),
)
GOOD = {"both aspects": CustomWeights(weights=(0.0, 0.0, 1.0)), "any aspect": AboveWorst()}
GOOD_HELP = "Which classes of labels weigh 1: only the best one, or all but the worst"
GROUPS = {"score, then combine": 2, "combine labels, then score": 2}


@dataclass(frozen=True)
class Combined(LessonSettings):
    """How much relevance counts, and what TOMA takes for good."""

    lacks = staticmethod(lacks_an_aspect)
    weight: float = setting(Number("Weight of relevance", 0.05, 0.95, 0.5, 0.05))
    good: str = setting(Choice("Good for TOMA is", list(GOOD), segmented=True, help=GOOD_HELP))


def show(page: Combined, _: Styles) -> LessonContent:
    weight, good = page.weight, page.good
    example, measures = small_collection(LABELS, RANKINGS), measures_of(weight, good)
    table = pd.DataFrame({name: ec.evaluate(one, example).iloc[0] for name, one in measures.items()}).T[[A, B]]
    return LessonContent(
        (Figure(figures.two_rankings(table, GROUPS, 330), "path-combining", "Two rankings under four measures"),),
        "All four look at the first two documents. CAM and MM average two scores, one for each aspect; Product and "
        "TOMA make one gain of the two labels of a document.",
        answer(table, weight, good, page.data),
        grid=TABLE,
        formulas=tuple(one.latex(example.assessments.scales) for one in measures.values()),
        code=(
            "import pandas as pd",
            "",
            "from evalcore.data.small import small_collection",
            "from evalcore.meta import winner",
            "",
            f"labels = pd.DataFrame({LABELS.T.to_dict('list')!r}, index={list(PAIR)!r}).T",
            f"example = small_collection(labels, {RANKINGS!r})",
            f"measures = { ({name: str(one) for name, one in measures.items()})!r}",
            "table = {name: ec.evaluate(text, example).iloc[0] for name, text in measures.items()}",
            f"after, before = (ec.evaluate(text, c).mean() for text in {[str(one) for one in both_ways(page.data)]!r})",
            "tau, first = ec.tau(after, before), (winner(after), winner(before))",
        ),
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


def answer(table: pd.DataFrame, weight: float, good: str, collection: Collection) -> str:
    rows = {str(name): (float(row[A]), float(row[B])) for name, row in table.iterrows()}
    blind = [name for name, (a, b) in rows.items() if abs(a - b) < 1e-12]
    a, b = rows["TOMA"]
    return (
        f"**None.** In both rankings half of the pages are relevant and half readable, so {' and '.join(blind)} give "
        f"{rows['CAM'][0]:.2f} to both, here with {weight:.0%} on relevance. Who combines first must say what a "
        f"half-good page is worth: nothing, says Product; with “{good}” as good, TOMA prefers {'B' if b > a else 'A'}. "
        f"{in_practice(collection)}"
    )


def both_ways(collection: Collection) -> tuple[Measure, Measure]:
    """The mean of two P@10, and P@10 of the documents that are good on both aspects."""
    aspect = second_aspect(collection)
    borders = {PAIR[0]: None, aspect: collection.assessments.scale(aspect).border}
    parts = tuple(P(rel=border, aspect=name) for name, border in borders.items())
    steps: dict[str, Gain] = {name: relevant(border) for name, border in borders.items()}
    return CAM(parts), Product(P(), gains=steps)


def in_practice(collection: Collection) -> str:
    """The two ways on a collection."""
    after, before = (scores(collection, one).mean() for one in both_ways(collection))
    said = how_alike(after, before, ("CAM", "Product"), 2)
    return f"On P@10, {said}"


LESSON = Lesson(
    name=STEPS[3],
    title="Combine before or after scoring?",
    text=(
        f"Two {term('aspect', 'aspects')} have to become one number. Either each aspect is scored and the scores are "
        f"averaged ({term('CAM')}, {term('MM')}), or the labels of each document are combined and the ranking is "
        f"scored once ({term('Product')}, {term('TOMA')}). Does it matter? Here are two rankings of two pages; only A "
        "has a page that helps anybody."
    ),
    question="With which weight do CAM or MM see that A is better?",
    settings=Combined,
    controls={"weight": 0.5, "good": 0.5},
    show=show,
    page="toma",
    page_label="On your own data: TOMA",
)
