"""Decided swaps of two systems: equal to slow loops, and right on populations with a known truth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, ttest_1samp

from evalcore.meta import movers, swapped_pairs, swaps, swaps_in_words

AHEAD = np.array([0.5, 0.6, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8])


def frame(*systems: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({f"s{at}": values for at, values in enumerate(systems)})


def slow_p(x: pd.DataFrame, y: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return p of each swapped pair: the larger p of both t-tests, corrected by Benjamini-Hochberg over these pairs."""
    p = dict[tuple[str, str], float]()
    for a, b in combinations(x.columns, 2):
        lead_x, lead_y = ((frame[a] - frame[b]).to_numpy() for frame in (x, y))
        if lead_x.mean() * lead_y.mean() < -1e-12:
            p[a, b] = max(float(ttest_1samp(lead, 0).pvalue) for lead in (lead_x, lead_y)) if len(x) >= 6 else 1.0
    return {
        pair: min(len(p) * q / sum(one <= q for one in p.values()) for q in p.values() if q >= p[pair]) for pair in p
    }


@settings(max_examples=25, deadline=None)
@given(st.integers(5, 12), st.integers(2, 5), st.integers(0, 10_000))
def test_p_is_that_of_a_slow_loop(topics: int, systems: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x, y = (frame(*random.random((systems, topics))) for _ in range(2))
    found = {tuple(sorted(pair)): p for *pair, p in swaps(x, y).table[["system_a", "system_b", "p"]].values.tolist()}
    assert found == pytest.approx(slow_p(x, y))


def test_both_orders_must_be_decided() -> None:
    clear, even = frame(AHEAD, AHEAD - 0.3), frame(AHEAD, AHEAD + np.array([0.11, -0.1] * 4))
    assert swaps(clear, frame(AHEAD - 0.3, AHEAD)).table["decided"].tolist() == [True]
    assert swaps(clear, even).table["decided"].tolist() == [False]
    assert even["s1"].mean() > even["s0"].mean()


def test_the_units_of_a_measure_do_not_change_a_decision() -> None:
    random = np.random.default_rng(1)
    x = frame(*random.random((4, 20)))
    assert swaps(x, 100 * x + 7).table.empty


def test_fewer_than_six_topics_decide_nothing() -> None:
    x = frame(AHEAD[:5], AHEAD[:5] - 0.3)
    found = swaps(x, x.rename(columns={"s0": "s1", "s1": "s0"}))
    assert found.n_decided == 0
    assert swaps_in_words(found).endswith("5 topics are too few to show that any is significant.")


def test_missing_topics_and_infinite_scores_are_accepted() -> None:
    x = frame(AHEAD, AHEAD - 0.3, AHEAD + 1)
    y = frame(AHEAD - 0.3, AHEAD, np.where(AHEAD > 0.7, np.inf, AHEAD))
    x.iloc[0, 0] = y.iloc[0, 0] = np.nan
    table = swaps(x, y).table
    assert table["p"].between(0, 1).all()
    assert not table[(table[["system_a", "system_b"]] == "s2").any(axis=1)]["decided"].any()


def test_the_movers_count_the_swaps() -> None:
    random = np.random.default_rng(3)
    x, y = (frame(*random.random((6, 12))) for _ in range(2))
    found = swaps(x, y)
    pd.testing.assert_frame_equal(found.movers[["rank_x", "rank_y", "change"]], movers(x.mean(), y.mean()))
    assert found.movers["crossed"].sum() == 2 * len(swapped_pairs(x.mean(), y.mean()))


@pytest.mark.slow
@pytest.mark.parametrize("half_true", [False, True], ids=["equal by both", "apart by one"])
def test_a_swap_by_chance_is_seldom_called_decided(half_true: bool) -> None:
    """The bound is exact: more of 150 trials, at a true rate of 6%, have a probability below 1e-3."""
    random, wrong, trials = np.random.default_rng(8), 0, 150
    for _ in range(trials):
        shared = random.normal(size=(6, 15))
        apart = half_true * 5.0 * np.arange(6)[:, None]
        x, y = frame(*(shared + apart)), frame(*(shared + random.normal(size=(6, 15)) / 2))
        wrong += swaps(x, y).n_decided > 0
    assert wrong <= binom.ppf(0.999, trials, 0.06)


def test_a_level_outside_0_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match="a level between 0 and 1"):
        swaps(frame(AHEAD, AHEAD), frame(AHEAD, AHEAD), level=1.0)
