"""Discriminative power: all pairs of systems with 10,000 resamples, against a plain loop over pairs and resamples."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np
import pandas as pd

import evalcore as ec
from benchmarks.data import Place
from benchmarks.tables import Table, number
from benchmarks.timing import in_child, say
from evalcore.meta import topic_resamples

RESAMPLES = 10_000
SIZES = ((71, 50), (425, 50))
LOOP_PAIRS = 4
WORK: dict[str, Callable[..., Any]] = {
    "bootstrap": ec.paired_bootstrap,
    "needed difference": ec.needed_differences,
    "randomised Tukey HSD": ec.tukey_p,
}
REAL_MEASURES = ("TOMA(nDCG)", "CAM(nDCG)", "MM(nDCG)", "TOMA(AP)")


def run(place: Place) -> Iterator[Table]:
    """Yield a table of times on invented scores of two sizes, and one on the loaded runs."""
    rows = []
    for systems, topics in SIZES:
        for name in WORK:
            say(f"{name}, {systems} systems")
            sample = in_child("discrimination:invented", name, str(systems), str(topics))
            pairs = systems * (systems - 1) // 2
            cells = [f"{pairs:,}", number(sample.wall_again), number(sample.cpu_again), number(sample.added)]
            rows.append([f"{name}, {systems} systems, {topics} topics", *cells])
    say("a plain loop")
    rows.append(_loop(*SIZES[0]))
    say("")
    heading = ("", "pairs", "wall s", "CPU s", "memory MB")
    remarks = (
        f"{RESAMPLES:,} resamples, second call in a process; memory: what the first call needed at most.",
        f"The loop tests {LOOP_PAIRS} pairs, one resample at a time; its time is extrapolated to all pairs.",
    )
    yield Table("Discriminative power, invented scores", heading, rows, remarks)
    yield _real(place)


def invented(work: str, systems: str, topics: str) -> Callable[[], Any]:
    """Return a job on invented scores of this size, to be timed in a separate process."""
    frame = scores(int(systems), int(topics))
    return lambda: len(str(WORK[work](frame, n_resamples=RESAMPLES)))


def scores(systems: int, topics: int) -> pd.DataFrame:
    """Return invented scores, topics x systems: hard and easy topics, good and poor systems."""
    random = np.random.default_rng(0)
    values = random.beta(1, 3, (topics, systems)) + 0.3 * random.beta(1, 3, (topics, 1))
    return pd.DataFrame(values + 0.02 * random.normal(size=systems))


def _loop(systems: int, topics: int) -> list[str]:
    frame = scores(systems, topics)
    drawn = [np.repeat(np.arange(topics), row) for row in topic_resamples(topics, RESAMPLES, 0)]
    tests = ec.paired_bootstrap(frame, RESAMPLES).pairs["asl"].tolist()
    begun, wall = time.process_time(), time.perf_counter()
    asls = [
        _plain(frame[a].to_numpy() - frame[b].to_numpy(), drawn) for a, b in islice(combinations(frame, 2), LOOP_PAIRS)
    ]
    times = (time.perf_counter() - wall, time.process_time() - begun)
    if asls != tests[:LOOP_PAIRS]:
        raise SystemExit(f"expected the loop's ASL {asls}, found {tests[:LOOP_PAIRS]}")
    pairs = len(tests)
    counted = [number(seconds * pairs / LOOP_PAIRS) for seconds in times]
    return [f"plain loop, {systems} systems, {topics} topics", f"{pairs:,}", *counted, ""]


def _plain(differences: np.ndarray, drawn: list[np.ndarray]) -> float:
    def t(values: np.ndarray) -> float:
        return abs(values.mean()) / (values.std(ddof=1) / np.sqrt(len(values)))

    shifted, observed = differences - differences.mean(), t(differences)
    return sum(t(shifted[topics]) >= observed for topics in drawn) / len(drawn)


def _real(place: Place) -> Table:
    files = {"relevance": place.relevance, "understandability": place.understandability}
    collection = ec.load(runs=place.folder / "runs", aspects=files, use_cache=False)
    rows = []
    for text in REAL_MEASURES:
        frame = ec.evaluate(text, collection)
        begun, wall = time.process_time(), time.perf_counter()
        table = ec.discriminative_power({text: frame}, 0.01, RESAMPLES)
        seconds = [number(time.perf_counter() - wall), number(time.process_time() - begun)]
        power, needed = table.iloc[0][["power", "needed_difference"]].tolist()
        rows.append([text, *seconds, f"{power:.1%}", f"{needed:.4f}"])
    heading = ("measure", "wall s", "CPU s", "power", "needed difference")
    return Table("Discriminative power, loaded runs", heading, rows, (f"{collection.summary}; alpha 0.01, seed 0.",))
