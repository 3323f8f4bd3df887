"""No rank without its doubt: against a loop over resamples, and the sentence that names a first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from evalcore.direction import directed
from evalcore.meta import best_first, first_in_words, rank_intervals, ranks, topic_resamples


def random_frame(seed: int, topics: int = 9, systems: int = 5) -> pd.DataFrame:
    values = np.random.default_rng(seed).integers(0, 11, (topics, systems)) / 10  # many ties
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


def slow_mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def slow_order_statistics(values: Sequence[float], level: float) -> tuple[float, float]:
    """The k-th smallest and the k-th largest, k = floor((B + 1)(1 - level)/2); Davison, Hinkley 1997, section 2.4."""
    k = max(1, math.floor((len(values) + 1) * (1 - level) / 2 + 1e-9))
    return sorted(values)[k - 1], sorted(values)[-k]


def listed(scores: pd.DataFrame) -> dict[str, list[float]]:
    return {str(name): scores[name].tolist() for name in scores}


def slow_lead(scores: dict[str, list[float]], a: str, b: str, drawn: list[int]) -> float:
    pairs = [(scores[a][t], scores[b][t]) for t in drawn if not math.isnan(scores[a][t] + scores[b][t])]
    return round(math.fsum(x - y for x, y in pairs) / len(pairs), 12) if pairs else math.nan


def slow(scores: pd.DataFrame, counts: np.ndarray, level: float) -> dict[str, dict[str, float]]:
    """By system, with a loop over resamples that lists each drawn topic as often as it was drawn."""
    drawn = [[t for t, count in enumerate(row) for _ in range(count)] for row in counts]
    leader, columns = best_first(scores.mean().round(12)).index[0], listed(scores)
    means = [{s: round(slow_mean([columns[s][t] for t in one]), 12) for s in columns} for one in drawn]
    whole = [one for one in means if not any(map(math.isnan, one.values()))]
    found = {}
    for s in columns:
        places = [1 + sum(other > one[s] for other in one.values()) for one in whole]
        firsts = [
            (place == 1) / list(one.values()).count(max(one.values())) for place, one in zip(places, whole, strict=True)
        ]
        leads = [lead for lead in (slow_lead(columns, leader, s, one) for one in drawn) if not math.isnan(lead)]
        low, high = slow_order_statistics(places, level)
        behind_low, behind_high = slow_order_statistics(leads, level)
        found[s] = {
            "chance_first": slow_mean(firsts), "rank_low": low, "rank_high": high, "behind_low": behind_low,
            "behind_high": behind_high, "separable": float(behind_low > 0 or behind_high < 0),
        }  # fmt: skip
    return found


def assert_as_slow(scores: pd.DataFrame, level: float = 0.9) -> None:
    counts = topic_resamples(len(scores), 200, seed=5)
    table = rank_intervals(scores, level=level, counts=counts).table
    for system, expected in slow(scores, counts, level).items():
        assert table.loc[system, list(expected)].astype(float).to_dict() == pytest.approx(expected), system
    assert table["rank"].to_dict() == ranks(scores.mean().round(12)).to_dict()


@pytest.mark.parametrize("seed", range(3))
def test_everything_equals_a_loop_over_resamples(seed):
    assert_as_slow(random_frame(seed))


@pytest.mark.parametrize("seed", range(3))
def test_topics_that_a_system_lacks_are_no_part_of_its_mean_nor_of_its_pairs(seed):
    frame = random_frame(seed, topics=8, systems=4)
    frame.iloc[:3, 1] = np.nan
    frame.iloc[5:, 2] = np.nan
    assert_as_slow(frame)


def test_a_resample_without_any_topic_of_a_system_is_left_out_and_counted():
    frame = pd.DataFrame({"a": [0.1, 0.9, 0.4], "b": [0.2, np.nan, np.nan]})
    found = rank_intervals(frame, counts=[[1, 1, 1], [0, 2, 1], [3, 0, 0]])  # the second has no topic of b
    assert found.undefined == 1
    assert found.table["chance_first"].to_dict() == {"a": 0.5, "b": 0.5}  # a .4667 > .2; then .1 < .2


@pytest.mark.parametrize("seed", range(3))
def test_two_systems_share_a_letter_only_where_no_two_between_them_are_separable(seed):
    values = np.random.default_rng(seed).normal(0, 0.2, (15, 7)) + np.linspace(0, 0.4, 7)
    frame = pd.DataFrame(values, columns=[f"s{i}" for i in range(7)])
    counts = topic_resamples(15, 200, seed=1)
    found = rank_intervals(frame, counts=counts)
    drawn = [[t for t, count in enumerate(row) for _ in range(count)] for row in counts]
    order, columns = list(found.table.index), listed(frame)

    def separable(a: str, b: str) -> bool:
        low, high = slow_order_statistics([slow_lead(columns, a, b, one) for one in drawn], 0.95)
        return low > 0 or high < 0

    runs = [order[i:j] for i in range(7) for j in range(i + 1, 8)]
    alike = [run for run in runs if not any(separable(a, b) for a in run for b in run)]
    longest = [tuple(run) for run in alike if not any(set(run) < set(other) for other in alike)]
    assert list(found.groups) == longest


def test_ties_are_those_of_the_rule_for_rounding():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.2, 0.2, 0.2]})  # sums .6000000000000001
    table = rank_intervals(frame, 50).table
    assert table["rank"].tolist() == [1, 1, 1]
    assert table["behind"].tolist() == [0, 0, 0]
    assert table["shared"].tolist() == [3, 3, 3]


def test_low_scores_that_are_good_rank_as_high_ones_do_and_leads_stay_positive():
    frame = random_frame(2) + 0.05
    high, low = rank_intervals(directed(2 - frame, "high")), rank_intervals(directed(frame, "low"))
    columns = ["rank", "chance_first", "rank_low", "rank_high", "behind", "behind_low", "behind_high", "separable"]
    pd.testing.assert_frame_equal(high.table[columns].sort_index(), low.table[columns].sort_index())
    assert (low.table["behind"] >= 0).all()
    assert low.table["mean"].iloc[0] == frame.mean().min()  # shown as they are


def test_a_system_with_an_infinite_score_has_its_rank_and_is_not_separable():
    frame = directed(pd.DataFrame({"a": [1.0, 2.0, 1.0, 3.0], "b": [4.0, 5.0, 6.0, np.inf]}), "low")
    table = rank_intervals(frame, 100).table
    assert table[["rank", "rank_low", "rank_high"]].T["b"].tolist() == [2, 2, 2]
    assert table.loc["b", ["behind_low", "behind_high"]].isna().all()
    assert not table.loc["b", "separable"]


@pytest.mark.parametrize("lacking", [[], [(0, "s0")], [(2, "s3"), (4, "s3")]])
def test_without_pairs_the_rest_is_the_same(lacking):
    frame = random_frame(4)
    for topic, system in lacking:
        frame.loc[f"t{topic}", system] = np.nan
    brief, whole = rank_intervals(frame, 300, pairs=False), rank_intervals(frame, 300)
    assert set(whole.table) - set(brief.table) == {"behind", "behind_low", "behind_high", "groups"}
    pd.testing.assert_frame_equal(brief.table, whole.table[brief.table.columns], check_exact=True)


def test_the_same_resamples_serve_the_same_seed():
    frame = random_frame(1)
    pd.testing.assert_frame_equal(rank_intervals(frame, seed=3).table, rank_intervals(frame, seed=3).table)


@pytest.mark.parametrize(("level", "frame", "problem"), [
    (1.0, random_frame(0), "expected a level between 0 and 1"),
    (0.95, random_frame(0).iloc[:0], "expected at least 1 topic and 1 system, found 0 and 5"),
    (0.95, random_frame(0).assign(s1=np.nan), "expected a score of every system, found none of 's1'"),
])  # fmt: skip
def test_what_cannot_be_ranked_is_refused(level, frame, problem):
    with pytest.raises(ValueError, match=problem):
        rank_intervals(frame, level=level)


def test_counts_of_other_topics_are_refused():
    with pytest.raises(ValueError, match=r"expected counts of resamples x 9 topics, found shape \(50, 8\)"):
        rank_intervals(random_frame(0), counts=topic_resamples(8, 50, 1))


BETTER = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
SENTENCES = {
    "one system": (
        {"a": BETTER},
        "First by AP: a, the only system",
    ),
    "all equal": (
        {"a": BETTER, "b": BETTER, "c": BETTER},
        "First by AP: none, all 3 systems are tied",
    ),
    "one topic": (
        {"a": [0.5], "b": [0.4]},
        "First by AP: a (on one topic: nothing says how sure)",
    ),
    "better on every topic": (
        {"a": BETTER, "b": [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]},
        "First by AP: a (first in 100% of resamples; separable from all others)",
    ),
    "better on each of five topics, as one of two equal systems is in 1 of 16 cases": (
        {"a": BETTER[:5], "b": [0.4, 0.5, 0.6, 0.7, 0.8]},
        "First by AP: a (first in 100% of resamples; separable from all others; "
        "5 topics are too few to rule chance out)",
    ),
    "first is shared": (
        {"a": BETTER, "b": BETTER, "c": [0.1] * 6},
        "First by AP: a, b, shared by 2 (one of them first in 100% of resamples; separable from all others)",
    ),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_the_sentence_that_names_a_first(case):
    systems, expected = SENTENCES[case]
    assert first_in_words(rank_intervals(pd.DataFrame(systems)), "AP") == expected


def test_the_chance_of_being_first_is_that_of_all_draws_of_topics():
    # of the 4^4 equally likely draws, those with a sum of differences (tenths) above 0, and half of those of 0
    frame = pd.DataFrame({"a": [0.9, 0.1, 0.9, 0.2], "b": [0.1, 0.9, 0.1, 0.9]})
    differences = [8, -8, 8, -7]
    draws = np.stack(np.meshgrid(*[range(4)] * 4)).reshape(4, -1)
    sums = np.array(differences)[draws].sum(axis=0)
    exact = (sums > 0).mean() + (sums == 0).mean() / 2
    counts = np.stack([(draws == t).sum(axis=0) for t in range(4)], axis=1)
    found = rank_intervals(frame, counts=counts)
    assert found.table.loc["a", "chance_first"] == pytest.approx(exact)
    assert first_in_words(found) == f"First: a (first in {round(100 * exact)}% of resamples; not separable from b)"


def test_what_is_nearly_certain_is_not_called_certain():
    frame = pd.DataFrame({"a": [0.5, 0.5], "b": [0.0, 0.6]})
    counts = np.repeat([[1, 1], [0, 2]], [999, 1], axis=0)  # a is first in all but one of 1,000
    assert first_in_words(rank_intervals(frame, counts=counts)).startswith("First: a (first in over 99% of resamples; ")


def test_of_many_that_are_not_separable_three_are_named():
    values = np.random.default_rng(0).random((6, 8)) + np.linspace(0.01, 0, 8)
    text = first_in_words(rank_intervals(pd.DataFrame(values, columns=list("abcdefgh")), 200))
    assert " more)" in text
    assert text.count(",") == 2
