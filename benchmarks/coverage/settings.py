"""Which parameter moves the ranking: intervals of Sobol indices, on functions whose indices are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.coverage.measured import Measured, Subject
from evalcore.arrays import FloatArray
from evalcore.sensitivity.importances import FEWEST_POINTS, POINTS, indices_of, sobol_points

INDEX = Subject(
    "Sobol index of a parameter",
    "The 95% interval of an index covers what more and more settings would give.",
    "Student's t times 1 + D / 8 standard deviations of resampled base points of D parameters, and their percentiles "
    "(Saltelli et al. 2010); none of fewer than 64 points. `ec.sensitivity.importance`. It speaks of the settings that "
    "were drawn and not of the topics: the column topics counts base points.",
    "covers",
    0.95,
)
SUBJECTS = (INDEX,)
MANY = 400_000


@dataclass(frozen=True)
class Function:
    """A function of numbers from 0 to 1, as many as it has parameters."""

    name: str
    parameters: int
    of: Callable[[FloatArray], FloatArray]


FUNCTIONS = (
    Function("a sum of three parameters", 3, lambda x: x @ np.array([3.0, 1.0, 0.2])),
    Function("steps", 3, lambda x: (x[:, 0] > 0.3) + 0.5 * (x[:, 1] > 0.5) + ((x[:, 0] > 0.6) & (x[:, 2] > 0.8))),
    Function("Sobol's g, three parameters", 3, lambda x: _g(x, np.array([0.0, 1.0, 9.0]))),
    Function("Sobol's g, six parameters", 6, lambda x: _g(x, np.array([0.0, 0.5, 1.0, 3.0, 9.0, 99.0]))),
    Function("Ishigami's, three parameters", 3, lambda x: _ishigami(np.pi * (2 * x - 1))),
    Function(
        "four parameters with levels",
        4,
        lambda x: np.floor(x * [4, 3, 2, 5]) @ [0.3, 0.5, 0.0, 0.2] + (x[:, 2] > 0.5) * (x[:, 1] > 0.3),
    ),
    Function("a hill, eight parameters", 8, lambda x: np.exp(-((x - 0.5) ** 2) @ np.arange(1.0, 9.0))),
)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """First-order and total indices at the number of points that the app draws, and at the fewest with intervals."""
    for function in FUNCTIONS:
        truth = _truth(function, np.random.default_rng(seed))
        for points in (FEWEST_POINTS, POINTS):
            hits, width = np.zeros_like(truth), np.zeros_like(truth)
            for trial in range(trials):
                a, b, mixed = sobol_points(function.parameters, points, seed + trial)
                indices = indices_of(np.array([function.of(x) for x in (a, b, *mixed)], dtype=np.float64), seed + trial)
                hits += (indices[2:4] <= truth) & (truth <= indices[4:6])
                width += (indices[4:6] - indices[2:4]) / trials
            for at, kind in enumerate(("first", "total")):
                of = f"{kind} index, the worst parameter"
                worst = int(hits[at].argmin())
                times = int(hits[at][worst])
                yield Measured(INDEX, function.name, 0, points, of, times, trials, width=float(width[at][worst]))


def _g(x: FloatArray, a: FloatArray) -> FloatArray:
    return np.asarray(np.prod((np.abs(4 * x - 2) + a) / (1 + a), axis=1))


def _ishigami(x: FloatArray) -> FloatArray:
    return np.asarray(np.sin(x[:, 0]) * (1 + 0.1 * x[:, 2] ** 4) + 7 * np.sin(x[:, 1]) ** 2)


def _truth(function: Function, random: np.random.Generator) -> FloatArray:
    """(2, D) the indices, from very many points."""
    a, b = random.random((2, MANY, function.parameters))
    by_a, by_b = np.asarray(function.of(a), dtype=np.float64), np.asarray(function.of(b), dtype=np.float64)
    variance, rows = np.append(by_a, by_b).var(), []
    for parameter in range(function.parameters):
        mixed = a.copy()
        mixed[:, parameter] = b[:, parameter]
        by_mixed = function.of(mixed)
        rows.append((np.mean(by_b * (by_mixed - by_a)) / variance, np.mean((by_a - by_mixed) ** 2) / 2 / variance))
    return np.array(rows).T
