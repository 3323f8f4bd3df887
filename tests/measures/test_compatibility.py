from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from measures.small import collections

from evalcore.measures import Compat


def overlap(ranking, ideal, p, depth):
    return sum(p ** (d - 1) * len(set(ranking[:d]) & set(ideal[:d])) / d for d in range(1, depth + 1))


def slow_compat(p, normalize, cutoff):
    def score(ranking, judged):
        place = {d: at for at, d in enumerate(ranking)}
        ideal = [d for d in judged if judged[d] > 0]
        ideal.sort(key=lambda d: (-judged[d], place.get(d, len(ranking))))
        depth = cutoff or max(len(ranking), len(ideal))
        best = overlap(ideal, ideal, p, depth) if normalize else sum(p**d for d in range(depth))
        return overlap(ranking, ideal, p, depth) / best if best else 0

    return score


@given(collections(lowest=-1), st.sampled_from([0.2, 0.5, 0.95]), st.booleans(), st.none() | st.integers(1, 12))
def test_compatibility_equals_a_loop(small, p, normalize, cutoff):
    expected = small.by_loop(slow_compat(p, normalize, cutoff))
    measure = Compat(p=p, normalize=normalize, cutoff=cutoff)
    np.testing.assert_allclose(small.scores(measure), expected, atol=1e-12)


def test_only_the_order_of_the_grades_counts():
    assert Compat().of([0, 1, 3]) == Compat().of([0, 1, 2])
    assert Compat().of([1, 3]) < Compat().of([3, 3]) == 1


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=30).filter(any),
    st.sampled_from([0.2, 0.5, 0.95]),
    st.integers(1, 40),
)
def test_an_ideal_ranking_scores_exactly_1_and_no_ranking_more(grades, p, cutoff):
    """This holds for any rounding of the two sums."""
    ideal = sorted(grades, reverse=True)
    assert Compat(p=p).of(ideal) == Compat(p=p, cutoff=cutoff).of(ideal) == 1
    assert Compat(p=p).of(grades) <= 1
    assert Compat(p=p, normalize=False, cutoff=cutoff).of(ideal) <= 1
