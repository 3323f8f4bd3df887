from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Judged, Small, collections

from evalcore.errors import InputError
from evalcore.measures import AP, RR, Bpref, GainMeasure, P, R, Rprec, infAP, parse

cutoffs = st.integers(1, 9)
levels = st.sampled_from([1, 2, 3])


class Slow:
    """Each measure as its definition reads."""

    def __init__(self, rel: float, cutoff: int = 99) -> None:
        self.rel, self.cutoff = rel, cutoff

    def relevant(self, document: str, judged: Judged) -> bool:
        return document in judged and judged[document] >= self.rel

    def P(self, ranking, judged):
        return sum(self.relevant(d, judged) for d in ranking[: self.cutoff]) / self.cutoff

    def R(self, ranking, judged):
        total = sum(self.relevant(d, judged) for d in judged)
        return sum(self.relevant(d, judged) for d in ranking[: self.cutoff]) / total if total else 0

    def Rprec(self, ranking, judged):
        total = sum(self.relevant(d, judged) for d in judged)
        return sum(self.relevant(d, judged) for d in ranking[:total]) / total if total else 0

    def AP(self, ranking, judged):
        total, found, score = sum(self.relevant(d, judged) for d in judged), 0, 0.0
        for rank, document in enumerate(ranking[: self.cutoff], start=1):
            if self.relevant(document, judged):
                found += 1
                score += found / rank
        return score / total if total else 0

    def RR(self, ranking, judged):
        for rank, document in enumerate(ranking[: self.cutoff], start=1):
            if self.relevant(document, judged):
                return 1 / rank
        return 0

    def Bpref(self, ranking, judged):
        R, N = (sum(self.relevant(d, judged) == wanted and judged[d] >= 0 for d in judged) for wanted in (True, False))
        above, score = 0, 0.0
        for document in ranking:
            if self.relevant(document, judged):
                score += 1 - min(above, R) / min(N, R) if above else 1
            elif judged.get(document, -1) >= 0:
                above += 1
        return score / R if R else 0

    def infAP(self, ranking, judged):
        R, found, others, pooled, score = sum(self.relevant(d, judged) for d in judged), 0, 0, 0, 0.0
        for rank, document in enumerate(ranking, start=1):
            if self.relevant(document, judged):
                share = (found + 1e-5) / (found + others + 2e-5)
                above = (rank - 1) / rank * pooled / (rank - 1) * share if rank > 1 else 0
                score += 1 / rank + above
                found += 1
            elif judged.get(document, -1) >= 0:
                others += 1
            pooled += document in judged
        return score / R if R else 0


@given(collections(), st.sampled_from([P, R, AP, RR]), levels, cutoffs)
def test_measures_with_a_cutoff_are_what_a_loop_finds(small, measure, rel, cutoff):
    slow = getattr(Slow(rel, cutoff), measure.__name__)
    np.testing.assert_allclose(small.scores(measure(rel=rel, cutoff=cutoff)), small.by_loop(slow), atol=1e-12)


@given(collections(lowest=-1), st.sampled_from([AP, RR, Rprec, Bpref, infAP]), levels)
def test_measures_of_the_whole_ranking_are_what_a_loop_finds(small, measure, rel):
    slow = getattr(Slow(rel), measure.__name__)
    np.testing.assert_allclose(small.scores(measure(rel=rel)), small.by_loop(slow), atol=1e-12)


@given(collections(), st.sampled_from([P, R, AP, RR, Rprec, infAP]))
def test_judged_only_scores_the_list_without_the_unassessed(small, measure):
    kept = [[[d for d in ranking if d in small.judged[t]] for t, ranking in enumerate(s)] for s in small.lists]
    shorter = Small(small.judged, tuple(tuple(map(tuple, system)) for system in kept))
    np.testing.assert_array_equal(small.scores(measure(judged_only=True)), shorter.scores(measure()))


@given(collections(), st.sampled_from([P(cutoff=3), R(cutoff=3), AP(), RR(), Rprec(), Bpref(), infAP()]))
def test_from_gains_alone_relevant_is_what_has_a_gain(small, measure):
    gains = 0.3 * measure.document_gains(small.pool)
    np.testing.assert_array_equal(measure.score_gains(gains, small.pool, small.rankings), small.scores(measure))


def test_by_hand(subtests):
    for text, ranking, score in [
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
    ]:
        with subtests.test(f"{text}, {ranking}"):
            assert parse(text).of(ranking) == pytest.approx(score, abs=1e-15)


def test_where_low_is_good_relevant_is_what_lies_below():
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
def test_latex(measure, latex):
    assert measure.latex() == latex


def test_a_cutoff_is_demanded_where_the_measure_needs_one():
    for text in ("P(cutoff=None)", "R(cutoff=None)", "P@0"):
        with pytest.raises(InputError, match="cutoff"):
            parse(text)


def test_a_gain_that_is_no_condition_is_shown_as_one():
    measure: GainMeasure = AP()
    assert measure.latex_of("g").endswith(r"r_k = \left[\, g > 0 \,\right]")
