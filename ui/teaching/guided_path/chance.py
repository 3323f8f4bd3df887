"""Step Chance: would one system's lead over another hold on other topics, or could it be due to chance?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import TIE, less
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import nDCG
from evalcore.meta import PairComparison, best_first
from evalcore.meta.intervals_of_ranks import first_in_words
from evalcore.teaching.resampling import CHANCE, OTHER_TOPICS, drawn_leads
from ui.address.settings import setting
from ui.computing.cached import cached_call
from ui.computing.measures import scored, scores
from ui.screen.calls import call, line, record
from ui.screen.items import Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, lacks_relevance
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field, Number

DRAWS = 100
BEST = 6
LEAD = "On the {topics} topics {a} leads {b} by {lead:.3f}."
HOW_HELP = (
    f"{OTHER_TOPICS}: draw the same number of topics with replacement, some twice, some never. {CHANCE}: if both "
    "systems were equally good, each topic's difference could just as well have the other sign."
)
CAPTION = {
    OTHER_TOPICS: (
        "Each dot is the lead on topics drawn with replacement; the last one is red. The band is the 95% interval."
    ),
    CHANCE: "Each dot is the lead with random signs of the topics' differences; the last one is red.",
}


def _pair(page: TwoOfThem) -> Field:
    best = list(map(str, best_first(scores(page.data, nDCG()).mean()).index[:BEST]))
    pairs = [*pairwise(best), (best[0], best[-1])]
    return Choice("Two systems", list(dict.fromkeys(pairs)), pairs[-1], names=" and ".join)


def lacks_topics(collection: Collection) -> str:
    few = "it has fewer than two topics" if len(collection.topics) < 2 else ""
    return lacks_relevance(collection) or few


@dataclass(frozen=True)
class TwoOfThem(LessonSettings, lacks=lacks_topics):
    """Settings of the step: the two systems, what is drawn at random, and the number of draws."""

    pair: tuple[str, str] = setting(_pair)
    how: str = setting(Choice("Drawn at random", (OTHER_TOPICS, CHANCE), segmented=True, help=HOW_HELP))
    draws: int = setting(Number("Draws", 1, DRAWS, 1, 1))


def show(page: TwoOfThem, _: Styles) -> LessonContent:
    frame = scored("scores", nDCG(), page.data)
    pair = cached_call(call("pair", ec.compare_systems, frame.it, *page.pair), page.data)
    leads = call("leads", drawn_leads, pair.it.differences, page.how, DRAWS)
    drawn = line("drawn", leads.it[: page.draws])
    nan = float("nan")
    band = (pair.it.low, pair.it.high) if page.how == OTHER_TOPICS else (nan, nan)
    figure = call("", figures.leads_drawn, drawn.it, pair.it.mean, band, page.pair, "lead in mean nDCG")
    pages = cached_call(call("pages", first_in_words, record(ec.rank_intervals)(frame.it)), page.data)
    result = pair.value
    return LessonContent(
        (
            Figure(
                figure, "path-chance", f"The lead of {page.pair[0]} over {page.pair[1]} in {page.draws} random draws"
            ),
        ),
        (state("drawn", CAPTION[page.how]),),
        tuple(answer(page, result, drawn.value, pages.value)),
        (pair, drawn, pages),
        formulas=(
            r"\bar d = \frac{1}{n} \sum_{t=1}^{n} d_t, \qquad \bar d \pm t_{n-1}\, \frac{s_d}{\sqrt{n}}",
            r"p = \text{share of sign flips with } \Bigl| \tfrac{1}{n} \sum_t \pm d_t \Bigr| \ge | \bar d |",
        ),
        numbers=(
            Metric.of("lead", line("lead", pair.it.mean), "The mean difference in nDCG over the topics"),
            Metric.of("last draw", line("last", drawn.it[-1]), "The lead in the last draw"),
            Metric.of("p", line("p", pair.it.p_permutation), "Sign-flip test with all flips, or 10,000 random ones"),
        ),
    )


def answer(page: TwoOfThem, pair: PairComparison, drawn: np.ndarray, pages: str) -> Iterator[Statement]:
    """Yield statements: the result of the draws, the interval and p of the pair, and the finding on all systems.

    Other pages show the same interval, p and finding.
    """
    a, b = page.pair
    topics, values = len(pair.differences), {"a": a, "b": b, "lead": pair.mean, "draws": page.draws}
    if page.how == OTHER_TOPICS:
        ahead = int((drawn > TIE).sum())
        text = f"{LEAD} With other topics it leads in {{ahead}} of {{draws}} draws."
        yield state("other topics", text, topics=topics, ahead=ahead, **values)
    else:
        extreme = int((np.abs(drawn) >= abs(pair.mean) - TIE).sum())
        text = f"{LEAD} By chance alone {{extreme}} of {{draws}} draws have at least this lead, in either direction."
        yield state("chance alone", text, topics=topics, extreme=extreme, **values)
    if np.isnan(pair.low):
        yield state("no interval", "The difference is the same on every topic, so there is no interval.")
        return
    real = bool(less(0.0, pair.low) or less(pair.high, 0.0))
    verdict = "**Yes**: 0 is outside" if real else "**It could be chance**: 0 is inside"
    text = (
        f"{verdict} the 95% interval on the pages, {{low:.3f}} to {{high:.3f}}. The sign-flip test gives p = {{p:.3f}}."
    )
    yield state("interval", text, real=real, low=pair.low, high=pair.high, p=pair.p_permutation)
    yield state("of all systems", "That is one pair. For all systems together, the pages show: {pages}.", pages=pages)


LESSON = Lesson("Chance", TwoOfThem, {"pair": 0.34, "how": 0.4, "draws": 0.26}, show)
