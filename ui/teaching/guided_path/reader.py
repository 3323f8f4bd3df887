"""Step Reader: what RBP assumes about a reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import less
from evalcore.explain.arithmetic import Arithmetic, arithmetic, how_judged
from evalcore.figures.style import Styles
from evalcore.measures import RBP
from evalcore.measures.rbp import ranks_holding
from evalcore.meta import winner
from ui.address.settings import setting
from ui.computing.measures import averaged, scored
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, lacks_relevance, with_query
from ui.teaching.guided_path.statements import Statement, Statements, state
from ui.widgets.fields import Choice, Field, of_parameter

RANKS = 20


def _system(page: ReaderLesson) -> Field:
    """Return the field for the system.

    The default is the best system under RBP with its default ρ, so it stays the same if ρ moves.
    """
    best = winner(averaged(scored("scores", RBP(), page.data)).value)
    help = f"The system whose ranking is shown; the default is the best under {RBP()}. It stays the same if you move ρ."
    return Choice("Ranked by", page.data.systems, best, help=help)


@dataclass(frozen=True)
class ReaderLesson(LessonSettings, lacks=lacks_relevance):
    """Settings of the step: the reader's persistence, the topic, and the system whose ranking is shown."""

    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))
    topic: str = setting(lambda page: Choice("Topic", page.data.topics, names=with_query(page.data)))
    system: str = setting(_system)


def show(page: ReaderLesson, _: Styles) -> LessonContent:
    collection, measure = page.data, RBP(rho=page.rho)
    rho = line("rho", page.rho)
    c, parsed = record(collection), record(ec.parse)(str(measure))
    system, topic = c.systems.index(page.system), c.topics.index(page.topic)
    parts = call("parts", arithmetic, parsed, c.assessments, c.rankings, system, topic)
    kinds = line("kinds", record(how_judged)(parts.it, c.assessments, topic)[:RANKS])
    score = line("score", parts.it.score)
    read = line("documents_read", 1 / (1 - rho.it))
    answered, calls = answer(rho, read, parts)
    statements, more = caption(page.system, len(kinds.value), parts, score)
    return LessonContent(
        (depth_figure(page, rho, kinds, read),),
        statements,
        answered,
        (*more, *calls),
        numbers=(
            Metric.of("documents read on average", read, "The expected number: 1 / (1 − ρ)", form=".3g"),
            Metric.of("RBP of this ranking", score, str(measure)),
        ),
        formulas=(
            measure.latex(collection.assessments.scales),
            r"\text{documents read on average} = \sum_{k=1}^{\infty} \rho^{k-1} = \frac{1}{1 - \rho}",
        ),
    )


def depth_figure(page: ReaderLesson, rho: Call[float], kinds: Call[list[str]], read: Call[float]) -> Figure:
    """Return the figure of the probability that each rank is read, coloured by the judgement of its document."""
    ranks = call("ranks", np.arange, 1.0, record(len)(kinds.it) + 1)
    power = record(np.power)
    before, after = power(rho.it, ranks.it - 1), 1 - power(rho.it, ranks.it)
    figure = call("", figures.reading_depth, before, kinds.it, after, read.it)
    alt = f"Probability that a reader with persistence {page.rho:g} reads each of {len(kinds.value)} ranks"
    return Figure(figure, "path-reader", alt)


def caption(system: str, count: int, parts: Call[Arithmetic], score: Call[float]) -> tuple[Statements, Calls]:
    """Return statements on the ranks in the figure and what they add to the score, and the calls for the numbers."""
    if not count:
        return (state("nothing returned", "{system} returned nothing for this topic.", system=system),), (score,)
    drawn = line("drawn", parts.it.terms["running sum"].iloc[:count].max() / parts.it.normaliser)
    ranks = "rank" if count == 1 else "{count} ranks"
    text = f"The first {ranks} of {{system}}, with the probability of reading each."
    which = state("drawn", text, count=count, system=system)
    if f"{drawn.value:.3f}" == f"{score.value:.3f}":
        total = state("all is drawn", "The sum of the blue bars, times 1 − ρ, is RBP.")
    else:
        text = "The sum of the blue bars, times 1 − ρ, is {drawn:.3f}; with all lower ranks RBP is {score:.3f}."
        total = state("more is below", text, drawn=drawn.value, score=score.value)
    return (which, total), (drawn, score)


def answer(rho: Call[float], read: Call[float], parts: Call[Arithmetic]) -> tuple[Statements, Calls]:
    """Return statements on how many ranks, from the top, make up half of the weight and half of the score.

    Also return the calls that compute the numbers in the statements. The weight is that of this reader and, for
    comparison, of a reader with a different ρ.
    """
    half = call("half", ranks_holding, 0.5, rho.it)
    held = line("half_weight", 1 - (rho.it**half.it))
    tenth = line("reads_10", rho.it**9)
    other = 0.95 if rho.value < 0.9 else 0.5
    far = call("half_of_other", ranks_holding, 0.5, other)
    ranks = "first rank holds" if half.value == 1 else "first **{ranks}** ranks hold"
    how_often = "under 0.1%" if tenth.value < 0.001 else "{tenth:.1%}"
    s = "s" if far.value > 1 else ""
    statements = (
        state("half", f"The {ranks} {{share:.0%}} of the weight: the first k ranks hold 1 − ρᵏ.",
              ranks=half.value, share=held.value),
        state("read", f"The reader reads {{documents:.3g}} documents on average, and rank 10 with probability "
              f"{how_often}.", documents=read.value, tenth=tenth.value),
        state("another reader", f"With ρ = {{rho:g}}, half of the weight needs {{ranks}} rank{s}.",
              rho=other, ranks=far.value),
    )  # fmt: skip
    calls = (half, held, tenth, far)
    if not parts.value.total:
        return statements, calls
    down = line("half_score", record(less)(parts.it.terms["running sum"].to_numpy(), parts.it.total / 2).sum() + 1)
    return (*statements, half_of_the_score(int(down.value))), (*calls, down)


def half_of_the_score(ranks: int) -> Statement:
    """Return the statement on how many ranks, from the top, make up half of the score.

    The number of ranks depends on where the relevant documents are.
    """
    text = f"This ranking earns half of its *score* in its first {'{ranks} ranks' if ranks > 1 else 'rank'}."
    return state("half of the score", text, ranks=ranks)


LESSON = Lesson("Reader", ReaderLesson, {"rho": 0.36, "topic": 0.32, "system": 0.32}, show)
