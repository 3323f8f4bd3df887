from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections

from evalcore.errors import InputError
from evalcore.measures import AP, RR, Bpref, GainMeasure, P, R, Rprec, infAP, parse


@given(collections(), st.sampled_from([P(cutoff=3), R(cutoff=3), AP(), RR(), Rprec(), Bpref(), infAP()]))
def test_given_only_gains_a_document_with_a_gain_is_relevant(small, measure):
    gains = 0.3 * measure.document_gains(small.pool)
    np.testing.assert_array_equal(measure.score_gains(gains, small.pool, small.rankings), small.scores(measure))


def test_precision_and_its_relatives_by_hand(subtests):
    rankings: list[tuple[str, list[float | None], float]] = [
        ("P@5", [1, 0, 1], 2 / 5),
        ("P(rel=2)@2", [1, 2], 1 / 2),
        ("R@1", [1, 0, 1], 1 / 2),
        ("Rprec", [0, 1, 1], 1 / 2),
        ("AP", [1, 0, 1], (1 + 2 / 3) / 2),
        ("AP@1", [1, 0, 1], 1 / 2),
        ("RR", [0, None, 1], 1 / 3),
        ("RR@2", [0, 0, 1], 0),
        ("RR(judged_only=True)", [None, 0, 1], 1 / 2),
        ("Bpref", [None, 0, 1, 0, 1], (1 - 1 / 2 + 1 - 2 / 2) / 2),
        ("Bpref", [0, 0, 0, 1], 0),
        ("Bpref", [None, 1, 1], 1),
        ("AP", [0, 0], 0),
    ]
    for text, ranking, score in rankings:
        with subtests.test(f"{text}, {ranking}"):
            assert parse(text).of(ranking) == pytest.approx(score, abs=1e-15)


def test_if_low_is_good_documents_below_the_threshold_are_relevant():
    judged = {"d1": {"difficulty": 0.0}, "d2": {"difficulty": 3.0}, "d3": {"difficulty": 1.0}}
    small = Small((judged,), ((("d2", "d1", "d3"),),))
    assert small.scores(P(aspect="difficulty", rel=1, cutoff=2)) == [[0.5]]
    assert small.scores(Rprec(aspect="difficulty", rel=2)) == [[0.5]]


@pytest.mark.parametrize(
    ("measure", "latex"),
    [
        (P(cutoff=5), r"\mathrm{P} = \frac{1}{5} \sum_{k=1}^{5} \left[\, \mathrm{relevance}_k > 0 \,\right]"),
        (Rprec(), r"\mathrm{Rprec} = \frac{1}{R} \sum_{k=1}^{R} \left[\, \mathrm{relevance}_k > 0 \,\right]"),
    ],
)
def test_formulas_of_precision_and_its_relatives(measure, latex):
    assert measure.latex() == latex


def test_a_missing_cutoff_is_refused_if_the_measure_needs_one():
    for text in ("P(cutoff=None)", "R(cutoff=None)", "P@0"):
        with pytest.raises(InputError, match="cutoff"):
            parse(text)


def test_a_gain_appears_in_the_formula_as_a_condition():
    measure: GainMeasure = AP()
    assert measure.latex_of("g").endswith(r"r_k = \left[\, g > 0 \,\right]")
