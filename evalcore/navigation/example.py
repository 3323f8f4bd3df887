"""The worked example of "Effort-precision and gain-recall based on a probabilistic navigation model", section 6.1.

Three documents, d1, d2, d3 in this order, of which d3 is relevant with gain 1; every rank costs 1. Numbers are as
printed, misprints included, beside the right ones (erratum of section 6.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evalcore.data.small_collections import small_collection
from evalcore.measures import evaluate, parse
from evalcore.navigation.small import small_navigation
from evalcore.structures.documents import Collection

RANKING = ("d1", "d2", "d3")
GRADES = {"d3": 1.0}
LINKS = {("d1", "d3"): 0.4, ("d2", "d3"): 0.3}
SYSTEM = "d1, d2, d3"


@dataclass(frozen=True)
class Line:
    """One line of the example: its formula as LaTeX with the right numbers in it, what is printed, what is right."""

    what: str
    formula: str
    printed: tuple[float, ...]
    right: tuple[float, ...]
    measure: str  # whose score it is, one number for each; "": none
    remark: str = ""


LINES = (
    Line(
        "d3 is seen after rank 1", r"P(d_3 \in S_1) = 1 - (1 - 0.4) = 0.4", (0.4,), (0.4,), "ECG(navigation=Browse)@1"
    ),
    Line(
        "d3 is seen after rank 2",
        r"P(d_3 \in S_2) = 1 - (1 - 0.4)(1 - 0.3) = 1 - 0.6 \cdot 0.7 = 0.58 = \tfrac{29}{50}",
        (0.625, 0.58),
        (0.58, 0.58),
        "ECG(navigation=Browse)@2",
        "printed as 5/8 = 0.58; 5/8 is 0.625",
    ),
    Line("d3 is seen after rank 3", r"P(d_3 \in S_3) = 1", (1.0,), (1.0,), "ECG(navigation=Browse)@3"),
    Line(
        "gain 1 is still to come",
        r"P(cg[1] < 1) = 0.6,\quad P(cg[2] < 1) = 0.42,\quad P(cg[3] < 1) = 0",
        (0.5, 0.35, 0.0),
        (0.6, 0.42, 0.0),
        "",
        "printed as 0.5 and 0.35, which do not follow from the lines before",
    ),
    Line(
        "expected inverse effort",
        r"\mathbb{E}\left[\tfrac{1}{ce[1]}\right] = \tfrac{1}{1}(1 - 0.6) + \tfrac{1}{2}(0.6 - 0.42) + "
        r"\tfrac{1}{3}(0.42 - 0) = 1 - \tfrac{0.6}{2} - \tfrac{0.42}{6} = 0.63",
        (0.63,),
        (0.63,),
        "InverseEffort(navigation=Browse, level=1)",
        "printed as E[ce[1]] = 1 - 0/3 - 0.65/2 - 0.35/6, which is 0.6167; the result 0.63 is right",
    ),
    Line(
        "expected effort",
        r"\mathbb{E}[ce[1]] = 1 + 0.6 + 0.42 = 2.02",
        (),
        (2.02,),
        "EffortTo(navigation=Browse, level=1)",
        "not printed: what is called E[ce[1]] is the line above",
    ),
    Line(
        "effort-precision",
        r"ep[1] = \mathbb{E}[ce_{ideal}[1]] \cdot \mathbb{E}\left[\tfrac{1}{ce[1]}\right] = 1 \cdot 0.63 = 0.63",
        (0.63,),
        (0.63,),
        "ep(navigation=Browse, level=1)",
    ),
    Line(
        "the same without navigation",
        r"ep[1] = 1 \cdot \left(1 - \tfrac{1}{2} - \tfrac{1}{6}\right) = \tfrac{1}{3}",
        (0.3,),
        (1 / 3,),
        "ep(navigation=Stay, level=1)",
        "printed as 0.3, rounded",
    ),
)


def example() -> Collection:
    """The example as a collection of one topic and one system."""
    labels = pd.DataFrame({"relevance": list(GRADES.values())}, index=list(GRADES))
    rankings = {SYSTEM: RANKING}
    return small_navigation(small_collection(labels, rankings, title="Section 6.1"), rankings, LINKS)


def computed_lines() -> tuple[tuple[Line, float | None], ...]:
    """Each line with the score of its measure on the example; None where it has none.

    >>> [(line.what, round(score, 4)) for line, score in computed_lines() if score][-2:]
    [('effort-precision', 0.63), ('the same without navigation', 0.3333)]
    """
    scores = evaluate([line.measure for line in LINES if line.measure], example())
    values = {text: frame.to_numpy().item() for text, frame in scores.items()}
    return tuple((line, values[str(parse(line.measure))] if line.measure else None) for line in LINES)
