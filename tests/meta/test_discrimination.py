from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from evalcore.meta import discrimination as module
from evalcore.meta import (
    discriminative_power,
    needed_differences,
    paired_bootstrap,
    topic_resamples,
)


def random_frame(seed: int, topics: int = 12, systems: int = 6) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


# --- slow and obvious -------------------------------------------------------------------------------------------------


def test_computing_in_blocks_changes_nothing(monkeypatch):
    frame = random_frame(1, systems=9)
    whole, needed = paired_bootstrap(frame, 200).pairs, needed_differences(frame, 0.1, 200)
    monkeypatch.setattr(module, "CELLS", 600)  # three pairs at once
    pd.testing.assert_frame_equal(paired_bootstrap(frame, 200).pairs, whole, check_exact=False, rtol=1e-12)
    pd.testing.assert_frame_equal(needed_differences(frame, 0.1, 200), needed, check_exact=False, rtol=1e-12)
    assert paired_bootstrap(frame, 200).pairs["asl"].tolist() == whole["asl"].tolist()


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.5])
def test_power_is_that_of_a_loop_over_pairs_and_resamples(alpha):
    """Sakai 2006: the share of pairs whose t is rarely reached by resamples of differences without their mean."""
    frame, below = random_frame(8), 0

    def t(values):
        return abs(values.mean()) / (values.std(ddof=1) / np.sqrt(len(values)))

    for a, b in combinations(frame.columns, 2):
        d = (frame[a] - frame[b]).to_numpy()
        again = [np.repeat(d - d.mean(), drawn) for drawn in topic_resamples(len(d), 300, seed=3)]
        below += sum(t(one) >= t(d) for one in again) / 300 < alpha
    row = discriminative_power({"x": frame}, alpha, 300, seed=3).loc["x"]
    assert (row["significant"], row["power"]) == (below, below / 15)


def test_t_and_its_p_are_scipys():
    frame = random_frame(2)
    for row in paired_bootstrap(frame, 50).pairs.to_dict("records"):
        a, b = frame[row["system_a"]], frame[row["system_b"]]
        expected = scipy.stats.ttest_rel(a, b)
        assert row["difference"] == pytest.approx(a.mean() - b.mean())
        assert (row["t"], row["p_t"]) == pytest.approx((expected.statistic, expected.pvalue))


# --- conventions ------------------------------------------------------------------------------------------------------


def test_constant_differences_need_no_standard_deviation():
    """In decimals, 0.3 - 0.2 and 0.8 - 0.7 differ in the last bits."""
    frame = pd.DataFrame({"a": [0.3, 0.8, 0.4], "b": [0.2, 0.7, 0.3], "c": [0.1 + 0.2, 0.8, 0.4]})
    pairs = paired_bootstrap(frame, 100).pairs
    assert pairs["t"].tolist() == [np.inf, 0.0, -np.inf]
    assert pairs["p_t"].tolist() == [0.0, 1.0, 0.0]
    assert pairs["asl"].tolist() == [0.0, 1.0, 0.0]
    assert needed_differences(frame, 0.05, 100)["needed"].tolist() == pytest.approx([0.0, 0.0, 0.0], abs=1e-15)


def test_a_resample_without_any_difference_has_t_of_0():
    even = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.0, 0.0, 0.0]})  # w = -.1, 0, .1
    assert paired_bootstrap(even, counts=[[0, 3, 0]]).pairs["asl"].tolist() == [0.0]


def test_a_resample_with_the_same_difference_on_every_topic_has_an_infinite_t():
    even = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.0, 0.0, 0.0]})
    assert paired_bootstrap(even, counts=[[3, 0, 0]]).pairs["asl"].tolist() == [1.0]


def test_rounding_of_the_scores_does_not_move_an_asl():
    """The same scores are summed in another order."""
    rng = np.random.default_rng(5)
    parts = rng.integers(0, 10, (3, 20, 6)) / 10
    forth, back = parts[0] + parts[1] + parts[2], parts[2] + parts[1] + parts[0]
    assert (forth != back).any()
    asls = [paired_bootstrap(pd.DataFrame(scores), 2000).pairs["asl"].tolist() for scores in (forth, back)]
    assert asls[0] == asls[1]


def test_the_sign_the_scale_and_the_order_of_systems_do_not_matter():
    frame = random_frame(6)
    asl = paired_bootstrap(frame, 300).pairs["asl"].tolist()
    assert paired_bootstrap(-frame, 300).pairs["asl"].tolist() == asl
    assert paired_bootstrap(1000 * frame, 300).pairs["asl"].tolist() == asl
    turned = paired_bootstrap(frame[frame.columns[::-1]], 300).pairs
    known = turned.set_index(["system_b", "system_a"])["asl"]
    assert [known[pair] for pair in combinations(frame.columns, 2)] == asl


def test_power_counts_the_pairs_below_alpha():
    tests = paired_bootstrap(random_frame(7, topics=30, systems=8), 1000)
    below = sum(asl < 0.2 for asl in tests.pairs["asl"])
    assert 0 < below < 28
    assert tests.power(0.2) == below / 28
    assert len(tests.significant_pairs(0.2)) == below
    exactly = tests.pairs["asl"].iloc[3]
    assert len(tests.significant_pairs(exactly)) == sum(asl < exactly for asl in tests.pairs["asl"])


# --- tables -----------------------------------------------------------------------------------------------------------


def test_measures_are_aligned_by_topic_so_that_resamples_are_shared():
    x = random_frame(1)
    shuffled = x.sample(frac=1, random_state=1).sample(frac=1, random_state=2, axis="columns")
    table = discriminative_power({"x": x, "again": shuffled}, alpha=0.3, n_resamples=300)
    assert table.T["x"].tolist() == table.T["again"].tolist()


# --- long work --------------------------------------------------------------------------------------------------------


def test_progress_is_reported_and_ends_at_1(monkeypatch):
    monkeypatch.setattr(module, "CELLS", 600)
    shares: list[float] = []
    discriminative_power({"x": random_frame(1), "y": random_frame(2)}, n_resamples=200, progress=shares.append)
    assert len(shares) == 10
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("work", [paired_bootstrap, needed_differences])
def test_an_exception_from_the_progress_callback_ends_the_computation(work, monkeypatch):
    monkeypatch.setattr(module, "CELLS", 600)
    shares: list[float] = []

    def stop(share: float) -> None:
        shares.append(share)
        if len(shares) == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        work(random_frame(1), n_resamples=200, progress=stop)
    assert shares == [3 / 15, 6 / 15]


def test_the_error_for_unusable_input_names_what_was_expected_and_found():
    frame = random_frame(1)
    with pytest.raises(ValueError, match="at least 2 topics to test a difference, found 1"):
        paired_bootstrap(frame.head(1))
    with pytest.raises(ValueError, match="at least 2 systems, found 1"):
        paired_bootstrap(frame[["s0"]])
    with pytest.raises(ValueError, match="expected a score of every system, found none of 's1'"):
        paired_bootstrap(frame.assign(s1=np.nan))
    with pytest.raises(ValueError, match=r"of shape \(resamples, 12\) with row sums 12, found shape \(5, 12\)"):
        paired_bootstrap(frame, counts=np.ones((5, 12)) * 2)
    with pytest.raises(ValueError, match="alpha between 0 and 1, both excluded, found 5"):
        paired_bootstrap(frame, 20).power(5)
    with pytest.raises(ValueError, match="alpha between 0 and 1, both excluded, found 0"):
        needed_differences(frame, 0.0, 20)
    with pytest.raises(ValueError, match="same topics on both sides, found only in x: t0"):
        discriminative_power({"x": frame, "y": frame.drop(index="t0")})


# --- real runs --------------------------------------------------------------------------------------------------------
