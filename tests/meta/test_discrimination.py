from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import ceil, isinf, sqrt

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import discrimination as module
from evalcore.meta import (
    discriminative_power,
    needed_differences,
    paired_bootstrap,
    topic_resamples,
)

tenths = st.integers(0, 10)


def tables(topics: st.SearchStrategy[int], systems: int = 3) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(tenths, min_size=systems, max_size=systems)
    return topics.flatmap(lambda n: st.lists(row, min_size=n, max_size=n))


def of_tenths(rows: list[list[int]]) -> pd.DataFrame:
    return pd.DataFrame([[value / 10 for value in row] for row in rows], columns=list("abcdefg")[: len(rows[0])])


def random_frame(seed: int, topics: int = 12, systems: int = 6) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


# --- slow and obvious -------------------------------------------------------------------------------------------------


def squared_t(values: list[Fraction]) -> Fraction | float:
    """t^2 exactly; with a variance of 0, 0 where the mean is 0 and infinite elsewhere."""
    n = len(values)
    mean = sum(values) / Fraction(n)
    variance = sum((value - mean) ** 2 for value in values) / Fraction(n - 1)
    if variance == 0:
        return Fraction(0) if mean == 0 else float("inf")
    return mean**2 * n / variance


def exact_asl(rows: list[list[int]], a: int, b: int, resamples: list[list[int]]) -> float:
    """ASL of one pair from scores in tenths and topics drawn, without rounding anything."""
    d = [Fraction(row[a] - row[b], 10) for row in rows]
    mean = sum(d) / Fraction(len(d))
    w = [value - mean for value in d]
    t = squared_t(d)
    return sum(squared_t([w[topic] for topic in drawn]) >= t for drawn in resamples) / len(resamples)


def drawn_topics(counts: np.ndarray) -> list[list[int]]:
    return [np.repeat(np.arange(len(row)), row).tolist() for row in counts]


def as_counts(resamples: list[tuple[int, ...]], n: int) -> np.ndarray:
    return np.array([np.bincount(drawn, minlength=n) for drawn in resamples])


def loop(frame: pd.DataFrame, counts: np.ndarray, alpha: float) -> list[tuple[float, float]]:
    """(ASL, needed difference) of every pair, in floats, one resample at a time."""
    found = []
    for a, b in combinations(frame.columns, 2):
        d = (frame[a] - frame[b]).to_numpy()
        w, t = d - d.mean(), abs(d.mean()) / (d.std(ddof=1) / sqrt(len(d)))
        samples = [w[drawn] for drawn in drawn_topics(counts)]
        ts = [abs(s.mean()) / (s.std(ddof=1) / sqrt(len(s))) for s in samples]
        place = ceil(round(alpha * len(ts), 6))
        at = sorted(range(len(ts)), key=lambda i: -ts[i])[place - 1]
        found.append((sum(one >= t for one in ts) / len(ts), abs(samples[at].mean())))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_obvious_loop(seed):
    frame = random_frame(seed, systems=4)
    counts = topic_resamples(12, 400, seed)
    expected = loop(frame, counts, alpha=0.05)
    tests = paired_bootstrap(frame, n_resamples=400, seed=seed)
    needed = needed_differences(frame, 0.05, n_resamples=400, seed=seed)
    assert tests.pairs["asl"].tolist() == [asl for asl, _ in expected]
    assert needed["needed"].tolist() == pytest.approx([value for _, value in expected])


@given(tables(st.integers(2, 4)))
def test_equals_the_enumeration_of_all_resamples(rows):
    """All n^n resamples, with fractions: ties of t* and t are no matter of rounding."""
    n = len(rows)
    resamples = list(product(range(n), repeat=n))
    tests = paired_bootstrap(of_tenths(rows), counts=as_counts(resamples, n))
    expected = [exact_asl(rows, a, b, [list(drawn) for drawn in resamples]) for a, b in combinations(range(3), 2)]
    assert tests.pairs["asl"].tolist() == expected


@given(tables(st.integers(5, 9), systems=2), st.integers(0, 1000))
def test_equals_exact_arithmetic_on_random_resamples(rows, seed):
    counts = topic_resamples(len(rows), 60, seed)
    tests = paired_bootstrap(of_tenths(rows), counts=counts)
    assert tests.pairs["asl"].tolist() == [exact_asl(rows, 0, 1, drawn_topics(counts))]


def test_blocks_make_no_difference(monkeypatch):
    frame = random_frame(1, systems=9)
    whole, needed = paired_bootstrap(frame, 200).pairs, needed_differences(frame, 0.1, 200)
    monkeypatch.setattr(module, "CELLS", 600)  # three pairs at once
    pd.testing.assert_frame_equal(paired_bootstrap(frame, 200).pairs, whole, check_exact=False, rtol=1e-12)
    pd.testing.assert_frame_equal(needed_differences(frame, 0.1, 200), needed, check_exact=False, rtol=1e-12)
    assert paired_bootstrap(frame, 200).pairs["asl"].tolist() == whole["asl"].tolist()


def test_t_and_its_p_are_scipys():
    frame = random_frame(2)
    for row in paired_bootstrap(frame, 50).pairs.to_dict("records"):
        a, b = frame[row["system_a"]], frame[row["system_b"]]
        expected = scipy.stats.ttest_rel(a, b)
        assert row["difference"] == pytest.approx(a.mean() - b.mean())
        assert (row["t"], row["p_t"]) == pytest.approx((expected.statistic, expected.pvalue))


# --- conventions ------------------------------------------------------------------------------------------------------


def test_constant_differences_need_no_standard_deviation():
    """In decimals: 0.3 - 0.2 and 0.8 - 0.7 differ in the last bits."""
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


def test_equal_scores_have_equal_asl_whatever_the_measure_is_called():
    first = random_frame(3)
    tests = [paired_bootstrap(scores, 500, seed=4) for scores in (first, first.copy(), 1.0 * first)]
    for other in tests[1:]:
        assert other.pairs["asl"].tolist() == tests[0].pairs["asl"].tolist()
        assert other.power(0.05) == tests[0].power(0.05)


def test_rounding_of_the_scores_does_not_move_an_asl():
    """The same scores, added up in another order."""
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


def test_a_curve_falls():
    curve = paired_bootstrap(random_frame(8), 200).curve()
    assert curve["asl"].is_monotonic_decreasing
    assert len(curve) == 15


def test_asl_is_near_the_t_test_on_well_behaved_scores():
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(rng.normal(size=(60, 5)) + np.arange(5) * 0.2)
    pairs = paired_bootstrap(frame, 10_000).pairs
    assert pairs["asl"].to_numpy() == pytest.approx(pairs["p_t"].to_numpy(), abs=0.02)


# --- tables -----------------------------------------------------------------------------------------------------------


def test_discriminative_power_is_one_row_per_measure():
    x, y = random_frame(1, 30), random_frame(2, 30).cumsum(axis=1)
    table = discriminative_power({"x": x, "y": y}, alpha=0.1, n_resamples=300, seed=2)
    for text, scores in (("x", x), ("y", y)):
        tests = paired_bootstrap(scores, 300, 2)
        needed = needed_differences(scores, 0.1, 300, 2)["needed"].max()
        assert table.T[text].tolist() == [15, len(tests.significant_pairs(0.1)), tests.power(0.1), needed, 0]
    assert table["power"]["y"] > table["power"]["x"]


def test_measures_are_aligned_by_topic_so_that_resamples_are_shared():
    x = random_frame(1)
    shuffled = x.sample(frac=1, random_state=1).sample(frac=1, random_state=2, axis="columns")
    table = discriminative_power({"x": x, "again": shuffled}, alpha=0.3, n_resamples=300)
    assert table.T["x"].tolist() == table.T["again"].tolist()


def test_needed_difference_separates_most_pairs():
    """What Sakai's estimate is for: pairs with a larger difference are told apart."""
    frame = random_frame(4, topics=50, systems=12) + np.linspace(0, 0.5, 12)
    tests = paired_bootstrap(frame, 2000)
    largest = needed_differences(frame, 0.05, 2000)["needed"].max()
    beyond = tests.pairs["difference"].abs() > largest
    assert beyond.sum() > 10
    assert (tests.pairs["asl"][beyond] < 0.05).all()


def test_of_tied_resamples_the_largest_difference_is_needed():
    frame = pd.DataFrame({"a": [0.5, 0.1, 0.0], "b": [0.0, 0.0, 0.0]})  # w = .3, -.1, -.2
    counts = [[3, 0, 0], [0, 3, 0], [0, 0, 3], [1, 1, 1]]  # |t*| infinite three times, then 0
    for alpha, place in ((0.25, 1), (0.5, 2), (0.75, 3)):
        assert needed_differences(frame, alpha, counts=counts)["needed"].tolist() == pytest.approx([0.3]), place
    assert needed_differences(frame, 0.99, counts=counts)["needed"].tolist() == pytest.approx([0.0])


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
def test_what_progress_raises_ends_the_computation(work, monkeypatch):
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
    with pytest.raises(
        ValueError, match=r"resamples x 12 topics that sum to 12 in each resample, found shape \(5, 12\)"
    ):
        paired_bootstrap(frame, counts=np.ones((5, 12)) * 2)
    with pytest.raises(ValueError, match="alpha between 0 and 1, both excluded, found 5"):
        paired_bootstrap(frame, 20).power(5)
    with pytest.raises(ValueError, match="alpha between 0 and 1, both excluded, found 0"):
        needed_differences(frame, 0.0, 20)
    with pytest.raises(ValueError, match="same topics on both sides, found only in x: t0"):
        discriminative_power({"x": frame, "y": frame.drop(index="t0")})


def test_the_worst_t_is_infinite_only_without_spread():
    assert isinf(float(paired_bootstrap(pd.DataFrame({"a": [1.0, 1.0], "b": [0.0, 0.0]}), 10).pairs["t"].iloc[0]))


# --- real runs --------------------------------------------------------------------------------------------------------


def test_equal_scores_of_real_measures_have_equal_power(clef2015):
    """Erratum 40: with binary weights, Euclidean and Manhattan distances give the same labels."""
    import evalcore as ec

    texts = [f"TOMA(AP, distance={name}, weights=AboveWorst)" for name in ("Euclidean", "Manhattan")]
    table = discriminative_power(ec.evaluate(texts, clef2015), alpha=0.01, n_resamples=1000)
    assert table.iloc[0].tolist() == table.iloc[1].tolist()
    assert table["pairs"].tolist() == [780, 780]
    assert 0 < table["power"].iloc[0] < 1
