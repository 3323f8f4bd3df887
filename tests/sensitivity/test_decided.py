"""Decisions along a parameter, what is varied of a measure, and two measures side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.sensitivity import (
    choices_of,
    orders_along,
    parameter_of,
    trajectory,
    usual_parameters,
    varied_of,
    with_option,
    with_settings,
)
from evalcore.sensitivity.orders import decided_pairs


@pytest.fixture(scope="module")
def crossing() -> ec.Collection:
    """Two systems on 20 topics: one has a relevant document at rank 1, the other two further down."""
    labels = pd.DataFrame({"relevance": [1, 1, 1, 0, 0]}, index=list("abcde"))
    topics = [f"t{at}" for at in range(20)]
    runs = {"top": ["a", "d", "e"], "deep": ["d", "b", "c"]}
    small = small_collection(labels, runs)
    assert small.systems == ["top", "deep"] or sorted(small.systems) == ["deep", "top"]
    return ec.collection(
        runs={
            name: {topic: {doc: 9 - at for at, doc in enumerate(docs)} for topic in topics}
            for name, docs in runs.items()
        },
        aspects={"relevance": {topic: labels["relevance"].to_dict() for topic in topics}},
    )


def test_a_change_is_decided_where_both_orders_are(crossing: ec.Collection) -> None:
    """RBP: 1 against rho + rho^2, equal at (sqrt(5) - 1) / 2 = .618; all 20 topics agree, so every order is decided."""
    found = trajectory("RBP", "rho", [0.2, 0.4, 0.6, 0.7, 0.9], crossing)
    row = orders_along(found, crossing).changes(found.changes).iloc[0]
    assert (row["before"], row["after"], row["decided low"], row["decided high"]) == ("top", "deep", 0.6, 0.7)
    assert row["decided"]


def test_the_shares_that_keep_the_first_are_those_of_a_loop(sample: ec.Collection) -> None:
    found = ec.trajectory("RBP", "rho", np.linspace(0.05, 0.95, 30).tolist(), sample).outcomes
    kept = [
        {name: rank for name, rank in enumerate(row) if rank <= 3}
        == {name: rank for name, rank in enumerate(found.default_ranks) if rank <= 3}
        for row in found.ranks
    ]
    assert found.keeps(3).tolist() == kept


def test_settings_with_the_same_scores_count_once() -> None:
    scores = np.random.default_rng(2).random((2, 4, 12))
    np.testing.assert_array_equal(decided_pairs(scores[[0, 1, 0, 1]])[:2], decided_pairs(scores))


def test_every_option_of_every_choice_is_a_measure(sample: ec.Collection) -> None:
    for text in ("TOMA(nDCG@10)", "CAM(RBP(rho=0.8))", "GainDiscount@10", "DCG"):
        for choice in choices_of(text):
            for place in choice.levels:
                changed = with_option(text, choice.path, choice.setting(place))
                assert ec.evaluate(changed, sample).notna().all().all()


def test_a_number_that_an_option_lacks_is_left_out_and_an_unknown_one_refused() -> None:
    measure = ec.parse("CAM(RBP(rho=0.8))")
    assert with_settings(measure, {"base": ec.parse("AP"), "base.rho": 0.5}) == ec.parse("CAM(AP)")
    with pytest.raises(ec.InputError, match="expected a numeric parameter"):
        with_settings(measure, {"base": ec.parse("AP"), "phi": 0.5})


def test_a_trajectory_along_a_choice_equals_one_evaluation_after_the_other(sample: ec.Collection) -> None:
    parameter = parameter_of("TOMA(nDCG@10)", "distance", sample)
    found = trajectory("TOMA(nDCG@10)", "distance", parameter.levels, sample)
    for value in parameter.levels:
        means = ec.evaluate(f"TOMA(nDCG@10, distance={parameter.name(value)})", sample).mean()
        np.testing.assert_allclose(found.means.loc[value], means)


@pytest.mark.parametrize(
    ("measure", "first", "absent"),
    [
        ("uRBP(rho=0.8)", "threshold", "cutoff"),
        ("uRBPgr(rho=0.8)", "rho", "gains[1]"),
        ("CAM(nDCG@10)", "weights[0]", ""),
        ("TOMA(nDCG@10)", "weights", 'embedding["relevance"][0]'),
    ],
)
def test_what_people_mean_comes_first(measure: str, first: str, absent: str, sample: ec.Collection) -> None:
    usual = usual_parameters(measure, sample)
    assert usual[0].path == first
    assert absent not in {one.path for one in usual}


def test_usual_ends_hold_the_measures_own_value_and_lie_between_the_ends(sample: ec.Collection) -> None:
    for text in ("RBP(rho=0.2)", "nDCG@10", "nDCG@3", "uRBP1(threshold=22)", "CAM(nDCG, weights=[9, 0])", "TOMA"):
        whole = {one.path: one for one in varied_of(text, sample)}
        for one in usual_parameters(text, sample):
            assert whole[one.path].low <= one.low <= one.high <= whole[one.path].high
            assert one.value is None or one.low <= one.value <= one.high


# --- a slice of what `benchmarks/coverage/rankings.py` measures -------------------------------------------------------


def test_equal_systems_seldom_beat_each_other_anywhere_along_a_parameter() -> None:
    """Exact bound: more than this many of 100 trials at a true rate of 6% have probability below 1e-3."""
    random, trials = np.random.default_rng(11), 100
    shared = random.normal(size=(trials, 1, 6, 15))
    scores = shared + random.normal(size=(trials, 4, 6, 15)) / 2
    wrong = sum(bool(decided_pairs(score).any()) for score in scores)
    assert wrong <= binom.ppf(0.999, trials, 0.06)
