"""Walks over links: equal to the chain with an absorbing target, and to powers of its matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from evalcore.navigation import chains
from evalcore.navigation.certainty import endless
from evalcore.navigation.chains import expected_sums, hitting, trail_lengths


@st.composite
def transitions(draw: st.DrawFn, largest: int = 6) -> np.ndarray:
    """Draw chains in which users stop at every component with probability 0.05 or more."""
    count = draw(st.integers(1, largest))
    row = st.lists(st.one_of(st.just(0.0), st.floats(0.01, 1)), min_size=count, max_size=count)
    weights = np.array([draw(row) for _ in range(count)])
    np.fill_diagonal(weights, 0)
    stop = np.array(draw(st.lists(st.floats(0.05, 1), min_size=count, max_size=count)))
    total = weights.sum(axis=1)
    return weights / np.maximum(total, 1e-300)[:, None] * (1 - stop)[:, None]


def absorbed(Q: np.ndarray, target: int) -> np.ndarray:
    """Return the probabilities of ever reaching a target, which absorbs: h = Q h elsewhere, and 1 there."""
    kept = Q.copy()
    kept[target] = 0
    return np.linalg.solve(np.eye(len(Q)) - kept, np.eye(len(Q))[target])


@given(transitions())
def test_hitting_is_absorption_by_the_target(Q):
    found = hitting(sparse.csr_array(Q), np.arange(len(Q))).toarray()
    slow = np.column_stack([absorbed(Q, target) for target in range(len(Q))])
    np.testing.assert_allclose(found, slow, atol=1e-12)


@given(transitions())
def test_expected_sums_along_walks_equal_powers_of_the_matrix(Q):
    values = np.arange(2.0 * len(Q)).reshape(len(Q), 2)
    total, power = values.copy(), values
    for _ in range(2000):
        power = Q @ power
        total = total + power
    np.testing.assert_allclose(expected_sums(sparse.csr_array(Q), values), total, rtol=1e-9)


@pytest.mark.parametrize("stop", [0.5, 0.04])
def test_large_graphs_are_solved_sparsely_with_the_same_result(stop, monkeypatch):
    random = np.random.default_rng(7)
    Q = (random.random((60, 60)) < 0.08) * random.random((60, 60))
    np.fill_diagonal(Q, 0)
    Q *= (1 - stop) / np.maximum(Q.sum(axis=1), 1e-9)[:, None]
    small = sparse.csr_array(Q)
    targets, values = np.array([3, 41, 17]), random.random((60, 2))
    dense = hitting(small, targets).toarray(), expected_sums(small, values)
    monkeypatch.setattr(chains, "DENSE", 0)
    monkeypatch.setattr(chains, "AT_ONCE", 2)
    np.testing.assert_allclose(hitting(small, targets).toarray(), dense[0], atol=1e-11)
    np.testing.assert_allclose(expected_sums(small, values), dense[1], rtol=1e-10)


@given(transitions())
def test_trail_lengths_sum_to_one_and_to_the_expected_length(Q):
    start = np.zeros(len(Q))
    start[0] = 2.0
    lengths = trail_lengths(sparse.csr_array(Q), start, 800)
    assert lengths.sum() == pytest.approx(1, abs=1e-9)
    expected = expected_sums(sparse.csr_array(Q), np.ones((len(Q), 1)))[0, 0]
    assert (lengths @ np.arange(1, 801)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ([[0, 1], [1, 0]], [0, 1]),
        ([[0, 1], [0.999, 0]], []),
        ([[0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]], [1, 2]),
        ([[0, 1, 0], [0.5, 0, 0.5], [0, 0, 0]], []),
        ([[0, 1], [0, 0]], []),
        ([[0, 0], [0, 0]], []),
    ],
)
def test_cycles_without_stopping_are_found(links, found):
    assert endless(sparse.csr_array(np.array(links, dtype=float))).tolist() == found
