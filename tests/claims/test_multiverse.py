"""Scores of every specification: equal to those of the measures, and limited in number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from claims.made import random_collection

import evalcore as ec
from evalcore.claims import (
    Choice,
    Multiverse,
    Option,
    Specifications,
    growing,
    measure_choice,
    multiverse,
    parameter_choice,
    unassessed_choice,
)
from evalcore.errors import InputError
from evalcore.measures.unassessed import with_unassessed

COLLECTION = random_collection()


def of(measures: list[str], *choices: Choice) -> Multiverse:
    return multiverse(Specifications((measure_choice(measures), *choices)), COLLECTION)


def scores(found: Multiverse, at: int) -> np.ndarray:
    return found.scores[found.scored[at]].T


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "uRBP(rho=0.8)", "CAM(AP)", "TOMA(nDCG)"])
def test_scores_are_those_of_evaluate(measure: str) -> None:
    assert np.array_equal(scores(of([measure]), 0), ec.evaluate(measure, COLLECTION))


def test_scores_are_negated_if_low_is_good() -> None:
    class_of_low = ec.parse("CAM(RBP)")
    assert class_of_low.good == "high"
    low = "EffortTo(level=1)"
    found = of([low, "AP"])
    assert np.array_equal(scores(found, 0), -ec.evaluate(low, COLLECTION))


@pytest.mark.parametrize(
    ("measure", "same"),
    [
        ("nDCG@4", "nDCG(judged_only=True)@4"),
        ("AP", "AP(judged_only=True)"),
        ("CAM(nDCG)", "CAM(nDCG(judged_only=True))"),
    ],
)
def test_leaving_out_unassessed_documents_equals_judged_only(measure: str, same: str) -> None:
    found = of([measure], unassessed_choice(["left out"]))
    assert np.array_equal(scores(found, 0), ec.evaluate(same, COLLECTION))


def test_leaving_out_unassessed_documents_moves_the_others_up_for_other_measures() -> None:
    # x is not assessed; without it, the relevant document is first
    small = ec.collection({"s": {"q": {"x": 2.0, "a": 1.0}}}, {"q": {"a": 1}})
    found = multiverse(Specifications((measure_choice(["RBP(rho=0.5)"]), unassessed_choice())), small)
    assert [found.scores[at, 0, 0] for at in found.scored] == [0.25, 0.5, 1.0]  # 0, left out, 1 (all below gain 1 too)


def test_full_gain_for_unassessed_documents_gives_score_plus_residual() -> None:
    found = of(["RBP(rho=0.7)"], unassessed_choice(["1"]))
    expected = ec.evaluate("RBP(rho=0.7)", COLLECTION) + ec.residual("RBP(rho=0.7)", COLLECTION)
    assert np.allclose(scores(found, 0), expected, rtol=0, atol=1e-15)


def test_specifications_that_differ_in_topics_share_their_scores() -> None:
    halves = Choice("t", "topics", tuple(Option(one, one) for one in ("all", "half 1", "other half 1")))
    found = of(["AP", "RR"], halves)
    assert len(found) == 6
    assert len(found.scores) == 2


def test_a_measure_that_cannot_be_scored_is_counted_and_the_others_stay() -> None:
    found = of(["AP", 'AP(aspect="trust")'], parameter_choice("cutoff", [3, 5]))
    assert (len(found), found.undefined) == (2, 2)
    assert "'trust'" in found.problems[0]
    assert found.design.weights.sum() == pytest.approx(1)


def test_if_no_measure_can_be_scored_the_reason_is_given() -> None:
    with pytest.raises(InputError, match=r"expected a measure that can be computed here, found none: AP.*trust"):
        of(['AP(aspect="trust")'])


def test_the_multiverse_grows_step_by_step_and_reports_progress() -> None:
    specifications = Specifications((measure_choice(["RBP"]), parameter_choice("rho", "0.1 to 0.9, 33 steps")))
    progress = list[float]()
    parts = list(growing(specifications, COLLECTION, tell=progress.append))
    assert [len(part) for part in parts] == [1, 2, 4, 8, 16, 32, 33]
    assert parts[-1].share == 1
    assert progress == sorted(progress)
    assert progress[-1] == 1
    whole = multiverse(specifications, COLLECTION)
    assert np.array_equal(whole.scores, parts[-1].scores)
    first = parts[0]
    for at in range(len(first)):
        assert np.array_equal(scores(first, at), ec.evaluate(str(first.design.measures[at]), COLLECTION))


def test_more_scores_than_the_memory_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.claims.scoring.MOST_SCORES", 50)
    with pytest.raises(InputError, match="expected at most 50 scores to store, found 60: 2 ways to score"):
        of(["AP", "RR"])


def test_topics_that_means_leave_out_have_no_score() -> None:
    runs = {"a": {"q": {"x": 1.0}, "p": {"x": 1.0}}, "b": {"q": {"x": 1.0}}}
    lacking = ec.average_over(ec.collection(runs, {"q": {"x": 1}, "p": {"x": 1}}), "retrieved")
    found = multiverse(Specifications((measure_choice(["AP"]),)), lacking)
    assert np.isnan(found.scores[0]).tolist() == [[False, False], [True, False]]  # topics p and q


def test_rankings_are_condensed_again_for_other_labels() -> None:
    found = ec.collection({"a": {"q": {"x": 2.0, "y": 1.0}}}, {"q": {"x": 0, "y": 1}})
    measure, pool = with_unassessed(ec.parse("RR"), "left out"), found.assessments
    fewer = replace(pool, columns={"relevance": np.where(pool.documents == "x", np.nan, pool.columns["relevance"])})
    assert [measure.scores(one, found.rankings).item() for one in (pool, fewer)] == [0.5, 1.0]  # y second, then alone
