"""Trust in a judge at the top of the ranking: equal to slow loops."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from labels.judges.made import judged
from scipy import stats

import evalcore as ec
from evalcore.labels.judges import source_rankings, top_agreement


def frames(seed: int, systems: int = 9, topics: int = 30) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Make scores under two judges, with ties, a duplicated system, and a constant difference."""
    random = np.random.default_rng(seed)
    names = [f"s{at}" for at in range(systems)]
    x = (random.random((topics, systems)) + 0.08 * np.arange(systems)).round(1)
    y = (0.6 * x + 0.5 * random.random((topics, systems))).round(1)
    for one in (x, y):
        one[:, 1] = one[:, 0]
        one[:, 3] = one[:, 2] + 0.1
    return pd.DataFrame(x, columns=names), pd.DataFrame(y, columns=names)


def slow_decisions(scores: pd.DataFrame, correction: str) -> dict[tuple[str, str], int]:
    """Return 1, -1 or 0 for every pair, from scipy's paired t-test, corrected one by one."""
    p = {}
    for a, b in combinations(scores, 2):
        difference = scores[a] - scores[b]
        if np.ptp(difference) < 1e-12:
            p[a, b] = 1.0 if abs(difference.iloc[0]) < 1e-12 else 0.0
        else:
            p[a, b] = float(stats.ttest_rel(scores[a], scores[b]).pvalue)
    ordered = sorted(p, key=p.__getitem__)
    highest, held = 0.0, {}
    for place, pair in enumerate(ordered):
        factor = {"none": 1, "Bonferroni": len(p), "Holm": len(p) - place}[correction]
        highest = max(highest, p[pair] * factor) if correction == "Holm" else p[pair] * factor
        held[pair] = min(highest, 1.0)
    means: Any = scores.mean()
    return {(str(a), str(b)): int(np.sign(means[a] - means[b])) if one <= 0.05 else 0 for (a, b), one in held.items()}


@pytest.mark.parametrize("correction", ["none", "Bonferroni", "Holm"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_wrong_and_missed_pairs_equal_a_slow_loop(seed: int, correction: str) -> None:
    x, y = frames(seed)
    found = top_agreement(x, y, correction=correction)
    right, decided = slow_decisions(x, correction), slow_decisions(y, correction)
    ranks = ec.ranks(x.mean())
    for k in range(2, 10):
        pairs = [pair for pair in right if ranks[pair[0]] <= k and ranks[pair[1]] <= k]
        expected = {
            "pairs": len(pairs),
            "significant": sum(decided[pair] != 0 for pair in pairs),
            "significant_reference": sum(right[pair] != 0 for pair in pairs),
            "wrong": sum(decided[pair] != 0 and decided[pair] != right[pair] for pair in pairs),
            "reversed": sum(decided[pair] * right[pair] == -1 for pair in pairs),
            "missed": sum(decided[pair] == 0 and right[pair] != 0 for pair in pairs),
        }
        assert found.loc[k, list(expected)].to_dict() == expected


def test_tau_overlap_and_rbo_are_over_the_first_k_systems() -> None:
    x, y = frames(4)
    found = top_agreement(x, y, [3, 6])
    first = [ec.ranks(one.mean()) for one in (x, y)]
    for k in (3, 6):
        inside = [one.index[one <= k] for one in first]
        assert found.loc[k, "tau"] == pytest.approx(ec.tau(x[inside[0]].mean(), y[inside[0]].mean()))
        assert found.loc[k, "tau_test"] == pytest.approx(ec.tau(x[inside[1]].mean(), y[inside[1]].mean()))
        assert found.loc[k, "common"] == len(set(inside[0]) & set(inside[1])) / max(map(len, inside))
        assert found.loc[k, "rbo"] == pytest.approx(ec.rbo(x.mean(), y.mean(), 1 - 1 / k))


def test_on_one_topic_no_two_systems_differ_significantly() -> None:
    x, y = (frame.iloc[:1] for frame in frames(5))
    assert top_agreement(x, y)[["significant", "significant_reference", "wrong", "missed"]].to_numpy().max() == 0


def test_all_systems_of_a_measure_are_compared() -> None:
    found = source_rankings("RBP", judged(1), n_resamples=20)
    pd.testing.assert_frame_equal(found.top("nist", "b"), top_agreement(found.scores["nist"], found.scores["b"]))


def test_invalid_depths_and_frames_are_refused() -> None:
    x, y = frames(7)
    with pytest.raises(ec.InputError, match="expected depths of 2 or more, found 1"):
        top_agreement(x, y, [1])
    with pytest.raises(ValueError, match="the same topics and systems"):
        top_agreement(x, y.iloc[1:])
