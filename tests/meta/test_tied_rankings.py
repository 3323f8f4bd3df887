"""A ranking correlated with itself."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from evalcore.meta import CORRELATIONS, tau_ap, ties_in_words
from evalcore.meta.tied_rankings import TIE_AWARE

TIED = np.array([0.5, 0.3, 0.3, 0.2, 0.1, 0.1])


@pytest.mark.parametrize("name", CORRELATIONS)
def test_a_ranking_with_ties_agrees_with_itself_wholly_or_a_sentence_explains_why_not(name):
    itself = CORRELATIONS[name](TIED, TIED)
    assert (itself == 1) == (ties_in_words(name, TIED, TIED) == "")
    assert itself == 1 or CORRELATIONS[TIE_AWARE[name]](TIED, TIED) == 1


@pytest.mark.parametrize("name", CORRELATIONS)
def test_a_ranking_without_ties_agrees_with_itself_wholly(name):
    scores = np.array([0.1, 0.4, 0.2, 0.9])
    assert CORRELATIONS[name](scores, scores) == pytest.approx(1)
    assert ties_in_words(name, scores, scores) == ""


def test_tau_ap_of_a_ranking_with_ties_is_the_mean_over_all_ways_to_break_them():
    # in the reference the pair stays tied, and a tied pair never agrees: that keeps it below 1
    orders = [order for order in permutations(range(6)) if list(TIED[list(order)]) == sorted(TIED, reverse=True)]
    credits = [sum(sum(TIED[j] > TIED[i] for j in o[:at]) / at for at, i in enumerate(o) if at) for o in orders]
    assert tau_ap(TIED, TIED) == pytest.approx(2 / 5 * float(np.mean(credits)) - 1)


def test_the_sentence_counts_the_tied_systems_of_the_side_that_has_them():
    assert ties_in_words("tau_a", [3, 2, 1], [2, 1, 1]).startswith("2 of 3 systems are tied: τ_a of such a ranking ")
    assert ties_in_words("tau_a", [1, 1], [1, 2]) == "all 2 systems are tied: there is no order to compare"
