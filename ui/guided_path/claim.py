"""Step 7: what may be claimed of two systems, whichever way we measure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import streamlit as st

from evalcore import figures
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
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import AP, RBP, Measure, nDCG, uRBP
from evalcore.meta import best_first
from evalcore.rounding import percent
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.data.as_python import text_lines
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings, lacks_relevance, second_aspect
from ui.screen.items import Figure
from ui.screen.text import counted, markdown
from ui.widgets.fields import Choice, Field

BEST = 8
RHOS, CUTOFFS = (0.5, 0.8, 0.95), (10.0, 20.0, None)


def _pair(page: TwoSystems) -> Field:
    best = list(map(str, best_first(scores(page.data, RBP()).mean()).index[:BEST]))
    pairs = list(dict.fromkeys([*pairwise(best), (best[0], best[-1])]))
    help = f"Neighbours in the ranking by RBP, the upper one first; the last pair is the first and number {len(best)}"
    return Choice("Two systems", pairs, names=" beats ".join, help=help)


@dataclass(frozen=True)
class TwoSystems(LessonSettings):
    """Which two systems are compared."""

    lacks = staticmethod(lacks_relevance)
    pair: tuple[str, str] = setting(_pair)


def show(page: TwoSystems, _: Styles) -> LessonContent:
    collection, specifications = page.data, ways(page.data)
    text = write_specifications(specifications)
    study = Study(Claim(page.pair), _scored(collection.fingerprint, collection.title, text, specifications, collection))
    verdict, joint = study.verdict, study.joint
    figure = figures.specification_curve(study.frame(), **study.drawn, curve=130)
    alt = f"The lead of {page.pair[0]} over {page.pair[1]} in {len(study.curve)} specifications"
    return LessonContent(
        (Figure(figure, "path-claim", alt),),
        f"{_columns(len(study.curve))}, by size of the lead, with its 95% limits over topics; beneath, what it chose. "
        "Blue holds, red is reversed, grey is undecided.",
        answer(study),
        numbers=(
            ("holds", f"{verdict.holds:.1%}", "Share of the specifications whose limits lie above 0"),
            ("is reversed", f"{verdict.fails:.1%}", "Share whose limits lie below 0"),
            ("undecided", f"{verdict.undecided:.1%}", "Share with 0 between the limits"),
            (
                "joint p",
                f"{joint.p:.3f}",
                "How often the first of two equally good systems would lead as clearly over the whole curve",
            ),
        ),
        formulas=(
            rf"\text{{holds}} = \frac{{\text{{ways whose interval lies above }}0}}{{\text{{all ways}}}} = "
            rf"\frac{{{round(verdict.holds * len(study.curve))}}}{{{len(study.curve)}}} "
            rf"= \mathbf{{{verdict.holds:.4f}}}",
        ),
        code=(
            f"specs = ec.specifications({text_lines(text)})",
            f"study = ec.claim({str(study.claim)!r}, specs, c)",
            "verdict, joint, table = study.verdict, study.joint, study.frame()",
            "print(study.sentence)",
        ),
    )


def _columns(count: int) -> str:
    if count == 1:
        return "The one column stands for all ways to measure, which score alike"
    return f"Each column is one of {counted(count, 'way')} to measure"


def ways(collection: Collection) -> Specifications:
    """A few reasonable ways to measure."""
    measures: list[Measure] = [nDCG(), AP(), RBP()]
    measures += [uRBP(aspect=second)] if (second := second_aspect(collection)) else []
    return Specifications(
        (
            measure_choice(measures),
            parameter_choice("rho", RHOS, name="persistence"),
            parameter_choice("cutoff", CUTOFFS, name="cut-off"),
        )
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _scored(
    fingerprint: str, title: str, text: str, _specifications: Specifications, _collection: Collection
) -> Multiverse:
    return multiverse(_specifications, _collection)


def answer(study: Study) -> str:
    verdict, joint = study.verdict, study.joint
    better, worse = map(markdown, study.claim.systems)
    if verdict.holds >= 1:
        start = f"Yes: **{better}** beats {worse} whichever of these ways we measure."
    elif verdict.fails >= 1:
        start = f"No: **{worse}** beats {better} whichever of these ways we measure."
    elif verdict.undecided >= 1:
        start = "Neither way: on these topics no specification tells the two apart, however large the lead looks."
    elif verdict.holds and verdict.fails:
        start = "It depends on the way: whoever wants either result finds a measure that gives it."
    elif verdict.fails:
        start = f"No: it holds in none of these ways, and in {percent(verdict.fails)} {worse} beats {better}."
    else:
        start = f"In part: it holds in {percent(verdict.holds)}, and the other ways decide nothing."
    together = (
        f" All ways together: were the two equally good, {better} would lead as clearly by chance with "
        f"p = {joint.p:.3f}."
    )
    return f"{start} In full: {markdown(study.sentence)}{together}"


LESSON = Lesson(
    name=STEPS[6],
    title="What can we claim?",
    text=(
        "Each step showed a choice: the reader, the aspects, a border. Whoever takes one of each and reports one "
        "number has told one story of many. So take them all. A "
        f"{term('specification curve')} shows the lead of one system over another in every reasonable "
        f"{term('multiverse', 'way to measure')}, the smallest first. What holds along the whole curve may be claimed; "
        "what turns with a choice is a claim about that choice."
    ),
    question="Pick two systems. May we say that the first is better?",
    settings=TwoSystems,
    controls={"pair": 1},
    show=show,
    page="claim",
    page_label="On your own data, with your own choices: Claim",
)
