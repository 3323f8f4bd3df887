from __future__ import annotations

from itertools import combinations, product
from math import gamma, sqrt

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import compare_systems, corrected, corrected_pairs, paired_bootstrap, permutation_p, tukey_p
from evalcore.meta import significance as module
from evalcore.meta.comparisons import p_among_pairs
from evalcore.meta.differences import Differences
from evalcore.meta.significance import CORRECTIONS, effect_sizes

ps = st.lists(st.integers(0, 1000).map(lambda value: value / 1000), min_size=1, max_size=12)


def random_frame(seed: int, topics: int = 12, systems: int = 5) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


def test_the_bootstrap_of_one_pair_equals_that_of_all_pairs():
    frame = random_frame(1)
    pairs = paired_bootstrap(frame, 500, seed=3).pairs
    for row in pairs.to_dict("records"):
        pair = compare_systems(frame, row["system_a"], row["system_b"], 500, seed=3)
        assert [pair.mean, pair.t, pair.p_t, pair.asl] == [row[name] for name in ("difference", "t", "p_t", "asl")]
        turned = compare_systems(frame, row["system_b"], row["system_a"], 500, seed=3)
        assert (turned.mean, turned.asl) == (-pair.mean, pair.asl)


def test_random_permutation_p_is_near_the_exact_one(monkeypatch):
    d = np.random.default_rng(1).normal(0.5, 1, 14)
    exact, _ = permutation_p(d, 2**14)
    sampled, known = permutation_p(d, 10_000, seed=2)
    assert sampled == pytest.approx(exact, abs=0.01)
    assert permutation_p(d, 10_000, seed=2) == (sampled, known) == (sampled, False)
    assert permutation_p(d, 10_000, seed=3)[0] != sampled
    monkeypatch.setattr(module, "_CELLS", 14_000)  # ten blocks
    assert permutation_p(d, 10_000, seed=2)[0] == pytest.approx(exact, abs=0.01)


def test_a_random_permutation_p_is_never_0():
    assert permutation_p([1.0] * 30, 99, seed=1) == (0.01, False)


def test_effect_sizes_follow_their_formulas():
    d = np.array([0.1, 0.3, 0.2, 0.5, -0.1, 0.4])
    pair = Differences.between(d[None], np.zeros((1, 6)))
    m, d_z = 5, d.mean() / d.std(ddof=1)
    expected = gamma(m / 2) / (sqrt(m / 2) * gamma((m - 1) / 2)) * d_z
    assert effect_sizes(pair) == pytest.approx((d_z, expected))
    assert expected == pytest.approx((1 - 3 / (4 * m - 1)) * d_z, rel=0.005)


def test_a_constant_difference_has_an_infinite_t_and_no_interval():
    frame = pd.DataFrame({"a": [0.3, 0.8, 0.4], "b": [0.2, 0.7, 0.3], "c": [0.1 + 0.2, 0.8, 0.4]})
    pair = compare_systems(frame, "b", "a", 50)
    assert (pair.t, pair.p_t, pair.asl, pair.d_z, pair.g_z) == (-np.inf, 0, 0, -np.inf, -np.inf)
    assert np.isnan([pair.low, pair.high]).all()  # nothing tells how the difference varies
    same = compare_systems(frame, "a", "c", 50)
    assert (same.mean, same.t, same.p_t, same.asl, same.p_permutation) == (0, 0, 1, 1, 1)
    assert (same.d_z, same.g_z) == (0, 0)


def test_hedges_g_is_unknown_with_two_topics():
    pair = compare_systems(pd.DataFrame({"a": [0.5, 0.4], "b": [0.1, 0.2]}), "a", "b", 50)
    assert pair.d_z > 0
    assert np.isnan(pair.g_z)


# --- corrections ------------------------------------------------------------------------------------------------------


def slow(p: list[float], correction: str) -> list[float]:
    """Correct each p by the definition of the correction."""
    n = len(p)
    order = sorted(range(n), key=lambda i: p[i])
    rank = {i: at for at, i in enumerate(order)}
    if correction == "none":
        return p
    if correction == "Bonferroni":
        return [min(1.0, n * value) for value in p]
    if correction == "Holm":
        return [min(1.0, max((n - k) * p[order[k]] for k in range(rank[i] + 1))) for i in range(n)]
    return [min(n / (k + 1) * p[order[k]] for k in range(rank[i], n)) for i in range(n)]


@given(ps, st.sampled_from(sorted(CORRECTIONS)))
def test_corrections_equal_their_definitions(p, correction):
    assert corrected(p, correction).tolist() == pytest.approx(slow(p, correction))


def test_corrected_pairs_are_corrected_over_all_of_them():
    tests = paired_bootstrap(random_frame(4), 200)
    for test, column in (("bootstrap", "asl"), ("t-test", "p_t")):
        table = corrected_pairs(tests, test, "Holm")
        alone = tests.pairs[column] if test == "t-test" else (200 * tests.pairs["asl"] + 1) / 201
        assert table["p"].tolist() == corrected(alone, "Holm").tolist()
        assert table.columns.tolist() == ["system_a", "system_b", "difference", "p"]


def test_an_asl_of_0_is_above_0_after_a_correction():
    """Among 190 pairs of equal systems on 5 topics, some are reached by none of 1,000 resamples."""
    random = np.random.default_rng(6)
    tests = [paired_bootstrap(pd.DataFrame(random.normal(size=(5, 20))), 1000) for _ in range(20)]
    assert any((test.pairs["asl"] == 0).any() for test in tests)
    assert not any((corrected_pairs(test, correction="Holm")["p"] < 0.05).any() for test in tests)


def test_unusable_p_values_are_refused():
    with pytest.raises(ValueError, match="expected one of none, Bonferroni, Holm, Benjamini-Hochberg, found 'sidak'"):
        corrected([0.1], "sidak")
    with pytest.raises(ValueError, match="p values from 0 to 1"):
        corrected([0.1, np.nan], "Holm")
    with pytest.raises(ValueError, match="p values from 0 to 1"):
        corrected([0.1, 1.1], "Holm")


# --- randomised Tukey HSD ---------------------------------------------------------------------------------------------


def test_tukey_is_near_the_enumeration_of_all_shuffles():
    rows = [[0.5, 0.2, 0.1], [0.7, 0.3, 0.4], [0.9, 0.6, 0.2]]
    frame = pd.DataFrame(rows, columns=list("abc"))
    shuffles = list(product(*[[list(order) for order in _orders(row)] for row in rows]))
    ranges = [np.ptp(np.mean(shuffled, axis=0)) for shuffled in shuffles]
    table = tukey_p(frame, n_resamples=20_000, seed=1)
    for (a, b), row in zip(combinations("abc", 2), table.itertuples(), strict=True):
        exact = np.mean([one >= abs(frame[a].mean() - frame[b].mean()) - 1e-12 for one in ranges])
        assert (row.system_a, row.system_b) == (a, b)
        assert row.p_shuffled == pytest.approx(exact, abs=0.01)


def _orders(row: list[float]) -> list[list[float]]:
    a, b, c = row
    return [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]


def test_tukey_decides_by_the_greater_of_two_p():
    """On 3 topics there are 4 different signs, and all systems are compared at once."""
    frame = pd.DataFrame([[0.5, 0.2, 0.1], [0.7, 0.3, 0.4], [0.9, 0.6, 0.2]], columns=list("abc"))
    table = tukey_p(frame, 500)
    assert table["p"].tolist() == np.maximum(table["p_shuffled"], p_among_pairs(frame.to_numpy(), 500)).tolist()


@pytest.mark.parametrize("topics", [6, 20])
def test_p_among_pairs_uses_all_signs_if_they_are_few(topics):
    scores = random_frame(4, topics=topics, systems=4).to_numpy()
    flips = np.array(list(product([1, -1], repeat=min(topics, 6))))
    signs = flips if topics == 6 else np.random.default_rng(5).choice([1, -1], (4000, topics))
    a, b = np.triu_indices(4, 1)
    lead = scores[:, a] - scores[:, b]
    length = np.sqrt((lead**2).sum(axis=0) + topics * np.mean(lead**2))
    sizes = np.abs(signs @ lead) / length
    seen = np.abs(lead.sum(axis=0)) / length
    expected = (sizes.max(axis=1)[:, None] >= seen - 1e-9).mean(axis=0)
    found = p_among_pairs(scores, 4000)
    np.testing.assert_allclose(found, expected, atol=1e-12 if topics == 6 else 0.04)


def test_tukey_reports_progress_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(module, "_CELLS", 600)
    shares: list[float] = []
    tukey_p(random_frame(1), 100, progress=shares.append)
    assert shares == [*(pytest.approx(share / 20) for share in range(1, 11)), 1.0]


def test_tukey_counts_ties_whatever_the_rounding():
    """With one topic, every shuffle has the full range, so the largest pair is reached each time."""
    table = tukey_p(pd.DataFrame({"a": [0.3, 0.7], "b": [0.1, 0.1], "c": [0.3, 0.7]}).head(2), 50)
    assert table["p"].iloc[1] == 1.0
    two = tukey_p(pd.DataFrame({"a": [0.1 + 0.2], "b": [0.0]}), 50)
    assert two["p"].tolist() == [1.0]


def test_the_error_for_unusable_input_names_what_was_expected_and_found():
    frame = random_frame(1)
    with pytest.raises(ValueError, match="expected a system of the frame, found 'nobody'"):
        compare_systems(frame, "s0", "nobody")
    with pytest.raises(ValueError, match="level between 0 and 1, both excluded, found 95"):
        compare_systems(frame, "s0", "s1", level=95)
    with pytest.raises(ValueError, match="at least 2 topics to test a difference, found 1"):
        compare_systems(frame.head(1), "s0", "s1")


@pytest.mark.filterwarnings("error")
def test_tukey_accepts_infinite_scores_of_both_signs_without_a_warning():
    scores = random_frame(4)
    scores.iloc[:2, 0] = np.inf, -np.inf
    p = tukey_p(scores, n_resamples=20).set_index(["system_a", "system_b"])["p"]
    assert p["s0"].isna().all()
    assert p.drop("s0").notna().all()


def test_p_of_equivalence_is_that_of_two_one_sided_tests() -> None:
    random = np.random.default_rng(4)
    scores = pd.DataFrame(random.normal(0.5, 0.1, (15, 4)), columns=list("abcd"))
    scores.loc[:4, "d"] = np.nan
    tests = paired_bootstrap(scores, 20)
    for row in corrected_pairs(tests, margin=0.05).itertuples():
        lead = (scores[row.system_a] - scores[row.system_b]).dropna()
        below = scipy.stats.ttest_1samp(lead, 0.05, alternative="less").pvalue
        wanted = max(below, scipy.stats.ttest_1samp(lead, -0.05, alternative="greater").pvalue)
        assert row.p_equivalent == pytest.approx(wanted)
    holm = corrected_pairs(tests, "t-test", "Holm", 0.05)["p_equivalent"]
    assert holm.to_numpy() == pytest.approx(corrected(tests.equivalence_p(0.05), "Holm"))


def test_systems_that_differ_by_the_margin_are_seldom_called_equivalent() -> None:
    """The bound is exact: more of 300 trials, at a true rate of 5%, have a probability below 1e-3."""
    random = np.random.default_rng(5)
    frames = (pd.DataFrame({"a": random.normal(0.1, 0.05, 12), "b": random.normal(0, 0.05, 12)}) for _ in range(300))
    wrong = sum(paired_bootstrap(frame, 1).equivalence_p(0.1)[0] < 0.05 for frame in frames)
    assert 0 < wrong <= scipy.stats.binom.ppf(0.999, 300, 0.05)
