"""Letters for groups: two systems with a common letter are not separable, and two without a common letter are.

Systems that are not separable do not fall into disjoint groups: a may not be separable from b, nor b from c, while a is
separable from c. A *compact letter display* (Piepho 2004, doi 10.1198/1061860043515) shows all of this with letters.
Here each letter is a clique of the graph of pairs that are not separable, and the letters cover all its edges (Gramm et
al. 2007, doi 10.1016/j.csda.2006.09.035): starting with the best system, a pair that no letter covers yet begins a
letter, and all systems that are not separable from any of its members join it, best first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_lowercase

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.rounding import less


def sharing(inseparable: BoolArray) -> list[tuple[int, ...]]:
    """Return the members of each letter from the pairs (S, S) that are not separable; every system gets a letter.

    >>> sharing(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    near = inseparable | np.eye(len(inseparable), dtype=bool)
    joins = _sets(near)
    covered = np.zeros(near.shape, dtype=np.int64)
    groups = []
    for system in range(len(near)):
        while (lacking := near[system] & (covered[system] == 0)).any():
            lacking[system] = False
            group = _grown(joins, system, int(lacking.argmax()) if lacking.any() else system)
            covered[np.ix_(group, group)] += 1
            groups.append(group)
    return [tuple(group) for group in _needed(groups, covered)]


def letters_of_pairs(systems: Sequence[str], pairs: pd.DataFrame, alpha: float) -> pd.Series:
    """Return the letters of each system: two systems share a letter exactly if p of their pair is not below `alpha`.

    `systems` are ordered best first. `pairs` has system_a, system_b and p, as returned by `corrected_pairs` or
    `tukey_p`; a pair whose p is nan does not count as different.

    >>> pairs = pd.DataFrame({"system_a": ["x", "x", "y"], "system_b": ["y", "z", "z"], "p": [0.2, 0.001, 0.3]})
    >>> letters_of_pairs(["x", "y", "z"], pairs, 0.05).to_dict()
    {'x': 'a', 'y': 'a b', 'z': 'b'}
    """
    index = pd.Index(systems)
    a, b = (index.get_indexer(pd.Index(pairs[name])) for name in ("system_a", "system_b"))
    near = np.eye(len(index), dtype=bool)
    near[a, b] = near[b, a] = ~less(pairs["p"].to_numpy(), alpha)
    return pd.Series(letters_of(sharing(near), len(index)), index)


def letters_of(groups: Sequence[Sequence[int]], count: int) -> list[str]:
    """Return the letters of each of `count` systems, separated by spaces; a group has the indices of its members.

    >>> letters_of([(0, 1), (1, 2)], 3)
    ['a', 'a b', 'b']
    """
    own: list[list[str]] = [[] for _ in range(count)]
    for at, group in enumerate(groups):
        for system in group:
            own[system].append(letter(at))
    return [" ".join(letters) for letters in own]


def _sets(near: BoolArray) -> list[int]:
    """Encode each row as a whole number with one bit per column, lowest first, to intersect sets of systems quickly."""
    return [int.from_bytes(row, "little") for row in map(bytes, np.packbits(near, axis=1, bitorder="little"))]


def _grown(joins: Sequence[int], system: int, other: int) -> list[int]:
    """Return the members of a clique grown from two systems: systems inseparable from all members join in order."""
    members = {system, other}
    left = joins[system] & joins[other] & ~(1 << system) & ~(1 << other)
    while left:
        new = (left & -left).bit_length() - 1
        members.add(new)
        left &= joins[new] & ~(1 << new)
    return sorted(members)


def _needed(groups: list[list[int]], covered: IntArray) -> Iterator[list[int]]:
    """Yield the groups, except groups whose pairs are all in other groups; later groups are dropped first."""
    kept = []
    np.fill_diagonal(covered, len(groups) + 2)
    for group in reversed(groups):
        pairs = np.ix_(group, group)
        if len(group) > 1 and (covered[pairs] > 1).all():
            covered[pairs] -= 1
        else:
            kept.append(group)
    return reversed(kept)


@cache
def letter(at: int) -> str:
    """Return the letter at a position, counted from 0: a to z, then aa, ab, ...

    >>> letter(0), letter(26)
    ('a', 'aa')
    """
    before, last = divmod(at, len(ascii_lowercase))
    return (letter(before - 1) if before else "") + ascii_lowercase[last]
