"""Two neighbours of a ranking that swap, or tie."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
import pytest

import evalcore as ec
from evalcore.direction import directed, good_of
from evalcore.meta.neighbours import tau_by_place, with_neighbours_changed

FIVE = pd.Series({name: 5.0 - at for at, name in enumerate("abcde")})


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_a_swap_at_any_place_costs_tau_one_pair_of_ten(place):
    assert tau_by_place(FIVE)["τ"][place] == pytest.approx(1 - 2 / 10)


@pytest.mark.parametrize("place", [1, 4])
def test_a_tie_leaves_one_pair_unordered_in_one_ranking(place):
    # tau_b: 9 concordant pairs over sqrt(10 * 9), as one of ten is tied in one of the two
    assert tau_by_place(FIVE, tied=True)["τ"][place] == pytest.approx(9 / (10 * 9) ** 0.5)


def test_tau_ap_of_a_swap_is_yilmazs_sum_written_out():
    # tau_AP = 2 / (n - 1) * sum over i of C(i) / (i - 1) - 1; a swap at place k leaves all of C full but that of k + 1
    expected = [2 / 4 * (4 - 1 / k) - 1 for k in (1, 2, 3, 4)]
    assert tau_by_place(FIVE)["τ_AP"].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("tied", [False, True])
def test_a_change_nearer_to_the_top_costs_tau_ap_more(tied):
    assert all(low < high for low, high in pairwise(tau_by_place(FIVE, tied)["τ_AP"]))


def test_the_good_direction_is_kept_and_the_given_scores_are_unchanged():
    given = directed(FIVE.copy(), "high")
    assert good_of(with_neighbours_changed(given, 1)) == "high"
    assert given.equals(FIVE)


@pytest.mark.parametrize("place", [0, 5])
def test_a_place_without_one_below_is_an_error(place):
    with pytest.raises(ec.InputError, match=f"expected a rank from 1 to 4, found {place}"):
        with_neighbours_changed(FIVE, place)
