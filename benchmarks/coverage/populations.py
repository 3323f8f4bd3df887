"""Populations of topics whose truth is known: finite tables of scores, of which topics are drawn with replacement.

The true mean of a system is its mean over the table, so it is known exactly, of real topics as of invented ones. Two
measures of the same systems are two tables with the same topics in their rows. Shapes: T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray

TOPICS = 20_000  # of an invented population


@dataclass(frozen=True, eq=False)
class Population:
    """Topics x systems for each measure; all have the same topics and systems."""

    name: str
    scores: tuple[FloatArray, ...]

    @property
    def systems(self) -> list[str]:
        return [f"s{at}" for at in range(self.scores[0].shape[1])]

    @property
    def means(self) -> tuple[FloatArray, ...]:
        """(S,) the true means by each measure; what differs by rounding alone is equal."""
        return tuple(np.round(table.mean(axis=0), 12) for table in self.scores)

    def draw(self, n_topics: int, random: np.random.Generator) -> tuple[pd.DataFrame, ...]:
        """The scores on as many topics, drawn with replacement; the same ones for every measure."""
        drawn = random.integers(0, len(self.scores[0]), n_topics)
        names = [f"t{at}" for at in range(n_topics)]
        return tuple(pd.DataFrame(table[drawn], names, self.systems) for table in self.scores)


def spaced(n_systems: int, gap: float, noise: float = 0.2, seed: int = 0, shape: str = "normal") -> Population:
    """Systems whose means lie `gap` apart (0: all equal), each with noise of its own on every topic.

    `shape`: the distribution of the noise, one of SHAPES; all have mean 0 and standard deviation `noise`.
    """
    random = np.random.default_rng(seed)
    values = noise * SHAPES[shape](random, (TOPICS, n_systems))
    values += random.normal(0.4, 0.15, (TOPICS, 1))  # how hard each topic is for all
    target = 0.5 - gap * np.arange(n_systems)
    name = f"{n_systems} systems {f'{gap:g} apart' if gap else 'that are equal'}, {shape} noise"
    return Population(name, (values - values.mean(axis=0) + target,))


def with_gaps(population: Population, share: float, seed: int = 0) -> Population:
    """The same with this share of the scores missing at random."""
    random = np.random.default_rng(seed)
    tables = (np.where(random.random(table.shape) < share, np.nan, table) for table in population.scores)
    return Population(f"{population.name}, {share:.0%} missing", tuple(tables))


def at_least(population: Population, score: float) -> Population:
    """The same with lower scores raised to this one."""
    tables = tuple(np.maximum(table, score) for table in population.scores)
    return Population(f"{population.name}, none below {score:g}", tables)


def mostly_one(n_systems: int, share: float = 0.9, seed: int = 0) -> Population:
    """Systems that score 1 on so many topics, and anything on the others: few topics may all be alike."""
    random = np.random.default_rng(seed)
    low = random.random((TOPICS, n_systems))
    scores = np.where(random.random((TOPICS, n_systems)) < share, 1.0, low)
    return Population(f"{n_systems} systems that score 1 on {share:.0%} of topics", (scores,))


def half_steady(n_systems: int, share: float = 0.6, seed: int = 0) -> Population:
    """Equal systems, every second one much the same on all topics, the others 0 on so many and high on the rest.

    By few topics one of those may be 0 on all: the more systems, the likelier.
    """
    random = np.random.default_rng(seed)
    high = np.where(random.random((TOPICS, n_systems)) < share, 0.0, random.uniform(0.5, 1.0, (TOPICS, n_systems)))
    steady = random.uniform(-0.05, 0.05, (TOPICS, n_systems))
    values = np.where(np.arange(n_systems) % 2, high, steady)
    name = f"{n_systems} systems that are equal, half of them 0 on {share:.0%} of topics"
    return Population(name, (values - values.mean(axis=0) + 0.3,))


def rarely_apart(share: float = 0.1, seed: int = 0) -> Population:
    """Two equal systems of which one is far ahead on a few topics, and a little behind on all others.

    Few topics cannot tell that: they often hold none of those that make the two equal.
    """
    random = np.random.default_rng(seed)
    lead = np.where(random.random(TOPICS) < share, random.random(TOPICS), 0.0) + random.normal(0, 0.02, TOPICS)
    scores = np.column_stack([0.5 + lead - lead.mean(), np.full(TOPICS, 0.5)])
    return Population(f"2 systems that are equal, far apart on {share:.0%} of topics", (scores,))


def _normal(random: np.random.Generator, size: tuple[int, int]) -> FloatArray:
    return random.standard_normal(size)


def _skewed(random: np.random.Generator, size: tuple[int, int]) -> FloatArray:
    """Exponential: most topics a little below the mean, a few far above."""
    return random.exponential(size=size) - 1.0


def _spread(random: np.random.Generator, size: tuple[int, int]) -> FloatArray:
    """Normal, of standard deviations from a quarter of each other to four times: some systems are far noisier."""
    own = np.exp(random.uniform(-1, 1, size[1]))
    return random.standard_normal(size) * own / np.sqrt(np.mean(own**2))


def _zeros(random: np.random.Generator, size: tuple[int, int]) -> FloatArray:
    """0 on two topics of three, and uniform on the others: scores such as reciprocal ranks have many zeros."""
    values = np.where(random.random(size) < 2 / 3, 0.0, random.random(size))
    return (values - 1 / 6) / np.sqrt(1 / 9 - 1 / 36)


SHAPES: dict[str, Callable[[np.random.Generator, tuple[int, int]], FloatArray]] = {
    "normal": _normal,
    "skewed": _skewed,
    "uneven": _spread,
    "zeros": _zeros,
}


def two_measures(
    n_systems: int,
    gap: float,
    agreement: float = 0.9,
    noise: float = 0.2,
    seed: int = 0,
    shared: float | None = None,
    teams: int = 0,
    within: float = 0.1,
) -> Population:
    """Two measures of the same systems: their true means agree up to `agreement`, their topics' noises up to `shared`.

    The means are normal with standard deviation `gap` times n_systems / 4, correlated by `agreement` between measures.
    `shared` is the agreement where it is not given. Systems of the same of several `teams` differ by `within` of that
    deviation, 0: not at all, and share nine tenths of the variance of their noise.
    """
    random = np.random.default_rng(seed)
    spread, topics = gap * n_systems / 4, TOPICS // 4
    shared = agreement if shared is None else shared
    quality = _agreeing(random, (n_systems,), agreement)
    own = _agreeing(random, (topics, n_systems), shared)
    if teams:
        team = random.integers(0, teams, n_systems)
        quality = _agreeing(random, (teams,), agreement)[:, team] + within * quality
        own = np.sqrt(0.9) * _agreeing(random, (topics, teams), shared)[:, :, team] + np.sqrt(0.1) * own
    values = noise * own
    tables = values - values.mean(axis=1, keepdims=True) + 0.5 + spread * quality[:, None]
    of_teams = f" of {teams} teams, {within:g} as far apart within one" if teams else ""
    name = f"{n_systems} systems{of_teams}, spread {spread:g}, measures agree by {agreement:g}, noise by {shared:g}"
    return Population(name, tuple(tables))


def factors(n_systems: int, count: int, gap: float, share: float = 0.9, seed: int = 0) -> Population:
    """Two measures of systems whose noise is, by this share of its variance, that of few factors of topics.

    Each system hangs on every factor in its own way, by both measures alike: what a topic does to one tells what it
    does to the others. The means are as those of `two_measures` that agree by 0.9.
    """
    random = np.random.default_rng(seed)
    spread, topics = gap * n_systems / 4, TOPICS // 4
    quality = _agreeing(random, (n_systems,), 0.9)
    common = random.standard_normal((topics, count)) @ random.standard_normal((count, n_systems)) / np.sqrt(count)
    own = random.standard_normal((2, topics, n_systems))
    values = 0.2 * (np.sqrt(share) * common + np.sqrt(1 - share) * own)
    tables = values - values.mean(axis=1, keepdims=True) + 0.5 + spread * quality[:, None]
    name = f"{n_systems} systems, spread {spread:g}, {share:.0%} of the noise is of {count} factors"
    return Population(name, tuple(tables))


def _agreeing(random: np.random.Generator, size: tuple[int, ...], agreement: float) -> FloatArray:
    """(2, ...) normal numbers, correlated between the two."""
    values = random.standard_normal((2, *size))
    values[1] = agreement * values[0] + np.sqrt(1 - agreement**2) * values[1]
    return values


def real(folder: Path, measures: Sequence[str]) -> Population:
    """The topics of a collection, taken for the population, by some measures."""
    import evalcore as ec

    collection = ec.load(folder)
    frames = [ec.evaluate(ec.parse(text), collection) for text in measures]
    return Population(f"{folder.name} by {' and '.join(measures)}", tuple(f.to_numpy(dtype=float) for f in frames))
