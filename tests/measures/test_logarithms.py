"""Logarithms of scores, whose mean gives gm_map; tests/conformance/ compares each topic with trec_eval."""

from __future__ import annotations

import math

import pytest

import evalcore as ec
from evalcore.leaderboard import aggregate
from evalcore.measures import AP, Bpref, Log

LABELS = {"relevance": {"t1": {"a": 1, "b": 0}, "t2": {"a": 0, "b": 1}, "t3": {"c": 1, "b": 0}}}
RUNS = {
    "first": {topic: {"a": 2.0, "b": 1.0} for topic in LABELS["relevance"]},
    "second": {topic: {"b": 2.0, "c": 1.0} for topic in LABELS["relevance"]},
}
C = ec.collection(RUNS, LABELS)


@pytest.mark.parametrize(
    ("text", "measure"),
    [("GMAP", Log()), ("gm_map", Log()), ("gm_bpref", Log(Bpref())), ("11pt_avg", ec.parse("AvgIPrec"))],
)
def test_what_people_type_is_read(text, measure):
    assert ec.parse(text) == measure


@pytest.mark.parametrize("name", ["ndcg_cut", "all_prefs", "recall", "gm"])
def test_a_name_that_means_several_measures_or_none_is_refused(name):
    with pytest.raises(ec.InputError, match="expected"):
        ec.parse(name)


def test_the_mean_of_logarithms_is_that_of_the_geometric_mean():
    """The scores are AP on three topics; a topic with 0 counts as 0.00001."""
    found, scores = ec.evaluate(Log(AP()), C).mean(), ec.evaluate(AP(), C)
    assert (scores == 0).sum().tolist() == [1, 1]
    expected = {name: math.prod(max(one, 1e-5) for one in scores[name]) ** (1 / 3) for name in scores}
    assert {name: math.exp(one) for name, one in found.items()} == pytest.approx(expected)
    assert aggregate(scores, "GeometricMean()").to_dict() == pytest.approx(expected)


def test_the_lowest_score_is_a_parameter():
    assert Log(AP(), least=0.25).of([0, 0]) == math.log(0.25)
    assert Log(AP(), least=0.25).bounds == (math.log(0.25), 0.0)
    with pytest.raises(ec.InputError, match="expected a number in"):
        Log(least=0.0)


def test_logarithms_use_the_aspect_and_source_of_the_measure_inside():
    assert Log(ec.parse('AP(aspect="trust")')).columns == ("trust",)
    assert str(ec.parse('Log(AP, source="umbrela")')) == 'Log(AP, source="umbrela")'
