"""Step 1: what RBP believes about a reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore import figures
from evalcore.data import Collection
from evalcore.explain.arithmetic import Arithmetic, arithmetic
from evalcore.figures.style import Styles
from evalcore.measures import RBP
from evalcore.measures.parts.hits import assessed
from evalcore.rounding import less
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    best_by,
    lacks_relevance,
    leaders,
)
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, of_parameter

RANKS = 20


def _topic(page: ReaderLesson) -> Field:
    topics, queries = page.data.topics, page.data.queries
    names = {topic: f"{topic} {queries.get(topic, '')}".strip() for topic in topics}
    return Choice("A ranking for the topic", topics, names=names.__getitem__)


@dataclass(frozen=True)
class ReaderLesson(LessonSettings):
    """Which reader, and whose ranking they read."""

    lacks = staticmethod(lacks_relevance)
    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))
    topic: str = setting(_topic)


def show(page: ReaderLesson, _: Styles) -> LessonContent:
    collection, rho, topic = page.data, page.rho, page.topic
    measure = RBP(rho=rho)
    best = leaders(scores(collection, measure).mean())
    places = collection.systems.index(best[0]), collection.topics.index(topic)
    parts = arithmetic(measure, collection.assessments, collection.rankings, *places)
    kinds = judged(parts, collection, topic)
    ranks = np.arange(1.0, len(kinds) + 1)
    figure = figures.reading_depth(np.power(rho, ranks - 1), kinds, 1 - np.power(rho, ranks), 1 / (1 - rho))
    alt = f"Probability that a reader with persistence {rho:g} reads each of {len(kinds)} ranks"
    return LessonContent(
        (Figure(figure, "path-reader", alt),),
        caption(f"{markdown(best[0])}, {best_by(best)} by {markdown(measure)}", len(kinds), parts),
        answer(rho, parts),
        numbers=(
            ("documents read on average", f"{1 / (1 - rho):.3g}", "Documents that the reader looks at: 1 / (1 − ρ)"),
            ("RBP of this ranking", f"{parts.score:.3f}", str(measure)),
        ),
        formulas=(
            measure.latex(collection.assessments.scales),
            r"\text{documents read on average} = \sum_{k=1}^{\infty} \rho^{k-1} = \frac{1}{1 - \rho}",
        ),
        code=(
            "from evalcore.explain.arithmetic import arithmetic",
            "from evalcore.meta import winner",
            "",
            f"scores = ec.evaluate({str(measure)!r}, c)",
            "best = winner(scores.mean())",
            f"score = scores[best][{topic!r}]",
            f"places = c.systems.index(best), c.topics.index({topic!r})",
            f"parts = arithmetic(ec.parse({str(measure)!r}), c.assessments, c.rankings, *places)",
            "sums = parts.terms['running sum']",
            "drawn, half_score = sums.iloc[:20].max() / parts.normaliser, (sums < parts.total / 2 - 1e-12).sum() + 1",
            f"rho = {rho!r}",
            "documents_read, reads = 1 / (1 - rho), [rho**k for k in range(20)]",
            "half = next(k for k in range(1, 1000) if rho**k <= 0.5)  # of the first ranks hold half of the weight",
            "half_weight, reads_10 = 1 - rho**half, rho**9",
        ),
    )


def judged(parts: Arithmetic, collection: Collection, topic: str) -> list[str]:
    """What assessors said of the first documents of one ranking."""
    terms, pool = parts.terms[:RANKS], collection.assessments
    labelled = pool.documents[(pool.topic == collection.topics.index(topic)) & assessed(pool, "relevance")]
    said = np.where(terms["gain"] > 0, "relevant", "not relevant")
    kinds: list[str] = np.where(terms["document"].isin(labelled), said, "not assessed").tolist()
    return kinds


def caption(whose: str, count: int, parts: Arithmetic) -> str:
    """What is drawn, and how much of the score it makes."""
    if not count:
        return f"{whose}, returned nothing for this topic."
    ranks = "rank" if count == 1 else f"{count} ranks"
    drawn = float(parts.terms["running sum"].iloc[count - 1]) / parts.normaliser
    if f"{drawn:.3f}" == f"{parts.score:.3f}":
        total = "RBP is the sum of the blue bars, times 1 − ρ."
    else:
        total = (
            f"The sum of the blue bars, times 1 − ρ, is {drawn:.3f}; what stands below them brings RBP to "
            f"{parts.score:.3f}."
        )
    return f"The first {ranks} of {whose}, and how likely each is read. {total}"


def first_with(share: float, rho: float) -> int:
    """The fewest first ranks that hold at least this share of the weight: the least k with 1 - rho^k >= share.

    >>> first_with(0.5, 0.8), first_with(0.75, 0.5)
    (4, 2)
    """
    return max(int(np.ceil(np.log(1 - share) / np.log(rho) - 1e-9)), 1)


def answer(rho: float, parts: Arithmetic) -> str:
    half, other = first_with(0.5, rho), 0.95 if rho < 0.9 else 0.5
    ranks = "first rank holds" if half == 1 else f"first **{half}** ranks hold"
    far, tenth = first_with(0.5, other), rho**9
    return (
        f"The {ranks} {1 - rho**half:.0%} of the weight: down to rank k it is 1 − ρᵏ. The reader looks at "
        f"{1 / (1 - rho):.3g} documents on average, and at rank 10 with probability "
        f"{'under 0.1%' if tenth < 0.001 else f'{tenth:.1%}'}. With ρ = {other:g} half of the weight takes {far} "
        f"rank{'s'[: far > 1]}.{half_of_the_score(parts)}"
    )


def half_of_the_score(parts: Arithmetic) -> str:
    """Down to which rank this ranking has half of its score: that hangs on where the relevant documents are."""
    if not parts.total:
        return ""
    at = int(less(parts.terms["running sum"].to_numpy(), parts.total / 2).sum()) + 1
    return f" This ranking has half of its *score* from its first {f'{at} ranks' if at > 1 else 'rank'}."


LESSON = Lesson(
    name=STEPS[0],
    title="What does RBP believe about its reader?",
    text=(
        f"The reader of RBP starts at the top. After each document they go on with probability ρ, the "
        f"{term('persistence')}, whether it was any good or not, and never look back. So {term('rank')} k is read with "
        f"probability ρᵏ⁻¹: that is the {term('discount')}. The {term('score')} is the share of what is read that is "
        f"relevant; an {term('unassessed')} document counts as not relevant."
    ),
    question="How many of the first ranks hold half of the weight? Guess, then move ρ and guess again.",
    settings=ReaderLesson,
    controls={"rho": 0.5, "topic": 0.5},
    show=show,
    page="measures",
    page_label="Other discounts: Measures",
)
