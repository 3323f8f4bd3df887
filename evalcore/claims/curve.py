"""The specification curve: what a claim's effect is under every specification, and how sure (Simonsohn et al. 2020).

The effect of an order is the least lead of a system over the next one; of "among the first k", the lead over the k-th
best of the others. Intervals are percentiles over topics drawn with replacement: the same draws for all specifications
with the same topics. A claim holds where its interval lies above 0, fails where it lies below, else it is undecided;
an order holds where all its pairs hold, and fails where one of them fails.

Shapes: N specifications, B resamples, T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, get_args

import numpy as np
import pandas as pd

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.claims.scoring import Multiverse
from evalcore.claims.statement import Claim
from evalcore.errors import InputError
from evalcore.meta.differences import signed_ratio
from evalcore.meta.resampling import MOST_COUNTS, topic_resamples, weighted_means
from evalcore.progress import checkpoint
from evalcore.rounding import TIE
from evalcore.shown import shown

EffectKind = Literal["difference", "standardised", "rank"]
EFFECTS: tuple[EffectKind, ...] = get_args(EffectKind)
DECISIONS = ("fails", "undecided", "holds")
"""The words for decisions of -1, 0 and 1."""

RESAMPLES = 1000
LEVEL = 0.95
NUMBERS_AT_ONCE = 1 << 22  # resampled means held at once, 32 MB


@shown
@dataclass(frozen=True, eq=False)
class Curve:
    """The effect of a claim in N specifications, with intervals and decisions.

    `effect`, `low`, `high` and `error`, the standard error over topics, are of the kind asked for: a difference of
    means; standardised, by the standard deviation over topics; or the rank of the claim's first system. `decision` is
    1 where the claim holds, -1 where it fails, 0 where it is undecided, whatever the kind. On one topic there is no
    interval (nan), and all is undecided.
    """

    claim: Claim
    kind: EffectKind
    effect: FloatArray  # (N,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)
    error: FloatArray  # (N,)
    decision: IntArray  # (N,)
    weights: FloatArray  # (N,) that sum to 1

    def __len__(self) -> int:
        return len(self.effect)

    def share(self, decision: int) -> float:
        """The share of the specifications, by weight, in which the claim is decided so."""
        return float(self.weights[self.decision == decision].sum())

    @cached_property
    def order(self) -> IntArray:
        """(N,) the specifications from the least effect to the largest; of ranks, from the last to the first."""
        turned = (-1.0 if self.kind == "rank" else 1.0) * np.array([self.high, self.low, self.effect])
        return np.lexsort(turned)

    def frame(self, multiverse: Multiverse) -> pd.DataFrame:
        """A row for each specification, least effect first: its number, what it chose ("" where nothing), the effect.

        Columns: specification, one for each choice, scored by, effect, low, high, decision, weight.
        """
        found = {
            "specification": np.arange(len(self)),
            **multiverse.design.columns,
            "effect": self.effect,
            "low": self.low,
            "high": self.high,
            "decision": np.array(DECISIONS, dtype=object)[self.decision + 1],
            "weight": self.weights,
        }
        return pd.DataFrame({name: values[self.order] for name, values in found.items()})


def specification_curve(
    multiverse: Multiverse,
    claim: Claim,
    *,
    kind: EffectKind = "difference",
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> Curve:
    """The effect of a claim under every specification of a multiverse, from the scores that it keeps.

    Raises InputError for an unknown system, a kind of effect that the claim does not have (no lead over one named
    system can be standardised where a system is compared with all others), and numbers that make no sense.
    """
    claim.check(multiverse.systems)
    if kind not in EFFECTS or (kind == "standardised" and not claim.pairs):
        raise InputError(f"expected an effect that this claim has, of {', '.join(EFFECTS)}, found {kind}", str(claim))
    most = MOST_COUNTS // len(multiverse.topics)
    if not 2 <= resamples <= most or not 0 < level < 1:
        expected = f"expected 2 to {most:,} resamples of {len(multiverse.topics)} topics and a level between 0 and 1"
        raise InputError(f"{expected}, found {resamples:,} and {level:g}")
    found = np.full((5, len(multiverse)), np.nan)
    for at, topics in _groups(multiverse, resamples):
        part = _Part(multiverse, at, topics, _draws(int(topics.sum()), resamples, seed), (1 - level) / 2)
        found[:, at] = part.of_pairs(claim, kind) if claim.pairs else part.of_place(claim.systems[0], claim.top or 1)
        if kind == "rank":
            found[:4, at] = part.ranks(claim.systems[0])
    effect, low, high, error, decision = found
    decided = np.nan_to_num(decision).astype(np.int64)
    return Curve(claim, kind, effect, low, high, error, decided, multiverse.design.weights)


def _groups(multiverse: Multiverse, resamples: int) -> Iterator[tuple[IntArray, BoolArray]]:
    """Specifications that look at the same topics, as many as memory is meant for, and these topics (T,)."""
    design, step = multiverse.design, max(1, NUMBERS_AT_ONCE // resamples)
    for at, topics in enumerate(design.topic_sets):
        which = np.flatnonzero(design.topic_set == at)
        for start in range(0, len(which), step):
            checkpoint(start / len(which))
            yield which[start : start + step], topics


def leads(multiverse: Multiverse, better: str, worse: str, at: IntArray) -> FloatArray:
    """(n, T) by how much one system leads another on every topic, in some specifications; rounding of 0 is 0."""
    a, b = (multiverse.scores[multiverse.scored[at], multiverse.systems.index(name)] for name in (better, worse))
    with np.errstate(invalid="ignore"):  # two infinite scores have no difference: nan
        difference = a - b
        small = np.abs(difference) <= TIE * np.maximum(np.abs(a), np.abs(b))
        difference[small & np.isfinite(difference)] = 0.0
    return np.asarray(difference)


@lru_cache(maxsize=2)
def _draws(n_topics: int, resamples: int, seed: int) -> FloatArray:
    """(1 + B, T) how often each topic counts: once, and in each resample; of one topic there are no resamples."""
    once = np.ones((1, n_topics))
    return once if n_topics < 2 else np.concatenate([once, topic_resamples(n_topics, resamples, seed)])


@dataclass(frozen=True, eq=False)
class _Part:
    """The specifications `at` that look at the same topics. What is counted (1 + B, n) has the estimate on top."""

    multiverse: Multiverse
    at: IntArray
    topics: BoolArray
    counts: FloatArray
    tail: float

    def of_pairs(self, claim: Claim, kind: EffectKind) -> FloatArray:
        """(5, n) effect, low, high, error and decision of an order: the least of its pairs, each by itself."""
        shown, decisions = [], []
        for better, worse in claim.pairs:
            lead = leads(self.multiverse, better, worse, self.at)[:, self.topics]
            means = weighted_means(lead.T, self.counts)
            noise = TIE * _largest(lead)
            own = self._summary(means.copy(), noise)
            decisions.append(_decision(own, noise))
            if kind == "standardised":
                squares = weighted_means(np.square(lead).T, self.counts)
                own = self._summary(_standardised(means, squares, (~np.isnan(lead)).sum(axis=1)))
            shown.append(own)
        pairs = np.array(shown)
        least = pairs[:, 0].argmin(axis=0)[None]
        error = np.take_along_axis(pairs[:, 3], least, axis=0)
        return np.concatenate([pairs[:, :3].min(axis=0), error, [np.min(decisions, axis=0)]])

    def of_place(self, system: str, top: int) -> FloatArray:
        """(5, n) the same of a place: the lead over the k-th best of the other systems."""
        own = self.multiverse.systems.index(system)

        def lead(means: FloatArray) -> FloatArray:
            others = np.delete(means, own, axis=-1)
            others[np.isnan(others)] = -np.inf  # no topic, no place
            kth = others.max(axis=-1) if top == 1 else -np.partition(-others, top - 1, axis=-1)[..., top - 1]
            with np.errstate(invalid="ignore"):
                return np.asarray(means[..., own] - kth)

        noise = TIE * _largest(self.multiverse.scores[self.multiverse.scored[self.at]].reshape(len(self.at), -1))
        shown = self._summary(self._by_means(lead), noise)
        return np.concatenate([shown, [_decision(shown, noise)]])

    def ranks(self, system: str) -> FloatArray:
        """(4, n) the rank of a system, with interval and error; tied ones share the better rank."""
        own = self.multiverse.systems.index(system)

        def rank(means: FloatArray) -> FloatArray:
            mine = means[..., own, None]
            ahead = (means > mine * (1 + TIE * np.sign(mine))).sum(axis=-1)
            return np.where(np.isnan(mine[..., 0]), np.nan, 1.0 + ahead)

        return self._summary(self._by_means(rank))

    def _by_means(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """(1 + B, n) a function of the resampled means of all systems (1 + B, some, S), block after block."""
        n_systems = len(self.multiverse.systems)
        step = max(1, NUMBERS_AT_ONCE // (len(self.counts) * n_systems))
        found = []
        for start in range(0, len(self.at), step):
            rows = self.multiverse.scored[self.at[start : start + step]]
            scores = self.multiverse.scores[rows][:, :, self.topics]
            means = weighted_means(scores.reshape(-1, scores.shape[-1]).T, self.counts)
            found.append(function(means.reshape(len(self.counts), len(rows), n_systems)))
            checkpoint(min((start + step) / len(self.at), 1.0))
        return np.concatenate(found, axis=1)

    def _summary(self, counted: FloatArray, noise: FloatArray | float = 0.0) -> FloatArray:
        """(4, n) the estimate, percentiles of the resamples and their standard deviation; rounding of 0 is 0."""
        estimate = np.where(np.abs(counted[0]) <= noise, 0.0, counted[0])
        if len(counted) == 1:
            return np.array([estimate, *np.full((3, len(estimate)), np.nan)])
        error = _deviation(counted[1:])
        with np.errstate(invalid="ignore"):  # infinite ones have no differences
            low, high = np.quantile(counted[1:], (self.tail, 1 - self.tail), axis=0, overwrite_input=True)
        return np.array([estimate, low, high, error])


def _deviation(resampled: FloatArray) -> FloatArray:
    """(n,) the standard deviation of the resamples (B, n) that have a value; nan where fewer than two have."""
    finite = np.isfinite(resampled)
    if finite.all():
        return np.asarray(resampled.std(axis=0, ddof=1))
    error, enough = np.full(resampled.shape[1], np.nan), finite.sum(axis=0) > 1
    error[enough] = np.nanstd(np.where(finite, resampled, np.nan)[:, enough], axis=0, ddof=1)
    return error


def _largest(values: FloatArray) -> FloatArray:
    """(n,) the largest finite size in each row (n, ...)."""
    return np.asarray(np.max(np.abs(values), axis=1, where=np.isfinite(values), initial=0.0))


def _decision(shown: FloatArray, noise: FloatArray) -> FloatArray:
    """(n,) 1 where the interval lies above 0, -1 where it lies below, else 0."""
    _, low, high, _ = shown
    return np.asarray((low > noise).astype(float) - (high < -noise))


def _standardised(means: FloatArray, squares: FloatArray, n_topics: IntArray) -> FloatArray:
    """Cohen's d_z: the mean by the standard deviation of n - 1, from means of differences and of their squares."""
    with np.errstate(divide="ignore", invalid="ignore"):  # infinite leads, and one topic in common
        spread = np.maximum(squares - np.square(means), 0.0)
        spread[spread <= 1e3 * TIE * squares] = 0.0  # the same difference on every topic
        return np.asarray(signed_ratio(means, np.sqrt(spread * n_topics / (n_topics - 1))))
