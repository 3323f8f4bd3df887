"""Step Labels: how much a ranking depends on the source of its labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

import evalcore as ec
from evalcore import InputError, figures
from evalcore.common.cached import cached_property
from evalcore.common.rounding import TIE
from evalcore.data import Collection
from evalcore.figures.draw import score_text
from evalcore.figures.style import Styles
from evalcore.labels.judges import NoiseCurve
from evalcore.labels.judges.noise import LEVELS, way_of
from evalcore.measures import RBP
from evalcore.meta import EQUIVALENT
from evalcore.notation.display_names import reading_name
from ui.address.settings import setting
from ui.computing.cached import cached_call
from ui.glossary.words import term
from ui.screen.calls import Call, call, line
from ui.screen.items import Calls, Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, lacks_relevance
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field, Number

ASPECT = "relevance"
LIKE = "as those of "  # prefix of a source's name
RANDOM = {"neighbour": "into a neighbouring grade", "any": "into any other grade"}
LEVEL_HELP = "The expected share of wrong labels. If you raise it, new errors are added and the earlier ones stay."
MOST_MARKED = 3
HALF = 0.5
DRAWS, SEED = 50, 0


def lacks_grades(collection: Collection) -> str:
    if lack := lacks_relevance(collection):
        return lack
    try:
        way_of(collection, ASPECT)
    except InputError:
        return "its relevance labels have only one grade"
    return ""


def own_source(collection: Collection) -> str:
    """Return the source whose relevance labels the measures use; "" if relevance has only one source."""
    pool = collection.assessments
    if ASPECT not in pool.sources:
        return ""
    sources = pool.sources[ASPECT]
    return pool.source if pool.source in sources.names else sources.default


def other_judges(collection: Collection) -> list[str]:
    """Return the other sources with at least one relevance label that differs from the labels in use."""
    own = own_source(collection)
    judges = []
    for name in collection.assessments.sources[ASPECT].labels if own else ():
        with suppress(InputError):
            way_of(collection, ASPECT, "as measured", (own, name))
            judges.append(name)
    return [name for name in judges if name != own]


def _errors(page: Wrong) -> Field:
    like = [f"{LIKE}{name}" for name in page.judges]
    return Choice("Labels change", [*like, *RANDOM], names=lambda name: RANDOM.get(name, name.replace("as", "like", 1)))


def _level(page: Wrong) -> Field:
    reached = [level for level in LEVELS if level <= page.most + TIE]
    return Number("Wrong labels", 0.0, reached[-1], min(0.2, reached[-1]), LEVELS[1], format="percent", help=LEVEL_HELP)


@dataclass(frozen=True)
class Wrong(LessonSettings, lacks=lacks_grades):
    """Settings of the step: the kind of error, and the share of wrong labels."""

    errors: str = setting(_errors)
    level: float = setting(_level)

    @cached_property
    def judges(self) -> list[str]:
        return other_judges(self.data)

    @property
    def judge(self) -> str:
        """The source whose errors are shown; "" if there is no other source."""
        return self.errors.removeprefix(LIKE) if self.errors not in RANDOM else next(iter(self.judges), "")

    @property
    def way(self) -> tuple[str, tuple[str, str] | None]:
        """Arguments of `ec.noise_curve`: the kind of error, and two sources that differ (None for random errors)."""
        return (self.errors, None) if self.errors in RANDOM else ("as measured", (own_source(self.data), self.judge))

    @property
    def most(self) -> float:
        way, pair = self.way
        return way_of(self.data, ASPECT, way, pair).most


def show(page: Wrong, _: Styles) -> LessonContent:
    curve = noise(page)
    every = {name: judged(page, name) for name in page.judges[:MOST_MARKED]}
    marks = {name: mark for name, mark in every.items() if mark and not np.isnan(mark.tau.value)}
    judge = judged(page, page.judge) if page.judge else None
    about = Noise(page, curve, judge)
    return LessonContent(
        (noise_figure(page, curve, marks),),
        (drawn(curve.value, list(marks)),),
        tuple(about.answer()),
        about.calls,
        numbers=tuple(numbers(page, curve)),
        formulas=(
            r"\kappa = \frac{p_o - p_e}{1 - p_e}",
            r"p_o = \sum_g p_{gg}, \qquad p_e = \sum_g p_{g\cdot}\, p_{\cdot g}",
        ),
    )


def noise(page: Wrong) -> Call[NoiseCurve]:
    """Return the call that computes the effect of wrong labels by their share; its value is cached."""
    way, pair = page.way
    how: dict[str, Any] = {"sources": pair or None, "n_draws": DRAWS, "seed": SEED}
    return cached_call(call("curve", ec.noise_curve, RBP(), page.data, way, aspect=ASPECT, **how), page.data)


@dataclass(frozen=True)
class Judged:
    """Another source compared with the labels in use: share of different labels, κ, and τ of the rankings by RBP."""

    differs: Call[float]
    kappa: Call[float]
    tau: Call[float]


def judged(page: Wrong, judge: str) -> Judged | None:
    """Return how another source compares with the labels in use; None if they share no labelled topic or document."""
    both = (own_source(page.data), judge)
    agreement = call("agreement", ec.source_agreement, page.data, both, ASPECT)
    scores = call("rankings", ec.source_rankings, RBP(), page.data, both).it.scores
    tau = call("judges_tau", ec.tau, *(scores[name].mean() for name in both))
    with suppress(InputError):
        return Judged(
            cached_call(line("differs", 1 - agreement.it.coefficient("agreement").estimate), page.data),
            cached_call(line("judges_kappa", agreement.it.coefficient("kappa").estimate), page.data),
            cached_call(tau, page.data),
        )
    return None


def noise_figure(page: Wrong, curve: Call[NoiseCurve], marks: dict[str, Judged]) -> Figure:
    """Return the figure of τ by share of wrong labels, with marks for the other sources."""
    judges = {name: (mark.differs.it, mark.tau.it) for name, mark in marks.items()}
    figure = call("", figures.noise_levels, curve.it.table, page.level, EQUIVALENT, judges=judges, height=380)
    alt = f"τ with the ranking under the original labels, by share of wrong labels, under {reading_name(RBP())}"
    return Figure(figure, "path-labels", alt)


def numbers(page: Wrong, curve: Call[NoiseCurve]) -> Iterator[Metric]:
    """Yield the effect of the chosen share of wrong labels: τ, how often the winner stays first, and κ."""
    tau, stays, kappa = (at_level(curve, name, page.level) for name in ("tau", "winner_stays", "kappa"))
    yield Metric.of("τ", tau, "Kendall's τ_b with the ranking under the original labels, mean over draws")
    yield Metric.of("winner stays", stays, "Share of the draws with the same winner", form=".0%")
    yield Metric.of("κ", kappa, "Expected Cohen's κ between original and wrong labels", form=".2f")


def at_level(curve: Call[NoiseCurve], column: str, level: float | Call[float], where: str = "here") -> Call[float]:
    """Return the call that computes the value in a column of the curve at a level, by linear interpolation."""
    at = level.it if isinstance(level, Call) else level
    return call(f"{column}_{where}", np.interp, at, curve.it.table.index, curve.it.table[column])


def drawn(curve: NoiseCurve, marked: list[str]) -> Statement:
    diamonds = " Diamond" if len(marked) == 1 else " Diamonds"
    names = " and ".join(f"{{judge_{at}}}" for at in range(len(marked)))
    marks = f"{diamonds} mark the labels of {names}." if marked else ""
    text = (
        "Blue is τ between the {measure} rankings under wrong and original labels, averaged over {draws} draws; the "
        f"band holds 95% of the draws. The dashed line is the share of draws with the same winner.{marks}"
    )
    judges = {f"judge_{at}": name for at, name in enumerate(marked)}
    return state("drawn", text, measure=reading_name(RBP()), draws=curve.n_draws, **judges)


@dataclass(frozen=True)
class Noise:
    """Statements about wrong labels, with the calls that computed them."""

    page: Wrong
    curve: Call[NoiseCurve]
    judge: Judged | None

    @cached_property
    def equivalent(self) -> Call[float]:
        """The call that computes the share of wrong labels at which τ falls below EQUIVALENT; nan if there is none."""
        return line("falls", self.curve.it.level_where(EQUIVALENT))

    @cached_property
    def kappa(self) -> Call[float]:
        """The call that computes κ at the share of wrong labels at which τ falls below EQUIVALENT."""
        return line("kappa_there", self.curve.it.kappa_at(self.equivalent.it))

    @cached_property
    def another(self) -> Call[float]:
        """The call that computes the share of wrong labels at which the winner is first in less than half of the draws.

        Its value is nan if the winner is first in at least half of the draws at every share.
        """
        return line("another_wins", self.curve.it.level_where(HALF, "winner_stays"))

    @cached_property
    def at_random(self) -> tuple[Call[float], ...]:
        """The calls that compute τ with as many random errors as the judge makes, and its lower and upper limits."""
        assert self.judge
        columns = ("tau", "tau_low", "tau_high")
        return tuple(at_level(self.curve, column, self.judge.differs, "at_random") for column in columns)

    @property
    def can_be_set_beside(self) -> bool:
        """True if the curve reaches the judge's share of different labels, and the judge's τ is defined."""
        judge, most = self.judge, self.curve.value.table.index[-1]
        return judge is not None and judge.differs.value <= most and not np.isnan(judge.tau.value)

    @property
    def calls(self) -> Calls:
        known = () if np.isnan(self.equivalent.value) else (self.kappa,)
        judge = (self.judge.differs, self.judge.kappa, self.judge.tau) if self.judge else ()
        return (self.equivalent, self.another, *known, *judge, *(self.at_random if self.can_be_set_beside else ()))

    def answer(self) -> Iterator[Statement]:
        """State how many labels may be wrong, and how much harm a judge's errors do."""
        if self.curve.value.table["tau"].isna().all():
            yield state("tied", "All systems are tied, so no label could change a ranking.")
            return
        yield self.until_not_equivalent()
        yield self.until_another_wins()
        if self.judge:
            yield self.beside_chance(self.judge)

    @property
    def most(self) -> float:
        return float(self.curve.value.table.index[-1])

    def until_not_equivalent(self) -> Statement:
        """State up to which share of wrong labels the rankings stay equivalent."""
        level = self.equivalent.value
        if np.isnan(level):
            text = "On average τ is still above {wanted:g} with {level:percent} of the labels wrong."
            return state("stays equivalent", text, wanted=EQUIVALENT, level=self.most)
        text = (
            "On average **{level:percent}**: with that share τ falls below {wanted:g}, and "
            f"{term('kappa', 'κ')} is {{kappa:score2}}."
        )
        return state("falls", text, level=level, wanted=EQUIVALENT, kappa=self.kappa.value)

    def until_another_wins(self) -> Statement:
        """State up to which share of wrong labels the winner stays first."""
        level, first = self.another.value, list(self.curve.value.first)
        start = f"{{first:systems}} {'stays' if len(first) == 1 else 'stay'} first in at least half of the draws"
        if np.isnan(level):
            return state("always first", f"{start} up to {{level:percent}} wrong labels.", first=first, level=self.most)
        return state("first until", f"{start} until {{level:percent}} of labels are wrong.", first=first, level=level)

    def beside_chance(self, judge: Judged) -> Statement:
        """Compare the harm of a judge's errors with the harm of the same number of random errors."""
        values = {"judge": self.page.judge, "differs": judge.differs.value, "kappa": judge.kappa.value}
        text = (
            "{judge} gives {differs:percent} of the documents a different label (κ {kappa:score2}); τ of the rankings "
            "is {tau:score}"
        )
        tau = judge.tau.value
        if not self.can_be_set_beside:
            return state("judge", f"{text}.", tau=tau, **values)
        middle, low, high = (float(f"{tau.value:.3f}") for tau in self.at_random)
        own = float(score_text(tau, 3))
        harm = "less" if own > high else "more" if own < low else "as much"
        than = "as" if harm == "as much" else "than"
        text += (
            f": **{{harm}}** harm {than} the same number of random errors, whose τ is {{random:.3f}} "
            "({low:.3f} to {high:.3f})."
        )
        return state("judge beside chance", text, tau=tau, harm=harm, random=middle, low=low, high=high, **values)


LESSON = Lesson("Labels", Wrong, {"errors": 0.5, "level": 0.5}, show)
