"""The lines that recompute what the page Correlations shows."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.measures.catalogue import short_names
from evalcore.meta.tied_rankings import TIE_AWARE
from ui.computing.first import code as first_code
from ui.computing.tau import RESAMPLES
from ui.correlations.controls import Comparison


def code(page: Comparison, order: Sequence[str]) -> tuple[str, ...]:
    """Scores, the matrix and its groups, the pair looked at, and the closer look that is open."""
    resampled = f", n_resamples={RESAMPLES}" if page.intervals else ""
    intervals = ("low, high = matrix.intervals.low, matrix.intervals.high",) if page.intervals else ()
    return (
        *page.code(),
        f"matrix = ec.correlation_matrix(scores, {page.correlation!r}, {page.over!r}{resampled})",
        *intervals,
        f"equivalent = ec.meta.equivalent_groups(matrix.values, {page.threshold!r})",
        "n_equivalent = sum(len(group) for group in equivalent if len(group) > 1)",
        f"test, reference = {page.pair[0]!r}, {page.pair[1]!r}",
        "value = matrix.values.loc[test, reference]",
        *_LOOKS.get(page.look, _of_aspects)(page),
        f"ec.plot(matrix, threshold={page.threshold!r}, chosen=(test, reference){_named(page, order)})",
    )


def _named(page: Comparison, order: Sequence[str]) -> str:
    """What names the measures and holds their order, where one varies."""
    named = "" if page.names == short_names(page.scores) else f", names={page.names!r}"
    held = [text for text in (page.varied.get(text, text) for text in order) if text in page.scores]
    return named + (f", order={held!r}" if held else "")


def _pair(page: Comparison) -> list[str]:
    return [
        "x, y = scores[reference].mean(), scores[test].mean()",
        "first = ec.meta.winner(x), ec.meta.winner(y)",
        "swapped = ec.meta.swapped_pairs(x, y)",
        "n_swapped = len(swapped)",
        *first_code("(scores[reference], scores[test])", *(page.scores[name] for name in page.pair)),
        *_of_ties(page),
    ]


def _of_ties(page: Comparison) -> list[str]:
    """Why tied systems keep the correlation below 1, where they can."""
    if page.over != "means" or page.correlation not in TIE_AWARE:
        return []
    return [
        f"ties = ec.ties_in_words({page.correlation!r}, x, y)",
        f"with_itself = [float(ec.{page.correlation}(one, one)) for one in (x, y)]",
    ]


def _changes(page: Comparison) -> list[str]:
    return ["changes = ec.rank_changes(scores[reference].mean(), scores[test].mean())"]


def _topics(page: Comparison) -> list[str]:
    return [
        "both = {name: scores[name] for name in (test, reference)}",
        f"by_topic = ec.correlation_matrix(both, {page.correlation!r}, 'topics', n_resamples={RESAMPLES})",
        "values = by_topic.of_topics(test, reference)",
        "parts = by_topic.values, by_topic.intervals.low, by_topic.intervals.high",
        "mean, mean_low, mean_high = (part.loc[test, reference] for part in parts)",
    ]


def _pairs(page: Comparison) -> list[str]:
    return ["pairs = matrix.pairs()"]


def _of_aspects(page: Comparison) -> list[str]:
    of = "measure_correlations" if page.look == "Measures of aspects" else "aspect_correlations"
    embedded = page.look == "Measures of aspects" and page.embedding
    more = f", embedding={page.embedding!r}" if embedded else ""
    return [
        f"from evalcore.papers.aspect_correlation import {of}",
        f"bases = [ec.parse(text) for text in {list(page.bases)!r}]",
        f"table = {of}(c, {list(page.aspects)!r}, bases{more})",
    ]


_LOOKS = {"Scatter": _pair, "Rank changes": _changes, "Topics": _topics, "All pairs": _pairs}
