"""Leads of systems over others in many specifications at once, and which of them are decided.

The rule is that of `evalcore.meta.comparisons`: the v of a lead is held against the largest v* under flipped signs of
the topics among the leads that are looked at, step-down; and a lead that is significant there must also be so by
itself, by the paired bootstrap. There it is for all pairs of one table of scores, here for some pairs in thousands of
tables, whose v* are one product of matrices; signs and resamples are the same.

Of a place, v is moderated as there by the mean variance of differences. Of an order, whose few leads are
each decided by themselves, it is not: no other lead says how much the one at hand varies.

A decision must also survive some unseen topics, each like the most contrary one seen (`Leads.unseen`): a kind of
topic that was seen once makes up at most u / T of all topics, where u is the upper limit of a Poisson mean when 1 was
observed, 4.74 at 95 %. So up to u - 1 topics of that kind may be missing, and a lead that so few reverse is undecided.

The limits of a lead are mean -+ t * standard error, where t is the critical value of v in units of t, and the error of
a place moderated too: 0 lies beyond a limit exactly where the lead is decided.

Shapes: n specifications, J leads, T topics, B sign vectors, each of which stands for its opposite too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import gammaincinv

from evalcore.claims.scoring import Multiverse
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.rounding import SOLVED, TIE, difference
from evalcore.meta.comparisons import ROUNDING, all_flips, critical_values, fewest_topics, sign_flips
from evalcore.meta.differences import PAIRS_AT_ONCE, Differences, Draws


def fewest_unseen(alpha: float) -> int:
    """Return the number of unseen topics of the most contrary kind that a decision at level alpha must survive.

    >>> fewest_unseen(0.05), fewest_unseen(0.01)
    (4, 6)
    """
    return math.ceil(gammaincinv(2, 1 - alpha) - 1)


@dataclass(frozen=True, eq=False)
class Chance:
    """Critical values of leads: sign flips and resamples of `count` topics, at a level."""

    signs: FloatArray  # (T, B)
    exact: bool  # whether these are all signs
    draws: Draws | None  # none of one topic
    alpha: float

    @property
    def fewest(self) -> int:
        """The number of topics below which nothing is decided."""
        return fewest_topics(self.alpha)

    def critical(self, flipped: FloatArray) -> FloatArray:
        """(...) critical values of v, given v* (..., B); infinite if no v is enough."""
        return critical_values(flipped, self.alpha, self.exact)

    def alone(self, leads: FloatArray) -> FloatArray:
        """(P,) values that |v| of each lead (P, T) must exceed: fewer than alpha of resamples have as large a t*."""
        assert self.draws is not None
        v = np.abs(resampled(leads, self.draws.of_topics(leads.shape[1])))
        place = math.ceil(self.alpha * v.shape[1] * (1 - TIE)) - 1
        return np.asarray(-np.partition(-v, place, axis=1)[:, place] * (1 + ROUNDING))


def resampled(leads: FloatArray, draws: Draws) -> FloatArray:
    """(P, B) v by its own squares of each lead (P, T) less its mean, in resamples of the topics; 0 of equal systems."""
    shifted = Differences.between(leads, np.zeros(leads.shape)).shifted
    total, squares = shifted @ draws.stack, np.square(shifted) @ draws.stack
    v = np.divide(total, np.sqrt(squares), out=np.zeros(total.shape), where=squares > 0)
    return np.asarray(v.swapaxes(0, 1).reshape(len(leads), -1)[:, : draws.n_resamples])


@lru_cache(maxsize=8)
def chance(n_topics: int, count: int, seed: int, alpha: float) -> Chance:
    """`count` sign vectors, or all where they are no more, and as many resamples."""
    signs = np.ascontiguousarray(sign_flips(n_topics, count, seed).T)
    draws = Draws.of(n_topics, count, seed) if n_topics > 1 else None
    return Chance(signs, all_flips(n_topics, count), draws, alpha)


def leads(multiverse: Multiverse, better: str, worse: str, at: IntArray) -> FloatArray:
    """(n, T) lead of one system over another on every topic, in some specifications; rounding of 0 is 0."""
    a, b = (multiverse.scores[multiverse.scored[at], multiverse.systems.index(name)] for name in (better, worse))
    return difference(a, b)


@dataclass(frozen=True, eq=False)
class Leads:
    """Leads of J pairs of systems in n specifications that look at the same topics."""

    mean: FloatArray  # (n, J) over the topics that both have; nan if they share none
    error: FloatArray  # (n, J) its standard error
    moderated: FloatArray  # (n, J) the same with the mean variance of differences added to the spread
    n_topics: IntArray  # (n, J)
    testable: BoolArray  # (n, J) whether there are enough topics, of the kinds seen too, to decide
    unit: FloatArray  # (n, J, T) the leads, whose sum is v; 0 if one is infinite
    own: FloatArray  # (n, J) v of a moderated lead, of what it is by its own squares alone
    by_topic: FloatArray  # (n, J, T) nan if one of the two lacks the topic
    chance: Chance

    @classmethod
    def of(
        cls, by_topic: FloatArray, chance: Chance, unseen: FloatArray | float = 0.0, square: FloatArray | float = 0.0
    ) -> Leads:
        """Make them from leads by topic (n, J, T), nan if a topic lacks one; `square` (n, 1) moderates them.

        `unseen` (n, J): the sum of leads that unseen topics may take away.
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
        testable = (count >= chance.fewest) & ((np.abs(values.sum(axis=-1)) > unseen) | (np.asarray(unseen) == 0))
        values /= length[..., None]
        return cls(mean, error, moderated, count, testable, values, np.sqrt(squares) / length, by_topic, chance)

    @cached_property
    def v(self) -> FloatArray:
        """(n, J) sum of the leads / root of the sum of their squares; 0 if there are too few topics to decide."""
        return np.where(self.testable, self.unit.sum(axis=-1), 0.0)

    @cached_property
    def flipped(self) -> FloatArray:
        """(n, J, B) |v*|."""
        n, pairs, topics = self.unit.shape
        product = self.unit.reshape(-1, topics) @ self.chance.signs
        return np.abs(product, out=product).reshape(n, pairs, -1)

    def alone(self, which: BoolArray) -> FloatArray:
        """(n, J) values that |v| of some leads must exceed in the paired bootstrap; 0 for the others."""
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
        """(n, J) number of unseen topics like the most contrary one that would reverse a lead; place of that topic.

        Infinite if no topic is contrary.
        """
        total = self.unit.sum(axis=-1)
        against = -np.sign(total)[..., None] * self.unit
        at = against.argmax(axis=-1)
        most = np.take_along_axis(against, at[..., None], axis=-1)[..., 0]
        number = np.divide(np.abs(total), most, out=np.full(total.shape, np.inf), where=most > TIE)
        return np.floor(number * (1 + SOLVED)) + 1, at

    def unseen(self, which: BoolArray, need: int) -> tuple[FloatArray, IntArray]:
        """(n,) number of unseen topics that leave fewer than `need` of some leads (n, J); place of that topic."""
        number, topic = self.contrary
        pair = np.argsort(-np.where(which, number, -1.0), axis=1, kind="stable")[:, need - 1 : need]
        return np.take_along_axis(number, pair, axis=1)[:, 0], np.take_along_axis(topic, pair, axis=1)[:, 0]

    def in_t(self, critical: FloatArray) -> FloatArray:
        """(n, J) critical values of v in units of t; infinite if no t is beyond."""
        count = np.maximum(self.n_topics, 1)
        share = np.minimum(critical / np.sqrt(count), 1.0)
        rest = 1 - share**2
        beyond = np.full(np.broadcast(share, count).shape, np.inf)
        t = np.sqrt(np.divide((count - 1) * share**2, rest, out=beyond, where=rest > TIE))
        return np.where(self.testable, t, np.inf)

    def half_width(self, critical: FloatArray) -> FloatArray:
        """(n, J) distance from a mean lead to its limits; infinite if it has none."""
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
    """Decide the leads (J,) of one specification by steps, and return the last critical value that was needed.

    `v` with |v*| (J, B), `decided` what is among all. It ends where that is `enough`.
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
