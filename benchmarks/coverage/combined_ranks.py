"""Ranks of people's and a model's labels together, on invented collections all of whose human labels are known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.coverage.combined import DESIGNS, FIELD, MODELS, Hidden, Model, drawn, true_means
from benchmarks.coverage.measured import Measured, Subject
from evalcore.arrays import FloatArray
from evalcore.combining import HUMAN, Combined, TwoSources
from evalcore.measures import parse
from evalcore.meta.order import ahead

RANKS = Subject(
    "Ranks by a model's labels corrected by people's",
    "The 95% interval of a system's rank holds its rank by all human labels of all such topics.",
    "`ec.rank_intervals` of scores whose mean is the estimate. Before: human labels alone. `ec.combine`, rank_low to "
    "rank_high.",
    "covers",
    0.95,
)
SUBJECTS = (RANKS,)
ASKED = [DESIGNS[at] for at in (1, 3, 5, 7, 8)]  # of each kind one
OF = [MODELS[at] for at in (0, 2, 4)]


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """The best system, and one at random, by each design with each model."""
    for design in ASKED:
        for model in OF:
            yield from covered(design, model, trials, seed)


def covered(design: Hidden, model: Model, trials: int, seed: int) -> Iterator[Measured]:
    """How often rank intervals hold the true rank, and how wide they are beside those of human labels alone."""
    truth = true_means(design.measure)
    lowest, highest = 1 + ahead(truth), len(truth) - ahead(-truth)
    found: dict[str, list[FloatArray]] = {"the best": [], "one at random": []}
    for trial in range(trials):
        random = np.random.default_rng((seed, trial))
        collection, _ = drawn(design.n_topics, model, random)
        two = TwoSources.of(parse(design.measure), collection)
        combined = two.combined(two.kept(design.kept.with_(seed=trial)), n_resamples=50)
        ends = [_ends(combined, line, collection.systems) for line in ("combined", HUMAN)]
        for who, at in zip(found, (int(np.argmax(truth)), int(random.integers(FIELD.systems))), strict=True):
            held = [float(low[at] <= lowest[at] and highest[at] <= high[at]) for low, high in ends]
            found[who].append(np.array([*held, *(high[at] - low[at] for low, high in ends)]))
    for who, rows in found.items():
        held, before, width, width_before = np.array(rows).T
        yield Measured(
            RANKS, f"{design.measure}, model {model.name}", FIELD.systems, design.n_topics, f"{design.name}, {who}",
            int(held.sum()), trials, width=float(width.mean()), before=float(before.mean()),
            width_before=float(width_before.mean()),
        )  # fmt: skip


def _ends(combined: Combined, line: str, systems: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """(S,) the best and the worst rank that each system may have."""
    table = combined.ranks(line).table.loc[list(systems)]
    return table["rank_low"].to_numpy(dtype=float), table["rank_high"].to_numpy(dtype=float)
