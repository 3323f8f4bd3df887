"""Tests of significance give the same counts as exact arithmetic with fractions, for scores in tenths."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.common.rounding import less
from evalcore.figures import pair_matrix
from evalcore.meta import corrected, needed_differences, paired_bootstrap, permutation_p, tukey_p
from evalcore.meta.agreement import joint_counts
from evalcore.meta.differences import Differences

tenths = st.lists(st.integers(0, 10), min_size=2, max_size=7)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    x = draw(tenths)
    return x, draw(st.lists(st.integers(0, 10), min_size=len(x), max_size=len(x)))


def squared_ratio(values: list[Fraction]) -> Fraction:
    """Return mean^2 / mean square, which grows with |t|; 0 if all values are 0."""
    count, squares = len(values), sum(value * value for value in values)
    return sum(values) ** 2 / (count * squares) if squares else Fraction(0)


def exact_asl(d: list[int], counts: list[list[int]]) -> Fraction:
    """Return the share of resamples of w = d - mean with |t*| of at least |t|."""
    mean = Fraction(sum(d), len(d))
    observed = squared_ratio([Fraction(value) for value in d])
    reached = 0
    for drawn in counts:
        resample = [value - mean for value, times in zip(d, drawn, strict=True) for _ in range(times)]
        reached += squared_ratio(resample) >= observed
    return Fraction(reached, len(counts))


@given(pair=pairs(), seed=st.integers(0, 1000))
def test_the_bootstrap_counts_resamples_at_least_as_extreme(pair, seed):
    x, y = pair
    counts = np.random.default_rng(seed).multinomial(len(x), np.full(len(x), 1 / len(x)), size=40)
    scores = pd.DataFrame({"x": np.array(x) / 10, "y": np.array(y) / 10})
    found = paired_bootstrap(scores, counts=counts).pairs["asl"].iloc[0]
    assert found == float(exact_asl([a - b for a, b in zip(x, y, strict=True)], counts.tolist()))


@given(pair=pairs(), seed=st.integers(0, 1000), place=st.integers(1, 20))
def test_the_needed_difference_is_that_of_the_exact_resample(pair, seed, place):
    """It is |mean(w*)| of the resample with the place-th largest |t*|; if several are tied, the largest."""
    x, y = pair
    counts = np.random.default_rng(seed).multinomial(len(x), np.full(len(x), 1 / len(x)), size=20)
    d = [a - b for a, b in zip(x, y, strict=True)]
    shifted = [value - Fraction(sum(d), len(d)) for value in d]
    drawn = [[w for w, times in zip(shifted, count, strict=True) for _ in range(times)] for count in counts.tolist()]
    wanted = sorted(map(squared_ratio, drawn))[-place]
    exact = max(abs(sum(one)) / len(one) for one in drawn if squared_ratio(one) == wanted)
    scores = pd.DataFrame({"x": np.array(x) / 10, "y": np.array(y) / 10})
    found = needed_differences(scores, alpha=place / 20 - 0.01, counts=counts)["needed"].iloc[0]
    assert found == pytest.approx(float(exact) / 10, abs=1e-12)


@given(pairs())
def test_the_permutation_test_counts_signs_at_least_as_extreme(pair):
    d = [a - b for a, b in zip(*pair, strict=True)]
    flips = [
        abs(sum(sign * value for sign, value in zip(signs, d, strict=True)))
        for signs in product((1, -1), repeat=len(d))
    ]
    exact = sum(flip >= abs(sum(d)) for flip in flips) / len(flips)
    found, counted = permutation_p(np.array(pair[0]) / 10 - np.array(pair[1]) / 10)
    assert (found, counted) == (exact, True)


@given(table=st.lists(st.lists(st.integers(0, 10), min_size=4, max_size=4), min_size=2, max_size=6))
def test_tukey_counts_the_same_for_tenths_as_for_whole_numbers(table):
    """Trials shuffle positions, so both see the same shuffles; the ranges of whole sums are exact."""
    whole = pd.DataFrame(np.array(table, dtype=float), columns=list("abcd"))
    assert tukey_p(whole / 10, n_resamples=30)["p"].tolist() == tukey_p(whole, n_resamples=30)["p"].tolist()


@given(pairs())
def test_systems_with_equal_sums_have_no_difference(pair):
    x, y = (np.array(side)[None] / 10 for side in pair)
    found, d = Differences.between(x, y), [a - b for a, b in zip(*pair, strict=True)]
    assert (found.mean[0] == 0) == (sum(d) == 0)
    assert (found.sd[0] == 0) == (len(set(d)) == 1)


def test_a_corrected_p_of_exactly_alpha_is_not_below_it():
    """3 of 10,000 resamples, times 10 pairs, is 0.003, but 0.0029999999999999996 in floats."""
    p = corrected(np.full(10, 3 / 10_000), "Bonferroni")
    assert (p < 0.003).all()
    assert not less(p, 0.003).any()
    names = ["a", "b"]
    table = pd.DataFrame({"system_a": ["a"], "system_b": ["b"], "difference": [0.1], "p": p[:1]})
    drawn = str(pair_matrix(names, table, 0.003).to_plotly_json()["data"][0]["z"])
    assert drawn == str(pair_matrix(names, table.assign(p=0.5), 0.003).to_plotly_json()["data"][0]["z"])


@given(counts=st.integers(0, 300), pairs=st.integers(1, 60), alpha=st.sampled_from(["0.05", "0.01", "0.003", "0.1"]))
def test_significance_after_a_correction_agrees_with_exact_numbers(counts, pairs, alpha):
    p = corrected(np.full(pairs, counts / 10_000), "Bonferroni")
    assert bool(less(p, float(alpha)).all()) == (min(Fraction(counts * pairs, 10_000), Fraction(1)) < Fraction(alpha))


@pytest.mark.parametrize("unit", [1, 0.1, 0.3])
def test_bands_of_labels_contain_their_upper_borders(unit):
    """21 values fall into 5 bands of 4 steps; a border belongs to the band below, the first value to the first band."""
    values = pd.Series(np.arange(21) * unit, name="r")
    found = joint_counts(values, pd.Series(np.zeros(21), name="u"), bands=5, most=12)
    assert found.to_numpy().ravel().tolist() == [5, 4, 4, 4, 4]
