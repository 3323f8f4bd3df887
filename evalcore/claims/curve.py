"""The specification curve: a claim's effect under every specification, with its confidence (Simonsohn et al. 2020).

The effect of an order is the smallest lead of a system over the next one; for "among the first k", it is the lead over
the k-th best of the others. In each specification, comparisons of pairs decide the claim (`evalcore.claims.leads`):

- A > B holds if A beats B, and is reversed if B beats A.
- An order holds if each of its pairs holds by itself; this needs no correction, because all must hold. It breaks at
  each pair that is significantly reversed, after correction for the number of pairs.
- "Among the first k" compares a system with all S - 1 others, step-down, corrected for their number.
  It holds if the system beats at least S - k of the others, and fails if at least k of them beat it.

A decision that a few unseen topics could reverse is withdrawn: the claim is then undecided. Limits of a lead come from
the same comparisons, so 0 lies between them exactly if the claim is undecided. They cover the true effect: for an
order, the smallest of the true leads; otherwise the true lead over the truly k-th best of the others. Limits of ranks
are a confidence set: the ranks below all systems that beat this one and above all systems that it beats.

Shapes: n of N specifications, J comparisons, T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from evalcore.claims.leads import Chance, Leads, chance, fewest_unseen, leads, step_down
from evalcore.claims.scoring import Multiverse
from evalcore.claims.statement import Claim
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.constants import EFFECTS, EffectKind
from evalcore.common.progress import checkpoint
from evalcore.common.rounding import TIE, difference
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.meta.comparisons import MOST, mean_variance
from evalcore.meta.differences import signed_ratio
from evalcore.meta.resampling import MOST_COUNTS, topic_resamples, weighted_means

DECISIONS = ("fails", "undecided", "holds")
"""The words for decisions of -1, 0 and 1."""

RESAMPLES = MOST
LEVEL = 0.95
NUMBERS_AT_ONCE = 1 << 22  # statistics under signs in memory at once, 32 MB
RESAMPLES_OF_RANKS = 200  # resamples of topics, for the standard error of a rank


@shown
@dataclass(frozen=True, eq=False)
class Curve:
    """The effect of a claim in N specifications, with limits and decisions.

    `effect`, `low`, `high` and `error` (the standard error over topics) all belong to one `kind` of effect: a
    difference of means; this difference divided by its standard deviation over topics; or the rank of the claim's first
    system.
    `decision` is 1 if the claim holds, -1 if it fails, 0 if it is undecided, for any kind. `broken` marks the pairs of
    an order that are reversed. A specification with fewer than `fewest` topics has no limits (nan) and is undecided.

    `unseen` is the number of unseen topics that would reverse the decision if all were like `contrary`, the observed
    topic most against it: infinite if no topic is against it, nan if neither the sign test alone nor all tests together
    decide the claim. If few topics would reverse the decision, the specification is undecided (`hangs`). `alike` is the
    index of the system that leaves a specification undecided because it has the same score on nearly all topics (on
    `alike_on` of them); -1 if there is none.
    """

    claim: Claim
    kind: EffectKind
    effect: FloatArray  # (N,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)
    error: FloatArray  # (N,)
    decision: IntArray  # (N,)
    weights: FloatArray  # (N,) that sum to 1
    broken: BoolArray  # (N, pairs of the claim)
    n_topics: IntArray  # (N,) topics used that have labels
    fewest: int
    unseen: FloatArray  # (N,)
    contrary: IntArray  # (N,) index among all topics
    alike: IntArray  # (N,) index of the system
    alike_on: IntArray  # (N,) topics
    alpha: float

    def __len__(self) -> int:
        return len(self.effect)

    def share(self, decision: int) -> float:
        """Return the share of the specifications, by weight, with this decision (1, 0 or -1)."""
        return float(self.weights[self.decision == decision].sum())

    @cached_property
    def hangs(self) -> BoolArray:
        """(N,) true for specifications that are undecided because few unseen topics would reverse the decision."""
        return np.asarray(self.unseen < fewest_unseen(self.alpha))

    @cached_property
    def order(self) -> IntArray:
        """(N,) indices of the specifications from the smallest to the largest effect; for ranks, from worst to best."""
        turned = (-1.0 if self.kind == "rank" else 1.0) * np.array([self.high, self.low, self.effect])
        return np.lexsort(turned)

    def frame(self, multiverse: Multiverse) -> pd.DataFrame:
        """Tabulate the specifications, smallest effect (worst rank) first.

        Columns: specification (its number), one for each choice (the option, "" if the choice does not apply), scored
        by (the measure), effect, low, high, decision (in words), weight.
        """
        columns = {
            "specification": np.arange(len(self)),
            **multiverse.design.columns,
            "effect": self.effect,
            "low": self.low,
            "high": self.high,
            "decision": np.array(DECISIONS, dtype=object)[self.decision + 1],
            "weight": self.weights,
        }
        return pd.DataFrame({name: values[self.order] for name, values in columns.items()})


def specification_curve(
    multiverse: Multiverse,
    claim: Claim,
    *,
    kind: EffectKind = "difference",
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> Curve:
    """Compute the effect of a claim under every specification of a multiverse, with limits and decisions at `level`.

    `resamples` is the number of resamples of topics, and also of sign vectors; if no more sign vectors exist, all are
    used. Raises InputError for an unknown system, a kind of effect that the claim does not have (a lead can be
    standardised only in an order, not if a system is compared with all others), and invalid numbers.
    """
    claim.check(multiverse.systems)
    if kind not in EFFECTS or (kind == "standardised" and not claim.pairs):
        raise InputError(f"expected an effect of this claim ({', '.join(EFFECTS)}), found {kind}", str(claim))
    most = MOST_COUNTS // len(multiverse.topics)
    if not 2 <= resamples <= most or not 0 < level < 1:
        expected = f"expected 2 to {most:,} resamples of {len(multiverse.topics)} topics and a level between 0 and 1"
        raise InputError(f"{expected}, found {resamples:,} and {level:g}")
    values = np.full((8, len(multiverse)), np.nan)
    decision = np.zeros(len(multiverse), dtype=np.int64)
    broken = np.zeros((len(multiverse), len(claim.pairs)), dtype=bool)
    count = len(claim.pairs) if claim.pairs and kind != "rank" else len(multiverse.systems)
    for at, topics in _groups(multiverse, count * resamples):
        part = _Part(multiverse, at, topics, chance(int(topics.sum()), resamples, seed, round(1 - level, 12)))
        if claim.pairs:
            values[:, at], decision[at], broken[at] = part.of_pairs(claim, kind)
        else:
            values[:, at], decision[at] = part.of_place(claim.systems[0], claim.top or 1)
        if kind == "rank":
            values[:4, at] = part.ranks(claim.systems[0], seed)
    design = multiverse.design
    n_topics = (design.topic_sets[design.topic_set] & multiverse.covered).sum(axis=1)
    effect, low, high, error, unseen, *_ = values
    topics_of, alike, alike_on = np.nan_to_num(values[5:], nan=-1.0).astype(np.int64)
    return Curve(
        claim, kind, effect, low, high, error, decision, design.weights, broken, n_topics, part.chance.fewest,
        unseen, topics_of, alike, alike_on, part.chance.alpha,
    )  # fmt: skip


def _groups(multiverse: Multiverse, numbers: int) -> Iterator[tuple[IntArray, BoolArray]]:
    """Yield indices of specifications with the same topics, as many as fit in memory, and a mask (T,) of the topics."""
    design, step = multiverse.design, max(1, NUMBERS_AT_ONCE // numbers)
    for at, topics in enumerate(design.topic_sets):
        which = np.flatnonzero(design.topic_set == at)
        for start in range(0, len(which), step):
            checkpoint(start / len(which))
            yield which[start : start + step], topics


@dataclass(frozen=True, eq=False)
class _Part:
    """Specifications with the indices `at`, which all use the same topics."""

    multiverse: Multiverse
    at: IntArray
    topics: BoolArray  # (T,)
    chance: Chance

    def of_pairs(self, claim: Claim, kind: EffectKind) -> tuple[FloatArray, IntArray, BoolArray]:
        """Judge an order: return (8, n) numbers, (n,) decisions, and (n, J) true for reversed pairs.

        The numbers are effect, low and high (each the smallest over the pairs), error, unseen, contrary, alike and
        alike_on, as in Curve.
        """
        pairs = [leads(self.multiverse, *pair, self.at)[:, self.topics] for pair in claim.pairs]
        places = np.array([[self.multiverse.systems.index(name) for name in pair] for pair in claim.pairs])
        found = Leads.of(np.stack(pairs, axis=1), self.chance, self.scores, places.T)
        alone = found.alone(np.ones(found.v.shape, dtype=bool))
        by_signs = self.chance.critical(found.flipped), self.chance.critical(found.flipped.max(axis=1))[:, None]
        single, joint = (np.maximum(critical, alone) for critical in by_signs)
        signed, broken_by_signs = _verdict_of_pairs(found.v, *by_signs)
        decided, broken = _verdict_of_pairs(found.v, single, joint)
        failing = np.where(broken.any(axis=1, keepdims=True), broken, broken_by_signs)
        sides = (np.ones(broken.shape, dtype=bool), broken.shape[1]), (failing, 1)
        every = _verdict_of_pairs(found.unit.sum(axis=-1), *by_signs)[0]
        decision, rest = self.standing(found, signed, decided, every, *sides)
        broken &= found.contrary[0] >= fewest_unseen(self.chance.alpha)
        effect, error, low, high = _of_kind(found, kind, single, joint)
        least = np.where(np.isnan(effect), np.inf, effect).argmin(axis=1)[:, None]
        estimate, own_error = (np.take_along_axis(values, least, axis=1)[:, 0] for values in (effect, error))
        estimate = np.where(np.isnan(effect).any(axis=1), np.nan, estimate)
        shown = _fitting(estimate, low.min(axis=1), high.min(axis=1), own_error, decision)
        return np.concatenate([shown, rest]), decision, broken

    def of_place(self, system: str, top: int) -> tuple[FloatArray, IntArray]:
        """Judge "among the first k": return (8, n) numbers as in `of_pairs`, and (n,) decisions.

        The effect is the lead over the k-th best of the other systems.
        """
        place = _Place.of(self, self.multiverse.systems.index(system))
        found, signed, decided, critical, alone = place.of_top(top)
        sides = (found & (place.v > 0), found.shape[1] - top + 1), (found & (place.v < 0), top)
        decision, rest = self.standing(place.leads, signed, decided, place.without_unseen(top), *sides)
        return np.concatenate([place.limits(top, decision, critical, alone), rest]), decision

    def standing(
        self,
        found: Leads,
        signed: IntArray,
        decided: IntArray,
        every: IntArray,
        holding: tuple[BoolArray, int],
        failing: tuple[BoolArray, int],
    ) -> tuple[IntArray, FloatArray]:
        """Withdraw decisions that few unseen topics would reverse; return (n,) decisions, and (4, n) numbers.

        The numbers are `unseen`, `contrary`, `alike` and `alike_on` of Curve. `signed` and `decided` are the decisions
        by the sign test alone and by all tests; `every` are the decisions that the sign test would make if every kind
        of topic had been seen often enough. `holding` and `failing` mark the leads (n, J) for and against the claim,
        each with the number of such leads that a decision needs.
        """
        places = np.append(np.flatnonzero(self.topics), -1)
        sides = [found.unseen(*side) for side in (holding, failing)]
        either = np.where(decided != 0, decided, signed)
        unseen, at = (np.where(either > 0, *values) for values in zip(*sides, strict=True))
        unseen, contrary = (np.where(either == 0, np.nan, values) for values in (unseen, places[at]))
        alike = np.where((either == 0) & (every != 0), found.alike(every), np.nan)
        return np.where(unseen < fewest_unseen(self.chance.alpha), 0, decided), np.array([unseen, contrary, *alike])

    def ranks(self, system: str, seed: int) -> FloatArray:
        """Return (4, n): rank of a system, ends of its confidence set, error; tied systems share the better rank."""
        place = _Place.of(self, self.multiverse.systems.index(system))
        beaten, beating = place.sides(place.all_decided())
        known = ~place.unknown & (self.topics.sum() >= self.chance.fewest)
        low, high = 1.0 + beating, 1.0 + len(place.absent[0]) - beaten
        rank, error = self._rank_and_error(place.own, seed)
        return np.array([rank, np.where(known, low, np.nan), np.where(known, high, np.nan), error])

    def _rank_and_error(self, own: int, seed: int) -> tuple[FloatArray, FloatArray]:
        """Return the (n,) ranks of a system, and their standard deviations over resamples of topics."""
        scores = self.scores
        n, n_systems, n_topics = scores.shape
        draws = topic_resamples(n_topics, RESAMPLES_OF_RANKS, seed)
        counts = np.concatenate([np.ones((1, n_topics)), draws])
        means = weighted_means(scores.reshape(-1, n_topics).T, counts).reshape(len(counts), n, n_systems)
        mine = means[..., own, None]
        ahead = (means > mine * (1 + TIE * np.sign(mine))).sum(axis=-1)
        ranks = np.where(np.isnan(mine[..., 0]), np.nan, 1.0 + ahead)
        return ranks[0], _deviation(ranks[1:]) if n_topics > 1 else np.full(n, np.nan)

    @property
    def scores(self) -> FloatArray:
        """(n, S, T) scores in these specifications, on their topics only."""
        return self.multiverse.scores[self.multiverse.scored[self.at]][:, :, self.topics]


@dataclass(frozen=True, eq=False)
class _Place:
    """One system compared with all others; it beats every other system that has no score on these topics."""

    own: int
    leads: Leads  # over J = S - 1 others
    absent: BoolArray  # (n, J)
    unknown: BoolArray  # (n,) whether the system itself is absent
    chance: Chance

    @classmethod
    def of(cls, part: _Part, own: int) -> _Place:
        scores = part.scores
        others = np.delete(scores, own, axis=1)
        finite = np.where(np.isinf(scores).any(axis=-1, keepdims=True), np.nan, scores)
        rest = np.delete(np.arange(scores.shape[1]), own)
        systems, square = np.array([np.full(len(rest), own), rest]), mean_variance(finite)[:, None]
        lead = Leads.of(difference(scores[:, own, None], others), part.chance, scores, systems, square)
        missing = np.asarray(np.isnan(scores).all(axis=-1))
        unknown = missing[:, own]
        return cls(own, lead, np.delete(missing, own, axis=1) & ~unknown[:, None], unknown, part.chance)

    @cached_property
    def v(self) -> FloatArray:
        """(n, J) test statistic v of the leads, infinite for a lead over a system without scores."""
        return np.where(self.absent, np.inf, self.leads.v)

    @cached_property
    def first(self) -> FloatArray:
        """(n,) critical values of the first step, for all leads at once."""
        return self.chance.critical(self.leads.flipped.max(axis=1))

    def sides(self, decided: BoolArray, at: int | slice = slice(None)) -> tuple[IntArray, IntArray]:
        """Return the (n,) numbers of other systems that this system beats significantly, and of those that beat it."""
        v = self.v[at]
        return np.asarray((decided & (v > 0)).sum(axis=-1)), np.asarray((decided & (v < 0)).sum(axis=-1))

    def all_decided(self) -> BoolArray:
        """Return (n, J) true for leads that the complete step-down procedure and the bootstrap decide."""
        decided = np.abs(self.v) > self.first[:, None]
        for at in np.flatnonzero(decided.any(axis=1)).tolist():
            decided[at], _ = step_down(self.v[at], self.leads.flipped[at], decided[at], self.chance)
        return decided & (np.abs(self.v) > self.leads.alone(decided))

    def of_top(self, top: int) -> tuple[BoolArray, IntArray, IntArray, FloatArray, FloatArray]:
        """Decide "among the first `top`": return decided leads, decisions by signs and by all tests, critical values.

        The decided leads (n, J) are significant in the sign test and, if the claim is decided, in the bootstrap too.
        The decisions are (n,); the critical values are (n,) of the sign test and (n, J) of the bootstrap.
        """
        decided, by_signs, critical = self._by_signs(top)
        alone = self._alone(decided, by_signs)
        decision = self._verdict(decided & (np.abs(self.v) > alone), top)
        again = (by_signs != 0) & (decision == 0)
        if again.any():  # leads further down may still decide it
            for at in np.flatnonzero(again).tolist():
                decided[at], critical[at] = step_down(self.v[at], self.leads.flipped[at], decided[at], self.chance)
            alone = np.where(again[:, None], self._alone(decided, by_signs * again), alone)
            decision = self._verdict(decided & (np.abs(self.v) > alone), top)
        found = decided & ((np.abs(self.v) > alone) | (decision == 0)[:, None])
        return found, by_signs, decision, critical, alone

    def _alone(self, decided: BoolArray, decision: IntArray) -> FloatArray:
        """Return (n, J) critical values of the bootstrap for the leads on which a verdict rests, 0 for the others."""
        side = np.where(decision[:, None] > 0, self.v > 0, self.v < 0)
        return self.leads.alone(decided & side & (decision != 0)[:, None])

    def _verdict(self, decided: BoolArray, top: int, at: int | slice = slice(None)) -> IntArray:
        beaten, beating = self.sides(decided, at)
        return np.asarray((beaten > self.v.shape[1] - top).astype(np.int64) - (beating >= top))

    def _by_signs(self, top: int) -> tuple[BoolArray, IntArray, FloatArray]:
        """Apply the sign test, step-down; return (n, J) decided leads, (n,) verdicts and (n,) critical values."""
        decided, critical = np.abs(self.v) > self.first[:, None], self.first.copy()
        decision = self._verdict(decided, top)
        for at in self._open(np.flatnonzero((decision == 0) & decided.any(axis=1)), top).tolist():
            enough = partial(self._verdict, top=top, at=at)
            decided[at], value = step_down(self.v[at], self.leads.flipped[at], decided[at], self.chance, enough)
            decision[at] = enough(decided[at])
            critical[at] = value if decision[at] else self.first[at]
        return decided, decision, critical

    def _open(self, at: IntArray, top: int) -> IntArray:
        """Return the specifications in `at` that step-down may decide: the `top`-th smallest v is significant alone."""
        kth = np.argpartition(self.v[at], top - 1, axis=1)[:, top - 1]
        return at[np.abs(self.v[at, kth]) > self.chance.critical(self.leads.flipped[at, kth])]

    def without_unseen(self, top: int) -> IntArray:
        """Return the (n,) decisions of the first sign-test step if every kind of topic had been seen often enough."""
        v = np.where(self.absent, np.inf, self.leads.unit.sum(axis=-1))
        beaten, beating = ((way * v > self.first[:, None]).sum(axis=1) for way in (1, -1))
        return np.asarray((beaten > v.shape[1] - top).astype(np.int64) - (beating >= top))

    def limits(self, top: int, decision: IntArray, critical: FloatArray, alone: FloatArray) -> FloatArray:
        """Return (4, n): lead over the k-th best, its two limits (from the deciding critical value), and its error."""
        lead = np.where(np.isnan(self.leads.mean), np.inf, self.leads.mean)
        kth = np.argsort(lead, axis=1, kind="stable")[:, top - 1 : top]
        effect, error = (np.take_along_axis(values, kth, axis=1)[:, 0] for values in (lead, self.leads.error))
        ends = [
            self._ends(lead, way, np.maximum(np.where(decision == -way, critical, self.first)[:, None], alone))
            for way in (-1, 1)
        ]
        low, high = (np.partition(end, top - 1, axis=1)[:, top - 1] for end in ends)
        return _fitting(np.where(self.unknown, np.nan, effect), low, high, error, decision)

    def _ends(self, lead: FloatArray, way: int, critical: FloatArray) -> FloatArray:
        """Return the (n, J) lower (`way` -1) or upper (`way` 1) limits of the leads; infinite if a lead has none."""
        width = self.leads.half_width(critical)
        known = np.isfinite(lead) & np.isfinite(width)
        ends = np.where(known, lead, 0.0) + way * np.where(known, width, np.inf)
        return np.where(self.absent, np.inf, ends)


def _verdict_of_pairs(v: FloatArray, single: FloatArray, joint: FloatArray) -> tuple[IntArray, BoolArray]:
    """Return the (n,) decisions on orders, and a mask (n, J) of the reversed pairs: v is below -`joint`.

    A decision is 1 if every v of a specification exceeds `single`, -1 if any pair is reversed, else 0.
    """
    broken: BoolArray = v < -joint
    decided = np.subtract((v > single).all(axis=1), broken.any(axis=1), dtype=np.int64)
    return decided, broken


def _of_kind(
    lead: Leads, kind: EffectKind, single: FloatArray, joint: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return (n, J) effects, errors, lower limits (from `single`) and upper limits (from `joint` critical values)."""
    if kind != "standardised":
        with np.errstate(invalid="ignore"):
            low, high = lead.mean - lead.half_width(single), lead.mean + lead.half_width(joint)
        return lead.mean, lead.error, low, high
    n = np.maximum(lead.n_topics, 1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        ratio = signed_ratio(lead.mean, lead.error * np.sqrt(n))
        low, high = (_standardised_limit(ratio, n, way * lead.in_t(value)) for way, value in ((-1, single), (1, joint)))
        return np.where(np.isnan(lead.error), np.nan, ratio), np.sqrt((1 + ratio**2 / 2) / n), low, high


def _standardised_limit(ratio: FloatArray, n: IntArray, t: FloatArray) -> FloatArray:
    """Return (n, J) d with (d - ratio) / sqrt((1 + d^2 / 2) / n) = t; t < 0 gives the lower limit, t > 0 the upper.

    Infinite if there is no solution. The variance of Hedges and Olkin 1985 is taken at the limit, so that 0 is a limit
    exactly if |t| is the t of the test.
    """
    rest = n - t**2 / 2
    root = t * np.sqrt(np.maximum(n * ratio**2 / 2 + rest, 0.0))
    limit = np.where(np.isinf(ratio), ratio, (n * ratio + root) / rest)
    return np.where(rest > 0, limit, np.copysign(np.inf, t))


def _fitting(
    effect: FloatArray, low: FloatArray, high: FloatArray, error: FloatArray, decision: IntArray
) -> FloatArray:
    """Return (4, n): effect, limits, error. Limits include 0 if the claim is undecided; nan if both are infinite."""
    low, high = np.where(decision > 0, low, np.minimum(low, 0.0)), np.where(decision < 0, high, np.maximum(high, 0.0))
    none = ~np.isfinite(low) & ~np.isfinite(high) | np.isnan(effect)
    return np.array([effect, np.where(none, np.nan, low), np.where(none, np.nan, high), error])


def _deviation(resampled: FloatArray) -> FloatArray:
    """Return the (n,) standard deviations of the finite resamples (B, n); nan if there are fewer than two."""
    finite = np.isfinite(resampled)
    if finite.all():
        return np.asarray(resampled.std(axis=0, ddof=1))
    error, enough = np.full(resampled.shape[1], np.nan), finite.sum(axis=0) > 1
    error[enough] = np.nanstd(np.where(finite, resampled, np.nan)[:, enough], axis=0, ddof=1)
    return error
