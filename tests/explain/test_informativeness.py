"""Chances of maximum entropy: against a general optimiser, closed forms, and rankings that hide nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import evalcore as ec
from evalcore.data.small import small_collection
from evalcore.errors import InputError
from evalcore.explain.informativeness import informativeness, likeliest, precision_error

MEASURES = ["AP", "P@3", "R@4", "Rprec", "RBP(rho=0.7)", "nDCG", "DCG@5"]


def expected_score(measure: str, chances: list[float], relevant: int) -> float:
    """E[score] of independent documents, up to a factor, term by term."""
    total = 0.0
    for at, chance in enumerate(chances):
        rank = at + 1
        if measure == "AP":
            total += chance / rank * (1 + sum(chances[:at]))
        elif measure == "Rprec":
            total += chance * (rank <= relevant)
        elif "@" in measure and measure[0] in "PR":
            total += chance * (rank <= int(measure[-1]))
        elif measure.startswith("RBP"):
            total += chance * 0.7**at
        else:
            total += chance / np.log2(1 + rank) * (measure == "nDCG" or rank <= 5)
    return total


def by_optimiser(measure: str, found: list[bool], relevant: int) -> np.ndarray:
    """The same by sequential quadratic programming, as in the code of Maistro et al. 2021, but until it converges."""
    count, n = sum(found), len(found)
    score = expected_score(measure, [float(one) for one in found], relevant)

    same: Any = [
        {"type": "eq", "fun": lambda p: expected_score(measure, p.tolist(), relevant) - score},
        {"type": "eq", "fun": lambda p: p.sum() - count},
    ]
    start = 0.5 * np.array(found) + 0.5 * count / n
    bounds: Any = [(1e-7, 1 - 1e-7)] * n
    options: Any = {"maxiter": 500, "ftol": 1e-12}
    found_by: Any = minimize
    how = {"method": "SLSQP", "bounds": bounds, "constraints": same, "options": options}
    return np.asarray(found_by(lambda p: -entropy(p), start, **how).x)


def lists_of(seed: int) -> list[list[bool]]:
    drawn = np.random.default_rng(seed).random((8, 8)) < 0.45
    return [one[: 4 + at % 5].tolist() for at, one in enumerate(drawn)]


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_no_chances_with_that_score_have_more_entropy(measure):
    """An optimiser finds none; it may find less, where its conditions say the same twice or have several optima."""
    for found in lists_of(seed=3):
        if sum(found) in (0, len(found)):
            continue
        relevant = sum(found) + 1
        chances = likeliest(ec.parse(measure), np.array([found]), np.array([float(relevant)]))[0]
        score = expected_score(measure, [float(one) for one in found], relevant)
        assert chances.sum() == pytest.approx(sum(found), abs=1e-6)
        assert expected_score(measure, chances.tolist(), relevant) == pytest.approx(score, abs=1e-3)
        other = by_optimiser(measure, found, relevant)
        assert expected_score(measure, other.tolist(), relevant) == pytest.approx(score, abs=1e-3)
        assert entropy(chances) >= entropy(other) - 1e-3


def entropy(p: np.ndarray) -> float:
    inside = np.clip(p, 1e-12, 1 - 1e-12)
    return float(-(inside * np.log(inside) + (1 - inside) * np.log(1 - inside)).sum())


def test_precision_at_a_cutoff_leaves_all_above_it_alike():
    """In closed form: 2 of 3 above the cut-off, 1 of 5 below it."""
    found = np.array([[True, False, True, False, False, True, False, False]])
    chances = likeliest(ec.parse("P@3"), found, np.array([3.0]))[0]
    assert chances == pytest.approx([2 / 3] * 3 + [1 / 5] * 5, abs=1e-6)


def test_what_is_relevant_counts_and_not_how_much():
    labels = pd.DataFrame({"relevance": [3, 1, 0, 0, 2]}, index=list("abcde"))
    c = small_collection(labels, {"s": list("acbde")})
    flat = small_collection(labels.clip(upper=1), {"s": list("acbde")})
    graded, plain = (informativeness(["nDCG", "AP"], one, depth=5) for one in (c, flat))
    pd.testing.assert_frame_equal(graded, plain)


def test_an_error_is_of_precision_at_relevant_documents():
    """Relevant at ranks 1 and 3; chances of 1/2 put the first at 2 and the second at 4: 1 - 1/2 and 2/3 - 2/4."""
    error = precision_error(np.array([True, False, True, False]), np.full(4, 0.5))
    assert error == pytest.approx(np.sqrt((0.5**2 + (1 / 6) ** 2) / 2))


def test_average_precision_tells_more_than_precision_at_a_cutoff(sample):
    """What Aslam, Yilmaz & Pavlu (2005) find on TREC: AP before R-precision before precision at 10 or less."""
    table = informativeness(["AP", "Rprec", "P@5"], sample)
    assert table["rms"].is_monotonic_increasing
    assert (table["lists"] == len(sample.systems) * len(sample.topics)).all()


@pytest.mark.parametrize("measure", ["RR", "Bpref", "CAM(nDCG)", "AP(judged_only=True)"])
def test_a_measure_that_cannot_be_held_to_its_score_has_no_result(sample, measure):
    row = informativeness([measure], sample).iloc[0]
    assert row["lists"] == 0
    assert np.isnan(row["rms"])


def test_one_rank_has_no_curve(sample):
    with pytest.raises(InputError, match="expected a depth of 2 ranks or more, found 1"):
        informativeness(["AP"], sample, depth=1)


@pytest.mark.parametrize("rounding", [-1e-12, 0.0, 1e-12])
def test_where_all_is_as_good_as_certain_rounding_does_not_decide(rounding):
    """Two relevant documents stand first, and nothing else is likely: whatever the sum of the chances lacks of 2."""
    chances = np.array([1.0, 1.0 + rounding, *[1e-60] * 8])
    assert precision_error(np.arange(10) < 2, chances) == pytest.approx(0.0, abs=1e-6)


def test_each_list_is_solved_as_if_alone():
    """Lists that are solved early wait for no other, and one that is hard to solve moves none."""
    lists = np.random.default_rng(5).random((20, 12)) < np.linspace(0.1, 0.9, 20)[:, None]
    lists[3], lists[4] = np.arange(12) < 4, np.arange(12) >= 8
    for measure in map(ec.parse, ("RBP(rho=0.3)", "nDCG", "AP")):
        together = likeliest(measure, lists, lists.sum(axis=1) + 1.0)
        alone = [likeliest(measure, row[None], row.sum(keepdims=True) + 1.0)[0] for row in lists]
        np.testing.assert_allclose(together, alone, atol=1e-8)
