"""Ranks with their confidence: equal to a loop over resamples; and the sentence that names the winner."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from evalcore.direction import directed
from evalcore.meta import first_in_words, rank_intervals, ranks, topic_resamples


def random_frame(seed: int, topics: int = 9, systems: int = 5) -> pd.DataFrame:
    values = np.random.default_rng(seed).integers(0, 11, (topics, systems)) / 10  # many ties
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


def slow_mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def listed(scores: pd.DataFrame) -> dict[str, list[float]]:
    return {str(name): scores[name].tolist() for name in scores}


def slow(scores: pd.DataFrame, counts: np.ndarray) -> dict[str, float]:
    """Return the share of resamples in which each system is first, by a loop that repeats topics as drawn."""
    drawn = [[t for t, count in enumerate(row) for _ in range(count)] for row in counts]
    columns = listed(scores)
    means = [{s: round(slow_mean([columns[s][t] for t in topics]), 12) for s in columns} for topics in drawn]
    whole = [row for row in means if not any(map(math.isnan, row.values()))]
    best = [[s for s in row if row[s] == max(row.values())] for row in whole]
    return {s: slow_mean([(s in tied) / len(tied) for tied in best]) for s in columns}


def assert_as_slow(scores: pd.DataFrame) -> None:
    counts = topic_resamples(len(scores), 200, seed=5)
    table = rank_intervals(scores, counts=counts).table
    assert table["share_first"].to_dict() == pytest.approx(slow(scores, counts))
    assert table["rank"].to_dict() == ranks(scores.mean().round(12)).to_dict()
    leader = scores[table.index[0]]
    leads = {str(name): (leader - scores[name]).mean() for name in scores}
    assert table["behind"].to_dict() == pytest.approx(leads, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_shares_and_leads_equal_a_loop_over_resamples(seed):
    assert_as_slow(random_frame(seed))


@pytest.mark.parametrize("seed", range(3))
def test_topics_that_a_system_lacks_are_left_out_of_its_mean_and_its_pairs(seed):
    frame = random_frame(seed, topics=8, systems=4)
    frame.iloc[:3, 1] = np.nan
    frame.iloc[5:, 2] = np.nan
    assert_as_slow(frame)


def test_a_resample_without_any_topic_of_a_system_is_left_out_and_counted():
    frame = pd.DataFrame({"a": [0.1, 0.9, 0.4], "b": [0.2, np.nan, np.nan]})
    found = rank_intervals(frame, counts=[[1, 1, 1], [0, 2, 1], [3, 0, 0]])  # the second has no topic of b
    assert found.undefined == 1
    assert found.table["share_first"].to_dict() == {"a": 0.5, "b": 0.5}  # a .4667 > .2; then .1 < .2


@pytest.mark.parametrize("seed", range(3))
def test_letters_intervals_and_possible_winners_follow_from_the_same_decisions(seed):
    values = np.random.default_rng(seed).normal(0, 0.2, (25, 7)) + np.linspace(0, 0.4, 7)
    result = rank_intervals(pd.DataFrame(values, columns=[f"s{i}" for i in range(7)]), 50)
    table, leader = result.table, result.table.index[0]
    letters = {name: set(groups.split()) for name, groups in table["groups"].items()}
    apart = pd.DataFrame({a: {b: not letters[a] & letters[b] for b in table.index} for a in table.index})
    assert apart[leader].to_list() == table["separable"].to_list()
    assert set(result.may_be_best) <= {name for name in table.index if not apart[leader][name]}
    better, worse = np.tril(apart).sum(axis=1), np.triu(apart).sum(axis=1)  # the rows stand best first
    assert table["all_low"].tolist() == (1 + better).tolist()
    assert table["all_high"].tolist() == (7 - worse).tolist()
    assert (table["all_low"] <= table["rank_low"]).all()
    assert (table["rank_high"] <= table["all_high"]).all()
    assert (table.loc[leader, ["rank_low", "rank_high"]].to_numpy() == table.loc[leader, ["all_low", "all_high"]]).all()


def test_ties_are_those_of_the_rule_for_rounding():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.2, 0.2, 0.2]})  # sums .6000000000000001
    table = rank_intervals(frame, 50).table
    assert table["rank"].tolist() == [1, 1, 1]
    assert table["behind"].tolist() == [0, 0, 0]
    assert table["shared"].tolist() == [3, 3, 3]


def test_a_system_with_an_infinite_score_has_its_rank_and_is_not_separable():
    frame = directed(pd.DataFrame({"a": [1.0, 2.0, 1.0, 3.0], "b": [4.0, 5.0, 6.0, np.inf]}), "low")
    table = rank_intervals(frame, 100).table
    assert table[["rank", "rank_low", "rank_high"]].T["b"].tolist() == [2, 1, 2]
    assert np.isnan(table["behind"]["b"])
    assert not table.loc["b", "separable"]


@pytest.mark.parametrize(("level", "frame", "problem"), [
    (1.0, random_frame(0), "expected a level between 0 and 1"),
    (0.95, random_frame(0).iloc[:0], "expected at least 1 topic and 1 system, found 0 and 5"),
    (0.95, random_frame(0).assign(s1=np.nan), "expected a score of every system, found none of 's1'"),
])  # fmt: skip
def test_scores_that_cannot_be_ranked_are_refused(level, frame, problem):
    with pytest.raises(ValueError, match=problem):
        rank_intervals(frame, level=level)


def test_counts_of_other_topics_are_refused():
    with pytest.raises(ValueError, match=r"expected counts of resamples x 9 topics, found shape \(50, 8\)"):
        rank_intervals(random_frame(0), counts=topic_resamples(8, 50, 1))


BETTER = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
WORSE = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
SENTENCES = {
    "one system": ({"a": BETTER}, "Under AP, a is the only system"),
    "all equal": ({"a": BETTER, "b": BETTER, "c": BETTER}, "Under AP, all 3 systems are tied"),
    "one topic": ({"a": [0.5], "b": [0.4]}, "Under AP, a leads; too few topics to show which system is the best"),
    "better on every topic by as much": (
        {"a": BETTER, "b": WORSE},
        "Under AP, a is the best (95 %), ahead of the next, b, by .100 to .100",
    ),
    "better on each of five topics, as one of two equal systems is in 1 of 16 cases": (
        {"a": BETTER[:5], "b": WORSE[:5]},
        "Under AP, a leads; too few topics to show which system is the best",
    ),
    "first is shared": (
        {"a": BETTER, "b": BETTER, "c": [0.1, 0.11, 0.12, 0.13, 0.14, 0.15]},
        "Under AP, a and b lead, tied; no other system may be the best (95 %)",
    ),
    "many": (
        {"a": BETTER, **{name: [*BETTER[:5], 0.9 - at / 100] for at, name in enumerate("bcdef")}},
        "Under AP, a leads; b, c, d and 2 more may be the best too (95 %)",
    ),
    "the same score on nearly all topics": (
        {"a": [0.1 * at + 0.02 for at in BETTER * 2], "b": [0.0] * 11 + [0.3], "c": [0.01 * at for at in BETTER * 2]},
        "Under AP, a leads; b may be the best too (95 %); b has a constant score on 11 of 12 topics, so only "
        "more topics can rule it out",
    ),
    "one more often than the other": (
        {"a": [0.2, 0.25, 0.3, 0.35, 0.3, 1.0], "b": [0.05] * 6, "c": [0.1] * 5 + [0.9]},
        "Under AP, a leads; c or b may be the best too (95 %); c and b each have a constant score on at least 5 of 6 "
        "topics, so only more topics can rule it out",
    ),
    "the same score on all topics": (
        {"a": BETTER, "b": [0.1] * 6, "c": [0.2] * 6},
        "Under AP, a leads; c or b may be the best too (95 %); c and b each have a constant score on 6 of 6 topics, "
        "so only more topics can rule it out",
    ),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_the_sentence_that_names_the_leader(case):
    systems, expected = SENTENCES[case]
    assert first_in_words(rank_intervals(pd.DataFrame(systems)), "AP") == expected
