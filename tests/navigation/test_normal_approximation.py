"""The normal approximation and exact probabilities: equal to the error function and to counts of subsets."""

from __future__ import annotations

from math import comb, erf, sqrt

import pytest

from evalcore.navigation.normal_approximation import chances_below, enough, largest_errors


def slow(n: int, p: float) -> list[tuple[float, float, float]]:
    def normal(z: float) -> float:
        return (1 + erf(z / sqrt(2))) / 2

    spread = sqrt(n * p * (1 - p))
    exact = [sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(g)) for g in range(n + 2)]
    return [(x, normal((g - n * p) / spread), normal((g - 0.5 - n * p) / spread)) for g, x in enumerate(exact)]


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (11, 0.3), (14, 0.5), (40, 0.03), (60, 0.9)])
def test_each_probability_equals_a_count_of_subsets(n, p):
    for row, expected in zip(chances_below(n, p).to_numpy(), slow(n, p), strict=True):
        assert row == pytest.approx(expected, abs=1e-12)


def test_the_largest_error_for_each_n_and_the_n_from_which_it_is_small():
    errors = largest_errors(0.3)
    for n in (1, 7, 30):
        rows = slow(n, 0.3)
        assert errors.loc[n, "normal"] == pytest.approx(max(abs(row[1] - row[0]) for row in rows))
        assert errors.loc[n, "corrected"] == pytest.approx(max(abs(row[2] - row[0]) for row in rows))
    least, corrected = enough(errors), errors["corrected"].to_dict()
    assert least
    assert all(corrected[n] <= 0.01 for n in range(least, 61))
    assert corrected[least - 1] > 0.01
    assert enough(largest_errors(0.01)) is None
