"""Step 8: how much of a ranking hangs on whose labels it was made with."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.figures.endless import score_text
from evalcore.figures.style import Styles
from evalcore.judges import NoiseCurve, noise_curve, source_agreement, source_rankings
from evalcore.judges.noise import LEVELS, way_of
from evalcore.measures import RBP
from evalcore.meta import EQUIVALENT
from evalcore.rounding import TIE, percent
from ui.address.settings import setting
from ui.computing import parts
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings, lacks_relevance, named
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Number

ASPECT = "relevance"
LIKE = "as those of "  # before the name of a source
RANDOM = {"neighbour": "into a neighbouring grade", "any": "into any other grade"}
LEVEL_HELP = "The expected share of all labels that are wrong; a higher one keeps the errors of a lower one"
MOST_MARKED = 3
HALF = 0.5
DRAWS, SEED = 50, 0


def lacks_grades(collection: Collection) -> str:
    if parts.in_parts(collection):
        return "it is scored in parts, and labels are exchanged in memory"
    if lack := lacks_relevance(collection):
        return lack
    try:
        way_of(collection, ASPECT)
    except InputError:
        return "its relevance labels are of one grade"
    return ""


def own_source(collection: Collection) -> str:
    """Whose labels of relevance are read; "" where there is one source."""
    pool = collection.assessments
    if ASPECT not in pool.sources:
        return ""
    one = pool.sources[ASPECT]
    return pool.source if pool.source in one.names else one.default


def other_judges(collection: Collection) -> list[str]:
    """The sources that gave labels of relevance and differ in some from those that are read."""
    own = own_source(collection)
    found = []
    for name in collection.assessments.sources[ASPECT].labels if own else ():
        with suppress(InputError):
            way_of(collection, ASPECT, "as measured", (own, name))
            found.append(name)
    return [name for name in found if name != own]


def _errors(page: Wrong) -> Field:
    like = [f"{LIKE}{name}" for name in page.judges]
    return Choice("Labels go wrong", [*like, *RANDOM], names=lambda one: RANDOM.get(one, one))


def _level(page: Wrong) -> Field:
    reached = [level for level in LEVELS if level <= page.most + TIE]
    return Number("Wrong labels", 0.0, reached[-1], min(0.2, reached[-1]), LEVELS[1], format="percent", help=LEVEL_HELP)


@dataclass(frozen=True)
class Wrong(LessonSettings):
    """How labels go wrong, and how many."""

    lacks = staticmethod(lacks_grades)
    errors: str = setting(_errors)
    level: float = setting(_level)

    @cached_property
    def judges(self) -> list[str]:
        return other_judges(self.data)

    @property
    def judge(self) -> str:
        """The source whose errors are looked at; "" where there is none."""
        return self.errors.removeprefix(LIKE) if self.errors not in RANDOM else next(iter(self.judges), "")

    @property
    def way(self) -> tuple[str, tuple[str, str] | None]:
        """How labels go wrong, as `noise_curve` takes it."""
        return (self.errors, None) if self.errors in RANDOM else ("as measured", (own_source(self.data), self.judge))

    @property
    def most(self) -> float:
        way, pair = self.way
        return way_of(self.data, ASPECT, way, pair).most


@dataclass(frozen=True)
class Judged:
    """Another source beside the labels that are read: agreement, kappa, and τ of the two rankings by RBP."""

    agreement: float
    kappa: float
    tau: float

    @property
    def differs(self) -> float:
        return 1 - self.agreement


@st.cache_resource(max_entries=16, show_spinner=False)
def curve_of(fingerprint: str, way: str, pair: tuple[str, str] | None, _collection: Collection) -> NoiseCurve:
    """What wrong labels do by their share. Not to be written to."""
    return noise_curve(RBP(), _collection, way, aspect=ASPECT, sources=pair, n_draws=DRAWS, seed=SEED)


@st.cache_resource(max_entries=64, show_spinner=False)
def judged(fingerprint: str, own: str, judge: str, _collection: Collection) -> Judged | None:
    """How another source compares; None where the two labelled no topic, or no document, in common."""
    with suppress(InputError):
        found = source_agreement(_collection, (own, judge), ASPECT)
        one, other = (frame.mean() for frame in source_rankings(RBP(), _collection, (own, judge)).scores.values())
        agreement, kappa = (found.coefficient(name).estimate for name in ("agreement", "kappa"))
        return Judged(agreement, kappa, float(ec.tau(one, other)))
    return None


def show(page: Wrong, _: Styles) -> LessonContent:
    collection, level, (way, pair) = page.data, page.level, page.way
    curve, own = curve_of(collection.fingerprint, way, pair, collection), own_source(collection)
    every = {name: judged(collection.fingerprint, own, name, collection) for name in page.judges[:MOST_MARKED]}
    marks = {name: (one.differs, one.tau) for name, one in every.items() if one and not np.isnan(one.tau)}
    judge = judged(collection.fingerprint, own, page.judge, collection) if page.judge else None
    figure = figures.noise_levels(curve.table, level, EQUIVALENT, judges=marks, height=380)
    alt = f"τ with the ranking by the original labels, by the share of wrong labels, {RBP()}"
    here = {name: at_level(curve, name, level) for name in ("tau", "winner_stays", "kappa")}
    return LessonContent(
        (Figure(figure, "path-labels", alt),),
        caption(curve, list(marks)),
        answer(curve, page.judge, judge),
        numbers=(
            ("τ", score_text(here["tau"], 3), "Kendall's τ_b with the ranking by the original labels, mean over draws"),
            ("winner stays", f"{here['winner_stays']:.0%}", "Share of the draws in which who is first stays first"),
            ("κ", score_text(here["kappa"], 2), "Cohen's κ of original and wrong labels, as expected"),
        ),
        formulas=(
            r"\kappa = \frac{p_o - p_e}{1 - p_e}",
            r"p_o = \sum_g p_{gg}, \qquad p_e = \sum_g p_{g\cdot}\, p_{\cdot g}",
        ),
        code=code(page, own),
    )


def at_level(curve: NoiseCurve, column: str, level: float) -> float:
    """A column of the curve at a level, on a straight line between two of them."""
    return float(np.interp(level, curve.table.index.to_numpy(dtype=float), curve.table[column]))


def caption(curve: NoiseCurve, marked: list[str]) -> str:
    marks = f" {'Diamond' if len(marked) == 1 else 'Diamonds'}: the labels of {' and '.join(map(markdown, marked))}."
    return (
        f"Blue: τ of the rankings by {markdown(RBP())} under wrong and original labels, mean and 95% of "
        f"{curve.n_draws} draws. "
        f"Dashed: how often who was first stays so.{marks if marked else ''}"
    )


def answer(curve: NoiseCurve, name: str, judge: Judged | None) -> str:
    if curve.table["tau"].isna().all():
        return "All systems are tied: there is no ranking that labels could change."
    beside = beside_chance(curve, name, judge) if judge else ""
    return f"{until_not_equivalent(curve)} {until_another_wins(curve)}{beside}"


def until_not_equivalent(curve: NoiseCurve) -> str:
    """Up to where the rankings are equivalent."""
    level = curve.level_where(EQUIVALENT)
    if np.isnan(level):
        return f"τ is still above {EQUIVALENT:g} with {percent(float(curve.table.index[-1]))} wrong, on average."
    return (
        f"On average **{percent(level)}**: there τ falls below {EQUIVALENT:g}, and "
        f"{term('kappa', 'κ')} is {score_text(curve.kappa_at(level), 2)}."
    )


def until_another_wins(curve: NoiseCurve) -> str:
    """Up to where the winner stays."""
    level = curve.level_where(HALF, "winner_stays")
    first, verb = named(list(curve.first)), "stays" if len(curve.first) == 1 else "stay"
    if np.isnan(level):
        return f"{first} {verb} first in half of the draws or more up to {percent(float(curve.table.index[-1]))}."
    return f"{first} {verb} first in half of the draws or more until {percent(level)} are wrong."


def beside_chance(curve: NoiseCurve, name: str, judge: Judged) -> str:
    """A judge's own errors beside as many that fall at random."""
    said = (
        f" {markdown(name)} gives {percent(judge.differs)} of the documents another label "
        f"(κ {score_text(judge.kappa, 2)}), and τ with its ranking is {score_text(judge.tau, 3)}"
    )
    if judge.differs > curve.table.index[-1] or np.isnan(judge.tau):
        return f"{said}."
    tau, low, high = (f"{at_level(curve, one, judge.differs):.3f}" for one in ("tau", "tau_low", "tau_high"))
    own = float(score_text(judge.tau, 3))
    harm = "less" if own > float(high) else "more" if own < float(low) else "as much"
    than = "as" if harm == "as much" else "than"
    return f"{said}: **{harm}** harm {than} so many errors at random do, {tau} ({low} to {high})."


def code(page: Wrong, own: str) -> tuple[str, ...]:
    way, pair = page.way
    sources = f", sources={pair!r}" if pair else ""
    lines = (
        *(["import numpy as np", ""] * bool(page.judge)),
        "from evalcore.judges import noise_curve, source_agreement, source_rankings",
        "",
        f"how = {{'aspect': {ASPECT!r}, 'n_draws': {DRAWS}, 'seed': {SEED}}}",
        f"curve = noise_curve({str(RBP())!r}, c, {way!r}{sources}, **how)",
        f"here = curve.table.loc[{page.level}]",
        f"levels = curve.level_where({EQUIVALENT}), curve.level_where({HALF}, 'winner_stays')",
        "kappa = curve.kappa_at(levels[0])",
    )
    if not page.judge:
        return lines
    return (
        *lines,
        f"agreement = source_agreement(c, {(own, page.judge)!r}, {ASPECT!r}).coefficients()",
        f"judges = source_rankings({str(RBP())!r}, c, {(own, page.judge)!r}).pairs",
        "differs = 1 - agreement['value'][0]",
        "at_random = {",
        "    name: np.interp(differs, curve.table.index, curve.table[name]) for name in ('tau', 'tau_low', 'tau_high')",
        "}",
    )


LESSON = Lesson(
    name=STEPS[7],
    title="Whose labels?",
    text=(
        "So far the labels were taken for the truth. But two assessors seldom agree on all, and more and more often "
        f"an {term('LLM judge')} labels instead. Cohen's {term('kappa', 'κ')} says how far two "
        f"{term('source of labels', 'sources of labels')} agree beyond chance. Whether that is enough is asked of the "
        f"ranking: {term('label noise')} falls on all systems alike and partly cancels; errors that prefer some "
        "systems do not. In the sample data a second judge, llm, labelled the same documents."
    ),
    question="How many labels may be wrong before τ falls below 0.9? Before another system wins?",
    settings=Wrong,
    controls={"errors": 0.5, "level": 0.5},
    show=show,
    page="labels",
    page_label="On your own data: Labels",
)
