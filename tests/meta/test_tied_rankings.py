"""Rankings with ties, correlated with themselves."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.meta import CORRELATIONS, ties_in_words
from evalcore.meta.correlation import TIE_AWARE

TIED = np.array([0.5, 0.3, 0.3, 0.2, 0.1, 0.1])


@pytest.mark.parametrize("name", CORRELATIONS)
def test_a_ranking_with_ties_agrees_fully_with_itself_or_a_sentence_explains_why_not(name):
    itself = CORRELATIONS[name](TIED, TIED)
    assert (itself == 1) == (ties_in_words(name, TIED, TIED) == "")
    assert itself == 1 or CORRELATIONS[TIE_AWARE[name]](TIED, TIED) == 1


def test_the_sentence_counts_the_tied_systems_of_the_side_that_has_them():
    assert ties_in_words("tau_a", [3, 2, 1], [2, 1, 1]).startswith("2 of 3 systems are tied: such a ranking has ")
    assert ties_in_words("tau_a", [1, 1], [1, 2]) == "all 2 systems are tied, so there is no order to compare"
