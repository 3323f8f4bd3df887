from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections, gains_of

from evalcore.errors import InputError
from evalcore.measures import ERR, ERRlike


def test_err_by_hand():
    assert ERR().of([2, 1]) == 0.75 + 0.25 * 0.25 / 2
    assert ERR().of([0, None, 1]) == 0.5 / 3
    assert ERR(max_rel=2).of([1]) == 0.25
    assert ERR(cutoff=1).of([0, 1]) == 0


def test_the_paper_s_form_without_cascade_is_another_measure():
    assert ERR().of([1, 1]) == 0.625
    assert ERRlike().of([1, 1]) == 0.75
    assert ERRlike().of([1, 0, 1]) == 0.5 + 0.5 / 3


@given(collections(), st.sampled_from([3, 4]), st.none() | st.integers(1, 9))
def test_err_with_and_without_the_cascade_equals_a_loop(small, max_rel, cutoff):
    def without(ranking, judged):
        chances = [(2**grade - 1) / 2**max_rel for grade in gains_of(ranking, judged)][:cutoff]
        return sum(chance / rank for rank, chance in enumerate(chances, start=1))

    def cascade(ranking, judged):
        left, total = 1.0, 0.0
        for rank, grade in enumerate(gains_of(ranking, judged)[:cutoff], start=1):
            chance = (2**grade - 1) / 2**max_rel
            total, left = total + left * chance / rank, left * (1 - chance)
        return total

    for kind, slow in ((ERRlike, without), (ERR, cascade)):
        found = small.scores(kind(max_rel=max_rel, cutoff=cutoff))
        np.testing.assert_allclose(found, small.by_loop(slow), atol=1e-12)


def test_a_certain_document_ends_the_search():
    judged = ({"d1": {"relevance": 0.0}, "d2": {"relevance": 1.0}, "d3": {"relevance": 1.0}},)
    small = Small(judged, ((("d1", "d2", "d3"),),))
    assert ERR().score_gains(np.array([0.5, 1.0, 1.0]), small.pool, small.rankings) == [[0.5 + 0.5 / 2]]


def test_gains_must_be_probabilities():
    small = Small(({"d1": {"relevance": 1.0}},), ((("d1",),),))
    with pytest.raises(InputError, match=r"^ERR@5: expected gains that are probabilities, found 2$"):
        ERR(cutoff=5).score_gains(np.array([2.0]), small.pool, small.rankings)
    with pytest.raises(InputError, match="expected grades of at most 1 in relevance, found 2"):
        ERR(max_rel=1).of([2])
