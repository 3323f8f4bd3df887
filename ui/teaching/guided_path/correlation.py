"""Step Correlation: what a correlation of rankings does not show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import RBP, nDCG
from evalcore.meta import best_first, leaders
from evalcore.meta.neighbours import tau_by_place, with_neighbours_changed
from ui.address import families
from ui.address.settings import setting
from ui.screen.calls import Call, call, record
from ui.screen.items import Figure, Metric
from ui.screen.text import markdown
from ui.teaching.guided_path.base import (
    Lesson,
    LessonContent,
    LessonSettings,
    firsts,
    how_alike,
    lacks_relevance,
    mean_scores,
)
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Number

BEST = 8
SWAP, TIE = "swap", "tie"
FORMULAS = (
    r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}, \qquad P = \tfrac{1}{2} n (n - 1)",
    r"\tau_{AP} = \frac{2}{n - 1} \sum_{i=2}^{n} \frac{C(i)}{i - 1} - 1",
)
PLACE_HELP = "The rank of the upper of the two neighbours: 1 is the top of the ranking"


def _place(page: Neighbours) -> Number:
    last = min(BEST, len(page.data.systems)) - 1
    return Number("at rank", 1, last, last, 1, help=PLACE_HELP)


@dataclass(frozen=True)
class Neighbours(LessonSettings, lacks=lacks_relevance):
    """Settings of the step: whether two neighbours in a ranking swap or tie, and at which rank."""

    event: str = setting(Choice("Two neighbours", (SWAP, TIE), segmented=True))
    place: int = setting(_place)


def show(page: Neighbours, styles: Styles) -> LessonContent:
    x, y = (mean_scores(name, measure, page.data) for name, measure in (("x", RBP()), ("y", nDCG())))
    listed = best_first(x.value).index[:BEST]
    scores = {str(name): float(len(listed) - at) for at, name in enumerate(listed)}
    before = call("before", ec.directed, record(pd.Series)(scores), "high")
    after = call("after", with_neighbours_changed, before.it, page.place, tied=page.event == TIE)
    curve = call("taus", tau_by_place, before.it, tied=page.event == TIE)
    tau = call("tau", ec.tau, before.it, after.it)
    tau_ap = call("tau_ap", ec.tau_ap, after.it, before.it)
    tau_a = call("tau_a", ec.tau_a, before.it, after.it)
    real = call("real_tau", ec.tau, x.it, y.it)
    first = leaders(after.value)
    text = (
        "Above: the {count} best systems under RBP, and the same ranking with one change. Below: both correlations "
        "for a change at each rank."
    )
    return LessonContent(
        both_figures(page, before, after, curve, styles),
        (state("drawn", text, count=len(listed)),),
        (*answer(page, curve.value, tau.value, tau_a.value), *how_alike("A real case:", real, x, y, ("RBP", "nDCG"))),
        (curve, tau_a, real, firsts(x, y)),
        numbers=(
            Metric.of("τ", tau, "Kendall's tau_b of the two rankings"),
            Metric.of("τ_AP", tau_ap, "Yilmaz's AP correlation, with the ranking by RBP as reference"),
            Metric(
                "first",
                markdown(first[0] if len(first) == 1 else f"{len(first)} tied"),
                help="The leader of the changed ranking",
                calls=(after,),
            ),
        ),
        formulas=FORMULAS,
    )


def both_figures(
    page: Neighbours, before: Call[pd.Series], after: Call[pd.Series], curve: Call[pd.DataFrame], styles: Styles
) -> tuple[Figure, Figure]:
    """Return two figures: of the two rankings, and of τ and τ_AP for each rank at which the change may happen."""
    verb = "tied" if page.event == TIE else "swapped"
    title = f"{page.place} and {page.place + 1} {verb}"
    own = families.styles_of(page.data)
    lists = call("", figures.bump, {"by RBP": before.it, title: after.it}, styles=own).here(styles=styles)
    places = call("", figures.by_place, curve.it, page.place, f"rank at which two systems are {verb}", 160)
    alts = (
        f"Ranking of {len(before.value)} systems before and after two of them are {verb}",
        f"Both correlations of the two rankings, by the rank at which two systems are {verb}",
    )
    picture = Figure(lists, "path-correlation", alts[0], layout={"height": 225})
    return picture, Figure(places, "path-byplace", alts[1])


def answer(page: Neighbours, curve: pd.DataFrame, tau: float, tau_a: float) -> Iterator[Statement]:
    """Yield statements on how τ responds to the change, and on how τ_AP depends on the rank of the change."""
    count = len(curve) + 1
    pairs = count * (count - 1) // 2
    if page.event == TIE:
        text = (
            "A tie has no order, so its pair is neither right nor wrong: τ_b, which corrects for ties, is {tau:.3f}; "
            "τ_a, over all {pairs} pairs, is {tau_a:.3f}."
        )
        yield state("a tie", text, tau=tau, pairs=pairs, tau_a=tau_a)
    else:
        text = "**τ_AP.** For τ all {pairs} pairs count the same, so τ is {tau:.3f} at any rank."
        yield state("a swap", text, pairs=pairs, tau=float(curve["τ"].iloc[0]))
    top, end = float(curve["τ_AP"].iloc[0]), float(curve["τ_AP"].iloc[-1])
    yield state("falls", "For a change at the end, τ_AP is {end:.3f}; at the top, **{top:.3f}**.", end=end, top=top)


LESSON = Lesson("Correlation", Neighbours, {"event": 0.38, "place": 0.62}, show)
