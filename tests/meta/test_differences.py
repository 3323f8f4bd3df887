"""Results computed with four-byte floats equal those with eight-byte floats."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import evalcore as ec
from evalcore.meta import differences
from evalcore.meta.differences import Differences, Draws
from evalcore.meta.discrimination import largest_needed_difference
from evalcore.meta.order import TIE

random = np.random.default_rng(36)
SYSTEMS, TOPICS, RESAMPLES = 7, 12, 500
NORMAL = random.normal(size=(SYSTEMS, TOPICS))
SCORES = {
    "normal": NORMAL,
    "reciprocal ranks": 1 / random.integers(1, 5, size=(SYSTEMS, TOPICS)),
    "zeros and ones": (NORMAL > 0).astype(float),
    "all but one topic alike": np.where(np.arange(TOPICS) == 3, NORMAL, 0.5),
    "tiny beside their mean": 3 + 1e-7 * NORMAL,
    "of all sizes": NORMAL * 10.0 ** np.arange(-3, SYSTEMS - 3)[:, None],
    "huge": NORMAL * 1e150,
    "tiny": NORMAL * 1e-150,
    "equal": np.full((SYSTEMS, TOPICS), 0.1),
    "one infinite": np.where((np.arange(TOPICS) == 1) & (np.arange(SYSTEMS)[:, None] == 2), np.inf, NORMAL),
    "gaps": np.where(np.arange(TOPICS) + np.arange(SYSTEMS)[:, None] == 9, np.nan, NORMAL),
}
DRAWS = Draws.of(TOPICS, RESAMPLES, 4)


def of_all_pairs(scores: np.ndarray) -> Differences:
    a, b = np.triu_indices(len(scores), 1)
    return Differences.between(scores[a], scores[b])


def slowly(pairs: Differences, draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """(P, B) |mean| and r of each resample, computed one at a time."""
    counts = draws.stack.swapaxes(1, 2).reshape(-1, draws.stack.shape[1])[: draws.n_resamples]
    means = np.array([[abs((row * drawn).sum()) for drawn in counts] for row in pairs.shifted]) / pairs.n_topics
    squares = np.array([[(row**2 * drawn).sum() for drawn in counts] for row in pairs.shifted]) / pairs.n_topics
    return means, np.divide(means, np.sqrt(squares), out=np.zeros_like(means), where=squares > 0)


@pytest.mark.parametrize("case", [name for name in SCORES if name != "gaps"])
@pytest.mark.parametrize("most_unsure", [0.0, 0.02, 1.0])
def test_as_extreme_counts_as_a_loop(case, most_unsure, monkeypatch):
    monkeypatch.setattr(differences, "_MOST_UNSURE", most_unsure)
    pairs = of_all_pairs(SCORES[case])
    least = np.maximum(pairs.r - TIE, 0.0)[:, None]
    expected = np.where(least == 0, RESAMPLES, (slowly(pairs, DRAWS)[1] > least).sum(axis=1, keepdims=True))
    assert_array_equal(pairs.as_extreme(DRAWS), expected[:, 0])


@pytest.mark.slow
def test_at_place_is_that_of_a_loop(subtests):
    for case in [name for name in SCORES if name != "gaps"]:
        for place in [1, 5, 25, RESAMPLES]:
            with subtests.test(f"{case}, {place}"):
                pairs = of_all_pairs(SCORES[case])
                expected = []
                for means, r in zip(*slowly(pairs, DRAWS), strict=True):
                    expected.append(means[np.abs(r - np.sort(r)[-place]) <= TIE].max())
                assert_allclose(pairs.at_place(DRAWS, place), expected, rtol=1e-12)


def test_power_is_that_of_the_test_and_of_the_needed_differences(subtests):
    for case in SCORES:
        for alpha in [0.01, 0.05, 0.5]:
            with subtests.test(f"{case}, {alpha}"):
                frame = pd.DataFrame(SCORES[case].T)
                row = ec.discriminative_power({"x": frame}, alpha, RESAMPLES, seed=4).loc["x"]
                tests = ec.paired_bootstrap(frame, RESAMPLES, seed=4)
                needed = ec.needed_differences(frame, alpha, RESAMPLES, seed=4)["needed"].max()
                assert (row["power"], row["significant"]) == (tests.power(alpha), len(tests.significant_pairs(alpha)))
                assert (row["pairs"], row["untested"]) == (len(tests.pairs), tests.untested)
                assert (
                    row["needed_difference"]
                    == needed
                    == largest_needed_difference(frame, alpha, Draws.of(len(frame), RESAMPLES, 4))
                )


def test_without_testable_pairs_the_needed_difference_is_unknown():
    frame = pd.DataFrame({"a": [np.inf, 1.0, 2.0], "b": [0.0, np.inf, 1.0]})
    row = ec.discriminative_power({"x": frame}, n_resamples=50).loc["x"]
    assert (row["untested"], row["power"], np.isnan(row["needed_difference"])) == (1, 0, True)


def test_a_topic_without_any_score_does_not_count_for_power():
    frame = pd.DataFrame(SCORES["normal"].T)
    with_one = pd.concat([frame, pd.DataFrame(np.nan, index=[99], columns=frame.columns)])
    expected, found = (ec.discriminative_power({"x": one}, n_resamples=200) for one in (frame, with_one))
    pd.testing.assert_frame_equal(found, expected)
