"""How two judges err, and which labels are likely true, from labels drawn with known errors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from evalcore.labels.judges.true_labels import Confusions, drawn_grades, fitted_confusions, likely_grades

FIRST = np.array([[0.9, 0.1], [0.2, 0.8]])  # (true grade, label)
SECOND = np.array([[0.95, 0.05], [0.4, 0.6]])
SHARES = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6]])  # of the true grades, in groups


def drawn(first: np.ndarray, second: np.ndarray, shares: np.ndarray, count: int, seed: int) -> tuple[np.ndarray, ...]:
    """Labels of both judges, the groups, and the true grades."""
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(shares)), count)
    true = np.array([random.choice(shares.shape[1], p=shares[one]) for one in group])
    labels = [np.array([random.choice(len(how), p=how[one]) for one in true]) for how in (first, second)]
    return (*labels, group, true)


def test_the_errors_of_both_judges_are_found() -> None:
    """Neither is right; with 6,000 documents estimates are off by a few hundredths."""
    first, second, group, _ = drawn(FIRST, SECOND, SHARES, 2000, seed=1)
    found = fitted_confusions(first, second, group, 2)
    assert found.first == pytest.approx(FIRST, abs=0.06)
    assert found.second == pytest.approx(SECOND, abs=0.06)


def test_likely_grades_are_those_of_bayes_rule() -> None:
    """Many documents of each group, so that the shares of the groups are known."""
    first, second, group, _ = drawn(FIRST, SECOND, SHARES, 4000, seed=3)
    likely = likely_grades(first, second, group, Confusions(FIRST, SECOND))
    for at, a, b in product(range(3), range(2), range(2)):
        joint = SHARES[at] * FIRST[:, a] * SECOND[:, b]
        inside = (group == at) & (first == a) & (second == b)
        assert likely[inside].mean(axis=0) == pytest.approx(joint / joint.sum(), abs=0.04)


def test_grades_are_drawn_as_they_are_likely() -> None:
    likely = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])
    grades = drawn_grades(likely, 4000, np.random.default_rng(4))
    assert [(grades[0] == one).mean() for one in range(3)] == pytest.approx(likely[0].tolist(), abs=0.03)
    assert (grades[1] == 2).all()


def test_one_grade_and_one_document() -> None:
    zero = np.zeros(1, dtype=int)
    found = fitted_confusions(zero, zero, zero, 1)
    assert found.first.tolist() == [[1.0]]
    assert likely_grades(zero, zero, zero, found).tolist() == [[1.0]]


def test_a_grade_that_nobody_gave_has_no_errors() -> None:
    labels = np.array([0, 2, 0, 2])
    found = fitted_confusions(labels, labels, np.array([0, 0, 1, 1]), 4)
    assert np.isfinite(found.first).all()
    assert found.first.sum(axis=1) == pytest.approx(1.0)
