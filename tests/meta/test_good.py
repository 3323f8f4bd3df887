"""Scores of which low ones are good, such as efforts: every statistic is the same for negated scores.

Scores may be infinite: the effort of a system that never reaches its goal.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import meta
from evalcore.direction import directed
from evalcore.explain.top_documents import best_shares
from evalcore.meta import CORRELATIONS, correlation_matrix, paired_bootstrap
from evalcore.meta.pairwise import all_pairs
from evalcore.meta.resampling import weighted_means

# Names in evalcore.meta that do not use scores.
SEE_NO_SCORES = {
    "CORRECTIONS", "CORRELATIONS", "EQUIVALENT", "Correlation", "CorrelationMatrix", "Interval", "PairComparison",
    "Move", "PairedBootstrap", "corrected", "equivalent_groups", "joint_counts", "label_agreement", "permutation_p",
    "similar_together", "topic_resamples", "RankIntervals", "wilcoxon_p",
    "BASELINE_TESTS", "Swaps", "power", "smallest_effect", "topics_for_interval",
    "topics_needed", "topic_set_sizes",
}  # fmt: skip
# Names that return scores unchanged.
AS_THEY_ARE = {"shared_part"}

Frames = tuple[pd.DataFrame, pd.DataFrame]


def of_pairs(*frames: pd.DataFrame) -> list[pd.DataFrame]:
    return [paired_bootstrap(frame, 20).pairs for frame in frames]


def matrices(x: pd.DataFrame, y: pd.DataFrame) -> list[Any]:
    found = []
    for name in CORRELATIONS:
        for over in ("means", "topics"):
            matrix = correlation_matrix({"x": x, "y": y}, name, over, n_resamples=5)
            assert matrix.intervals
            found += [matrix.values, matrix.intervals.low, matrix.intervals.undefined]
    return found


def moved(x: pd.DataFrame, y: pd.DataFrame) -> list[Any]:
    try:
        found = meta.move(x, y, str(x.columns[0]))
    except ValueError as refusal:  # infinite scores
        return [str(refusal)]
    return [found.rank_x, found.rank_y, found.crossed, found.topics]


# The answer of each function for two frames of scores.
ANSWERS: dict[str, Callable[[pd.DataFrame, pd.DataFrame], Any]] = {
    "best_first": lambda x, y: list(meta.best_first(x.mean()).index),
    "bootstrap_interval": lambda x, y: [meta.bootstrap_interval(one, x, y, 9) for one in CORRELATIONS.values()],
    "by_topic": lambda x, y: [meta.by_topic(one, x, y) for one in CORRELATIONS.values()],
    "compare_systems": lambda x, y: list(vars(meta.compare_systems(x, "a", "b", 20)).values()),
    "corrected_pairs": lambda x, y: meta.corrected_pairs(paired_bootstrap(x, 20), "t-test", "Holm"),
    "correlation_matrix": matrices,
    "discriminative_power": lambda x, y: meta.discriminative_power({"x": x, "y": y}, 0.4, 20),
    "leaders": lambda x, y: list(meta.leaders(x.mean())),
    "letters_of_pairs": lambda x, y: meta.letters_of_pairs(["a", "b", "c", "d"], meta.wilcoxon_pairs(x), 0.4),
    "named_pairs": lambda x, y: meta.named_pairs({"base": {"x": x, "y": y}}, [("x", "y")]),
    "needed_differences": lambda x, y: meta.needed_differences(x, 0.4, 20),
    "paired_bootstrap": of_pairs,
    "rank_changes": lambda x, y: meta.rank_changes(x.mean(), y.mean())[["rank_x", "rank_y", "change"]],
    "ranks": lambda x, y: meta.ranks(x.mean()),
    "move": lambda x, y: moved(x, y),
    "movers": lambda x, y: meta.movers(x.mean(), y.mean()),
    "swapped_pairs": lambda x, y: meta.swapped_pairs(x.mean(), y.mean()),
    "distinguished_pairs": lambda x, y: meta.distinguished_pairs(x, y, 2, 1),
    "against_baselines": lambda x, y: meta.against_baselines(x, ["a"], "t-test").drop(
        columns=["mean", "baseline_mean"]
    ),
    "difference_sd": lambda x, y: meta.difference_sd(x),
    "difference_sd_interval": lambda x, y: meta.difference_sd_interval(x),
    "correlation_intervals": lambda x, y: meta.correlation_intervals(x, y, list(CORRELATIONS), 9),
    "may_be_best": lambda x, y: meta.may_be_best(x),
    "quickly_resampled": lambda x, y: meta.quickly_resampled(x),
    "first_in_words": lambda x, y: meta.first_in_words(meta.rank_intervals(x, 20)),
    "rank_intervals": lambda x, y: meta.rank_intervals(x, 20).table.drop(columns="mean"),
    "ties_in_words": lambda x, y: meta.ties_in_words("tau_ap", x.mean(), y.mean()),
    "wilcoxon_pairs": lambda x, y: meta.wilcoxon_pairs(x),
    "swaps": lambda x, y: meta.swaps(x, y, seed=1).table.drop(columns=["rank_x", "rank_y"], errors="ignore"),
    "swaps_in_words": lambda x, y: meta.swaps_in_words(meta.swaps(x, y)),
    "swaps_of_in_words": lambda x, y: meta.swaps_of_in_words(meta.swaps(x, y), "a"),
    "tukey_p": lambda x, y: meta.tukey_p(x, 20),
    "winner": lambda x, y: meta.winner(x.mean()),
    "winners": lambda x, y: meta.winners(x),
    "best_shares": lambda x, y: best_shares(x),
    **dict.fromkeys(CORRELATIONS, lambda x, y: [one(x.mean(), y.mean()) for one in CORRELATIONS.values()]),
}


@st.composite
def efforts(draw: st.DrawFn) -> Frames:
    """Draw two measures of four systems on three topics; some of the efforts are infinite."""
    score = st.sampled_from([0.0, 1.0, 1.5, 2.0, 3.0, 8.0, np.inf])
    table = st.lists(st.lists(score, min_size=4, max_size=4), min_size=3, max_size=3)
    x, y = (pd.DataFrame(draw(table), ["t1", "t2", "t3"], list("abcd")) for _ in range(2))
    return x, y


def plain(found: Any) -> Any:
    """Convert a result for comparison: nan equals nan, and no 0 has a sign."""
    if isinstance(found, pd.DataFrame):
        return [list(map(str, found.index)), list(found.columns), plain(found.to_numpy(dtype=object).tolist())]
    if isinstance(found, pd.Series):
        return plain(found.to_frame())
    if isinstance(found, meta.Interval):
        return plain(list(vars(found).values()))
    if isinstance(found, list | tuple | np.ndarray):
        return [plain(one) for one in found]
    if isinstance(found, float | np.floating):
        return "nan" if np.isnan(found) else float(found) + 0.0
    return found


@pytest.mark.slow
@pytest.mark.parametrize("say", ANSWERS.values(), ids=ANSWERS)
@settings(max_examples=12, deadline=None)
@given(frames=efforts())
def test_efforts_give_the_same_results_as_negated_scores(
    say: Callable[[pd.DataFrame, pd.DataFrame], Any], frames: Frames
) -> None:
    low = [directed(frame, "low") for frame in frames]
    turned = [-frame for frame in frames]  # without a declared direction, so higher is better
    assert plain(say(*low)) == plain(say(*turned))


@settings(max_examples=25, deadline=None)
@given(frames=efforts())
def test_one_measure_may_be_an_effort_and_the_other_not(frames: Frames) -> None:
    x, y = frames
    for name, correlation in CORRELATIONS.items():
        mixed = correlation(directed(x, "low").mean(), y.mean())
        assert plain(mixed) == plain(correlation((-x).mean(), y.mean())), name


def test_every_function_of_scores_is_covered_here() -> None:
    public = {name for name, one in vars(meta).items() if not name.startswith("_") and not isinstance(one, ModuleType)}
    assert public == (set(ANSWERS) - {"best_shares"}) | SEE_NO_SCORES | AS_THEY_ARE


@settings(max_examples=50, deadline=None)
@given(frames=efforts())
def test_all_pairs_of_measures_at_once_and_one_by_one_treat_infinite_scores_alike(frames: Frames) -> None:
    stack = np.stack([-frame.to_numpy() for frame in frames], axis=1)
    for name, correlation in CORRELATIONS.items():
        at_once = all_pairs(name, stack)[:, 0, 1]
        assert at_once == pytest.approx(correlation(stack[:, 0], stack[:, 1]), abs=1e-12, nan_ok=True), name


# --- infinite scores, by hand -----------------------------------------------------------------------------------------

INF = np.inf
# b may never get there on t2, c on no topic
TOPICS = ["t1", "t2", "t3"]
REACHED = directed(pd.DataFrame({"a": [2.0, 4.0, 6.0], "b": [1.0, INF, 1.0], "c": [INF] * 3}, TOPICS), "low")


def test_a_mean_with_an_infinite_score_is_infinite_and_such_systems_are_tied_last() -> None:
    assert REACHED.mean().tolist() == [4.0, INF, INF]
    assert meta.ranks(REACHED.mean()).to_dict() == {"a": 1, "b": 2, "c": 2}


def test_a_resample_that_does_not_draw_an_infinite_score_has_a_finite_mean() -> None:
    counts = [[2, 0, 1], [1, 1, 1]]
    assert weighted_means(REACHED.to_numpy(), np.array(counts)).tolist() == [[10 / 3, 1.0, INF], [4.0, INF, INF]]


def test_a_pair_with_an_infinite_score_is_counted_and_not_tested() -> None:
    scores = directed(REACHED.assign(d=[9.0, 9.5, 12.0]), "low")
    tests = paired_bootstrap(scores, 100)
    assert tests.untested == 5  # all but a and d
    pairs = tests.pairs.set_index(["system_a", "system_b"])
    assert pairs["difference"].to_dict()["a", "b"] == INF  # a is better
    assert np.isnan(pairs["difference"].to_dict()["b", "c"])  # infinite on both sides
    assert pairs[["t", "p_t", "asl"]].drop(index=("a", "d")).isna().all(axis=None)
    assert pairs.loc[("a", "d"), "difference"] == pytest.approx(37 / 6)  # (7 + 5.5 + 6) / 3
    assert tests.power(0.5) == 1 / 6
    assert tests.curve()["asl"].isna().tolist() == [True] * 5 + [False]


def test_power_counts_the_pairs_it_could_not_test() -> None:
    row = meta.discriminative_power({"EffortTo": REACHED}, 0.5, 50).T["EffortTo"]
    assert row[["pairs", "significant", "untested"]].tolist() == [3, 0, 3]
    assert np.isnan(row["needed_difference"])


def test_systems_with_an_infinite_score_take_no_part_in_tukeys_test() -> None:
    finite = pd.DataFrame({"a": [1.0, 2.0, 3.0], "d": [4.0, 6.0, 5.0]})
    both = finite.assign(z=[1.0, INF, 1.0])
    p = meta.tukey_p(directed(both, "low"), 50)["p"]
    assert p.isna().tolist() == [False, True, True]
    assert p.iloc[0] == meta.tukey_p(directed(finite, "low"), 50)["p"].iloc[0]
    assert meta.tukey_p(directed(both[["z"]].assign(y=INF), "low"), 5)["p"].isna().all()


def test_corrections_count_the_tests_that_were_done() -> None:
    scores = directed(REACHED.assign(d=[9.0, 9.5, 12.0]), "low")
    tests = paired_bootstrap(scores, 100)
    uncorrected = tests.pairs["p_t"].dropna().tolist()
    assert (
        meta.corrected_pairs(tests, "t-test", "Bonferroni")["p"].dropna().tolist() == uncorrected
    )  # one test: times one


def test_two_systems_that_cannot_be_tested_have_only_a_difference() -> None:
    pair = meta.compare_systems(REACHED, "a", "b", 50)
    assert pair.differences.tolist() == [-1.0, INF, -5.0]
    assert pair.mean == INF
    assert np.isnan([pair.low, pair.high, pair.t, pair.p_t, pair.asl, pair.p_permutation, pair.d_z, pair.g_z]).all()


def test_pearson_needs_numbers_and_rank_correlations_do_not() -> None:
    x, y = [-1.0, -2.0, -INF], [3.0, 2.0, 1.0]
    assert np.isnan(meta.pearson(x, y))
    assert meta.tau(x, y) == meta.spearman(x, y) == meta.tau_ap(x, y) == 1


def test_distinguished_pairs_treats_two_infinite_means_as_equal() -> None:
    x = directed(pd.DataFrame({"a": [INF, 1.0], "b": [2.0, INF]}), "low")
    y = pd.DataFrame({"a": [0.5, 0.7], "b": [0.1, 0.2]})
    found = meta.distinguished_pairs(x, y)
    assert found["system_a"].tolist() == ["a"]
    assert found[["difference_x", "p_x"]].isna().all(axis=None)
