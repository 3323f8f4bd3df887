"""A cell of the table: one question about one population with one number of topics, simulated many times.

A question is a function of a `Sample`. It yields an `Answer` for each statement of the product that it checks. Every
question can be asked about every population that provides the data that the question needs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.stats import binomtest

NAN = float("nan")


@dataclass(frozen=True)
class Subject:
    """A statement that the product makes, and how it is checked (subjects.toml)."""

    name: str
    claim: str
    method: str  # how it is computed, with source and Python name
    kind: str  # covers: intervals contain the truth; errs: decisions are wrong; finds: true effects are found
    nominal: float

    @property
    def claimed(self) -> str:
        return f"{self.kind} {'at most ' if self.kind == 'errs' else ''}{self.nominal:.2f}"


_READ = tomllib.loads(Path(__file__).with_name("subjects.toml").read_text(encoding="utf-8"))
NOMINAL = {"covers": 0.95, "errs": 0.05}
SUBJECTS = {
    name: Subject(name, row["claim"], row["method"], row["kind"], row.get("nominal") or NOMINAL[row["kind"]])
    for name, row in _READ.items()
}


@dataclass(frozen=True)
class Measured:
    """The count of intervals that contained the truth, or of wrong decisions: a line of docs/doubt.csv."""

    subject: str
    population: str
    systems: int
    topics: int
    what: str  # "the best", "the median", or ""
    times: int
    trials: int  # trials with an answer
    refused: int = 0  # trials in which the product gave no answer
    width: float = NAN  # mean width of the intervals
    before: float = NAN  # share under a simpler method, if measured
    width_before: float = NAN

    @property
    def share(self) -> float:
        return self.times / self.trials if self.trials else NAN

    @property
    def bounds(self) -> tuple[float, float]:
        """The low and the high end of the exact binomial 99% interval of `share` (Clopper and Pearson 1934)."""
        if not self.trials:
            return 0.0, 1.0
        interval = binomtest(self.times, self.trials).proportion_ci(0.99, method="exact")
        return float(interval.low), float(interval.high)


class Answer(NamedTuple):
    """The outcome of checking one statement on one sample."""

    subject: str
    held: bool | None  # True if the interval contains the truth, or the decision is wrong; None without an answer
    what: str = ""
    width: float = NAN
    before: float = NAN
    width_before: float = NAN


class Population(Protocol):
    """A population with known truth, from which samples are drawn."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int:
        """Number of systems."""

    def draw(self, topics: int, random: np.random.Generator) -> Any:
        """Return a sample with this number of topics."""


@dataclass(frozen=True)
class Sample:
    """Topics drawn from a population with known truth: the data for a question."""

    population: Any
    drawn: Any
    topics: int
    random: np.random.Generator
    trial: int


Question = Callable[[Sample], Iterable[Answer]]


class Cell(NamedTuple):
    """A question about a population with a number of topics; slow questions get only a share of the trials."""

    question: Question
    population: Population
    topics: int
    share: float = 1.0


def simulate(cell: Cell, trials: int, seed: int) -> Iterator[Measured]:
    """Draw samples, ask the question about each, and yield the counts of the answers for each subject and case."""
    population, topics = cell.population, cell.topics
    answers: dict[tuple[str, str], list[Answer]] = {}
    random = np.random.default_rng((seed, topics))
    count = max(int(trials * cell.share), 1)
    for trial in range(count):
        sample = Sample(population, population.draw(topics, random), topics, random, seed + trial)
        for answer in cell.question(sample):
            answers.setdefault((answer.subject, answer.what), []).append(answer)
    for (subject, what), taken in answers.items():
        given = [answer for answer in taken if answer.held is not None]
        yield Measured(
            subject, population.name, population.size, topics, what, sum(bool(answer.held) for answer in given),
            len(given), len(taken) - len(given), _mean([answer.width for answer in given]),
            _mean([answer.before for answer in taken]), _mean([answer.width_before for answer in taken]),
        )  # fmt: skip


def _mean(values: list[float]) -> float:
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else NAN


def within(low: float, truth: float, high: float) -> bool | None:
    """Return True if the interval from low to high contains the truth, up to rounding; None if `low` is nan."""
    return None if low != low else bool(low - 1e-9 <= truth <= high + 1e-9)
