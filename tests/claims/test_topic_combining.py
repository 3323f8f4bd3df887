"""What makes one number of all topics, and what a missing score counts, as choices of a claim on scores alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.claims import (
    Specifications,
    aggregate_choice,
    gaps_choice,
    measure_choice,
    parse_specifications,
    sensible,
    write_specifications,
)
from evalcore.claims.topic_combining import TopicCombining
from evalcore.leaderboard import OverTopics, aggregate, aggregate_of, without_gaps
from evalcore.notation.values import Value

ADDITIVE = (
    "Mean", 'Mean(weights={"t1": 3})', "ZScore", "Standardised", "MinMax", "WinRate", "Borda", "MeanRank",
    "GeometricMean", "ByGroup", 'ByGroup(across=Mean(weights={"law": 2}))',
)  # fmt: skip
OTHERS = ("Median", "TrimmedMean", "Copeland", "BradleyTerry", "ByGroup(Median)", "ByGroup(across=Median)")
TOPICS = [f"t{at}" for at in range(12)]
GROUPS = pd.DataFrame({"domain": ["law"] * 4 + ["news"] * 8, "language": ["en", "de"] * 6}, index=TOPICS)


def table(seed: int = 0, gaps: float = 0.0, systems: int = 5) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    values = random.beta(2, 2, size=(len(TOPICS), systems)).round(2)
    values[random.random(values.shape) < gaps] = np.nan
    return pd.DataFrame(values, index=TOPICS, columns=list("abcdef")[:systems])


def groups(name: str = "domain") -> dict[str, str]:
    return dict(zip(TOPICS, GROUPS[name], strict=True))


def board(frame: pd.DataFrame, **more: Any) -> ec.Collection:
    return ec.collection(scores={"map": frame}, groups=GROUPS, **more)


def specs(*choices: Any) -> Specifications:
    return Specifications((measure_choice(['Score("map")']), *choices))


def claimed(frame: pd.DataFrame, *choices: Any, text: str = "a > b", **more: Any) -> ec.claims.Study:
    return ec.claim(text, specs(*choices), board(frame, **more), resamples=64, permutations=64)


# --- what each topic adds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ADDITIVE)
def test_the_effect_is_the_difference_of_the_aggregates(text: str) -> None:
    """Up to the sign where low ranks are good, the logarithm of a geometric mean, and a mean in place of a sum."""
    study = claimed(table(), aggregate_choice([text]))
    found = aggregate(table(), text, groups())
    found = np.log(found) if text == "GeometricMean" else found * {"MeanRank": -1, "Borda": 1 / 12}.get(text, 1)
    assert study.frame()["effect"].tolist() == pytest.approx([found["a"] - found["b"]])


@pytest.mark.parametrize("rule", ["KeepGaps", "LeaveTopicsOut", "WorstSeen", "Fixed(score=0.1)"])
def test_a_rule_is_what_it_makes_of_the_table(rule: str) -> None:
    frame = table(1, 0.1)
    study = claimed(frame, gaps_choice([rule]))
    filled = without_gaps(frame, rule)
    both = filled[["a", "b"]].dropna()
    assert study.frame()["effect"].tolist() == pytest.approx([(both["a"] - both["b"]).mean()])


def test_groups_are_the_first_ones_unless_others_are_named() -> None:
    for name in ("", "language"):
        found = aggregate(table(), "ByGroup", groups(name or "domain"))
        study = claimed(table(), aggregate_choice(["ByGroup"], name))
        assert study.frame()["effect"].tolist() == pytest.approx([found["a"] - found["b"]])


def test_on_some_topics_groups_weigh_by_these() -> None:
    half = ec.claims.Choice("topics", "topics", (ec.claims.Option("few", tuple(TOPICS[2:8])),))
    found = aggregate(table().iloc[2:8], "ByGroup", groups())
    study = claimed(table(), aggregate_choice(["ByGroup"]), half)
    assert study.frame()["effect"].tolist() == pytest.approx([found["a"] - found["b"]])


def test_low_scores_that_are_good_are_turned() -> None:
    aggregates = aggregate_choice(["Mean", "Borda", "MeanRank"])
    low = Specifications((measure_choice(['Score("map", good="low")']), aggregates))
    turned = ec.claim("a > b", low, board(1 - table(), good={"map": "low"}), resamples=64, permutations=64)
    assert turned.frame()["effect"].tolist() == pytest.approx(claimed(table(), aggregates).frame()["effect"].tolist())


# --- what cannot be carried -------------------------------------------------------------------------------------------


def test_each_aggregate_either_adds_up_or_is_refused() -> None:
    kinds = {type(aggregate_of(text)) for text in (*ADDITIVE, *OTHERS)}
    assert kinds == {one for one in Value.registry.values() if issubclass(one, OverTopics)}


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_mean_of_topics_is_refused_at_the_door(text: str) -> None:
    with pytest.raises(ec.InputError, match="a test that flips topics says nothing of it"):
        aggregate_choice(["Mean", text])


@pytest.mark.parametrize("rule", ["OwnMean", "ByRank", "TwoWay"])
def test_scores_that_are_made_up_are_refused_at_the_door(rule: str) -> None:
    with pytest.raises(ec.InputError, match="a test would count what it makes up as seen"):
        gaps_choice([rule])


def test_groups_that_are_not_there_are_named() -> None:
    with pytest.raises(ec.InputError, match=r"expected groups of topics \(domain, language\), found 'size'"):
        claimed(table(), aggregate_choice(["ByGroup"], "size"))


def test_where_topics_count_unlike_gaps_are_not_passed_over() -> None:
    study = claimed(table(1, 0.1), aggregate_choice(["Mean", "ByGroup"]), gaps_choice(["KeepGaps", "WorstSeen"]))
    assert (len(study.curve), study.multiverse.undefined) == (3, 1)
    assert "choose what a gap counts" in study.multiverse.problems[0]


def test_weights_by_the_topics_that_a_system_has_are_refused_where_some_are_missing() -> None:
    """On one topic two systems would then weigh unlike, and no sign that is flipped would be fair."""
    weighted = Specifications((measure_choice(['GroupWeights(Score("map"))', 'Score("map")']),))
    study = ec.claim("a > b", weighted, board(table(1, 0.1)), resamples=64, permutations=64)
    assert "take ByGroup over topics" in study.multiverse.problems[0]
    assert len(ec.claim("a > b", weighted, board(table()), resamples=64, permutations=64).curve) == 2


# --- how often it errs ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_equal_systems_rarely_differ_significantly() -> None:
    """80 tables of equal systems with gaps: a claim is decided in 5% at most, and half a percent that chance adds."""
    aggregates = ["ZScore", "WinRate", "Borda", "ByGroup"]
    decided = np.zeros((80, len(aggregates)))
    joint = np.zeros(80)
    for at in range(80):
        study = claimed(table(at, 0.15), aggregate_choice(aggregates), gaps_choice(["WorstSeen"]))
        decided[at] = study.curve.decision != 0
        joint[at] = study.joint.p <= 0.05
    assert decided.mean(axis=0).max() <= 0.06
    assert joint.mean() <= 0.06


# --- text, and what fits ----------------------------------------------------------------------------------------------


def test_specifications_are_written_and_read_back() -> None:
    chosen = specs(aggregate_choice(["Mean", "Borda"], "language"), gaps_choice(["KeepGaps", "Fixed(score=0.5)"]))
    text = write_specifications(chosen)
    assert 'groups = "language"\naggregates = ["Mean", "Borda"]' in text
    assert parse_specifications(text) == chosen


def test_a_sensible_set_of_scores_alone() -> None:
    chosen = {
        choice.name: [option.name for option in choice.options] for choice in sensible(board(table(1, 0.05))).choices
    }
    assert chosen["over topics"] == ["Mean", "ZScore", "WinRate", "Borda", "ByGroup"]
    assert chosen["missing scores"] == ["KeepGaps", "LeaveTopicsOut", "WorstSeen"]
    assert "missing scores" not in {choice.name for choice in sensible(board(table())).choices}


def test_a_plain_mean_over_what_both_have_is_no_other_table() -> None:
    assert TopicCombining().is_plain
    assert str(TopicCombining("WorstSeen", "Borda")) == "WorstSeen, Borda"
    study = claimed(table(1, 0.1), aggregate_choice(["Mean"]), gaps_choice(["KeepGaps"]))
    assert study.frame()["effect"].tolist() == pytest.approx(claimed(table(1, 0.1)).frame()["effect"].tolist())
