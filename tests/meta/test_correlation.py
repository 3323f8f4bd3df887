from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from evalcore import meta
from evalcore.meta.order import ahead, ahead_in_both, as_listed, reverse, shared_prefixes

EVERY = list(meta.CORRELATIONS.values())
TIE_FREE_ONLY = {"prefix_overlap"}  # breaks ties by the order given

# few distinct values: many ties
tied_pairs = st.integers(2, 7).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4).map(float), min_size=n, max_size=n)] * 2)
)
strict_pairs = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.permutations(list(range(n))).map(lambda p: [float(v) for v in p])] * 2)
)


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


# --- slow and obvious -----------------------------------------------------------------------------


def slow_tau(x: list[float], y: list[float], b: bool) -> float:
    n, balance, free_x, free_y = len(x), 0, 0, 0
    for i in range(n):
        for j in range(i):
            balance += int(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]))
            free_x += x[i] != x[j]
            free_y += y[i] != y[j]
    bottom = sqrt(free_x * free_y) if b else n * (n - 1) / 2
    return balance / bottom if bottom else float("nan")


def tie_breakings(scores: list[float]) -> Iterator[list[int]]:
    """Yield every order of the systems, best first, that the scores allow."""
    for order in permutations(range(len(scores))):
        if all(scores[a] >= scores[b] for a, b in pairwise(order)):
            yield list(order)


def walk(order: list[int], reference: list[float]) -> float:
    """Compute tau_AP of a strict order by the printed formula of Yilmaz et al."""
    total = 0.0
    for i in range(1, len(order)):
        total += sum(reference[above] > reference[order[i]] for above in order[:i]) / i
    return 2 / (len(order) - 1) * total - 1


def slow_tau_ap_b(x: list[float], y: list[float]) -> float:
    def down(test: list[float], other: list[float]) -> float:
        terms = []
        for i in range(len(test)):
            better = [j for j in range(len(test)) if test[j] > test[i]]
            if better:
                terms.append(sum(other[j] > other[i] for j in better) / len(better))
        return 2 * sum(terms) / len(terms) - 1 if terms else float("nan")

    return (down(x, y) + down(y, x)) / 2


def slow_rbo(x: list[float], y: list[float], p: float) -> float:
    n, total = len(x), 0.0
    for d in range(1, n + 1):
        first_x = {i for i in range(n) if sum(v > x[i] for v in x) < d}
        first_y = {i for i in range(n) if sum(v > y[i] for v in y) < d}
        total += 2 * len(first_x & first_y) / (len(first_x) + len(first_y)) * p**d
    return p**n + (1 - p) / p * total


def slow_prefix_overlap(x: list[float], y: list[float]) -> float:
    n = len(x)
    order_x, order_y = (sorted(range(n), key=lambda i: -side[i]) for side in (x, y))
    return 2 / (n - 1) * sum(len(set(order_x[:i]) & set(order_y[:i])) / i for i in range(1, n)) - 1


@given(tied_pairs)
def test_tau_equals_the_obvious_loop_and_scipy(pair):
    x, y = pair
    assert meta.tau(x, y) == close(slow_tau(x, y, b=True))
    assert meta.tau_a(x, y) == close(slow_tau(x, y, b=False))
    assert meta.tau(x, y) == close(scipy.stats.kendalltau(x, y).statistic)


@given(tied_pairs)
def test_tau_ap_is_the_mean_over_all_tie_breakings_of_the_test_list(pair):
    test, reference = pair
    assert meta.tau_ap(test, reference) == close(np.mean([walk(order, reference) for order in tie_breakings(test)]))


@given(tied_pairs)
def test_tau_ap_b_equals_the_obvious_loop(pair):
    assert meta.tau_ap_b(*pair) == close(slow_tau_ap_b(*pair))


@given(tied_pairs, st.sampled_from([0.1, 0.5, 0.9, 0.99]))
def test_rbo_equals_the_obvious_sets(pair, p):
    x, y = pair
    assert meta.rbo(x, y, p=p) == close(slow_rbo(x, y, p))


@given(tied_pairs)
def test_prefix_overlap_equals_the_obvious_sets(pair):
    assert meta.prefix_overlap(*pair) == close(slow_prefix_overlap(*pair))


# --- properties -----------------------------------------------------------------------------------


@pytest.mark.parametrize("correlation", EVERY, ids=lambda c: c.name)
@given(pair=tied_pairs)
def test_correlations_are_at_most_one_and_symmetric_if_declared(correlation, pair):
    value = correlation(*pair)
    assert isnan(value) or -1 - 1e-12 <= value <= 1 + 1e-12
    if correlation.symmetric:
        assert correlation(*reversed(pair)) == close(value)


def test_tau_ap_is_not_symmetric():
    assert meta.tau_ap([4, 3, 2, 1], [3, 4, 2, 1]) != meta.tau_ap([4, 3, 2, 1], [4, 3, 1, 2])
    assert meta.tau_ap([4, 3, 2, 1], [2, 4, 3, 1]) != meta.tau_ap([2, 4, 3, 1], [4, 3, 2, 1])


@pytest.mark.parametrize("correlation", EVERY, ids=lambda c: c.name)
@given(pair=strict_pairs)
def test_a_ranking_agrees_fully_with_itself(correlation, pair):
    assert correlation(pair[0], pair[0]) == close(1.0)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_pearson_does_not_depend_on_the_unit_of_the_scores(unit):
    assert meta.pearson([unit, 2 * unit, 4 * unit], [3, 1, 2]) == close(
        scipy.stats.pearsonr([1, 2, 4], [3, 1, 2]).statistic
    )


@pytest.mark.parametrize("function", [meta.tau, meta.tau_a, meta.tau_ap, meta.tau_ap_b, meta.spearman, meta.pearson])
@given(pair=strict_pairs)
def test_a_reversed_ranking_correlates_with_minus_one(function, pair):
    assert function(pair[0], [-v for v in pair[0]]) == close(-1.0)


@pytest.mark.parametrize("correlation", EVERY, ids=lambda c: c.name)
@given(pair=tied_pairs, seed=st.integers(0, 99))
def test_order_of_the_systems_and_scale_do_not_matter(correlation, pair, seed):
    x, y = (pd.Series(side, index=[f"s{i}" for i in range(len(side))]) for side in pair)
    shuffled = y.sample(frac=1, random_state=seed)
    assert correlation(x, shuffled) == close(correlation(x, y))
    assert correlation(3 * x + 1, y) == close(correlation(x, y))
    if correlation.name not in TIE_FREE_ONLY:
        assert correlation(x[shuffled.index], y) == close(correlation(x, y))


@pytest.mark.parametrize("correlation", EVERY, ids=lambda c: c.name)
def test_leading_axes_broadcast(correlation):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 6, (2, 4, 9)).astype(float), rng.integers(0, 6, (4, 9)).astype(float)
    values = correlation(x, y)
    assert values.shape == (2, 4)
    expected = [[correlation(x[i, j], y[j]) for j in range(4)] for i in range(2)]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(correlation(x[0], y[0]), [correlation(row, y[0]) for row in x[0]], atol=1e-12)


@pytest.mark.parametrize("correlation", EVERY, ids=lambda c: c.name)
def test_computing_in_parts_and_with_wide_counters_changes_nothing(correlation):
    rng = np.random.default_rng(4)
    x, y = rng.random((25, 300)).round(2), rng.random((25, 300)).round(2)  # 300 systems need two bytes
    values = correlation(x, y)
    assert [values[0], values[24]] == close([correlation(x[0], y[0]), correlation(x[24], y[24])])


def test_more_systems_than_one_byte_counts_equals_scipy():
    rng = np.random.default_rng(5)
    x, y = rng.random(300).round(2), rng.random(300).round(2)
    assert meta.tau(x, y) == close(scipy.stats.kendalltau(x, y).statistic)


def test_arrays_with_one_axis_give_a_float():
    for correlation in EVERY:
        assert type(correlation([1, 2, 4], [1, 3, 2])) is float


# --- ties -----------------------------------------------------------------------------------------


def test_correlations_if_one_side_is_wholly_tied():
    flat, strict = [1, 1, 1], [3, 2, 1]
    for function in (meta.tau, meta.tau_ap_b, meta.spearman, meta.pearson):
        assert isnan(function(flat, strict))
        assert isnan(function(strict, flat))
    assert meta.tau_a(flat, strict) == 0
    assert meta.tau_ap(flat, strict) == close(0)  # every order of the test list is as likely
    assert meta.tau_ap(strict, flat) == -1  # tied in the reference: no pair is concordant


def test_a_constant_side_with_an_inexact_mean_is_constant():
    assert isnan(meta.pearson([0.1] * 3, [1, 2, 4]))


def test_tiny_and_huge_scores_still_differ():
    assert ahead(np.array([1e-30, 2e-30, 0.0])).tolist() == [1, 0, 2]
    assert ahead(np.array([1e15, 1.0, 2.0])).tolist() == [0, 2, 1]
    assert ahead(np.array([-0.0, 0.0])).tolist() == [0, 0]


@given(tied_pairs)
def test_order_helpers_equal_the_obvious_counts(pair):
    x, y = (np.array(side) for side in pair)
    n = range(len(x))
    a, b = ahead(x), ahead(y)
    assert a.tolist() == [sum(x[j] > x[i] for j in n) for i in n]
    assert reverse(a).tolist() == [sum(x[j] < x[i] for j in n) for i in n]
    assert ahead_in_both(a, b).tolist() == [sum(x[j] > x[i] and y[j] > y[i] for j in n) for i in n]
    assert shared_prefixes(a, b).tolist() == [sum(a[i] < d and b[i] < d for i in n) for d in range(1, len(x) + 1)]
    assert [int(i) for i in np.argsort(as_listed(a))] == sorted(n, key=lambda i: -x[i])


# --- input ----------------------------------------------------------------------------------------


def test_series_are_matched_by_label():
    x, y = pd.Series({"a": 3, "b": 2, "c": 1}), pd.Series({"c": 1, "a": 3, "b": 2})
    assert meta.tau(x, y) == 1


def test_the_error_for_unusable_input_names_what_was_expected_and_found(subtests):
    unusable: list[tuple[Any, Any, str]] = [
        (pd.Series({"a": 1, "b": 2}), pd.Series({"a": 1, "c": 2}), "only in x: b; only in y: c"),
        (pd.Series({"a": 1, "b": 2}), pd.Series({"a": 1}), "only in x: b; only in y: none"),
        (
            pd.Series([1, 2], ["a", "a"]),
            pd.Series([1, 2], ["a", "b"]),
            "every system once, found more than once: a",
        ),
        (
            pd.Series({"a": 1, "b": np.nan}),
            pd.Series({"a": 1, "b": 2}),
            "expected numbers as scores, found nan in x at 'b'",
        ),
        ([1, 2], [1, np.nan], r"expected numbers as scores, found nan in y at \(1,\)"),
        ([1, 2, 3], [1, 2], "found 3 in x and 2 in y"),
        ([1], [1], "expected at least 2 systems, found 1"),
        ([], [], "expected at least 2 systems, found 0"),
        (1.0, 2.0, "found only the number 1.0 for x"),
        (np.ones((2, 3)), np.ones((4, 3)), r"found \(2, 3\) for x and \(4, 3\) for y"),
        (pd.Series({"a": 1, "b": 2}), [1, 2], "two Series or two arrays, found Series and list"),
        (
            pd.DataFrame({"a": [1], "b": [2]}),
            pd.DataFrame({"a": [1], "b": [2]}),
            "found DataFrame and DataFrame",
        ),
    ]
    for correlation in EVERY:
        for x, y, message in unusable:
            with subtests.test(f"{correlation.name}, {x}, {y}"), pytest.raises(ValueError, match=message):
                correlation(x, y)


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.5])
def test_rbo_needs_p_between_0_and_1(p):
    with pytest.raises(ValueError, match="expected p between 0 and 1"):
        meta.rbo([1, 2], [1, 2], p=p)


def test_by_topic_matches_topics_and_systems():
    x = pd.DataFrame({"a": [1, 2], "b": [2, 1]}, index=["t1", "t2"])
    y = pd.DataFrame({"b": [1, 2], "a": [1, 1]}, index=["t2", "t1"])
    values = meta.by_topic(meta.tau_a, x, y)
    assert values.to_dict() == {"t1": 1.0, "t2": 0.0}


def test_by_topic_names_the_mistake_in_its_input():
    x = pd.DataFrame({"a": [1, 2], "b": [2, 1]}, index=["t1", "t2"])
    with pytest.raises(ValueError, match="same topics on both sides, found only in x: t2; only in y: t3"):
        meta.by_topic(meta.tau, x, x.rename(index={"t2": "t3"}))
    with pytest.raises(ValueError, match="same systems on both sides, found only in x: b; only in y: c"):
        meta.by_topic(meta.tau, x, x.rename(columns={"b": "c"}))
    with pytest.raises(ValueError, match="found nan in y at topic 't2', system 'a'"):
        meta.by_topic(meta.tau, x, x.where(x["a"] < 2).fillna({"b": 1}))
    column: Any = x["a"]
    with pytest.raises(ValueError, match="expected a frame of topics x systems, found Series for x"):
        meta.by_topic(meta.tau, column, x)


def test_the_registry_is_keyed_by_name_and_complete():
    assert all(name == entry.name == entry.function.__name__ for name, entry in meta.CORRELATIONS.items())
    assert all(entry.label and entry.source and entry.description.endswith(".") for entry in EVERY)
    assert len({entry.label for entry in EVERY}) == len(EVERY)


# --- the official CLEF eHealth 2015 means: Zuccon 2016, section 6, and its errata --------


@pytest.fixture(scope="module")
def means(data_folder: Path) -> pd.DataFrame:
    path = data_folder / "clef2015" / "official_system_means.csv"
    if not path.is_file():
        pytest.skip(f"no {path}")
    frame = pd.read_csv(path, index_col="system")
    assert frame.shape == (110, 3)
    return frame.set_axis(["RBP", "uRBP", "uRBPgr"], axis="columns")


@pytest.mark.parametrize(
    ("measure", "b", "a", "ap_b"), [("uRBP", 0.8666, 0.8652, 0.7912), ("uRBPgr", 0.9077, 0.9063, 0.8599)]
)
def test_official_tau(means, measure, b, a, ap_b):
    x, y = means["RBP"], means[measure]
    assert round(meta.tau(x, y), 4) == b
    assert round(meta.tau_a(x, y), 4) == a
    assert round(meta.tau_ap_b(x, y), 4) == ap_b


@pytest.mark.parametrize(
    ("test", "reference", "as_in_file", "expected"),
    [
        ("uRBP", "RBP", 0.796, 0.7962),
        (
            "RBP",
            "uRBP",
            0.783,
            0.7824,
        ),  # .7829 with ties as in the file; .7820 to .7829 over all tie breakings
        ("uRBPgr", "RBP", 0.861, 0.8614),
        ("RBP", "uRBPgr", 0.855, 0.8546),
    ],
)
def test_official_tau_ap(means, test, reference, as_in_file, expected):
    assert round(meta.tau_ap(means[test], means[reference]), 4) == expected
    unbroken = means[test].to_numpy()
    broken = -as_listed(ahead(unbroken)).astype(float)  # the erratum: ties in file order
    assert round(meta.tau_ap(broken, means[reference].to_numpy()), 3) == as_in_file


@pytest.mark.parametrize(
    ("measure", "printed", "low", "high"),
    [("uRBP", 0.8168, 0.8162, 0.8182), ("uRBPgr", 0.8866, 0.8866, 0.8874)],
)
def test_official_prefix_overlap_for_random_tie_orders(means, measure, printed, low, high):
    rng = np.random.default_rng(2016)
    orders = [means.iloc[rng.permutation(len(means))] for _ in range(200)]
    values = [round(meta.prefix_overlap(order["RBP"], order[measure]), 4) for order in orders]
    assert low <= min(values) <= printed <= max(values) <= high
