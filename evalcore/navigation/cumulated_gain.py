"""The distribution of cumulated gain, P(cg[i] < gr), and derived quantities.

There are three methods. If all gains are multiples of one number, a dynamic programme over the targets runs on a
*lattice* of sums. If few targets are uncertain, the method is *enumeration* of all subsets. Otherwise it is the
*normal* approximation, with a continuity correction of half a step if gains have a step. The first two methods are
exact. Shapes: K ranks of a traversal, n uncertain targets, G sums of gains, L levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import special
from evalcore.common.rounding import JUST_BELOW_ONE, SOLVED, distinct
from evalcore.errors import InputError
from evalcore.navigation.lattice import expected_news
from evalcore.navigation.topic_graphs import Traversal, before

METHODS = ("auto", "lattice", "enumeration", "normal")
ENUMERATED = 10  # most uncertain targets that are enumerated: 1,024 subsets
MOST_ENUMERATED = 16  # most on request
ROUNDING = SOLVED  # sums of gains that differ by less than this share of the total are equal
TINY = 1e-300  # least probability of a possible event
CELLS = 1 << 17  # part of the table in work at a time, to fit in the processor's cache


def method_for(traversal: Traversal, method: str = "auto") -> str:
    """Return the method to use: by default lattice if gains have a step, enumeration for up to 10 targets, else normal.

    If no target is uncertain, it is "certain", unless normal is requested. Raises InputError if the requested method
    does not apply.
    """
    drawn = len(traversal.gains)
    if not drawn and method != "normal":
        return "certain"
    if method == "auto":
        return "lattice" if traversal.step else "enumeration" if drawn <= ENUMERATED else "normal"
    if method == "lattice" and not traversal.step:
        raise InputError('expected gains that are multiples of one step, found other gains; use method="auto"')
    if method == "enumeration" and drawn > MOST_ENUMERATED:
        raise InputError(f"expected at most {MOST_ENUMERATED} uncertain components to enumerate, found {drawn}")
    return method


def below(traversal: Traversal, levels: FloatArray, method: str = "auto") -> FloatArray:
    """Return P(cg[i] < level) at each rank of the traversal, (K, L).

    With every method it is 0 if the certain gain reaches the level, 1 if the largest possible gain does not, and
    strictly between 0 and 1 otherwise. For 14 fair coins, P(fewer than 8 heads) is 0.605, both exactly and with the
    normal approximation, which would give 0.704 without the continuity correction (erratum of section 6).
    """
    levels = np.asarray(levels, dtype=float)
    chances = chance_below(traversal, levels, 1 - traversal.chance, traversal.chance, method)
    wanted = levels - ROUNDING * traversal.total
    chances = np.where(traversal.least[:, None] >= wanted, 0.0, np.clip(chances, TINY, JUST_BELOW_ONE))
    return np.where(traversal.most[:, None] < wanted, 1.0, chances)


def chance_below(
    traversal: Traversal, levels: FloatArray, missed: FloatArray, seen: FloatArray, method: str = "auto"
) -> FloatArray:
    """Return P(cg[i] < level), (K, L), from the probabilities `missed` and `seen` (K, n) of targets at each rank.

    With lattice and enumeration, `missed` and `seen` need not sum to 1: the remaining probability is that of an event
    which the result excludes. The normal approximation ignores `missed` and `seen`.
    """
    levels = np.asarray(levels, dtype=float)
    way = method_for(traversal, method)
    if way == "normal":
        return _normal_below(traversal, levels)
    result = np.zeros((len(traversal.rank), len(levels)))
    for rows, sums in _sums(traversal, way, missed, seen, float(levels.max(initial=0.0))):
        result[rows] = sums.below(levels[:, None] - traversal.sure[rows], ROUNDING * traversal.total).T
    return result


def news(ways: Sequence[Traversal], worth: StepCurve, method: str = "auto") -> list[FloatArray]:
    """Return, for each list, the (K,) expected sum of `worth` at the gain reached, over targets newly seen at a rank.

    E[sum over c new at i of worth(cg[i])]: MAep evaluates every point where the gain rises.
    """
    taken = [method_for(way, method) for way in ways]
    on_lattice = iter(_lattice_news([way for way, how in zip(ways, taken, strict=True) if how == "lattice"], worth))
    return [
        next(on_lattice) if how == "lattice" else _news(way, how, worth) for way, how in zip(ways, taken, strict=True)
    ]


def _lattice_news(ways: Sequence[Traversal], worth: StepCurve) -> list[FloatArray]:
    if not ways:
        return []
    graph = ways[0].graph
    steps = lattice_steps(graph.gains, graph.step or 1.0)
    order = np.argsort(steps, kind="stable")
    place = np.concatenate([np.arange(len(way.rank)) for way in ways])
    chance = np.concatenate([way.every for way in ways])[:, order]
    fresh = np.where(place[:, None] > 0, chance - before(chance), chance)
    worths = worth.at(np.arange(steps.sum() + 1) * (graph.step or 1.0))
    found = expected_news(chance, fresh, place, steps[order], worths)
    return np.split(found, np.cumsum([len(way.rank) for way in ways])[:-1])


def _news(way: Traversal, method: str, worth: StepCurve) -> FloatArray:
    """Return the (K,) expected sums of `news` for one list, with any method except lattice."""
    if method == "normal":
        return _normal_news(way, worth)
    result = np.zeros(len(way.rank))
    for rows, sums in _sums(way, method, 1 - way.chance, way.chance, np.inf, way.chance - way.earlier):
        values = worth.at(sums.values[:, None] + way.sure[rows])
        weights = sums.news + way.sure_news[rows] * sums.chance
        result[rows] = (np.where(weights > 0, values, 0.0) * weights).sum(axis=0)
    return result


def distribution(traversal: Traversal, method: str = "auto") -> tuple[FloatArray, FloatArray]:
    """Return the exact distribution of cg[i]: (G,) sums, (K, G) probabilities. Raises InputError for "normal"."""
    way = method_for(traversal, method)
    if way == "normal":
        raise InputError("expected few uncertain components or gains that are multiples of one step, found neither")
    parts = list(_sums(traversal, way, 1 - traversal.chance, traversal.chance, np.inf))
    values = [traversal.sure[rows, None] + sums.values for rows, sums in parts]
    ascending = np.sort(np.concatenate([np.zeros(0), *map(np.ravel, values)]))
    support = distinct(ascending, ROUNDING, traversal.total)
    table = np.zeros((len(traversal.rank), len(support)))
    for (rows, sums), value in zip(parts, values, strict=True):
        line = np.arange(len(table))[rows, None]
        place = np.searchsorted(support, value + ROUNDING * traversal.total, side="right") - 1
        np.add.at(table, (line, place), sums.chance.T)
    return support, table


@dataclass(frozen=True, eq=False)
class StepCurve:
    """A function of the gain level: `efforts` (L,) on the intervals that end at `levels` (L,), ascending.

    Beyond the last level it is infinite. If `linear`, straight lines join the corners of the steps, from (0, 0) on.
    """

    levels: FloatArray
    efforts: FloatArray
    linear: bool = False

    def at(self, level: FloatArray) -> FloatArray:
        """Return the value at each level, in any shape."""
        level = np.asarray(level, dtype=float)
        if not len(self.levels):
            return np.full(level.shape, np.inf)
        room = ROUNDING * self.levels[-1]
        if self.linear:
            return np.where(level > self.levels[-1] + room, np.inf, np.interp(level, *self.corners))
        place = np.searchsorted(self.levels, level - room)
        return np.asarray(np.append(self.efforts, np.inf)[place])

    @property
    def corners(self) -> tuple[FloatArray, FloatArray]:
        """The corners as (levels, values): (0, 0), each level after which the curve rises, and the last level."""
        last = np.append(np.diff(self.efforts) > ROUNDING * self.efforts[-1], True)
        return np.append(0.0, self.levels[last]), np.append(0.0, self.efforts[last])


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of the uncertain targets' gains at k ranks: their values (G,), and (G, k) probabilities.

    `news` (G, k) is the expected number of newly seen targets if the sum is this value, and 0 otherwise.
    """

    values: FloatArray
    chance: FloatArray
    news: FloatArray

    def below(self, levels: FloatArray, rounding: float) -> FloatArray:
        """Return the (L, k) probability that the sum is less than a level (L, k)."""
        order = np.argsort(self.values, kind="stable")
        down_to = np.cumsum(np.pad(self.chance[order], ((1, 0), (0, 0))), axis=0)
        return np.asarray(np.take_along_axis(down_to, np.searchsorted(self.values[order], levels - rounding), axis=0))


def _sums(
    traversal: Traversal, way: str, missed: FloatArray, seen: FloatArray, highest: float, new: FloatArray | None = None
) -> Iterator[tuple[slice, _Sums]]:
    """Yield blocks of ranks with their sums of uncertain gains; sums that reach the level `highest` may be left out."""
    step = traversal.step if way == "lattice" and traversal.step else 0.0
    steps = lattice_steps(traversal.gains, step) if step else np.zeros(len(traversal.gains), dtype=int)
    most = _most(traversal, steps, highest, step)
    at_once = max(CELLS // (most + 1 if step else 1 << len(traversal.gains)), 1)
    for begin in range(0, len(traversal.rank), at_once):
        rows = slice(begin, begin + at_once)
        stay, move = (np.ascontiguousarray(pages[rows].T) for pages in (missed, seen))
        fresh = None if new is None else np.ascontiguousarray(new[rows].T)
        yield rows, _lattice(stay, move, steps, most, step) if step else _subsets(stay, move, fresh, traversal.gains)


def _most(traversal: Traversal, steps: IntArray, highest: float, step: float) -> int:
    """Return, in steps, the largest sum of uncertain gains that affects results below the level `highest`."""
    if not step or np.isinf(highest):
        return int(steps.sum())
    room = (highest - float(traversal.sure.min(initial=highest))) / step
    return min(int(steps.sum()), max(int(np.ceil(room - ROUNDING)), 0))


def lattice_steps(gains: FloatArray, step: float) -> IntArray:
    """Return each gain as a number of steps."""
    return np.round(gains / step).astype(int)


def _lattice(missed: FloatArray, seen: FloatArray, steps: IntArray, most: int, step: float) -> _Sums:
    """Return sums on a lattice, adding one target at a time, from `missed` and `seen` (n, k).

    f(x) <- missed * f(x) + seen * f(x - g). Small gains come first, to keep the table short.
    """
    f, reached = np.zeros((most + 1, missed.shape[1])), 0
    f[0] = 1.0
    for target in np.argsort(steps, kind="stable").tolist():
        g = int(steps[target])
        width = max(min(reached, most - g) + 1, 0)
        shifted = f[:width] * seen[target]
        f[: reached + 1] *= missed[target]
        f[g : g + width] += shifted
        reached = min(reached + g, most)
    return _Sums(np.asarray(np.arange(most + 1) * step), f, f[:0])


def _subsets(missed: FloatArray, seen: FloatArray, new: FloatArray | None, gains: FloatArray) -> _Sums:
    """Return the sums of all subsets of the targets with their probabilities, for any gains."""
    values, f = np.zeros(1), np.ones((1, missed.shape[1]))
    h = np.zeros_like(f) if new is not None else f[:0]
    for target, gain in enumerate(gains.tolist()):
        if new is not None:
            h = np.vstack([h * missed[target], h * seen[target] + f * new[target]])
        f = np.vstack([f * missed[target], f * seen[target]])
        values = np.append(values, values + gain)
    return _Sums(values, f, h)


def _normal_below(traversal: Traversal, levels: FloatArray) -> FloatArray:
    """Return `below` (K, L) for a normal distribution of equal mean and variance; it never rises with the rank."""
    mean, variance = traversal.expected, (traversal.chance * (1 - traversal.chance)) @ traversal.gains**2
    z = _corrected(traversal, levels) - mean[:, None]
    return np.asarray(np.minimum.accumulate(_normal(z, np.sqrt(variance)[:, None], ROUNDING * traversal.total), axis=0))


def _corrected(traversal: Traversal, levels: FloatArray) -> FloatArray:
    """Return each level with continuity correction: half a step below the lowest sum that reaches the level.

    Levels are unchanged if gains have no step.
    """
    if not traversal.step:
        return levels
    return np.asarray(traversal.step * (np.ceil(levels / traversal.step - ROUNDING) - 0.5))


def _normal(z: FloatArray, deviation: FloatArray, rounding: float) -> FloatArray:
    """Return P(X < level) of a normal X for z = level - mean; a step function of z if the deviation is 0."""
    varies = np.broadcast_to(deviation > 0, z.shape)
    scaled = np.divide(z, np.broadcast_to(deviation, z.shape), out=np.zeros(z.shape), where=varies)
    return np.where(varies, special.ndtr(scaled), (z > rounding).astype(float))


def _normal_news(traversal: Traversal, worth: StepCurve) -> FloatArray:
    """Return the (K,) expected sums of `news` if the gain of all other targets is normally distributed."""
    new = traversal.chance - traversal.earlier
    variances = traversal.chance * (1 - traversal.chance) * traversal.gains**2
    means = traversal.chance * traversal.gains
    rank, target = np.nonzero(new > 0)
    rest = traversal.expected[rank] - means[rank, target] + traversal.gains[target]
    spread = variances.sum(axis=1)[rank] - variances[rank, target]
    drawn = new[rank, target] * _expected_worth(traversal, worth, rest, spread)
    sure = traversal.sure_news * _expected_worth(traversal, worth, traversal.expected, variances.sum(axis=1))
    return np.asarray(np.bincount(rank, drawn, minlength=len(traversal.rank)) + sure)


def _expected_worth(traversal: Traversal, worth: StepCurve, mean: FloatArray, variance: FloatArray) -> FloatArray:
    """Return E[worth(Y)] for normal Y: worth at each level, times the probability of the interval that it ends."""
    levels = worth.levels
    z = _corrected(traversal, levels) + (traversal.step or 0.0) - mean[:, None]
    deviation = np.sqrt(np.maximum(variance, 0.0))[:, None]
    up_to = _normal(z, deviation, -ROUNDING * traversal.total)
    up_to[:, -1:] = 1.0
    return np.asarray(np.diff(up_to, prepend=0.0, axis=1) @ worth.at(levels))
