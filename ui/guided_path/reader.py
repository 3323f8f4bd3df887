"""Step 1: what RBP believes about a reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore import figures
from evalcore.explain.arithmetic import Arithmetic, arithmetic
from evalcore.figures.style import Styles
from evalcore.measures import RBP
from evalcore.meta import winner
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings, Picture, lacks_relevance
from ui.widgets.fields import Choice, Field, of_parameter
from ui.widgets.measures import scores
from ui.widgets.settings import setting
from ui.widgets.text import markdown

RANKS = 20


def _topic(page: Reader) -> Field:
    topics, queries = page.data.topics, page.data.queries
    names = {topic: f"{topic} {queries.get(topic, '')}".strip() for topic in topics}
    return Choice("A ranking for the topic", topics, names=names.__getitem__)


@dataclass(frozen=True)
class Reader(LessonSettings):
    """Which reader, and whose ranking they read."""

    lacks = staticmethod(lacks_relevance)
    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))
    topic: str = setting(_topic)


def show(page: Reader, _: Styles) -> LessonContent:
    collection, rho, topic = page.data, page.rho, page.topic
    measure = RBP(rho=rho)
    system = winner(scores(collection, measure).mean())
    places = collection.systems.index(system), collection.topics.index(topic)
    parts = arithmetic(measure, collection.assessments, collection.rankings, *places)
    kinds = judged(parts)
    ranks = np.arange(1.0, len(kinds) + 1)
    figure = figures.reading_depth(np.power(rho, ranks - 1), kinds, 1 - np.power(rho, ranks), 1 / (1 - rho))
    alt = f"Probability that a reader with persistence {rho:g} reads each of {len(kinds)} ranks"
    return LessonContent(
        (Picture(figure, "path-reader", alt),),
        f"The first {len(kinds)} ranks of {markdown(system)}, the best system by {markdown(measure)}, and how likely "
        "each is read. RBP is the sum of the blue bars, times 1 − ρ.",
        answer(rho),
        numbers=(
            ("documents read on average", f"{1 / (1 - rho):.3g}", "Documents that the reader looks at: 1 / (1 − ρ)"),
            ("RBP of this ranking", f"{parts.score:.3f}", str(measure)),
        ),
        formulas=(
            measure.latex(collection.assessments.scales),
            r"\text{documents read on average} = \sum_{k=1}^{\infty} \rho^{k-1} = \frac{1}{1 - \rho}",
        ),
        code=(
            "from evalcore.meta import winner",
            "",
            f"scores = ec.evaluate({str(measure)!r}, c)",
            "best = winner(scores.mean())",
            f"score = scores[best][{topic!r}]",
            f"rho = {rho!r}",
            "documents_read, reads = 1 / (1 - rho), [rho**k for k in range(20)]",
            "half = next(k for k in range(1, 1000) if rho**k <= 0.5)  # of the first ranks hold half of the weight",
            "half_weight, reads_10 = 1 - rho**half, rho**9",
        ),
    )


def judged(parts: Arithmetic) -> list[str]:
    """What assessors said of the first documents of one ranking."""
    terms = parts.terms[:RANKS]
    said = np.where(terms["gain"] > 0, "relevant", "not relevant")
    kinds: list[str] = np.where(terms["document"] == "", "not assessed", said).tolist()
    return kinds


def first_with(share: float, rho: float) -> int:
    """The fewest first ranks that hold at least this share of the weight: the least k with 1 - rho^k >= share.

    >>> first_with(0.5, 0.8), first_with(0.75, 0.5)
    (4, 2)
    """
    return max(int(np.ceil(np.log(1 - share) / np.log(rho) - 1e-9)), 1)


def answer(rho: float) -> str:
    half, other = first_with(0.5, rho), 0.95 if rho < 0.9 else 0.5
    ranks = "first rank holds" if half == 1 else f"first **{half}** ranks hold"
    far = first_with(0.5, other)
    return (
        f"The {ranks} {1 - rho**half:.0%} of the weight: down to rank k it is 1 − ρᵏ. The reader looks at "
        f"{1 / (1 - rho):.3g} documents on average, and at rank 10 with probability {rho**9:.1%}. With ρ = {other:g} "
        f"half of the weight takes {far} rank{'s'[: far > 1]}."
    )


LESSON = Lesson(
    name=STEPS[0],
    title="What does RBP believe about its reader?",
    text=(
        f"The reader of RBP starts at the top. After each document they go on with probability ρ, the "
        f"{term('persistence')}, whether it was any good or not, and never look back. So {term('rank')} k is read with "
        f"probability ρᵏ⁻¹: that is the {term('discount')}. The {term('score')} is the share of what is read that is "
        f"relevant; an {term('unassessed')} document counts as not relevant."
    ),
    question="How many of the first ranks decide half of the score? Guess, then move ρ and guess again.",
    settings=Reader,
    controls={"rho": 0.5, "topic": 0.5},
    show=show,
    page="measures",
    page_label="Other discounts: Measures",
)
