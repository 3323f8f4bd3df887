"""Populations of topics with known truth.

`Population` is a finite table of scores from which topics are drawn with replacement: a system's true mean is its mean
over the table, for real and for invented topics. Two measures of the same systems are two tables with the same topics
as rows. `Law` draws the scores of equal systems anew for each sample. Shapes: T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray

TOPICS = 20_000  # topics of an invented population
NOISE = 0.2
Random = np.random.Generator


def _frame(values: FloatArray) -> pd.DataFrame:
    topics, systems = values.shape
    return pd.DataFrame(values, [f"t{at}" for at in range(topics)], [f"s{at}" for at in range(systems)])


@dataclass(frozen=True, eq=False)
class Population:
    """Scores of topics x systems for each measure; all measures have the same topics and systems."""

    name: str
    scores: tuple[FloatArray, ...]

    @property
    def size(self) -> int:
        return self.scores[0].shape[1]

    @property
    def systems(self) -> list[str]:
        return [f"s{at}" for at in range(self.size)]

    @property
    def means(self) -> tuple[FloatArray, ...]:
        """True means under each measure, (S,); means that differ only by rounding are made equal."""
        return tuple(np.round(table.mean(axis=0), 12) for table in self.scores)

    def draw(self, topics: int, random: Random) -> tuple[pd.DataFrame, ...]:
        """Return the scores on topics drawn with replacement, the same topics for every measure."""
        drawn = random.integers(0, len(self.scores[0]), topics)
        return tuple(_frame(table[drawn]) for table in self.scores)


# --- one measure ------------------------------------------------------------------------------------------------------


def _skewed(random: Random, size: tuple[int, ...]) -> FloatArray:
    """Return exponential noise: most topics are a little below the mean, a few far above."""
    return random.exponential(size=size) - 1.0


def _uneven(random: Random, size: tuple[int, ...]) -> FloatArray:
    """Return normal noise, with standard deviations of systems that differ by up to a factor of about seven."""
    own = np.exp(random.uniform(-1, 1, size[1]))
    return random.standard_normal(size) * own / np.sqrt(np.mean(own**2))


def _zeros(random: Random, size: tuple[int, ...]) -> FloatArray:
    """Return noise of scores that are 0 on two topics out of three and uniform on the rest, like reciprocal ranks."""
    values = np.where(random.random(size) < 2 / 3, 0.0, random.random(size))
    return (values - 1 / 6) / np.sqrt(1 / 9 - 1 / 36)


SHAPES: dict[str, Callable[[Random, tuple[int, ...]], FloatArray]] = {
    "normal": lambda random, size: random.standard_normal(size),
    "skewed": _skewed,
    "uneven": _uneven,
    "zeros": _zeros,
}
"""Noise of a system on a topic, with mean 0 and standard deviation 1, by the name of its distribution."""


def spaced(systems: int, gap: float, noise: float = NOISE, seed: int = 0, shape: str = "normal") -> Population:
    """Return systems whose means are `gap` apart (0: all equal), each with its own noise on every topic."""
    random = np.random.default_rng(seed)
    values = noise * SHAPES[shape](random, (TOPICS, systems))
    values += random.normal(0.4, 0.15, (TOPICS, 1))  # difficulty of each topic
    name = f"{systems} systems {f'{gap:g} apart' if gap else 'that are equal'}, {shape} noise"
    return Population(name, (values - values.mean(axis=0) + 0.5 - gap * np.arange(systems),))


def with_gaps(population: Population, share: float) -> Population:
    """Return the same population with a share of the scores missing (nan) at random."""
    random = np.random.default_rng(0)
    tables = (np.where(random.random(table.shape) < share, np.nan, table) for table in population.scores)
    return Population(f"{population.name}, {share:.0%} missing", tuple(tables))


def at_least(population: Population, score: float) -> Population:
    """Return the same population with scores below `score` raised to it."""
    tables = tuple(np.maximum(table, score) for table in population.scores)
    return Population(f"{population.name}, none below {score:g}", tables)


def in_steps(population: Population, steps: int = 5) -> Population:
    """Return the population with scores rounded to `steps` steps from 0 to 1, like P@5; this changes the true means."""
    tables = tuple(np.clip(np.round(table * steps), 0, steps) / steps for table in population.scores)
    return Population(f"{population.name}, six values", tables)


def mostly_one(systems: int, share: float = 0.9) -> Population:
    """Return systems that score 1 on a share of topics and uniformly on the rest; on few topics all may be tied."""
    random = np.random.default_rng(0)
    low = random.random((TOPICS, systems))
    scores = np.where(random.random((TOPICS, systems)) < share, 1.0, low)
    return Population(f"{systems} systems that score 1 on {share:.0%} of topics", (scores,))


def half_steady(systems: int, share: float = 0.6) -> Population:
    """Return equal systems: every second one scores 0 on a share of topics, else high; the others hardly vary."""
    random = np.random.default_rng(0)
    high = np.where(random.random((TOPICS, systems)) < share, 0.0, random.uniform(0.5, 1.0, (TOPICS, systems)))
    values = np.where(np.arange(systems) % 2, high, random.uniform(-0.05, 0.05, (TOPICS, systems)))
    name = f"{systems} systems that are equal, half of them 0 on {share:.0%} of topics"
    return Population(name, (values - values.mean(axis=0) + 0.3,))


def rare_successes(systems: int) -> Population:
    """Return the population of `half_steady` with scores of 0 on 85 % of topics, so that few topics decide."""
    return half_steady(systems, 0.85)


def some_zeros(systems: int) -> Population:
    """Return equal systems that score 0 on a share of topics (from 0 to 80 %) and uniformly on the others."""
    random, share = np.random.default_rng(0), np.linspace(0, 0.8, systems)
    values = np.where(random.random((TOPICS, systems)) < share, 0.0, random.random((TOPICS, systems)) / (1 - share))
    name = f"{systems} systems that are equal, with zeros on 0% to 80% of topics"
    return Population(name, (0.3 * values / values.mean(axis=0),))


def rarely_apart(share: float = 0.1) -> Population:
    """Return two equal systems: one is far ahead on a few topics, and slightly behind on all others."""
    random = np.random.default_rng(0)
    lead = np.where(random.random(TOPICS) < share, random.random(TOPICS), 0.0) + random.normal(0, 0.02, TOPICS)
    scores = np.column_stack([0.5 + lead - lead.mean(), np.full(TOPICS, 0.5)])
    return Population(f"2 systems that are equal, far apart on {share:.0%} of topics", (scores,))


def one_unlike(shape: str) -> Population:
    """Return three equal systems; the noise of the first has a different shape, so differences are not symmetric."""
    one, others = (spaced(3, 0.0, seed=at, shape=kind).scores[0] for at, kind in enumerate((shape, "normal")))
    return Population(f"3 systems that are equal, one {shape} among normal", (np.c_[one[:, :1], others[:, 1:]],))


def real(folder: Path, measures: Sequence[str], name: str = "") -> Population:
    """Return the topics of a real collection as a population, with the scores of these measures."""
    import evalcore as ec

    collection = ec.load(folder)
    frames = [ec.evaluate(ec.parse(text), collection) for text in measures]
    named = f"{folder.name}, {name}" if name else f"{folder.name} by {' and '.join(measures)}"
    return Population(named, tuple(frame.to_numpy(dtype=float) for frame in frames))


def collections(data: Path | None, *wanted: str) -> Iterator[Path]:
    """Yield the wanted folders of real data that exist."""
    yield from (data / name for name in wanted if data and (data / name).is_dir())


# --- two or more measures ---------------------------------------------------------------------------------------------


def two_measures(
    systems: int,
    gap: float,
    agreement: float = 0.9,
    seed: int = 0,
    shared: float | None = None,
    teams: int = 0,
    within: float = 0.1,
) -> Population:
    """Return two measures of the same systems: their true means have the correlation `agreement`, their noise `shared`.

    True means are normal with standard deviation `gap` times S / 4. Systems of a team differ by `within` times that
    deviation, and share nine tenths of the variance of their noise.
    """
    random = np.random.default_rng(seed)
    spread, topics = gap * systems / 4, TOPICS // 4
    shared = agreement if shared is None else shared
    quality, own = _agreeing(random, (systems,), agreement), _agreeing(random, (topics, systems), shared)
    if teams:
        team = random.integers(0, teams, systems)
        quality = _agreeing(random, (teams,), agreement)[:, team] + within * quality
        own = np.sqrt(0.9) * _agreeing(random, (topics, teams), shared)[:, :, team] + np.sqrt(0.1) * own
    of_teams = f" of {teams} teams, {within:g} as far apart within one" if teams else ""
    name = f"{systems} systems{of_teams}, spread {spread:g}, measures agree by {agreement:g}, noise by {shared:g}"
    return Population(name, _around(0.5 + spread * quality, NOISE * own))


def factors(systems: int, count: int, gap: float, share: float = 0.9, seed: int = 0) -> Population:
    """Return two measures of systems; `count` random factors of topics give `share` of the noise variance."""
    random = np.random.default_rng(seed)
    spread, topics = gap * systems / 4, TOPICS // 4
    quality = _agreeing(random, (systems,), 0.9)
    common = random.standard_normal((topics, count)) @ random.standard_normal((count, systems)) / np.sqrt(count)
    own = random.standard_normal((2, topics, systems))
    name = f"{systems} systems, spread {spread:g}, {share:.0%} of the noise is of {count} factors"
    return Population(
        name, _around(0.5 + spread * quality, NOISE * (np.sqrt(share) * common + np.sqrt(1 - share) * own))
    )


def settings(
    means: FloatArray, shape: str = "normal", name: str = "", agreement: float = 0.8, noise: float = NOISE
) -> Population:
    """Return systems with true `means` (N, S) under N values of a parameter.

    `agreement` is the correlation of a system's noise under two of these values.
    """
    random = np.random.default_rng(means.size)
    size = (TOPICS, means.shape[1])
    shared = SHAPES[shape](random, size)
    own = np.array([np.sqrt(1 - agreement) * SHAPES[shape](random, size) for _ in means])
    values = noise * (np.sqrt(agreement) * shared + own) + random.normal(0.4, 0.15, (TOPICS, 1))
    return Population(f"{size[1]} systems {name}, {shape} noise", _around(means, values))


def _around(means: FloatArray, values: FloatArray) -> tuple[FloatArray, ...]:
    """Return tables (T, S) with these means (N, S), from noise (N, T, S)."""
    return tuple(values - values.mean(axis=1, keepdims=True) + means[:, None])


def _agreeing(random: Random, size: tuple[int, ...], agreement: float) -> FloatArray:
    """Return two arrays of standard normal numbers, (2, ...), whose correlation is `agreement`."""
    values = random.standard_normal((2, *size))
    values[1] = agreement * values[0] + np.sqrt(1 - agreement**2) * values[1]
    return values


# --- laws: equal systems, drawn anew ----------------------------------------------------------------------------------

GAINS = (0.2, 0.25, 1 / 3, 0.5, 1.0)  # reciprocal ranks
TEAM, LIKENESS = 5, 0.9  # systems of a team, and the share of variance in common


@dataclass(frozen=True)
class Law:
    """A distribution of the scores of equal systems: all have the same true mean and the same true mean rank."""

    name: str
    scores: Callable[[Random, int, int], FloatArray]  # returns (T, S), given T and S

    def draw(self, topics: int, systems: int, random: Random) -> pd.DataFrame:
        """Return scores, topics x systems."""
        return _frame(np.asarray(self.scores(random, topics, systems)))


@dataclass(frozen=True)
class Equal:
    """A number of systems with scores from a law; system s, counted from 0, gets `gap` times s added."""

    law: Law
    size: int
    gap: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.size} systems {f'{self.gap:g} apart' if self.gap else 'that are equal'}, {self.law.name}"

    def draw(self, topics: int, random: Random) -> tuple[pd.DataFrame, ...]:
        return (self.law.draw(topics, self.size, random) + self.gap * np.arange(self.size),)


def _hard(random: Random, topics: int) -> FloatArray:
    """Return how easy each topic is, (T, 1): a number added to the scores of all systems."""
    return random.normal(0.4, 0.15, (topics, 1))


def _noise(own: Callable[[int], FloatArray]) -> Callable[[Random, int, int], FloatArray]:
    """Return a function that draws scores (T, S) with normal noise.

    `own` maps S to the standard deviations of the systems' noise, relative to NOISE.
    """
    return lambda random, topics, systems: np.asarray(
        _hard(random, topics) + NOISE * own(systems) * random.standard_normal((topics, systems))
    )


def _mostly_zero(random: Random, topics: int, systems: int) -> FloatArray:
    zero = random.random((topics, systems)) < 2 / 3
    return np.where(zero, 0.0, random.choice(GAINS, (topics, systems)))


def _tied(random: Random, topics: int, systems: int) -> FloatArray:
    return random.binomial(5, np.clip(_hard(random, topics), 0.02, 0.98), (topics, systems)) / 5


def _in_teams(team_of: Callable[[IntArray], IntArray]) -> Callable[[Random, int, int], FloatArray]:
    def scores(random: Random, topics: int, systems: int) -> FloatArray:
        team = team_of(np.arange(systems))
        shared = random.standard_normal((topics, int(team.max()) + 1))[:, team]
        own = random.standard_normal((topics, systems))
        return np.asarray(_hard(random, topics) + NOISE * (np.sqrt(LIKENESS) * shared + np.sqrt(1 - LIKENESS) * own))

    return scores


LAWS = (
    Law("normal noise", _noise(np.ones)),
    Law("0 on two topics of three", _mostly_zero),
    Law("six values, as of P@5", _tied),
    Law("uneven noise", _noise(lambda systems: np.exp(np.linspace(-1, 1, systems)))),
    Law("one with four times the noise", _noise(lambda systems: 0.5 * np.where(np.arange(systems) == 0, 4.0, 1.0))),
    Law(f"variants, {TEAM} of each", _in_teams(lambda at: at // TEAM)),
    Law("one beside variants of another", _in_teams(lambda at: np.minimum(at, 1))),
)
