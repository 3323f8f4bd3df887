"""Gains of users from newly seen components, at every rank of many lists at once, if gains are multiples of a step.

From one rank to the next, the probabilities of only a few targets change. So the worth of every sum of gains is first
averaged over the targets whose probability is constant in a long stretch of ranks, once for the whole stretch. Each
quarter of the stretch then averages over the targets that are constant there, and so on down to single ranks, where
only new targets are left. Each average leaves a shorter table, for the sums of the remaining targets.

Shapes: K ranks of concatenated lists; n targets; W sums, from 0 to the sum of all targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray

PARTS = 4  # of a stretch: two would need more steps, many would make each step longer
FEW = 3  # stretches are copied out first if fewer than one in FEW is averaged
CELLS = 1 << 20  # part of a table in work at a time


def expected_news(
    chance: FloatArray, fresh: FloatArray, place: IntArray, steps: IntArray, worth: FloatArray
) -> FloatArray:
    """Return, for each rank (K,), the expected sum over targets first seen there of the worth of the gain reached.

    `chance` (K, n) is the probability that a target has been seen by a rank, `fresh` (K, n) that it is first seen
    there; `place` (K,) counts the ranks of the same list before this rank; `steps` (n,) are the gains of targets,
    ascending; `worth` (W,) is the worth of each sum.

    >>> seen, new = np.array([[0.5], [1.0]]), np.array([[0.5], [0.5]])
    >>> expected_news(seen, new, np.arange(2), np.array([1]), np.array([0.0, 10.0]))
    array([5., 5.])
    """
    stretches = list(_stretches(fresh > 0, place))
    widths = [_width(open_ones, steps) for _, open_ones in stretches]
    tables = zip(stretches, [*widths[1:], len(worth)], strict=True)
    if len(place) > 1 and max(len(starts) * width for (starts, _), width in tables) > CELLS:
        half = len(place) // 2
        first = expected_news(chance[:half], fresh[:half], place[:half], steps, worth)
        rest = np.append(0, place[half + 1 :])
        return np.append(first, expected_news(chance[half:], fresh[half:], rest, steps, worth))
    above, open_above, table = np.zeros(1, dtype=int), np.ones((1, len(steps)), dtype=bool), worth[:, None]
    some = chance > 0
    for (starts, open_ones), width in zip(reversed(stretches), reversed(widths), strict=True):
        parent = np.searchsorted(above, starts, side="right") - 1
        closed = open_above[parent] & ~open_ones & some[starts]
        table = _averaged(table[:, parent], closed, chance, starts, steps)[:width]
        above, open_above = starts, open_ones
    return _newly(table, chance, fresh, steps)


def _stretches(new: BoolArray, place: IntArray) -> Iterator[tuple[IntArray, BoolArray]]:
    """Yield stretches of 1, 4, 16 ... ranks, up to whole lists: beginnings (k,), and a mask (k, n) of new targets."""
    starts, size = np.arange(len(place)), 1
    yield starts, new
    while size <= place.max(initial=0):
        size *= PARTS
        first = np.flatnonzero(place[starts] % size == 0)
        starts, new = starts[first], np.logical_or.reduceat(new, first, axis=0)
        yield starts, new


def _width(open_ones: BoolArray, steps: IntArray) -> int:
    """Return the largest number of possible sums, 0 included, of the targets `open_ones` (k, n) of any stretch."""
    return int((open_ones.astype(np.float32) @ steps.astype(np.float32)).max(initial=0)) + 1


def _averaged(
    table: FloatArray, closed: BoolArray, chance: FloatArray, starts: IntArray, steps: IntArray
) -> FloatArray:
    """Return the expected worth of sums (w, k), with each of the `closed` targets (k, n) seen with its probability."""
    for step, at, targets in _one_of_each(closed, steps):
        seen = chance[starts[at], targets]
        if FEW * len(at) < len(starts):
            table[:, at] = _averaged_over(table[:, at], seen, step)
        else:
            every = np.zeros(len(starts))
            every[at] = seen
            table = _averaged_over(table, every, step)
    return table


def _averaged_over(table: FloatArray, seen: FloatArray, step: int) -> FloatArray:
    """Return (1 - p) f(x) + p f(x + step) for the table f and the probabilities p, `seen`; the table is overwritten."""
    more = table[step:] * seen
    table *= 1 - seen
    table[:-step] += more
    return table


def _newly(table: FloatArray, chance: FloatArray, fresh: FloatArray, steps: IntArray) -> FloatArray:
    """Return the (K,) sums over new targets of the expected worth, with the other new targets seen by chance."""
    news, new = np.zeros(len(chance)), fresh > 0
    count = np.count_nonzero(new, axis=1)
    at = np.flatnonzero(count == 1)
    target = new[at].argmax(axis=1)
    news[at] = fresh[at, target] * table[steps[target], at]
    at = np.flatnonzero(count > 1)
    several, added = table[:, at], np.zeros((len(table), len(at)))
    for step, within, targets in _one_of_each(new[at], steps):
        seen, worth = chance[at[within], targets], several[:, within]
        more = _averaged_over(added[:, within], seen, step)
        more[:-step] += fresh[at[within], targets] * worth[step:]
        added[:, within], several[:, within] = more, _averaged_over(worth, seen, step)
    news[at] = added[0]
    return news


def _one_of_each(which: BoolArray, steps: IntArray) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Yield the targets in the mask `which` (k, n) in groups of equal gain: the gain, the rows and the target indices.

    A group has at most one target of a row.
    """
    row, target = np.divmod(np.flatnonzero(which), which.shape[1])
    step = steps[target]
    begins = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(step, prepend=-1))
    nth = np.arange(len(row)) - np.repeat(begins, np.diff(np.append(begins, len(row))))
    group = step * (nth.max(initial=0) + 1) + nth
    order = np.argsort(group, kind="stable")
    row, target, step = row[order], target[order], step[order]
    for begin, end in pairwise([*np.flatnonzero(np.diff(group[order], prepend=-1)).tolist(), len(row)]):
        yield int(step[begin]), row[begin:end], target[begin:end]
