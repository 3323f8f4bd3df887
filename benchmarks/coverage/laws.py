"""Laws by which the scores of equal systems fall, topic after topic: alike, or of some systems wider than of others.

By each law all systems have the same true mean and the same true mean rank, so whatever is found to differ is wrong.
Shapes: T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray, IntArray

NOISE = 0.2
GAINS = (0.2, 0.25, 1 / 3, 0.5, 1.0)  # reciprocal ranks
TEAM = 5  # systems that are variants of one
LIKENESS = 0.9  # of the variance of a variant, what it shares with the others of its team

Random = np.random.Generator


@dataclass(frozen=True)
class Law:
    """How the scores of equal systems fall."""

    name: str
    scores: Callable[[Random, int, int], FloatArray]  # (T, S) of T and S

    def draw(self, n_topics: int, n_systems: int, random: Random) -> pd.DataFrame:
        """A frame of topics x systems."""
        values = self.scores(random, n_topics, n_systems)
        return pd.DataFrame(values, _named("t", n_topics), _named("s", n_systems))


def _named(letter: str, count: int) -> list[str]:
    return [f"{letter}{at}" for at in range(count)]


def _hard(random: Random, topics: int) -> FloatArray:
    """(T, 1) how well all systems do on each topic."""
    return random.normal(0.4, 0.15, (topics, 1))


def _normal(random: Random, topics: int, systems: int) -> FloatArray:
    return _hard(random, topics) + NOISE * random.standard_normal((topics, systems))


def _mostly_zero(random: Random, topics: int, systems: int) -> FloatArray:
    zero = random.random((topics, systems)) < 2 / 3
    return np.where(zero, 0.0, random.choice(GAINS, (topics, systems)))


def _tied(random: Random, topics: int, systems: int) -> FloatArray:
    return random.binomial(5, np.clip(_hard(random, topics), 0.02, 0.98), (topics, systems)) / 5


def _uneven(random: Random, topics: int, systems: int) -> FloatArray:
    own = NOISE * np.exp(np.linspace(-1, 1, systems))
    return np.asarray(_hard(random, topics) + own * random.standard_normal((topics, systems)))


def _one_noisy(random: Random, topics: int, systems: int) -> FloatArray:
    own = NOISE / 2 * np.where(np.arange(systems) == 0, 4.0, 1.0)
    return np.asarray(_hard(random, topics) + own * random.standard_normal((topics, systems)))


def _variants(random: Random, topics: int, systems: int) -> FloatArray:
    return _in_teams(random, topics, np.arange(systems) // TEAM)


def _one_beside(random: Random, topics: int, systems: int) -> FloatArray:
    return _in_teams(random, topics, np.minimum(np.arange(systems), 1))


def _in_teams(random: Random, topics: int, team: IntArray) -> FloatArray:
    shared = random.standard_normal((topics, int(team.max()) + 1))[:, team]
    own = random.standard_normal((topics, len(team)))
    return np.asarray(_hard(random, topics) + NOISE * (np.sqrt(LIKENESS) * shared + np.sqrt(1 - LIKENESS) * own))


LAWS = (
    Law("normal noise", _normal),
    Law("0 on two topics of three", _mostly_zero),
    Law("six values, as of P@5", _tied),
    Law("uneven noise", _uneven),
    Law("one with four times the noise", _one_noisy),
    Law(f"variants, {TEAM} of each", _variants),
    Law("one beside variants of another", _one_beside),
)


def of_each_size(sizes: Sequence[tuple[int, Sequence[int]]]) -> Iterator[tuple[Law, int, int]]:
    """Every law, with so many systems on each number of topics."""
    for systems, some_topics in sizes:
        for topics in some_topics:
            for law in LAWS:
                yield law, systems, topics
