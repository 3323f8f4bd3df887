"""Leads between systems in many specifications at once, and the decisions about them.

The rule is that of `evalcore.meta.comparisons`: the v of a lead is compared, step-down, with the largest v* of the
tested leads under flipped signs of the topics; and a lead that is significant there must also be significant by itself
in the paired bootstrap. That module tests all pairs of one table of scores; here some pairs are tested in thousands of
tables, whose v* are one matrix product. Signs and resamples are the same.

For "among the first k", v is moderated as in that module, by the mean variance of differences. For an order, whose few
leads are decided separately, v is not moderated, because other leads do not show the variance of this one.

A decision must also survive some unseen topics, each like the most contrary observed one (`Leads.unseen`). A kind of
topic observed once makes up at most u / T of all topics, where u is the upper limit of a Poisson mean after one
observation, 4.74 at 95 %. So up to u - 1 topics of that kind may be missing; a lead that so few topics would reverse is
undecided.

The limits of a lead are mean -+ t * standard error, where t is the critical value of v converted to t, and the
standard error is moderated if v is. So 0 lies outside the limits exactly if the lead is decided.

Shapes: n specifications, J leads, T topics, B sign vectors, each of which also represents its opposite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import gammaincinv

from evalcore.claims.scoring import Multiverse
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.rounding import SOLVED, TIE, difference
from evalcore.meta.comparisons import ROUNDING, HardlySeen, all_flips, critical_values, fewest_topics, sign_flips
from evalcore.meta.differences import PAIRS_AT_ONCE, Differences, Draws


def fewest_unseen(alpha: float) -> int:
    """Return the number of unseen topics of the most contrary kind that a decision at level alpha must survive.

    >>> fewest_unseen(0.05), fewest_unseen(0.01)
    (4, 6)
    """
    return math.ceil(gammaincinv(2, 1 - alpha) - 1)


@dataclass(frozen=True, eq=False)
class Chance:
    """Sign flips and resamples of the topics, which give the critical values of leads at a level `alpha`."""

    signs: FloatArray  # (T, B)
    exact: bool  # whether these are all sign vectors
    draws: Draws | None  # None for one topic
    alpha: float

    @property
    def fewest(self) -> int:
        """The smallest number of topics with which anything can be decided."""
        return fewest_topics(self.alpha)

    def critical(self, flipped: FloatArray) -> FloatArray:
        """Return the (...) critical values of v from v* (..., B) under B flips; infinite if no v is significant."""
        return critical_values(flipped, self.alpha, self.exact)

    def alone(self, leads: FloatArray) -> FloatArray:
        """Return (P,) critical values of |v| in the paired bootstrap, for leads (P, T) by topic.

        If |v| is above the critical value, less than a share alpha of the resamples have a |v*| at least as large.
        """
        assert self.draws is not None
        v = np.abs(resampled(leads, self.draws.of_topics(leads.shape[1])))
        place = math.ceil(self.alpha * v.shape[1] * (1 - TIE)) - 1
        return np.asarray(-np.partition(-v, place, axis=1)[:, place] * (1 + ROUNDING))


def resampled(leads: FloatArray, draws: Draws) -> FloatArray:
    """Return the (P, B) unmoderated v of leads (P, T) minus their means, by resample of topics; 0 for equal systems."""
    shifted = Differences.between(leads, np.zeros(leads.shape)).shifted
    total, squares = shifted @ draws.stack, np.square(shifted) @ draws.stack
    v = np.divide(total, np.sqrt(squares), out=np.zeros(total.shape), where=squares > 0)
    return np.asarray(v.swapaxes(0, 1).reshape(len(leads), -1)[:, : draws.n_resamples])


@lru_cache(maxsize=8)
def chance(n_topics: int, count: int, seed: int, alpha: float) -> Chance:
    """Draw `count` resamples of the topics and `count` sign vectors, or all sign vectors if no more than that exist."""
    signs = np.ascontiguousarray(sign_flips(n_topics, count, seed).T)
    draws = Draws.of(n_topics, count, seed) if n_topics > 1 else None
    return Chance(signs, all_flips(n_topics, count), draws, alpha)


def leads(multiverse: Multiverse, better: str, worse: str, at: IntArray) -> FloatArray:
    """Return the (n, T) leads of one system over another by topic, in specifications `at`; rounding errors become 0."""
    a, b = (multiverse.scores[multiverse.scored[at], multiverse.systems.index(name)] for name in (better, worse))
    return difference(a, b)


@dataclass(frozen=True, eq=False)
class Leads:
    """Leads of J pairs of systems in n specifications with the same topics."""

    mean: FloatArray  # (n, J) mean over shared topics; nan if there is none
    error: FloatArray  # (n, J) standard error
    moderated: FloatArray  # (n, J) standard error moderated by the mean variance of differences
    n_topics: IntArray  # (n, J)
    testable: BoolArray  # (n, J) true if there are enough topics, and unseen kinds could not reverse the mean lead
    unit: FloatArray  # (n, J, T) scaled leads, whose sum is v; all 0 if one is infinite
    own: FloatArray  # (n, J) ratio of moderated to unmoderated v
    by_topic: FloatArray  # (n, J, T) leads by topic, nan if one system lacks it
    chance: Chance
    hardly: HardlySeen
    systems: IntArray  # (2, J) of each lead

    @classmethod
    def of(
        cls, by_topic: FloatArray, chance: Chance, scores: FloatArray, systems: IntArray, square: FloatArray | float = 0
    ) -> Leads:
        """Compute all fields from leads by topic (n, J, T), nan if missing.

        `systems` (2, J) are the indices of the two systems of each lead; `scores` (n, S, T) are those of all systems.
        `square` (n, 1) is the mean variance of differences that moderates v; with 0, v is not moderated.
        """
        known = ~np.isnan(by_topic)
        count = known.sum(axis=-1)
        values = np.where(known, by_topic, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = values.sum(axis=-1) / count
            finite = np.isfinite(mean)
            if not finite.all():
                values = np.where(finite[..., None], values, 0.0)
            squares = np.einsum("njt,njt->nj", values, values)
            spread = np.maximum(squares - count * np.where(finite, mean, 0.0) ** 2, 0.0)
            spread[spread <= 1e3 * TIE * squares] = 0.0  # the same lead on every topic
            error, moderated = (
                np.where(finite & (count > 1), np.sqrt(part / (count - 1) / count), np.nan)
                for part in (spread, spread + count * square)
            )
        length = np.sqrt(np.where(squares > 0, squares + count * square, 1.0))
        hardly = HardlySeen.of(scores, chance.alpha)
        testable = (count >= chance.fewest) & ~hardly.may_reverse(values.sum(axis=-1), *systems)
        values /= length[..., None]
        own = np.sqrt(squares) / length
        return cls(mean, error, moderated, count, testable, values, own, by_topic, chance, hardly, systems)

    @cached_property
    def v(self) -> FloatArray:
        """(n, J) v: sum of leads / (moderated) root of the sum of squared leads; 0 if a lead is not testable."""
        return np.where(self.testable, self.unit.sum(axis=-1), 0.0)

    @cached_property
    def flipped(self) -> FloatArray:
        """(n, J, B) |v*| under flipped signs."""
        n, pairs, topics = self.unit.shape
        product = self.unit.reshape(-1, topics) @ self.chance.signs
        return np.abs(product, out=product).reshape(n, pairs, -1)

    def alone(self, which: BoolArray) -> FloatArray:
        """Return (n, J) critical values of |v| in the paired bootstrap; 0 for leads that `which` does not select."""
        least = np.zeros(which.shape)
        places = np.argwhere(which & self.testable & np.isfinite(self.error))
        complete = self.n_topics[tuple(places.T)] == self.by_topic.shape[-1]
        steps = range(0, int(complete.sum()), PAIRS_AT_ONCE)
        for group in (*(places[complete][at : at + PAIRS_AT_ONCE] for at in steps), *places[~complete][:, None]):
            leads = self.by_topic[tuple(group.T)]
            least[tuple(group.T)] = self.chance.alone(leads[:, ~np.isnan(leads[0])])
        return least * self.own

    @cached_property
    def contrary(self) -> tuple[FloatArray, IntArray]:
        """Two arrays (n, J): the number of unseen topics that would reverse each lead; the index of a topic.

        The unseen topics are all like the observed topic with this index, the most contrary one. The number is infinite
        if no topic is contrary.
        """
        total = self.unit.sum(axis=-1)
        against = -np.sign(total)[..., None] * self.unit
        at = against.argmax(axis=-1)
        most = np.take_along_axis(against, at[..., None], axis=-1)[..., 0]
        number = np.divide(np.abs(total), most, out=np.full(total.shape, np.inf), where=most > TIE)
        return np.floor(number * (1 + SOLVED)) + 1, at

    def unseen(self, which: BoolArray, need: int) -> tuple[FloatArray, IntArray]:
        """Return (n,) numbers of unseen topics after which fewer than `need` of the leads `which` (n, J) remain.

        Also return the index of the observed topic that they are like.
        """
        number, topic = self.contrary
        pair = np.argsort(-np.where(which, number, -1.0), axis=1, kind="stable")[:, need - 1 : need]
        return np.take_along_axis(number, pair, axis=1)[:, 0], np.take_along_axis(topic, pair, axis=1)[:, 0]

    def alike(self, side: IntArray) -> FloatArray:
        """Return (2, n): the index of the system that leaves the clearest lead undecided, and a number of topics.

        The system has the same score on that number of topics, which is nearly all. `side` (n,) is 1 or -1, the sign of
        the leads to consider.
        """
        rows = np.arange(len(side))
        pair = self.systems[:, (~self.testable * self.unit.sum(axis=-1) * side[:, None]).argmax(axis=1)]
        system = pair[self.hardly.alike[rows, pair].argmax(axis=0), rows]
        return np.array([system, self.hardly.alike[rows, system]])

    def in_t(self, critical: FloatArray) -> FloatArray:
        """Convert critical values of v to those of t, (n, J); infinite if no t exceeds them."""
        count = np.maximum(self.n_topics, 1)
        share = np.minimum(critical / np.sqrt(count), 1.0)
        rest = 1 - share**2
        beyond = np.full(np.broadcast(share, count).shape, np.inf)
        t = np.sqrt(np.divide((count - 1) * share**2, rest, out=beyond, where=rest > TIE))
        return np.where(self.testable, t, np.inf)

    def half_width(self, critical: FloatArray) -> FloatArray:
        """Return the (n, J) distance from a mean lead to its limits; infinite if it has none."""
        t = self.in_t(critical)
        with np.errstate(invalid="ignore"):
            width = np.where((self.moderated == 0) & np.isfinite(t), 0.0, t * self.moderated)
        return np.where(np.isnan(width), np.inf, width)


def step_down(
    v: FloatArray,
    flipped: FloatArray,
    decided: BoolArray,
    chance: Chance,
    enough: Callable[[BoolArray], object] = np.all,
) -> tuple[BoolArray, float]:
    """Decide the leads of one specification step-down; return marks (J,) of decided leads, and the last critical value.

    `v` (J,) are the statistics of the leads, `flipped` (J, B) their |v*| under flipped signs; `decided` marks the leads
    that the first step decided. The procedure stops once `enough(decided)` is true.
    """
    critical = np.inf
    while not (decided.all() or enough(decided)):
        rest = np.flatnonzero(~decided)
        value = float(chance.critical(flipped[rest].max(axis=0)))
        new = rest[np.abs(v[rest]) > value]
        if not len(new):
            break
        critical = value
        decided = decided.copy()
        decided[new] = True
    return decided, critical
