"""How often a swap, a change of a lead, an order along a parameter or a difference in sensitivity is said wrongly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import SHAPES, TOPICS, Population
from evalcore.arrays import FloatArray
from evalcore.meta.decided_swaps import swaps
from evalcore.sensitivity.compared import difference_interval, tau_interval
from evalcore.sensitivity.orders import decided_pairs

SWAP = Subject(
    "A swap of two systems",
    "A beats B by one measure, and B beats A by the other; in at most 5% of collections is any swap called decided "
    "that is none.",
    "Studentised paired differences of all pairs under both measures, joint sign flips of topics, step-down max-T "
    "(Romano, Wolf 2005); each also by the paired bootstrap.",
    "errs",
    0.05,
)
CHANGE = Subject(
    "A change of a lead",
    "The lead of A over B, in root mean square differences of two systems on a topic, is another by one measure than "
    "by the other.",
    "The same tests of the difference of the two leads, topic by topic, with the unit's own doubt (delta method).",
    "errs",
    0.05,
)
ALONG = Subject(
    "An order along a parameter",
    "Who beats whom at every value of a parameter; the changes of the winner and the order of the first k rest on it.",
    "The same tests of all pairs at all values at once, in one step.",
    "errs",
    0.05,
)
ALIKE = Subject(
    "How alike the order stays, one measure",
    "The mean tau of a measure's settings with its default that as many such topics give on average.",
    "Mean -+ 1.25 t standard errors by the delete-half jackknife over topics (Shao, Wu 1989).",
    "covers",
    0.95,
)
SENSITIVE = Subject(
    "Which of two measures is more sensitive",
    "The difference of the mean tau of two measures' settings with their defaults.",
    "The same of the difference, both without the same topic.",
    "covers",
    0.95,
)
SUBJECTS = (SWAP, CHANGE, ALONG, ALIKE, SENSITIVE)

SETTINGS = 5  # of an invented parameter
REAL_PAIRS = (("RBP(rho=0.8)", "uRBPgr(rho=0.8)"), ("nDCG@10", "AP"), ("AP", "P@5"))
REAL_SWEEPS = {
    "rho of RBP": [f"RBP(rho={rho})" for rho in (0.5, 0.65, 0.9, 0.95, 0.8)],
    "cut-off of nDCG": [f"nDCG@{k}" for k in (5, 8, 15, 20, 10)],
    "distance of TOMA": [f"TOMA(nDCG@10, distance={name})" for name in ("Manhattan", "Chebyshev", "Euclidean")],
    "weights of CAM": [f"CAM(nDCG@10, weights=[{a}, 1])" for a in (0.25, 0.5, 2, 4, 1)],
}


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Errors and coverage over invented populations, and over real topics where there are some."""
    random = np.random.default_rng(seed)
    for shape in SHAPES:
        for systems, topics in ((2, 6), (2, 25), (10, 6), (10, 15), (10, 50), (40, 50)):
            for means in (_equal, _one_ahead, _apart_at_one):
                yield from swap_errors(
                    settings(means(systems, 2), shape=shape, name=_words(means)), topics, trials, random
                )
            yield order_errors(settings(_equal(systems, SETTINGS), shape=shape, name="equal"), topics, trials, random)
    for systems, topics in ((5, 20), (10, 10), (10, 25), (20, 50), (40, 50), (40, 150)):
        for gap in (0.01, 0.002):
            yield from sensitivity_coverage(*two_sweeps(systems, gap), topics, trials, random)
    yield from _on_real_topics(trials, random, data)


def settings(
    means: FloatArray, *, shape: str = "normal", agreement: float = 0.8, noise: float = 0.2, name: str = ""
) -> Population:
    """A population with true `means` (N, S) under N settings, whose noises on a topic are correlated by `agreement`."""
    random = np.random.default_rng(means.size)
    systems = means.shape[1]
    shared = SHAPES[shape](random, (TOPICS, systems))
    tables = []
    for wanted in means:
        values = np.sqrt(agreement) * shared + np.sqrt(1 - agreement) * SHAPES[shape](random, (TOPICS, systems))
        values = noise * values + random.normal(0.4, 0.15, (TOPICS, 1))
        tables.append(values - values.mean(axis=0) + wanted)
    return Population(f"{systems} systems {name}, {shape} noise", tuple(tables))


def _equal(systems: int, count: int) -> FloatArray:
    """Equal systems under all settings."""
    return np.full((count, systems), 0.5)


def _one_ahead(systems: int, count: int) -> FloatArray:
    """The first of equal systems is ahead under all settings."""
    means = _equal(systems, count)
    means[:, 0] += 0.1
    return means


def _apart_at_one(systems: int, count: int) -> FloatArray:
    """Systems far apart under the first setting, and equal under the second: half a swap of every pair is true."""
    means = _equal(systems, count)
    means[0] += 0.5 * np.arange(systems)
    return means


def _words(means: Callable[[int, int], FloatArray]) -> str:
    return {"_equal": "that are equal", "_one_ahead": "one of which is ahead by both"}.get(
        means.__name__, "that are equal by one of the two"
    )


def two_sweeps(systems: int, gap: float) -> tuple[Population, Population]:
    """Two measures of the same systems; the settings of the first scatter the true means more."""
    random = np.random.default_rng(systems)
    base = 0.5 - gap * np.arange(systems)
    scatter = gap * np.array([[2.0], [1.0]])[:, :, None] * random.standard_normal((2, SETTINGS - 1, systems))
    return tuple(  # type: ignore[return-value]
        settings(np.vstack([base + own, base]), name=f"{gap:g} apart") for own in scatter
    )


def swap_errors(population: Population, topics: int, trials: int, random: np.random.Generator) -> Iterator[Measured]:
    """How often any swap is said that is none, and any change of a lead that stays, or goes the other way."""
    true_x, true_y = population.means
    change = _scaled(population.scores[1], true_y) - _scaled(population.scores[0], true_x)
    at = {name: place for place, name in enumerate(population.systems)}
    wrong_swap = wrong_change = 0
    for _ in range(trials):
        x, y = population.draw(topics, random)
        table = swaps(x, y).table
        a, b = (np.array([at[name] for name in table[side]], dtype=int) for side in ("system_a", "system_b"))
        is_swap = (true_x[a] > true_x[b]) & (true_y[a] < true_y[b])
        wrong_swap += bool((table["decided"].to_numpy(dtype=bool) & ~is_swap).any())
        falls = change[a] - change[b] < -1e-9
        wrong_change += bool((table["change decided"].to_numpy(dtype=bool) & ~falls).any())
    where = (population.name, len(true_x), topics)
    yield Measured(SWAP, *where, "", wrong_swap, trials)
    yield Measured(CHANGE, *where, "", wrong_change, trials)


def order_errors(population: Population, topics: int, trials: int, random: np.random.Generator) -> Measured:
    """How often anything is said to beat another at some setting that it does not."""
    means = np.array(population.means)
    truly = means[:, :, None] > means[:, None, :]
    wrong = 0
    for seed in range(trials):
        scores = np.array([frame.to_numpy().T for frame in population.draw(topics, random)])
        wrong += bool((decided_pairs(scores, seed=seed) & ~truly).any())
    return Measured(ALONG, population.name, means.shape[1], topics, f"{len(means)} settings", wrong, trials)


def sensitivity_coverage(
    first: Population, second: Population, topics: int, trials: int, random: np.random.Generator
) -> Iterator[Measured]:
    """How often the intervals of one measure's mean tau, and of the difference of two, cover their average."""
    shares = np.zeros((trials, 2, 3))
    for at in range(trials):
        drawn = random.integers(0, len(first.scores[0]), topics)
        one, other = (np.array([table[drawn].T for table in both.scores]) for both in (first, second))
        shares[at] = tau_interval(one), difference_interval(one, other)
    name = first.name if first.name == second.name else f"{first.name}; {second.name}"
    for place, subject in enumerate((ALIKE, SENSITIVE)):
        estimate, low, high = shares[:, place].T
        covered = (low <= estimate.mean()) & (estimate.mean() <= high)
        where = (name, len(first.systems), topics, "")
        yield Measured(subject, *where, int(covered.sum()), trials, width=float((high - low).mean()))


def _scaled(scores: FloatArray, means: FloatArray) -> FloatArray:
    """True means in root mean square differences of two systems on a topic."""
    systems = scores.shape[1]
    square = float(scores.var(axis=1).mean()) * 2 * systems / (systems - 1)
    return np.asarray(means / np.sqrt(square))


def _on_real_topics(trials: int, random: np.random.Generator, data: Path | None) -> Iterator[Measured]:
    for folder in ("clef2015", "clef2016task2"):
        if data is None or not (data / folder).is_dir():
            continue
        pairs, sweeps = real_sweeps(data / folder)
        for population in pairs:
            for topics in (10, 25, 60):
                yield from swap_errors(population, topics, trials, random)
        for population in sweeps:
            yield order_errors(population, 25, trials, random)
        for first, second in ((0, 1), (2, 3)) if len(sweeps) > 3 else ():
            for topics in (10, 25, 60):
                yield from sensitivity_coverage(sweeps[first], sweeps[second], topics, trials, random)


def real_sweeps(folder: Path) -> tuple[list[Population], list[Population]]:
    """Pairs of measures and settings of parameters on the topics of a collection; those that it can answer."""
    import evalcore as ec

    collection = ec.load(folder)

    def population(name: str, texts: Sequence[str]) -> Population | None:
        try:
            frames: list[pd.DataFrame] = [ec.evaluate(ec.parse(text), collection) for text in texts]
        except ec.InputError:
            return None
        return Population(f"{folder.name}, {name}", tuple(frame.to_numpy(dtype=float) for frame in frames))

    pairs = [population(" and ".join(texts), texts) for texts in REAL_PAIRS]
    sweeps = [population(name, texts) for name, texts in REAL_SWEEPS.items()]
    return [pair for pair in pairs if pair is not None], [sweep for sweep in sweeps if sweep is not None]
