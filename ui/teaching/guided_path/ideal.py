"""Step Ideal: why an ideal ranking matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.common.rounding import SOLVED, less
from evalcore.explain import upper_bounds
from evalcore.figures.style import Styles
from evalcore.measures import CAM, DCG, MM, RBP, Measure, nDCG
from evalcore.meta import leaders
from ui.address import families
from ui.address.settings import setting
from ui.computing.cached import cached_call
from ui.computing.measures import averaged, scored
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, firsts, lacks_an_aspect
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Switch

NAMES = ("DCG", "RBP", "CAM", "MM")
LOWERED = {
    "there": "The topic is poor",
    "own": "The system misses what is there",
    "both": "The topic is poor and the system weak, to the same extent",
    "neither": "Neither is below average",
}


@dataclass(frozen=True)
class Reachable(LessonSettings, lacks=lacks_an_aspect):
    """Settings of the step: the measure, and whether its scores are divided by the best score of the topic."""

    measure: str = setting(Choice("Measure", NAMES, segmented=True, help="CAM and MM combine nDCG of two aspects"))
    divided: bool = setting(Switch("Divide by the best", help="Divide by the best score: all topics count equally"))


def show(page: Reachable, styles: Styles) -> LessonContent:
    limits, scales = Limits(page), page.data.assessments.scales
    named = "the leaders before and after" if len(limits.winners) > 1 else "the leader, before and after"
    text = f"Grey shows the best score known for each topic's assessed documents; marks show {named} dividing."
    return LessonContent(
        (limits_figure(limits, styles),),
        (state("drawn", text),),
        tuple(answer(limits)),
        limits.calls,
        formulas=(limits.measure.latex(scales), nDCG().latex(scales)),
    )


@dataclass(frozen=True)
class Limits:
    """Calls that compute the systems' scores on each topic, and the best score known to be attainable on the topic."""

    page: Reachable

    @property
    def pair(self) -> tuple[str, str]:
        return "relevance", self.page.second

    @property
    def measure(self) -> Measure:
        return measures(self.pair[1])[self.page.measure]

    @cached_property
    def best(self) -> Call[pd.Series]:
        """The call that computes the best known score of each topic, lowest first."""
        return line("best", self.most("most", self.measure).it.sort_values(kind="stable"))

    def most(self, name: str, measure: Measure) -> Call[pd.Series]:
        """Return the call that computes the best known score of each topic under a measure.

        The value of the call is cached for later runs.
        """
        pool = record(self.page.data).assessments
        return cached_call(line(name, record(upper_bounds)(measure, pool, self.pair).max(axis=1)), self.page.data)

    @cached_property
    def raw(self) -> Call[pd.DataFrame]:
        scores = scored("scores", self.measure, self.page.data)
        return line("raw", scores.it.loc[self.best.it.index])

    @cached_property
    def shares(self) -> Call[pd.DataFrame]:
        """The call that divides each score by the best score of its topic; 0 if the topic has nothing to find."""
        return line("shares", self.raw.it.div(self.best.it.where(self.best.it > 0, np.inf), axis=0))

    @cached_property
    def winners(self) -> list[str]:
        """The best system on average before dividing, and the best after dividing; only one if they are the same."""
        first, then = (leaders(scores.value.mean()) for scores in (self.raw, self.shares))
        return list(dict.fromkeys([first[0], then[0]]))

    @property
    def nonzero(self) -> pd.Series:
        """A series by topic; True if there is something to find."""
        return self.best.value > 0

    @cached_property
    def lowest(self) -> list[str]:
        """The topics on which the system that is best before dividing has its lowest score."""
        return lowest_topics(self.raw.value[self.winners[0]], self.best.value)

    @cached_property
    def tau(self) -> Call[float]:
        """The call that computes τ between the rankings before and after dividing."""
        return call("tau", ec.tau, averaged(self.raw).it, averaged(self.shares).it)

    @cached_property
    def perfect(self) -> Call[pd.Series]:
        """The call that makes a series over the topics with something to find; True if a score of 1 is possible."""
        return line("reach_1", ~record(less)(self.best.it[self.best.it > 0], 1.0, SOLVED))

    @cached_property
    def lacking(self) -> pd.Series:
        """A series by topic; True if there is nothing to find for at least one of the two aspects."""
        ideal = [self.most("", nDCG(aspect=aspect)).value for aspect in self.pair]
        either: pd.Series = ((ideal[0] <= 0) | (ideal[1] <= 0)).reindex(self.best.value.index)
        return either

    @property
    def calls(self) -> tuple[Call[Any], ...]:
        """The calls that compute the numbers of the answer."""
        best, first = self.best.it, self.shares.it[self.winners[0]]
        on_average = line("on_average", [best[best > 0].mean(), first[best > 0].mean()])
        share = line("share_of_topics", self.perfect.it.mean())
        both = firsts(averaged(self.raw), averaged(self.shares))
        return self.raw, self.shares, on_average, share, self.tau, both


def limits_figure(limits: Limits, styles: Styles) -> Figure:
    """Return the figure of the winners' scores beside the best attainable score of each topic."""
    page, name, winners = limits.page, limits.page.measure, limits.winners
    best, title = limits.best.it, name + (" / best attainable" if page.divided else "")
    ideal = (best > 0).astype(float) if page.divided else best
    scores = (limits.shares if page.divided else limits.raw).it[winners]
    table = record(pd.concat)([ideal.rename("ideal"), scores], axis=1)
    options = {"named": limits.lowest[0]} if limits.lowest else {}
    own = families.styles_of(page.data)
    figure = call("", figures.against_ideal, table, styles=own, title=title, height=440, **options).here(styles=styles)
    alt = f"Best attainable {name} on each topic, and the scores of {' and '.join(winners)}"
    return Figure(figure, "path-ideal", alt)


def measures(aspect: str) -> dict[str, Measure]:
    pair = ("relevance", aspect)
    return {"DCG": DCG(), "RBP": RBP(), "CAM": CAM(nDCG(), aspects=pair), "MM": MM(nDCG(), aspects=pair)}


def lowest_topics(scores: pd.Series, best: pd.Series) -> list[str]:
    """Return the topics on which a system scores lowest, in the given order, except topics with nothing to find."""
    counted = scores[best > 0]
    return list(map(str, counted.index[~less(counted.min(), counted)])) if len(counted) else []


def answer(limits: Limits) -> Iterator[Statement]:
    """Yield statements on the winner's lowest score and its cause, on the limits, and on the winner after dividing."""
    if not limits.lowest:
        yield state("nothing", "These data have no relevant documents: the best ranking of every topic scores 0.")
        return
    system, topic, also = limits.winners[0], limits.lowest[0], len(limits.lowest) - 1
    others = f" and {{also}} other topic{'s' if also > 1 else ''}" if also else ""
    text = f"The lowest score of {{system}} is {{score:.2f}}, on {{topic}}{others}."
    yield state("lowest", text, system=system, topic=topic, also=also, score=float(limits.raw.value[system][topic]))
    best, nonzero = limits.best.value, limits.nonzero
    yield what_lowers(best[nonzero], limits.shares.value[system][nonzero], topic)
    yield reach(limits.page.measure, best[nonzero], limits.perfect.value, limits.lacking[nonzero])
    first, then = (leaders(scores.value.mean()) for scores in (limits.raw, limits.shares))
    if first == then:
        winning = f"{{then:systems}} **{'stays' if len(first) == 1 else 'stay'}** first"
    else:
        winning = f"**{{then:systems}}** {'is' if len(then) == 1 else 'are'} first"
    tau = limits.tau.value
    alike = "" if np.isnan(tau) else " (τ of the two rankings: {tau:.3f})"
    yield state("divided", f"After dividing by the best score, {winning}{alike}.", first=first, then=then, tau=tau)


def what_lowers(best: pd.Series, share: pd.Series, topic: str) -> Statement:
    """State why a score is low: the topic has less to find than others, or the system finds a smaller share.

    A score is the best ranking's score times the share of that score that the system reaches. Each factor is divided by
    its mean over topics, and the smaller ratio is named as the reason.
    """
    limit, part = float(best[topic]), float(share[topic])
    if len(best) == 1:
        text = "The best ranking gets {limit:.2f} there, so the system gets {share:.0%} of the possible score."
        return state("the one topic", text, limit=limit, share=part)
    usual_limit, usual_part = float(best.mean()), float(share.mean())
    there = limit / usual_limit
    own = part / usual_part if usual_part else 1.0
    which = lowered_by(there, own)
    return state(
        "lowered",
        f"**{LOWERED[which]}**: the best ranking gets {{limit:.2f}} there, {{there:.2f}} of the average topic. The "
        "system gets {share:.0%} of that, {own:.2f} of its usual share. The verdict rests on the smaller ratio.",
        which=which,
        limit=limit,
        there=there,
        share=part,
        own=own,
    )


def lowered_by(there: float, own: float) -> str:
    """Return which of two ratios, rounded to two decimals, is smaller: "there" or "own".

    Return "neither" if both ratios are at least 1, otherwise "both" if they are equal.

    >>> lowered_by(0.5, 0.8), lowered_by(1.2, 0.8), lowered_by(0.8, 0.8), lowered_by(1.0, 1.1)
    ('there', 'own', 'both', 'neither')
    """
    there, own = round(there, 2), round(own, 2)
    if min(there, own) >= 1:
        return "neither"
    return "both" if there == own else "there" if there < own else "own"


def reach(name: str, best: pd.Series, perfect: pd.Series, lacking: pd.Series) -> Statement:
    """Return a statement on the measure's upper limits over the topics with something to find."""
    ends = {"low": float(best.min()), "high": float(best.max())}
    if name == "DCG":
        if f"{ends['low']:.1f}" == f"{ends['high']:.1f}":
            return state("DCG", "The best DCG is {low:.1f} on every topic.", **ends)
        outvote = "topics with many relevant pages dominate the mean"
        return state("DCG", f"The best DCG of a topic ranges from {{low:.1f}} to {{high:.1f}}: {outvote}.", **ends)
    high = "1" if perfect.any() and name != "RBP" else "{high:inside}"
    limits = f"(limits from {{low:inside}} to {high})"
    if name == "RBP":
        endless = "a score of 1 needs an endless list of relevant documents"
        return state("RBP", f"No topic can reach 1 under RBP {limits}: {endless}.", **ends)
    if perfect.all():
        return state("all reach 1", f"Every topic can reach 1 under {name}: one order is best for both aspects.")
    some = "{share:percent} of the topics can reach" if perfect.any() else "No topic can reach"
    why = "elsewhere " * bool(perfect.any()) + why_not(rest := lacking[~perfect])
    values = {**ends, "share": float(perfect.mean()), "lacking": float(rest.mean())}
    return state("reach", f"{some} 1 under {name} {limits}: {why}.", **values)


def why_not(lacking: pd.Series) -> str:
    """Return why topics do not allow a score of 1.

    `lacking` is True for topics with nothing to find for one of the aspects.
    """
    if lacking.all():
        return "one aspect has no relevant documents"
    return "no order is best for both aspects" + (", or one aspect has no relevant documents" if lacking.any() else "")


LESSON = Lesson("Ideal", Reachable, {"measure": 0.56, "divided": 0.44}, show)
