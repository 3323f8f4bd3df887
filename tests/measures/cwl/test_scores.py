"""Measures of expected utility: closed forms, moving limits, goals and costs; tests/conformance/ has other tools."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections

from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError
from evalcore.measures import BPM, INST, GainMeasure, U, parse
from evalcore.measures.cwl.expected_utility import ExpectedUtility
from evalcore.measures.parts.reading import Worth, read_totals, weighed_mean
from evalcore.structures.documents import Scale

HORIZON = 40
READERS = (
    "INST(T=2, horizon=40)",
    "INST(T=0.5, horizon=40)",
    "NERR10(p=0.9, horizon=40)",
    "NERR10(p=0.001, horizon=40)",
    "NERR11(T=2, horizon=40)",
    "IFTGoal(T=2, b1=0.9, R1=1, horizon=40)",
)


@pytest.mark.parametrize("text", READERS)
@given(small=collections(), data=st.data())
def test_closed_forms_equal_reading_rank_by_rank(text, small, data):
    measure = parse(text)
    assert isinstance(measure, ExpectedUtility)
    gains = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(small.pool), max_size=len(small.pool))))
    slow = weighed_mean(read_totals(measure.continuation, Worth(gains), small.rankings, HORIZON))
    np.testing.assert_allclose(measure.score_gains(gains, small.pool, small.rankings), slow, atol=1e-12)


@pytest.mark.parametrize(("grades", "read"), [([1, 1, 1], 3), ([2, 1, 0, 3], 2), ([0] * 12, 10), ([1, 0, 2], 3)])
def test_bpm_stops_at_the_rank_given_by_exact_fractions(grades, read):
    """1/3 + 1/3 + 1/3 and 2/3 + 1/3 are exactly 1, so the goal is reached."""
    expected = sum(Fraction(grade, 3) for grade in grades[:read]) / read
    assert BPM(max_rel=3).of(grades) == pytest.approx(float(expected))


def test_bpm_with_limits_that_move():
    """T = 1 and K = 4 both rise by 1/2 at each gain of 1, and fall by 1/2 at each gain of 0.

    Rank 1: 1 < 1 is false. Of 0, 1, 1: 0 < 1 and 1 < 4; 1 < 0.5 is false.
    """
    moving = BPM(T=1, hb=1, hc=1, median=0.5, cutoff=4)
    assert moving.of([1, 1]) == 1
    assert moving.of([0, 1, 1]) == 0.5
    # without gain, K is 4, 3.5, 3 at ranks 1 to 3, where 3 < 3 is false; T is 1, 0.5, 0, and 0 < 0 is false there too
    assert BPM(T=9, hc=1, cutoff=4).of([0, 0, 1]) == pytest.approx(1 / 3)
    assert BPM(T=9, hc=1, cutoff=4).of([0, 0, 0, 1]) == 0


def test_inst_uses_the_goal_of_a_topic():
    small = Small(({"d0": {"relevance": 3.0}},) * 2, ((("d1", "d0"),) * 2,))
    own = INST(T=1, wanted={"t1": 4.0})
    scores = small.scores(own)[0]
    assert scores[0] == small.scores(INST(T=1))[0, 0]
    assert scores[1] == small.scores(INST(T=4))[0, 1]
    assert parse(str(own)) == own


def test_the_goal_of_a_topic_is_at_least_half_a_document():
    small = Small(({"d0": {"relevance": 3.0}},), ((("d0",),),))
    with pytest.raises(InputError, match=r"at least 0\.5 useful documents, found 0\.1"):
        small.scores(INST(wanted={"t0": 0.1}))


def test_lengths_of_documents_are_read_from_a_column():
    labels = pd.DataFrame({"relevance": [1.0, 1.0], "length": [3.0, 5.0]}, index=["a", "b"])
    scales = (Scale("relevance", grades=(0, 1)), Scale("length", kind="signal"))
    c = small_collection(labels, {"s": ["a", "x", "b"]}, scales)
    # of 10, a begins at 0, x at 3, b at 4, and the rest at 9
    score = U(L=10, cost="length").scores(c.assessments, c.rankings)[0, 0]
    assert score == pytest.approx((1 + 0.6) / (1 + 0.7 + 0.6 + 0.1))


def test_a_cost_below_0_is_refused():
    labels = pd.DataFrame({"relevance": [1.0], "length": [-3.0]}, index=["a"])
    scales = (Scale("relevance", grades=(0, 1)), Scale("length", kind="signal"))
    c = small_collection(labels, {"s": ["a"]}, scales)
    with pytest.raises(InputError, match="length: expected costs of 0 or more, found -3"):
        U(cost="length").scores(c.assessments, c.rankings)


def test_gains_above_1_are_refused():
    small = Small(({"d0": {"relevance": 3.0}},), ((("d0",),),))
    for text in ("INST", "INSQ", "BPM", "NERR8", "IFTGoal"):
        with pytest.raises(InputError, match="gains of at most 1, found 2"):
            cast(GainMeasure, parse(text)).score_gains(np.array([2.0]), small.pool, small.rankings)


def test_many_rankings_are_scored_as_few_are(monkeypatch):
    small = Small(({"d0": {"relevance": 3.0}, "d1": {"relevance": 1.0}},), ((("d1", "d0"),), (("d0",),), ((),)))
    together = small.scores(parse("IFTRate"))
    monkeypatch.setattr("evalcore.measures.parts.reading._LINES", 1)
    np.testing.assert_array_equal(small.scores(parse("IFTRate")), together)
