"""Step Claim: a claim about two systems, judged under a few reasonable ways to measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import evalcore as ec
from evalcore.claims import (
    Claim,
    Multiverse,
    Specifications,
    Study,
    measure_choice,
    multiverse,
    parameter_choice,
    write_specifications,
)
from evalcore.common.rounding import less
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import AP, RBP, Measure, nDCG, uRBP
from evalcore.meta import best_first
from ui.address import families
from ui.address.settings import setting
from ui.computing.cached import cached
from ui.computing.measures import scores
from ui.data.as_python import TextLines
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, lacks_relevance, second_aspect
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field

BEST = 8
SHARES = (
    ("holds", "holds", "Share of the specifications whose limits lie above 0"),
    ("is reversed", "fails", "Share of the specifications whose limits lie below 0"),
    ("undecided", "undecided", "Share of the specifications whose limits enclose 0"),
)
TOGETHER = {
    True: "**Yes**, across all ways together: the joint p is {p:.3f}, below {alpha:g}.",
    False: "**No**, not even across all ways together: the joint p is {p:.3f}, not below {alpha:g}.",
}
EACH = {
    "in all": "The claim holds under every one of these ways to measure.",
    "in none, reversed in all": "{worse} beats {better} under every one of these ways to measure.",
    "undecided in all": "No single way to measure separates the two.",
    "in some, reversed in others": "The ways to measure disagree: some show the claim, others the reverse.",
    "in none, reversed in some": (
        "The claim holds under no single way to measure, and under {fails:percent} of the ways {worse} beats {better}."
    ),
    "in some": "Taken one by one, {holds:percent} of the ways to measure show the claim; the others are undecided.",
}
DRAWN = (
    ", in order of the lead, with 95% limits over topics; the marks below a column show its options. Blue: the claim "
    "holds; red: it is reversed; grey: it is undecided."
)
RHOS, CUTOFFS = (0.5, 0.8, 0.95), (10.0, 20.0, None)


def _pair(page: TwoSystems) -> Field:
    best = list(map(str, best_first(scores(page.data, RBP()).mean()).index[:BEST]))
    pairs = list(dict.fromkeys([*pairwise(best), (best[0], best[-1])]))
    help = f"Neighbours in the ranking by RBP, the better one first. The last pair has ranks 1 and {len(best)}."
    return Choice("Two systems", pairs, names=" beats ".join, help=help)


@dataclass(frozen=True)
class TwoSystems(LessonSettings, lacks=lacks_relevance):
    """Setting of the step: the two systems to compare."""

    pair: tuple[str, str] = setting(_pair)


def show(page: TwoSystems, _: Styles) -> LessonContent:
    study = studied(page)
    verdict, count = study.value.verdict, len(study.value.curve)
    figure = families.plotted_plain("", study.it, curve=130)
    alt = f"The lead of {page.pair[0]} over {page.pair[1]} in {count} specifications"
    return LessonContent(
        (Figure(figure, "path-claim", alt),),
        (state("drawn", f"{columns(count)}{DRAWN}", count=count),),
        tuple(answer(study.value)),
        (study, line("sentence", study.it.sentence)),
        numbers=tuple(shares(study)),
        formulas=(
            rf"\text{{holds}} = \frac{{\text{{ways whose interval lies above }}0}}{{\text{{all ways}}}} = "
            rf"\frac{{{round(verdict.holds * count)}}}{{{count}}} "
            rf"= \mathbf{{{verdict.holds:.4f}}}",
        ),
    )


def studied(page: TwoSystems) -> Call[Study]:
    """Return the call of the study of the claim under a few ways to measure; the scores are cached."""
    collection, specifications = page.data, ways(page.data)
    text, claim = write_specifications(specifications), Claim(page.pair)
    specs = call("specs", ec.specifications, TextLines(text))
    known = _scored(text, collection.title, collection, specifications)
    made = call("study", ec.claim, str(claim), specs.it, collection)
    return made.known(Study(claim, known))


def shares(study: Call[Study]) -> Iterator[Metric]:
    """Yield the shares of ways to measure in which the claim holds, is reversed or is undecided, and the joint p."""
    for label, name, help in SHARES:
        share: float = getattr(study.it.verdict, name)
        yield Metric.of(label, line(name, share), help, form=".1%")
    help = "The chance that one of two equally good systems would lead this clearly over the whole curve"
    yield Metric.of("joint p", line("joint_p", study.it.joint.p), help)


def columns(count: int) -> str:
    if count == 1:
        return "One column represents all ways to measure, because they give equal scores"
    return "Each column is one of {count:,} ways to measure"


def ways(collection: Collection) -> Specifications:
    """Return the specifications of a few reasonable ways to measure."""
    measures: list[Measure] = [nDCG(), AP(), RBP()]
    measures += [uRBP(aspect=second)] if (second := second_aspect(collection)) else []
    return Specifications(
        (
            measure_choice(measures),
            parameter_choice("rho", RHOS, name="persistence"),
            parameter_choice("cutoff", CUTOFFS, name="cut-off"),
        )
    )


@cached(4)
def _scored(text: str, title: str, collection: Collection, _specifications: Specifications) -> Multiverse:
    return multiverse(_specifications, collection)


def answer(study: Study) -> Iterator[Statement]:
    """State whether the claim holds overall (joint p), in how many single ways it holds, and the claim in full."""
    verdict, joint, (better, worse) = study.verdict, study.joint, study.claim.systems
    may = bool(less(joint.p, joint.alpha))
    yield state("together", TOGETHER[may], may=may, better=better, p=joint.p, alpha=joint.alpha)
    kind = holds_where(verdict.holds, verdict.fails, verdict.undecided)
    values = {"better": better, "worse": worse, "holds": verdict.holds, "fails": verdict.fails}
    yield state(kind, EACH[kind], undecided=verdict.undecided, **values)
    yield state("in full", "In full: {sentence}", sentence=study.sentence, count=len(study.curve))


def holds_where(holds: float, fails: float, undecided: float) -> str:
    """Return the key in EACH that fits the shares of ways in which a claim holds, fails and is undecided."""
    if 1 in (holds, fails, undecided):
        return {holds: "in all", fails: "in none, reversed in all", undecided: "undecided in all"}[1]
    if holds and fails:
        return "in some, reversed in others"
    return "in none, reversed in some" if fails else "in some"


LESSON = Lesson("Claim", TwoSystems, {"pair": 1}, show)
