"""The worked example of "Effort-precision and gain-recall based on a probabilistic navigation model", section 6.1.

Three documents, d1, d2, d3 in this order; d3 is relevant with gain 1; every rank costs 1. Each line has the printed
numbers, including misprints, and the right ones (see docs/errata.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evalcore.data.small_collections import small_collection
from evalcore.measures import evaluate, parse
from evalcore.navigation.small_navigation import small_navigation
from evalcore.structures.documents import Collection

RANKING = ("d1", "d2", "d3")
GRADES = {"d3": 1.0}
SYSTEM = "d1, d2, d3"
FIRST, SECOND = 0.4, 0.3  # shares of users who go on to d3 from d1 and from d2


@dataclass(frozen=True)
class Line:
    """One line of the example: its formula as LaTeX with the right numbers, the printed values and the right values."""

    what: str
    formula: str
    printed: tuple[float, ...]
    right: tuple[float, ...]
    measure: str  # measure of each number; "" if none
    remark: str = ""


def lines(first: float = FIRST, second: float = SECOND) -> tuple[Line, ...]:
    """Return the lines of the example for given shares of users who go on to d3; the paper uses .4 and .3."""
    one, two = 1 - first, (1 - first) * (1 - second)
    inverse = 1 - one / 2 - two / 6
    p, q, a, b, seen, e = (f"{value:.4g}" for value in (first, second, one, two, 1 - two, inverse))
    return (
        Line(
            "d3 is seen after rank 1", rf"P(d_3 \in S_1) = 1 - (1 - {p}) = {p}", (0.4,), (first,),
            "ECG(navigation=Browse)@1",
        ),
        Line(
            "d3 is seen after rank 2",
            rf"P(d_3 \in S_2) = 1 - (1 - {p})(1 - {q}) = 1 - {b} = {seen}",
            (0.625, 0.58),
            (1 - two, 1 - two),
            "ECG(navigation=Browse)@2",
            "printed as 5/8 = 0.58; 5/8 is 0.625, and 29/50 is 0.58",
        ),
        Line("d3 is seen after rank 3", r"P(d_3 \in S_3) = 1", (1.0,), (1.0,), "ECG(navigation=Browse)@3"),
        Line(
            "gain 1 is still to come",
            rf"P(cg[1] < 1) = {a},\quad P(cg[2] < 1) = {b},\quad P(cg[3] < 1) = 0",
            (0.5, 0.35, 0.0),
            (one, two, 0.0),
            "",
            "printed as 0.5 and 0.35, which do not follow from the lines before",
        ),
        Line(
            "expected inverse effort",
            rf"\mathbb{{E}}\left[\tfrac{{1}}{{ce[1]}}\right] = \tfrac{{1}}{{1}}(1 - {a}) + \tfrac{{1}}{{2}}({a} - {b})"
            rf" + \tfrac{{1}}{{3}}({b} - 0) = 1 - \tfrac{{{a}}}{{2}} - \tfrac{{{b}}}{{6}} = {e}",
            (0.63,),
            (inverse,),
            "InverseEffort(navigation=Browse, level=1)",
            "printed as E[ce[1]] = 1 - 0/3 - 0.65/2 - 0.35/6, which is 0.6167; the result 0.63 is right",
        ),
        Line(
            "expected effort",
            rf"\mathbb{{E}}[ce[1]] = 1 + {a} + {b} = {1 + one + two:.4g}",
            (),
            (1 + one + two,),
            "EffortTo(navigation=Browse, level=1)",
            "not printed: the line above is called E[ce[1]]",
        ),
        Line(
            "effort-precision",
            r"ep[1] = \mathbb{E}[ce_{ideal}[1]] \cdot \mathbb{E}\left[\tfrac{1}{ce[1]}\right]"
            rf" = 1 \cdot {e} = {e}",
            (0.63,),
            (inverse,),
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
    )  # fmt: skip


def example(first: float = FIRST, second: float = SECOND) -> Collection:
    """Return the example as a collection of one topic and one system."""
    labels = pd.DataFrame({"relevance": list(GRADES.values())}, index=list(GRADES))
    rankings, links = {SYSTEM: RANKING}, {("d1", "d3"): first, ("d2", "d3"): second}
    return small_navigation(small_collection(labels, rankings, title="Section 6.1"), rankings, links)


def computed_lines(first: float = FIRST, second: float = SECOND) -> tuple[tuple[Line, float | None], ...]:
    """Return each line with the score of its measure on the example, None if the line has no measure.

    >>> [(line.what, round(score, 4)) for line, score in computed_lines() if score][-2:]
    [('effort-precision', 0.63), ('the same without navigation', 0.3333)]
    """
    written = lines(first, second)
    scores = evaluate([line.measure for line in written if line.measure], example(first, second))
    values = {text: frame.to_numpy().item() for text, frame in scores.items()}
    return tuple((line, values[str(parse(line.measure))] if line.measure else None) for line in written)
