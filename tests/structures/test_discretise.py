"""Signals into grades."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.structures.discretise import graded_name, points_of_shares, reached
from evalcore.structures.documents import Assessments, Scale


def shares(values, parts):
    return reached(values, points_of_shares(values, parts))


VALUES = st.lists(st.floats(-100, 100) | st.just(math.nan), min_size=1, max_size=40).map(np.array)


@given(VALUES, st.sets(st.integers(-100, 100), min_size=1, max_size=4).map(sorted))
def test_a_grade_counts_the_cut_points_reached(values, points):
    expected = [math.nan if math.isnan(value) else sum(value >= point for point in points) for value in values]
    np.testing.assert_array_equal(reached(values, points), expected)


def test_ties_share_the_grade_of_their_first_place():
    assert shares(np.array([1.0, 2, 2, 2]), [0.5, 0.5]).tolist() == [0, 0, 0, 0]
    assert shares(np.array([1.0, 1, 2, 2]), [0.5, 0.5]).tolist() == [0, 0, 1, 1]


@given(VALUES, st.sampled_from([(1.0,), (0.5, 0.5), (0.85, 0.1, 0.05)]))
def test_shares_keep_the_order_and_missing_values(values, parts):
    grades = shares(values, parts)
    np.testing.assert_array_equal(np.isnan(grades), np.isnan(values))
    known = ~np.isnan(values)
    order = np.argsort(values[known])
    assert (np.diff(grades[known][order]) >= 0).all()
    assert set(grades[known]) <= set(range(len(parts)))


@given(st.integers(1, 60), st.lists(st.integers(1, 60), min_size=1, max_size=5))
def test_shares_have_exact_sizes(count, weights):
    """Shares are written as hundredths; of 15 documents, 0.7 and 0.2 make 13.5, which rounds to 14, not 13."""
    hundredths = [*weights[:-1], 100 - sum(weights[:-1])]
    assume(hundredths[-1] > 0)
    found = shares(np.arange(count, dtype=float), [part / 100 for part in hundredths])
    borders = [round(Fraction(sum(hundredths[: at + 1]) * count, 100)) for at in range(len(hundredths) - 1)]
    assert found.tolist() == [sum(border <= place for border in borders) for place in range(count)]


@pytest.mark.parametrize("parts", [[], [0.5], [1.5, -0.5], [1, 0]])
def test_shares_must_be_positive_and_sum_to_1(parts):
    with pytest.raises(ec.InputError, match="expected positive shares that sum to 1, found"):
        shares(np.array([1.0]), parts)


@given(VALUES, st.sampled_from([(0.5, 0.5), (0.85, 0.1, 0.05), (0.2, 0.3, 0.5)]))
def test_the_name_of_a_graded_signal_gives_the_grades_that_its_shares_give(values, parts):
    """A pool of one topic, a document a row; names hold cut points exactly."""
    pool = Assessments(
        ("t",), np.zeros(len(values), int), np.array([f"d{at}" for at in range(len(values))], dtype=object),
        {"pagerank": values}, {"pagerank": Scale("pagerank", "signal")},
    )  # fmt: skip
    assume(not np.isnan(values).all())
    name = graded_name("pagerank", points_of_shares(values, parts))
    np.testing.assert_array_equal(pool.column(name), shares(values, parts))
    assert pool.scale(name).grades == tuple(range(len(parts)))
    np.testing.assert_array_equal(pool.covered([name]), pool.covered(["pagerank"]))


@pytest.mark.parametrize("name", ["fog at 15, 10", "fog at nan", "fog at", "fog at x", "dog at 1", "relevance at 1"])
def test_a_name_without_ascending_cut_points_of_a_signal_is_refused(name):
    c = ec.collection({"run": {"t": {"a": 1.0}}}, {"t": {"a": 1}}, {"fog": {"a": 9.5}})
    with pytest.raises(ec.InputError, match=r"expected ascending cut points, found|expected an aspect or signal"):
        ec.evaluate(f'nDCG(aspect="{name}")', c)
