"""nERR and nDCG with a base: equal to loops over ranks, as their papers define them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from measures.small import Judged, collections, gains_of, ideal_of

from evalcore.measures import AP, parse


def err_of(gains: Sequence[float]) -> float:
    left, total = 1.0, 0.0
    for k, grade in enumerate(gains, start=1):
        satisfied = (2**grade - 1) / 8
        total += left * satisfied / k
        left *= 1 - satisfied
    return total


def n_err(ranking: Sequence[str], judged: Judged) -> float:
    best = err_of(ideal_of(judged)[:4])
    return err_of(gains_of(ranking, judged)[:4]) / best if best else 0.0


def ndcg_of_base_3(ranking: Sequence[str], judged: Judged) -> float:
    def dcg(gains: Sequence[float]) -> float:
        return sum(g / max(1.0, math.log(k, 3)) for k, g in enumerate(gains, start=1))

    best = dcg(ideal_of(judged))
    return dcg(gains_of(ranking, judged)) / best if best else 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "slow"),
    [
        ("nERR@4", n_err),
        ("nDCGb(b=3)", ndcg_of_base_3),
    ],
)
@given(small=collections(lowest=-1))
def test_graded_measures_equal_a_loop_over_ranks(text, slow, small):
    np.testing.assert_allclose(small.scores(parse(text)), small.by_loop(slow), atol=1e-12)


def test_ap_divided_by_the_most_relevant_documents_that_a_list_can_contain():
    assert AP(cutoff=2, per="min(R, K)").of([0, 1, 1, 1]) == pytest.approx(0.25)  # (1 / 2) / 2
    assert AP(cutoff=2).of([0, 1, 1, 1]) == pytest.approx(1 / 6)  # (1 / 2) / 3
