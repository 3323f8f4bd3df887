"""Discriminative power: Sakai's paired bootstrap test of every pair of systems.

A pair's achieved significance level (ASL) is the share of topic resamples in which the differences minus their mean
give a t at least as large as the observed one: count(|t*| >= |t|) / B. The pair differs significantly if ASL < alpha,
and the measure's discriminative power is the share of such pairs. Sakai 2006, "Evaluating evaluation metrics based
on the bootstrap"; Sakai 2007, "Evaluating information retrieval metrics based on bootstrap hypothesis tests".

All pairs and all measures use the same resamples, so measures with equal scores have equal power. Scores are
frames of topics x systems; the order of the topics decides which of them a resample draws. Differences are leads:
positive if system_a is better, whether high or low scores are good. If systems lack topics (nan), a pair is
tested on the topics that both have, with as many resamples of that number of topics; with fewer than two topics it is
never significant.

A pair with an infinite score cannot be tested. It has no t and no ASL (nan) and does not differ significantly, but
counts in the denominator of power; `PairedBootstrap.untested` counts such pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell, part_of, tell_share
from evalcore.common.rounding import ceiling
from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import states
from evalcore.drawing import asl_curves
from evalcore.errors import InputError, check_level
from evalcore.meta.align import paired_frames, refuse_no_frames, tested_frame
from evalcore.meta.differences import PAIRS_AT_ONCE, Differences, Draws, of_pairs, shared_topics, t_test, two_sided
from evalcore.meta.steps import least_p
from evalcore.meta.wilcoxon import p_of_pairs

Result = TypeVar("Result")
CELLS = 400_000
"""Pairs x resamples computed at once, at most 35 bytes each; the draws need 20 more bytes per topic and resample."""


@shown
@dataclass(frozen=True, eq=False)
class PairedBootstrap:
    """Tests of every pair of systems under one measure.

    `pairs` has the columns system_a, system_b (in the order of the frame), difference (mean of a minus mean of b; if
    low is good, mean of b minus mean of a), t, p_t (two-sided paired t-test), asl, topics (that both have) and
    p_wilcoxon (see `wilcoxon`); no p is corrected for the number of pairs.
    """

    pairs: pd.DataFrame
    n_topics: int
    n_resamples: int
    _scores: FloatArray  # (S, T)

    @cached_property
    def least_p(self) -> FloatArray:
        """The (P,) lower limits of the pairs' p before correction, for scores in steps (`steps.least_p`)."""
        return least_p(self._scores, *np.triu_indices(len(self._scores), 1))

    def equivalence_p(self, margin: float) -> FloatArray:
        """Return the (P,) p of equivalence, from tests of a true difference of `margin` or more (`differences.t_test`).

        It is nan for a pair with fewer than two topics in common, or with an infinite score.
        """
        p = t_test(self._scores, *np.triu_indices(len(self._scores), 1), margin=margin)
        return np.where(self.pairs["topics"] < 2, np.nan, p)

    @property
    def untested(self) -> int:
        """The number of pairs that cannot be tested because one of their scores is infinite."""
        return int(self.pairs["asl"].isna().sum())

    def significant_pairs(self, alpha: float = 0.05) -> pd.DataFrame:
        """Return the rows of `pairs` with an ASL below alpha."""
        return self.pairs[self.pairs["asl"] < check_level(alpha, "alpha")]

    def power(self, alpha: float = 0.05) -> float:
        """Discriminative power: the share of pairs with an ASL below alpha, 0 to 1."""
        return int((self.pairs["asl"].to_numpy() < check_level(alpha, "alpha")).sum()) / len(self.pairs)

    def curve(self) -> pd.DataFrame:
        """Return the pairs by decreasing ASL, as in Sakai's ASL curves.

        The earlier the curve falls, the more pairs differ. Pairs that cannot be tested come first.
        """
        return self.pairs.sort_values("asl", ascending=False, kind="stable", na_position="first", ignore_index=True)

    def figure(self, **options: Any) -> Any:
        """Draw the curve of the achieved significance levels."""
        return asl_curves({"ASL": self}, **options)


@states("Discriminative power: paired bootstrap (Sakai 2006), two-sided, each pair tested separately")
def paired_bootstrap(
    scores: pd.DataFrame,
    n_resamples: int = 10_000,
    seed: int = 0,
    counts: ArrayLike | Draws | None = None,
    progress: Tell | None = None,
) -> PairedBootstrap:
    """Return the tests of every pair of systems in a frame of topics x systems.

    For the differences d of a pair: t = mean(d) / (sd(d) / sqrt(n)), w = d - mean(d), t* is t computed from the w of a
    resample, ASL = count(|t*| >= |t|) / B. If the sd is 0, t is 0 if the mean is 0, else infinite. Sakai 2006,
    Figures 1 and 2. `counts` from `topic_resamples` may be given instead of n_resamples and seed. Raises InputError for
    fewer than two systems or topics.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.9], "b": [0.2, 0.4, 0.8], "c": [0.3, 0.5, 0.9]})
    >>> paired_bootstrap(scores, n_resamples=100).pairs[["system_a", "system_b", "asl"]].to_numpy().tolist()
    [['a', 'b', 0.0], ['a', 'c', 1.0], ['b', 'c', 0.0]]
    """
    frame, draws = _prepared(scores, n_resamples, seed, counts)
    tested = _blocks(
        frame,
        draws.n_resamples,
        progress,
        lambda part: (part.mean, part.t, part.as_extreme(draws.of_topics(part.n_topics))),
    )
    mean, t, found = (np.concatenate(columns) for columns in zip(*tested, strict=True))
    pairs = _named_pairs(frame.columns)
    values, at = np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T), np.triu_indices(frame.shape[1], 1)
    topics = shared_topics(values, *at)
    pairs["difference"] = np.where(topics < 2, np.nan, mean)
    pairs["t"], pairs["p_t"] = t, two_sided(t, np.maximum(topics, 2))
    pairs["asl"], pairs["topics"] = np.where(np.isnan(t), np.nan, found / draws.n_resamples), topics
    pairs["p_wilcoxon"] = p_of_pairs(values, *at)
    return PairedBootstrap(pairs, len(frame), draws.n_resamples, values)


def needed_differences(
    scores: pd.DataFrame,
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    seed: int = 0,
    counts: ArrayLike | Draws | None = None,
    progress: Tell | None = None,
) -> pd.DataFrame:
    """Return the difference of means that each pair needs to be significant.

    The largest is the estimate for the measure. For each pair, the difference is |mean(w*)| of the resample with the (B
    alpha)-th largest |t*| (B alpha rounded up), in the symbols of `paired_bootstrap`; if several are tied, the largest
    |mean(w*)|. Columns system_a, system_b, needed; a pair whose differences are constant needs 0; needed is nan for a
    pair that cannot be tested. Sakai 2006, Figure 5; Sakai 2007.

    On few topics the largest |t*| come from resamples with very little variation and small means, so the result is too
    small: of the pairs that differ by more than the estimate, a third is significant with 5 topics, nearly all with 50.

    >>> scores = pd.DataFrame({"a": [0.5, 0.5], "b": [0.1, 0.3]})  # d = .4, .2 and w = .1, -.1
    >>> counts = [[1, 1], [2, 0], [0, 2], [1, 1]]  # means of w* 0, .1, -.1, 0
    >>> needed_differences(scores, 0.5, counts=counts)["needed"].round(9).tolist()
    [0.1]
    """
    frame, draws = _prepared(scores, n_resamples, seed, counts)
    n_resamples = draws.n_resamples
    place = max(1, ceiling(n_resamples * check_level(alpha, "alpha")))
    pairs = _named_pairs(frame.columns)
    blocks = _blocks(
        frame,
        n_resamples,
        progress,
        lambda part: part.where_tested(part.at_place(draws.of_topics(part.n_topics), place)),
    )
    pairs["needed"] = np.concatenate(list(blocks))
    return pairs


def discriminative_power(
    tables: Mapping[str, pd.DataFrame],
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    seed: int = 0,
    progress: Tell | None = None,
) -> pd.DataFrame:
    """Tabulate the discriminative power of measures on the same topics and systems (Maistro et al. 2021, Table 4).

    `tables` maps a measure's text to its scores. One row per measure with the columns pairs, significant (number of
    pairs), power (their share), needed_difference (the largest of `needed_differences`, in the measure's own units) and
    untested (number of pairs that cannot be tested because a score is infinite; they are not significant).

    >>> good, poor = pd.DataFrame({"a": [0.3, 0.5], "b": [0.2, 0.4]}), pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 1.0]})
    >>> discriminative_power({"good": good, "poor": poor}, n_resamples=50)["power"].to_dict()
    {'good': 1.0, 'poor': 0.0}
    """
    refuse_no_frames(tables)
    first = next(iter(tables.values()))
    draws = Draws.of(len(first), n_resamples, seed)
    rows = {}
    for at, (text, scores) in enumerate(tables.items()):
        frame = paired_frames(first, scores)[1]
        rows[text] = _power_row(frame, alpha, draws, part_of(progress, at, len(tables)))
    columns = ["pairs", "significant", "power", "needed_difference", "untested"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def _power_row(frame: pd.DataFrame, alpha: float, draws: Draws, progress: Tell | None) -> tuple[float, ...]:
    """Return a row of `discriminative_power`; all its values come from the same sums over resamples."""
    frame = tested_frame(frame)
    frame, draws = _prepared(frame, draws.n_resamples, draws.seed, draws.of_topics(len(frame)))
    place = max(1, ceiling(draws.n_resamples * check_level(alpha, "alpha")))
    needed = -1.0

    def counted(part: Differences) -> tuple[int, int, int]:
        nonlocal needed
        drawn = draws.of_topics(part.n_topics)
        small = part.small(drawn)
        rare = part.rarely_reached(drawn, alpha, small)
        needed = part.largest_at_place(drawn, place, needed, small)
        return len(rare), int((rare & part.tested).sum()), int((~part.tested).sum())

    counts = zip(*_blocks(frame, draws.n_resamples, progress, counted), strict=True)
    pairs, apart, untested = (sum(column) for column in counts)
    return pairs, apart, apart / pairs, needed if needed >= 0 else np.nan, untested


def largest_needed_difference(scores: pd.DataFrame, alpha: float, draws: Draws, progress: Tell | None = None) -> float:
    """Return the largest of `needed_differences`, the measure's estimate; nan if no pair can be tested.

    >>> scores = pd.DataFrame({"a": [0.5, 0.5], "b": [0.1, 0.3]})  # as in its example
    >>> round(largest_needed_difference(scores, 0.5, Draws.of(2, 4, 0, [[1, 1], [2, 0], [0, 2], [1, 1]])), 9)
    0.1
    """
    return _power_row(scores, alpha, draws, progress)[3]


def _prepared(
    scores: pd.DataFrame, n_resamples: int, seed: int, counts: ArrayLike | Draws | None
) -> tuple[pd.DataFrame, Draws]:
    frame = tested_frame(scores)
    if frame.shape[1] < 2:
        raise InputError(f"expected at least 2 systems, found {frame.shape[1]}")
    return frame, Draws.of(len(frame), n_resamples, seed, counts)


def _blocks(
    frame: pd.DataFrame, n_resamples: int, progress: Tell | None, work: Callable[[Differences], Result]
) -> Iterator[Result]:
    """Yield the result of `work` for the differences of each block of pairs, in order."""
    scores = np.ascontiguousarray(frame.to_numpy().T)
    a, b = np.triu_indices(len(scores), 1)
    step = _pairs_at_once(n_resamples)
    for start in range(0, len(a), step):
        part = slice(start, start + step)
        yield from (work(differences) for _, differences in of_pairs(scores, a[part], b[part]))
        tell_share(progress, min(start + step, len(a)) / len(a))


def _pairs_at_once(n_resamples: int) -> int:
    return min(PAIRS_AT_ONCE, max(1, CELLS // n_resamples))


def _named_pairs(systems: pd.Index) -> pd.DataFrame:
    a, b = np.triu_indices(len(systems), 1)
    return pd.DataFrame({"system_a": systems[a], "system_b": systems[b]})


def _systems(tests: PairedBootstrap) -> pd.Index:
    named: pd.Index = pd.Index(list(dict.fromkeys([*tests.pairs["system_a"], *tests.pairs["system_b"]])))
    return named
