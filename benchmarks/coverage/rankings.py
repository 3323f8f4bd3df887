"""Questions about several tables of the same systems: correlations of rankings, swaps, and orders along a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.cells import Answer, Cell, Question, Sample, within
from benchmarks.coverage.populations import (
    SHAPES,
    Population,
    collections,
    factors,
    real,
    settings,
    two_measures,
)
from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.meta import CORRELATIONS, by_topic, correlation_matrix, topic_resamples
from evalcore.meta.decided_swaps import swaps
from evalcore.meta.intervals import interval_of, sampled_means
from evalcore.sensitivity.orders import decided_pairs

SETTINGS = 5  # values of an invented parameter
REAL_PAIRS = (("RBP(rho=0.8)", "uRBPgr(rho=0.8)"), ("nDCG@10", "AP"), ("AP", "P@5"))
REAL_SWEEPS = {
    "rho of RBP": [f"RBP(rho={rho})" for rho in (0.5, 0.65, 0.9, 0.95, 0.8)],
    "cut-off of nDCG": [f"nDCG@{k}" for k in (5, 8, 15, 20, 10)],
    "distance of TOMA": [f"TOMA(nDCG@10, distance={name})" for name in ("Manhattan", "Chebyshev", "Euclidean")],
    "weights of CAM": [f"CAM(nDCG@10, weights=[{a}, 1])" for a in (0.25, 0.5, 2, 4, 1)],
}
FOUR = ("tau", "tau_ap", "spearman", "rbo")


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield the cells to measure, each with a question, a population and a number of topics."""
    for population, names in invented():
        yield from (Cell(correlations(names), population, topics) for topics in (10, 20, 50, 200))
    read = (("clef2015", ("AP", "nDCG@10")), ("clef2016task2", ("AP", "nDCG@10")), ("dl2021judges", ("AP", "nDCG@10")))
    for name, texts in (*read, ("dl2021judges", ("RR", "RBP"))):
        for population in (real(folder, texts) for folder in collections(data, name)):
            for question, topics in product((correlations(FOUR), topic_by_topic), (10, 20, 50, 200)):
                yield Cell(question, population, topics)
    lacking = ((10, 0.04, 0.9, 1, 0), (20, 0.02, 0.5, 2, 0), (40, 0.01, 0.9, 8, 8))
    for systems, gap, shared, seed, teams in lacking:
        population = two_measures(systems, gap, shared=shared, seed=seed, teams=teams)
        yield from (Cell(correlations(FOUR, gaps=0.4), population, topics) for topics in (10, 25, 50))
    for shape, (systems, topics) in product(SHAPES, ((2, 6), (2, 25), (10, 6), (10, 15), (10, 50), (40, 50))):
        equal = np.full((SETTINGS, systems), 0.5)
        for name, means in _leads(systems).items():
            yield Cell(swapped, settings(means, shape, name), topics)
        yield Cell(along, settings(equal, shape, "equal"), topics)
    for folder in collections(data, "clef2015", "clef2016task2"):
        pairs = _answered(folder, {" and ".join(texts): list(texts) for texts in REAL_PAIRS})
        sweeps = _answered(folder, REAL_SWEEPS)
        yield from (Cell(swapped, population, topics) for population in pairs for topics in (10, 25, 60))
        yield from (Cell(along, population, 25) for population in sweeps)


def _answered(folder: Path, wanted: Mapping[str, Sequence[str]]) -> list[Population]:
    """Return a population for each list of measures that can score the collection; the others are left out."""
    found = []
    for name, texts in wanted.items():
        try:
            found.append(real(folder, texts, name))
        except InputError:
            continue
    return found


# --- correlations -----------------------------------------------------------------------------------------------------


def invented() -> Iterator[tuple[Population, tuple[str, ...]]]:
    """Yield populations with the coefficients to check: from few to many systems, from very different to equal ones."""
    for systems, seed in ((5, 3), (10, 1), (20, 2), (60, 4)):
        for shared in (0.9, 0.3):
            yield two_measures(systems, 0.4 / systems, shared=shared, seed=seed), ("tau",)
    yield two_measures(20, 0.02, 0.5, shared=0.9, seed=5), ("tau", "tau_ap", "tau_ap_b", "spearman", "rbo")
    yield two_measures(20, 0.002, shared=0.5, seed=6), ("tau",)
    yield two_measures(150, 0.003, shared=0.7, seed=7), ("tau",)
    yield two_measures(40, 0.01, shared=0.9, seed=8, teams=8), ("tau",)
    yield two_measures(40, 0.01, shared=0.9, seed=9, teams=8, within=0), ("tau",)
    yield two_measures(40, 0.01, shared=0.5, seed=9, teams=8, within=0), ("tau",)
    for systems, count, gap, seed in ((20, 3, 0.02, 10), (40, 2, 0.01, 11), (10, 1, 0.04, 12)):
        yield factors(systems, count, gap, seed=seed), ("tau", "tau_ap", "rbo")


def correlations(names: Sequence[str], resamples: int = 400, gaps: float = 0.0) -> Question:
    """Return a question about intervals of correlations of means, with a share `gaps` of the scores missing.

    For comparison, the question also checks the percentiles of resamples.
    """
    subject = f"Correlation of two rankings{', of systems that lack topics' if gaps else ''}"

    def question(sample: Sample) -> Iterator[Answer]:
        frames, counts = sample.drawn, topic_resamples(sample.topics, resamples, sample.trial)
        if gaps:
            lacking = sample.random.random(frames[0].shape) < gaps
            lacking[0, lacking.all(axis=0)] = False
            frames = tuple(frame.mask(lacking) for frame in frames)
        x, y = (sampled_means(frame, counts) for frame in frames)
        for one in (CORRELATIONS[name] for name in names):
            truth, found = float(one(*sample.population.means)), interval_of(one, x, y)
            plain = (np.nan, np.nan) if gaps else np.nanquantile(one(x.whole, y.whole), [0.025, 0.975]).tolist()
            held = within(plain[0], truth, plain[1])
            before = float("nan") if held is None else float(held)
            what = f"{one.label}, {gaps:.0%} missing" if gaps else one.label
            width = found.high - found.low
            yield Answer(subject, within(found.low, truth, found.high), what, width, before, plain[1] - plain[0])

    return question


@cache
def _mean_by_topic(population: Population) -> float:
    return float(by_topic(CORRELATIONS["tau"], *(pd.DataFrame(table) for table in population.scores)).mean())


def topic_by_topic(sample: Sample) -> Iterator[Answer]:
    """Check the interval of tau, computed on each topic and then averaged."""
    frames = dict(zip("xy", sample.drawn, strict=True))
    ends = correlation_matrix(frames, CORRELATIONS["tau"], "topics", n_resamples=1).intervals
    assert ends
    low, high = (float(end.to_numpy()[0, 1]) for end in (ends.low, ends.high))
    held = within(low, _mean_by_topic(sample.population), high)
    yield Answer("Correlation topic by topic", held, CORRELATIONS["tau"].label, high - low)


# --- swaps, and orders along a parameter ------------------------------------------------------------------------------


def _leads(systems: int) -> dict[str, FloatArray]:
    """Map descriptions of systems to their true means under two measures, (2, S). No pair of systems is swapped."""
    equal = np.full((2, systems), 0.5)
    return {
        "that are equal": equal,
        "one of which is ahead by both": equal + 0.1 * (np.arange(systems) == 0),
        "that are equal by one of the two": equal + np.array([[0.5], [0.0]]) * np.arange(systems),
    }


def swapped(sample: Sample) -> Iterator[Answer]:
    """Count an error if any decided swap is false, which bounds the false discovery rate.

    The width of the answer is the number of true swaps that were decided.
    """
    true_x, true_y = sample.population.means
    table = swaps(*sample.drawn).table
    at = {name: place for place, name in enumerate(sample.population.systems)}
    a, b = (np.array([at[name] for name in table[side]], dtype=int) for side in ("system_a", "system_b"))
    truly, decided = (true_x[a] > true_x[b]) & (true_y[a] < true_y[b]), table["decided"].to_numpy(dtype=bool)
    yield Answer("A swap of two systems", bool((decided & ~truly).any()), "", float((decided & truly).sum()))


def along(sample: Sample) -> Iterator[Answer]:
    """Count an error if a system is called better than another at a value of the parameter at which it is not."""
    means = np.array(sample.population.means)
    scores = np.array([frame.to_numpy().T for frame in sample.drawn])
    wrong = decided_pairs(scores, seed=sample.trial) & ~(means[:, :, None] > means[:, None, :])
    yield Answer("An order along a parameter", bool(wrong.any()), f"{len(means)} settings")
