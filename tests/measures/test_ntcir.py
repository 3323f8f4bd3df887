"""O-, P-, P+-measure, NCU, GAP, nERR and nDCG with a base against loops over ranks, as their papers define them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from measures.small import Judged, collections, gains_of, ideal_of

from evalcore.measures import AP, parse


def ratios(ranking: Sequence[str], judged: Judged, beta: float) -> list[tuple[int, float, float]]:
    """Rank, gain and blended ratio of each relevant document."""
    gains, ideal = gains_of(ranking, judged), ideal_of(judged)
    return [
        (
            k,
            gains[k - 1],
            (sum(g > 0 for g in gains[:k]) + beta * sum(gains[:k])) / (k + beta * sum(ideal[:k])),
        )
        for k in range(1, len(gains) + 1)
        if gains[k - 1] > 0
    ]


def o_measure(ranking: Sequence[str], judged: Judged) -> float:
    found = ratios(ranking, judged, 1)
    return found[0][2] if found else 0.0


def preferred(found: list[tuple[int, float, float]]) -> int:
    highest = max(gain for _, gain, _ in found)
    return next(k for k, gain, _ in found if gain == highest)


def p_measure(ranking: Sequence[str], judged: Judged) -> float:
    found = ratios(ranking, judged, 1)
    return next(ratio for k, _, ratio in found if k == preferred(found)) if found else 0.0


def p_plus(ranking: Sequence[str], judged: Judged) -> float:
    found = ratios(ranking, judged, 1)
    counted = [ratio for k, _, ratio in found if k <= preferred(found)] if found else []
    return sum(counted) / len(counted) if counted else 0.0


def ncu_rank_biased(ranking: Sequence[str], judged: Judged) -> float:
    found, relevant = ratios(ranking, judged, 1), sum(grade > 0 for grade in judged.values())
    total = sum(0.95**n for n in range(relevant))
    return sum(0.95**n * ratio for n, (_, _, ratio) in enumerate(found)) / total if total else 0.0


def ncu_graded_precision(ranking: Sequence[str], judged: Judged) -> float:
    found, total = ratios(ranking, judged, 0), sum(ideal_of(judged))
    return sum(gain * ratio for _, gain, ratio in found) / total if total else 0.0


def gap(ranking: Sequence[str], judged: Judged) -> float:
    """The sum over ranks n of 1 / n times the sum over ranks m down to n of min(g_m, g_n)."""
    gains, total = gains_of(ranking, judged), sum(ideal_of(judged))
    pairs = (sum(min(gains[m], gains[n]) for m in range(n + 1)) / (n + 1) for n in range(len(gains)))
    return sum(pairs) / total if total else 0.0


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
        ("Omeasure", o_measure),
        ("Pmeasure", p_measure),
        ("Pplus", p_plus),
        ('NCU(stopping="rank-biased")', ncu_rank_biased),
        ('NCU(stopping="graded", beta=0)', ncu_graded_precision),
        ("GAP", gap),
        ("nERR@4", n_err),
        ("nDCGb(b=3)", ndcg_of_base_3),
    ],
)
@given(small=collections(lowest=-1))
def test_as_a_loop_over_ranks(text, slow, small):
    np.testing.assert_allclose(small.scores(parse(text)), small.by_loop(slow), atol=1e-12)


@given(small=collections())
def test_readers_who_stop_alike_make_ap_and_q(small):
    """Sakai & Robertson 2008: NCU of uniform stopping is AP with precision as utility, Q with the blended ratio."""
    for text, other in {'NCU(stopping="uniform", beta=0)': "AP", 'NCU(stopping="uniform")': "Q"}.items():
        np.testing.assert_allclose(small.scores(parse(text)), small.scores(parse(other)), atol=1e-12)


def test_ap_by_the_most_that_a_list_can_hold():
    assert AP(cutoff=2, per="min(R, K)").of([0, 1, 1, 1]) == pytest.approx(0.25)  # (1 / 2) / 2
    assert AP(cutoff=2).of([0, 1, 1, 1]) == pytest.approx(1 / 6)  # (1 / 2) / 3


def test_sakai_s_example_of_a_weak_document_first():
    """Only the second document of the list is perfect: P-measure looks at rank 2, O-measure at rank 1."""
    assert parse("Omeasure").of([1, 3]) == pytest.approx(2 / 4)  # (1 + 1) / (1 + 3)
    assert parse("Pmeasure").of([1, 3]) == 1  # (2 + 4) / (2 + 4)
