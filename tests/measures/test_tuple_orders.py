"""Classes of label tuples: equal to those of exact fractions, for any rounding of positions and importances."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import InputError
from evalcore.measures.labels import equal_steps, growing_steps
from evalcore.measures.tuple_orders import Chebyshev, Distance, Euclidean, Manhattan, Minkowski, TupleOrder

DISTANCES = [Manhattan(), Euclidean(), Chebyshev(), Minkowski(order=3)]
LENGTHS = [Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2), Fraction(1, 10)]
IMPORTANCES = {Fraction(1): 1.0, Fraction(3, 10): 0.1 + 0.2, Fraction(1, 3): 1 / 3, Fraction(3, 5): 0.2 * 3}


def exact_totals(
    gaps: list[list[Fraction]], weights: list[Fraction], distance: Distance, tuples: np.ndarray
) -> list[Fraction]:
    """Return, for each tuple, the sum of weighted gaps to the power p, or the largest weighted gap, exactly."""
    power = 1 if math.isinf(distance.power) else int(distance.power)
    join = max if math.isinf(distance.power) else sum
    return [
        join(w * gap[at] ** power for w, gap, at in zip(weights, gaps, one, strict=True)) for one in tuples.tolist()
    ]


@pytest.mark.parametrize("distance", DISTANCES, ids=str)
@pytest.mark.parametrize("steps", [equal_steps, growing_steps])
@given(
    counts=st.lists(st.integers(2, 5), min_size=2, max_size=3),
    lengths=st.lists(st.sampled_from(LENGTHS), min_size=3, max_size=3),
    weights=st.lists(st.sampled_from(list(IMPORTANCES)), min_size=3, max_size=3),
)
def test_classes_equal_those_of_exact_distances(steps, distance, counts, lengths, weights):
    names = [f"a{at}" for at in range(len(counts))]
    positions = {name: steps(count, float(length)) for name, count, length in zip(names, counts, lengths, strict=False)}
    order = TupleOrder.of(positions, distance, {name: IMPORTANCES[w] for name, w in zip(names, weights, strict=False)})
    gaps = []
    for count, length in zip(counts, lengths, strict=False):
        climbed = [Fraction(at) if steps is equal_steps else Fraction(at * (at + 1), 2) for at in range(count)]
        gaps.append([length * (climbed[-1] - at) / climbed[-1] for at in climbed])
    tuples = np.array(list(np.ndindex(*counts)))
    exact = exact_totals(gaps, weights[: len(counts)], distance, tuples)
    worst_first = sorted(set(exact), reverse=True)
    assert order.n_classes == len(worst_first)
    assert order.class_of(tuples).tolist() == [worst_first.index(total) for total in exact]


def test_more_sums_of_gaps_than_fit_in_memory_are_refused() -> None:
    steps = np.sqrt(np.arange(2, 400)).cumsum().tolist()  # no two sums of them are equal
    with pytest.raises(InputError, match="expected at most 2,000,000 sums of gaps to compare, found 63,"):
        TupleOrder.of(
            {"a": steps, "b": [step * 7**0.5 for step in steps], "c": [step * 11**0.5 for step in steps]}, Euclidean()
        )
