"""ep, MAep and their relatives: equal to an enumeration of all users, and to measures without navigation."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from measures.small import collections
from navigation.small_graphs import graph, graphs, linked, reached, score_on, users

import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import (
    AP,
    ECG,
    EPRUM,
    PRUM,
    RR,
    EffortTo,
    ExpectedRatio,
    InverseEffort,
    MAep,
    Measure,
    P,
    Stay,
    ep,
    gr,
)
from evalcore.measures.base import where_covered
from evalcore.navigation.effort_precision import methods
from evalcore.navigation.ideals import greedy_list, ideal_curve
from evalcore.navigation.topic_graphs import TopicGraph
from evalcore.notation.values import Value
from evalcore.structures.documents import LoadingReport

any_graph = st.one_of(graphs(), graphs(st.floats(0.1, 3)))


@pytest.fixture(scope="module")
def example() -> ec.Collection:
    """Make section 6.1: d3 is relevant, and 40% of the users of d1 and 30% of those of d2 go on to it."""
    return linked({"d3": 1}, {"s": ["d1", "d2", "d3"]}, {("d1", "d3"): 0.4, ("d2", "d3"): 0.3})


def score_of(measure, topic: TopicGraph) -> float:
    return measure.score(topic, topic.lists[0])


@given(topic=any_graph, share=st.floats(0.05, 1))
def test_effort_precision_at_a_level_equals_enumeration(topic, share):
    level = share * topic.total
    slow = {"E[ce]": 0.0, "E[1/ce]": 0.0}
    for chance, user in users(topic):
        at = reached(user, level)
        slow["E[ce]"] += chance * (math.inf if at is None else user.ce[at])
        slow["E[1/ce]"] += chance * (0.0 if at is None else 1 / user.ce[at])
    assert score_of(InverseEffort(recall=share), topic) == pytest.approx(slow["E[1/ce]"], abs=1e-12)
    assert score_of(EffortTo(level=level), topic) == pytest.approx(slow["E[ce]"], abs=1e-12)
    ideal = float(ideal_curve(topic).at(np.array(level)))
    assert score_of(ep(recall=share), topic) == pytest.approx(ideal * slow["E[1/ce]"], abs=1e-12)


@given(topic=any_graph, interpolation=st.sampled_from(["step", "linear"]), ideal=st.sampled_from(["gain", "effort"]))
def test_mean_average_effort_precision_equals_enumeration(topic, interpolation, ideal):
    """For each user, at each rise of the gain: the ideal effort to it over the user's effort; mean over components."""
    worth = ideal_curve(topic, ideal, "auto", interpolation)
    slow = 0.0
    for chance, user in users(topic):
        for gain, effort, new in zip(user.cg, user.ce, user.news, strict=True):
            slow += chance * (new * float(worth.at(np.array(gain))) / effort if new else 0.0)
    measure = MAep(interpolation=interpolation, ideal=ideal)
    assert score_of(measure, topic) == pytest.approx(slow / len(topic.gains), abs=1e-12)


@given(topic=any_graph, ideal=st.sampled_from(["gain", "effort"]))
def test_the_ideal_effort_by_enumeration(topic, ideal):
    """It is E[ce_ideal[gr]] of users of the ideal list, and the smaller one of two lists."""
    curve = ideal_curve(topic, ideal)
    lists = [topic.target[np.lexsort((topic.consulting[topic.target], -topic.gains))]]
    lists += [greedy_list(topic)] if ideal == "effort" else []
    for level in (0.2 * topic.total, 0.7 * topic.total, topic.total):
        slow = []
        for one in lists:
            listed = TopicGraph(topic.gains, topic.target, topic.reach, topic.consulting, (one,))
            assume(len(one) * len(topic.gains) <= 14)
            slow.append(sum(chance * user.ce[reached(user, level)] for chance, user in users(listed)))
        assert float(curve.at(np.array(level))) == pytest.approx(min(slow), abs=1e-12)


@given(graphs(st.just(1.0)))
def test_prum_by_enumeration(topic):
    """PRUM is the expected number of ranks that show something new until l units are seen, over the ranks consulted."""
    costs = np.ones(len(topic.consulting))
    topic = TopicGraph(topic.gains, topic.target, topic.reach, costs, topic.lists)
    for wanted in range(1, len(topic.gains) + 1):
        seen, consulted, never = 0.0, 0.0, False
        for chance, user in users(topic):
            at = reached(user, wanted)
            never |= at is None
            ranks = range(len(user.cg) if at is None else at + 1)
            seen += chance * sum(user.news[rank] > 0 for rank in ranks)
            consulted += chance * len(ranks)
        slow = 0.0 if never else seen / consulted
        assert score_of(PRUM(units=wanted), topic) == pytest.approx(slow, abs=1e-12)


@given(graphs(st.just(1.0)), st.integers(1, 6))
def test_eprum_and_the_expected_ratio_by_enumeration(topic, rank):
    """They are the expected inverse of the rank at which l units are seen, and the expected share seen at a rank."""
    topic = TopicGraph(topic.gains, topic.target, topic.reach, np.ones(len(topic.consulting)), topic.lists)
    ratio, inverse = 0.0, [0.0] * len(topic.gains)
    for chance, user in users(topic):
        ratio += chance * sum(user.news[:rank]) / len(topic.gains)
        places = [reached(user, wanted) for wanted in range(1, len(topic.gains) + 1)]
        inverse = [total + (0 if at is None else chance / (at + 1)) for total, at in zip(inverse, places, strict=True)]
    assert score_of(ExpectedRatio(cutoff=rank), topic) == pytest.approx(ratio, abs=1e-12)
    for wanted, slow in enumerate(inverse, start=1):
        ideal = float(ideal_curve(topic, "effort").at(np.array(float(wanted))))
        assert score_of(EPRUM(units=wanted), topic) == pytest.approx(ideal * slow, abs=1e-12)


@given(any_graph, st.integers(1, 6))
def test_gain_recall_by_enumeration(topic, rank):
    """Gain recall is the expected gain down to a rank, as a share of all gain."""
    slow = sum(chance * sum(user.cg[:rank][-1:]) for chance, user in users(topic))
    assert score_of(ECG(cutoff=rank), topic) == pytest.approx(slow, abs=1e-12)
    assert score_of(gr(cutoff=rank), topic) == pytest.approx(slow / sum(topic.gains), abs=1e-12)


@given(graphs(st.just(1.0)))
def test_eprum_is_effort_precision_with_units_as_gain_and_ranks_as_effort(topic):
    topic = TopicGraph(topic.gains, topic.target, topic.reach, np.ones(len(topic.consulting)), topic.lists)
    for wanted in range(1, len(topic.gains) + 1):
        assert score_of(EPRUM(units=wanted), topic) == score_of(ep(level=wanted, ideal="effort"), topic)


def test_the_ratio_of_expectations_differs_from_the_expected_ratio():
    """Erratum of Eqs. 6 and 9: half of the users see it at the first rank, half at the second: 3/2 * 3/4 = 9/8."""
    topic = graph({(1, 0): 0.5}, [1.0], [1.0, 1.0], [1, 0])
    assert score_of(EffortTo(level=1), topic) * score_of(InverseEffort(level=1), topic) == pytest.approx(9 / 8)


def test_an_ideal_by_gain_may_cost_more_than_the_run():
    """Erratum of Eqs. 6 and 9: the component of highest gain costs 5, two others together only 2."""
    topic = graph({}, [3.0, 2.0, 2.0], [5.0, 1.0, 1.0], [1, 2])
    assert score_of(ep(level=3), topic) == pytest.approx(5 / 2)
    assert score_of(ep(level=3, ideal="effort"), topic) == pytest.approx(1.0)


@given(collections())
def test_equal_gains_and_unit_effort_give_average_precision(small):
    np.testing.assert_allclose(small.scores(ec.parse("MAep(gain=Step(at=1))")), small.scores(AP()), atol=1e-12)


@given(collections())
def test_without_navigation_measures_at_one_unit_equal_classic_ones(small):
    gain = "gain=Step(at=1), level=1"
    np.testing.assert_allclose(small.scores(ec.parse(f"InverseEffort({gain})")), small.scores(RR()), atol=1e-12)
    np.testing.assert_allclose(small.scores(EPRUM(units=1)), small.scores(RR()), atol=1e-12)
    np.testing.assert_allclose(small.scores(PRUM(units=1)), small.scores(RR()), atol=1e-12)
    np.testing.assert_allclose(small.scores(ExpectedRatio(cutoff=5)), small.scores(ec.parse("R@5")), atol=1e-12)
    graded = small.scores(ec.parse('DCG(dcg="log2")@1'))
    np.testing.assert_allclose(small.scores(ECG(cutoff=1)), graded, atol=1e-12)


NAVIGATING = sorted(
    (kind for kind in Value.registry.values() if issubclass(kind, Measure) and "navigation" in kind.parameters()),
    key=lambda kind: kind.__name__,
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAVIGATING)
@given(small=collections())
def test_a_collection_without_links_is_scored_as_its_rankings(kind, small):
    report = LoadingReport(pd.DataFrame(), pd.DataFrame())
    collection = ec.Collection("Plain", small.pool, small.rankings, report)
    expected = where_covered(small.scores(kind()), kind().covered(small.pool))
    np.testing.assert_array_equal(kind().scores_on(collection), expected)


def test_recall_counts_all_relevant_components():
    """Erratum of Eqs. 4 to 7: a run with one of two relevant components has recall 1/2, not 1."""
    collection = linked({"a": 2, "b": 2}, {"s": ["a", "x"]}, {})
    assert score_on("gr@2", collection) == 0.5


def test_a_level_that_may_never_be_reached_needs_infinite_effort(example):
    """Erratum of E[ce]."""
    cut = linked({"d3": 1}, {"s": ["d1", "d2"], "none": []}, {("d1", "d3"): 0.4, ("d2", "d3"): 0.3})
    assert ec.evaluate("EffortTo(level=1)", cut).iloc[0].tolist() == [math.inf, math.inf]
    assert ec.evaluate("InverseEffort(level=1)", cut).iloc[0].tolist() == pytest.approx([0.4 + 0.18 / 2, 0])
    assert score_on("ep(level=2)", example) == 0.0


def test_the_method_that_was_used_is_reported(example):
    assert methods(ep(), example) == [["lattice"]]
    assert methods(ep(navigation=Stay()), example) == [["certain"]]
    assert methods(MAep(method="normal"), example) == [["normal"]]


def test_levels_and_shares_exclude_each_other():
    with pytest.raises(InputError, match="`level` or `recall`, found both"):
        ep(recall=0.3, level=2)
    with pytest.raises(InputError, match=r"expected a number in \(0, inf\), found 0"):
        ep(level=0)


def test_precision_at_the_recall_level():
    assert PRUM(units=2).of([1, 0, 1, 1]) == P(cutoff=3).of([1, 0, 1, 1])


@pytest.mark.parametrize("text", ["MAep(navigation=Browse)", "ep(navigation=Browse, recall=1)"])
@pytest.mark.parametrize("rounded", [np.float32, partial(round, ndigits=7)], ids=["four bytes", "seven digits"])
def test_thirds_that_were_rounded_are_multiples_of_a_third(text, rounded):
    """Sums of many rounded thirds once differed from multiples so much that full gain was never reached."""
    names = [f"d{at}" for at in range(240)]
    links = dict.fromkeys(pairwise(names), 0.5)

    def score(form: Callable[[float], float]) -> float:
        grades = {name: float(form((at % 3 + 1) / 3)) for at, name in enumerate(names)}
        return score_on(text, linked(grades, {"s": names}, links))

    assert score(rounded) == pytest.approx(score(float), rel=1e-6)
