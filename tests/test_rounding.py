"""The rule for equal numbers, against fractions, whatever was added up and in whatever order."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.common.rounding import apart, as_written, ceiling, first_largest, floors, less, merged, ordinals

hundredths = st.lists(st.integers(0, 100), min_size=1, max_size=6)


def added(parts: list[int]) -> float:
    total = 0.0
    for part in parts:
        total += part / 100
    return total


@given(st.lists(hundredths, min_size=1, max_size=12))
def test_sums_are_the_same_where_the_exact_ones_are(sums):
    values, exact = np.array([added(parts) for parts in sums]), [sum(parts) for parts in sums]
    places = sorted(set(exact))
    assert ordinals(values).tolist() == [places.index(one) for one in exact]
    assert len(set(merged(values).tolist())) == len(places)
    assert int(first_largest(values)) == exact.index(max(exact))


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=2, max_size=8))
def test_a_limit_is_reached_where_the_exact_one_is(ratios):
    """a / 10 * b against its neighbours: below, at or above."""
    for a, b in ratios:
        for c, d in ratios:
            assert bool(less(a / 10 * b, c / 10 * d)) == (a * b < c * d)


@given(st.integers(0, 400), st.sampled_from([0.1, 0.2, 0.3, 0.7, 0.05, 0.55, 1 / 3]))
def test_whole_numbers_of_steps(count, step):
    """`count` steps are `count`, whatever rounding the division left; half a step more lies above."""
    assert floors(np.array([count * step / step, (count + 0.5) * step / step])).tolist() == [count, count]
    assert floors(np.array([-(count * step) / step])).tolist() == [-count]
    assert ceiling(count * step / step) == count
    assert ceiling((count + 0.5) * step / step) == count + 1


def test_the_sums_that_need_it():
    """Without the rule these are apart: 0.1 + 0.2 and 0.3, 0.3 / 0.1 and 3, 0.55 * 100 and 55."""
    assert 0.1 + 0.2 > 0.3
    assert not less(0.3, 0.1 + 0.2)
    assert math.floor(0.3 / 0.1) == 2
    assert floors(np.array([0.3 / 0.1])).tolist() == [3]
    assert math.ceil(0.55 * 100) == 56
    assert ceiling(0.55 * 100) == 55


def test_infinite_ones_are_the_same_as_each_other_alone():
    assert apart(np.array([-np.inf, -np.inf, 1.0, np.inf, np.inf])).tolist() == [False, True, True, False]
    assert ordinals(np.array([np.inf, 1.0, np.inf])).tolist() == [1, 0, 1]
    assert bool(less(5.0, np.inf))
    assert not less(np.inf, np.inf)
    assert int(first_largest(np.array([1.0, np.inf, np.inf]))) == 1


@pytest.mark.parametrize("share", [1e-12, 1e-9])
def test_small_differences_stay_differences(share):
    values = np.array([1.0, 1.0 + 10 * share, 1.0 + 0.1 * share, 0.0, 1e-200])
    assert ordinals(values, share).tolist() == [2, 3, 2, 0, 1]


@given(st.fractions(0, 10, max_denominator=1000))
def test_a_simple_fraction_is_known_by_its_float(fraction):
    assert as_written(float(fraction)) == fraction


@given(st.integers(0, 10**9))
def test_a_decimal_is_exactly_what_is_written(millionths):
    assert as_written(millionths / 10**6) == Fraction(millionths, 10**6)


def test_nothing_to_compare():
    empty = np.zeros(0)
    assert ordinals(empty).tolist() == merged(empty).tolist() == apart(empty).tolist() == []
