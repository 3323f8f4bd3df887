"""Scores as places among all values that lists can have (Ferrante, Ferro, Fuhr 2021)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.small import small_collection
from evalcore.explain import interval_scale
from evalcore.meta.differences import of_pairs, two_sided
from evalcore.progress import telling

LABELS = pd.DataFrame({"relevance": [2, 1, 1, 0, 0]}, index=list("abcde"))
RANKINGS = {"s": list("xabdc"), "t": list("abcde"), "u": list("xyz")}
SMALL = small_collection(LABELS, RANKINGS)


def slow_values(measure: str, depth: int, labels: list[int], from_pool: bool) -> list[float]:
    """The distinct scores of all lists of grades 0, 1 and 2, each ranked in a collection of its own."""
    found = set()
    for grades in product((0, 1, 2), repeat=depth):
        wanted, held = Counter(grades), Counter(labels)
        if from_pool and any(wanted[grade] > held[grade] for grade in (1, 2)):
            continue
        pool = labels if from_pool else labels + [1, 2] * depth
        documents = {f"d{at}": grade for at, grade in enumerate(pool)}
        left, ranking = dict(documents), []
        for at, grade in enumerate(grades):
            name = next((name for name in left if left[name] == grade), f"unassessed{at}") if grade else f"other{at}"
            left.pop(name, None)
            ranking.append(name)
        frame = pd.DataFrame({"relevance": documents})
        found.add(round(ec.evaluate(measure, small_collection(frame, {"s": ranking})).to_numpy().item(), 10))
    return sorted(found)


@pytest.mark.parametrize("measure", ["P@3", "RBP(rho=0.8)", "DCG@3", "RR"])
def test_values_are_those_of_all_lists(measure):
    (values,) = ec.attainable_values(measure, SMALL, 3)
    assert values.tolist() == pytest.approx(slow_values(measure, 3, [2, 1, 1, 0, 0], from_pool=False), abs=1e-9)


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "Recall@3"])
def test_of_a_measure_that_knows_all_relevant_documents_they_are_those_of_lists_from_the_topics_pool(measure):
    (values,) = ec.attainable_values(measure, SMALL, 3)
    assert values.tolist() == pytest.approx(slow_values(measure, 3, [2, 1, 1, 0, 0], from_pool=True), abs=1e-9)


def test_a_score_becomes_its_place_among_them():
    scores = ec.evaluate("RBP(rho=0.8)", ec.cut_rankings(SMALL, 3))
    (values,) = ec.attainable_values("RBP(rho=0.8)", SMALL, 3)
    places = [int(np.argmin(np.abs(values - score))) / (len(values) - 1) for score in scores.iloc[0]]
    assert ec.interval_scores("RBP(rho=0.8)", SMALL, 3).iloc[0].tolist() == places


def test_precision_is_on_an_interval_scale_already():
    found, scores = ec.interval_scores("P@5", SMALL, 5), ec.evaluate("P@5", SMALL)
    assert found.iloc[0].tolist() == pytest.approx(scores.iloc[0].tolist())


def test_rbp_of_one_half_is_a_binary_number():
    # the sum of 2^-k over relevant ranks: the steps between all values are equal
    (values,) = ec.attainable_values("RBP(rho=0.5)", SMALL, 6)
    assert values.tolist() == pytest.approx([at / 64 for at in range(64)])


def test_a_topic_without_any_gain_has_one_value_and_its_place_is_0():
    nothing = small_collection(pd.DataFrame({"relevance": [0]}, index=["a"]), {"s": ["a"]})
    assert ec.interval_scores("AP", nothing, 4).iloc[0].tolist() == [0]
    assert [values.tolist() for values in ec.attainable_values("P@4", nothing, 4)] == [[0]]


def decisions(scores: pd.DataFrame) -> np.ndarray:
    """Of every pair, who is better by a paired t-test at .05; 0: nobody."""
    values = np.ascontiguousarray(scores.to_numpy().T)
    parts = [part for _, part in of_pairs(values, *np.triu_indices(len(values), 1))]
    p = np.concatenate([two_sided(part.t, part.n_topics) for part in parts])
    return np.where(p < 0.05, np.sign(np.concatenate([part.mean for part in parts])), 0)


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "changed"), [("P@10", 0), ("RBP(rho=0.5)", 0), ("RBP(rho=0.8)", 33)])
def test_decisions_on_real_runs_that_the_scale_changes(clef2015, measure, changed):
    # of 780 pairs, as found when the work was planned by another program
    before = decisions(ec.evaluate(measure, ec.cut_rankings(clef2015, 10)))
    after = decisions(ec.interval_scores(measure, clef2015, 10))
    assert (len(before), int((before != after).sum())) == (780, changed)


@pytest.mark.parametrize(("measure", "depth", "problem"), [
    ("nDCG@20", 20, "expected at most 262,144 lists for an interval scale, found 3,486,784,401 of 3 gains at depth 20"),
    ('MM(AP, aspects=["relevance", "relevance"])', 3, "expected a measure of gains for an interval scale"),
    ("AP", 0, "expected"),
])  # fmt: skip
def test_what_has_no_such_scale_is_refused(measure, depth, problem):
    with pytest.raises(ec.InputError, match=problem):
        ec.interval_scores(measure, SMALL, depth)


def test_a_score_that_is_none_of_the_values_is_refused():
    with pytest.raises(ec.InputError, match=r"expected a score among the 2 values that lists can have, found 0\.5"):
        ec.places_among(np.array([0.0, 0.5]), np.array([0.0, 1.0]))


@pytest.mark.parametrize("measure", ["P@3", "AP"])  # one scale for all topics, one for each
def test_the_share_that_is_told_is_that_of_the_lists_that_are_scored(measure, sample, monkeypatch):
    scored, told = [0], []

    def counted(known, lists, stock):
        scored[0] += len(lists)
        return scores(known, lists, stock)

    scores = interval_scale._scores
    total = interval_scale.lists_to_score(measure, sample, 3)
    monkeypatch.setattr(interval_scale, "_AT_ONCE", 16)
    monkeypatch.setattr(interval_scale, "_scores", counted)
    with telling(lambda share: told.append((share, scored[0]))):
        ec.interval_scores(measure, sample, 3)
    of_plan = told[-1][1] - total  # a few lists by which it is seen whether topics differ
    assert [share * total for share, _ in told if share] == pytest.approx([at - of_plan for share, at in told if share])
    assert told[-1][0] == 1
