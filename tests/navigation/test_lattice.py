"""Expected worth of newly seen targets, on a lattice: equal to a loop over targets at each rank."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.navigation import lattice
from evalcore.navigation.lattice import expected_news


def slow_news(chance: np.ndarray, fresh: np.ndarray, steps: list[int], worth: list[float]) -> list[float]:
    """Return the expected worth of new targets at each rank, from the probabilities of all sums of the others."""
    found = []
    for seen, new in zip(chance.tolist(), fresh.tolist(), strict=True):
        total = 0.0
        for target in np.flatnonzero(np.array(new) > 0).tolist():
            sums = {steps[target]: new[target]}
            for other, (p, step) in enumerate(zip(seen, steps, strict=True)):
                if other != target:
                    after = {at: mass * (1 - p) for at, mass in sums.items()}
                    for at, mass in sums.items():
                        after[at + step] = after.get(at + step, 0.0) + mass * p
                    sums = after
            total += sum(mass * worth[at] for at, mass in sums.items())
        found.append(total)
    return found


def lists(changing: float, certain: float, seed: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make three lists of 1, 21 and 40 ranks for 9 targets, a share of which change their probability at each rank."""
    random, parts = np.random.default_rng(seed), []
    for ranks in (1, 21, 40):
        fresh = random.random((ranks, 9)) * (random.random((ranks, 9)) < changing) / 4
        fresh[random.random((ranks, 9)) < certain] = 1.0
        chance = np.minimum(np.cumsum(fresh, axis=0), 1.0)
        parts.append((chance, np.diff(chance, axis=0, prepend=0.0), np.arange(ranks)))
    chance, fresh, place = (np.concatenate(column) for column in zip(*parts, strict=True))
    return chance, fresh, place


@pytest.mark.slow
@pytest.mark.parametrize("cells", [1, 200, lattice.CELLS])
@pytest.mark.parametrize(("changing", "certain"), [(0.05, 0.0), (0.3, 0.02), (1.0, 0.0), (0.0, 0.05), (0.0, 0.0)])
@pytest.mark.parametrize("steps", [[1] * 9, [1, 1, 1, 1, 2, 2, 2, 2, 2], [1, 2, 3, 5, 8, 13, 21, 34, 55]])
def test_the_worth_of_new_targets_equals_a_loop(cells, changing, certain, steps, monkeypatch):
    monkeypatch.setattr(lattice, "CELLS", cells)
    chance, fresh, place = lists(changing, certain)
    worth = np.sqrt(np.arange(sum(steps) + 1.0))
    found = expected_news(chance, fresh, place, np.array(steps), worth)
    np.testing.assert_allclose(found, slow_news(chance, fresh, steps, worth.tolist()), rtol=1e-12)
