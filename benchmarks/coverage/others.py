"""Questions about the settings of a measure, which have populations of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.coverage.cells import Answer, Cell, Sample, within
from benchmarks.coverage.populations import Random
from evalcore.common.arrays import FloatArray
from evalcore.sensitivity.importances import FEWEST_POINTS, POINTS, indices_of, sobol_points

MANY = 400_000  # points from which an index is known


@dataclass(frozen=True)
class Function:
    """A function of numbers from 0 to 1, as many as it has parameters; points stand for topics."""

    name: str
    parameters: int
    of: Callable[[FloatArray], FloatArray]
    size: int = 0

    @cached_property
    def truth(self) -> FloatArray:
        """(2, D) the first-order and total indices, from very many points."""
        random, rows = np.random.default_rng(2026), []
        a, b = random.random((2, MANY, self.parameters))
        by_a, by_b = (np.asarray(self.of(points), dtype=np.float64) for points in (a, b))
        variance = np.append(by_a, by_b).var()
        for parameter in range(self.parameters):
            mixed = a.copy()
            mixed[:, parameter] = b[:, parameter]
            by_mixed = np.asarray(self.of(mixed), dtype=np.float64)
            rows.append([(by_b * (by_mixed - by_a)).mean() / variance, ((by_a - by_mixed) ** 2).mean() / 2 / variance])
        return np.array(rows).T

    def draw(self, points: int, random: Random) -> int:
        return points


def _g(x: FloatArray, a: tuple[float, ...]) -> FloatArray:
    return np.asarray(np.prod((np.abs(4 * x - 2) + a) / (1 + np.array(a)), axis=1))


def _ishigami(x: FloatArray) -> FloatArray:
    return np.asarray(np.sin(x[:, 0]) * (1 + 0.1 * x[:, 2] ** 4) + 7 * np.sin(x[:, 1]) ** 2)


FUNCTIONS = (
    Function("a sum of three parameters", 3, lambda x: x @ np.array([3.0, 1.0, 0.2])),
    Function("steps", 3, lambda x: (x[:, 0] > 0.3) + 0.5 * (x[:, 1] > 0.5) + ((x[:, 0] > 0.6) & (x[:, 2] > 0.8))),
    Function("Sobol's g, three parameters", 3, lambda x: _g(x, (0.0, 1.0, 9.0))),
    Function("Sobol's g, six parameters", 6, lambda x: _g(x, (0.0, 0.5, 1.0, 3.0, 9.0, 99.0))),
    Function("Ishigami's, three parameters", 3, lambda x: _ishigami(np.pi * (2 * x - 1))),
    Function(
        "four parameters with levels",
        4,
        lambda x: np.floor(x * [4, 3, 2, 5]) @ [0.3, 0.5, 0.0, 0.2] + (x[:, 2] > 0.5) * (x[:, 1] > 0.3),
    ),
    Function("a hill, eight parameters", 8, lambda x: np.exp(-((x - 0.5) ** 2) @ np.arange(1.0, 9.0))),
)


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield what is measured: which question of which population, at how many points or users."""
    yield from (Cell(index, function, points) for function in FUNCTIONS for points in (FEWEST_POINTS, POINTS))


def index(sample: Sample) -> Iterator[Answer]:
    """First-order and total indices of each parameter."""
    function, truth = sample.population, sample.population.truth
    a, b, mixed = sobol_points(function.parameters, sample.topics, sample.trial)
    found = indices_of(np.array([function.of(x) for x in (a, b, *mixed)], dtype=np.float64), sample.trial)
    for at, kind in enumerate(("first", "total")):
        for parameter in range(function.parameters):
            low, high = found[2 + at][parameter], found[4 + at][parameter]
            held = within(low, truth[at][parameter], high)
            yield Answer("Sobol index of a parameter", held, f"{kind} index, parameter {parameter + 1}", high - low)
