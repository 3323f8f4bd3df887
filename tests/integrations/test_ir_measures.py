"""This library's measures inside ir_measures."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from cli_support import ROOT

import evalcore as ec
from evalcore.integrations.ir_measures import measure, provider

HEALTH = ROOT / "sample_data" / "health"
SYSTEM = "bm25_base"


class Judgement(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    understandability: int
    credibility: int
    fog: float


@pytest.fixture(scope="module")
def qrels(sample: ec.Collection) -> pd.DataFrame:
    return sample.assessments.frame().rename(columns={"topic": "query_id", "document": "doc_id"})


@pytest.fixture(scope="module")
def run() -> list[ir_measures.ScoredDoc]:
    return list(ir_measures.read_trec_run(str(HEALTH / "runs" / f"{SYSTEM}.run.gz")))


def by_topic(of: Any, asked: Any, qrels: Any, run: Iterable[Any]) -> dict[str, float]:
    """The scores by topic, as ir_measures or one of its providers gives them."""
    return {metric.query_id: metric.value for metric in of.iter_calc([asked], qrels, iter(run))}


PAIRS = [
    ("uRBP(rho=0.9)", "uRBP(rho=0.9)"),
    ("ERRlike@10", "ERRlike@10"),
    ("uRBPgr(aspect='credibility',gains='[0,0.5,1]')", 'uRBPgr(aspect="credibility", gains=[0, 0.5, 1])'),
    ("uRBP2(rho=0.5,aspect='fog',threshold=12)", "uRBP2(rho=0.5, aspect='fog', threshold=12)"),
    (
        """TOMA(base='nDCG@10',aspects='["relevance","credibility"]',distance='Manhattan')""",
        'TOMA(nDCG@10, aspects=["relevance", "credibility"], distance=Manhattan)',
    ),
    ("TOMA(embedding='equal steps')", 'TOMA(nDCG, embedding="equal steps")'),
    (
        """TOMA(embedding='{"relevance": [0, 2, 3]}',tuples='observed')""",
        'TOMA(nDCG, embedding={"relevance": [0, 2, 3]}, tuples="observed")',
    ),
    ("CAM(base='AP')", "CAM(AP)"),
    (
        """MM(base='nDCG',aspects='["relevance","understandability"]',weights='[2,1]')""",
        'MM(nDCG, aspects=["relevance", "understandability"], weights=[2, 1])',  # else of all three
    ),
    ("""evalcore(text='AP(aspect="credibility")')""", 'AP(aspect="credibility")'),
]


@pytest.mark.slow
def test_scores_are_this_librarys(subtests: pytest.Subtests, sample, qrels, run) -> None:
    for theirs, ours in PAIRS:
        with subtests.test(f"{theirs}, {ours}"):
            asked = ir_measures.parse_measure(theirs)
            expected = ec.evaluate(ours, sample)[SYSTEM]
            found = by_topic(ir_measures, asked, qrels, run)
            assert found == expected.to_dict()
            assert ir_measures.calc_aggregate([asked], qrels, iter(run))[asked] == pytest.approx(
                expected.mean(), abs=1e-15
            )


def test_measures_that_both_have_stay_with_their_providers(qrels, run) -> None:
    whole = qrels.astype({"relevance": int})  # pytrec_eval takes nothing else
    evaluator: Any = ir_measures.evaluator([ir_measures.nDCG @ 10, ir_measures.parse_measure("uRBP")], whole)
    assert {type(one).__name__ for one in evaluator.evaluators} == {"PytrecEvalEvaluator", "EvalcoreEvaluator"}


def test_it_declares_what_it_needs() -> None:
    asked = [ir_measures.parse_measure("uRBP2(aspect='fog')"), ir_measures.parse_measure("CAM(base='AP')")]
    assert provider.qrel_inputs(asked) == ["query_id", "doc_id", "relevance", "fog", "understandability"]
    assert "evalcore" in ir_measures.providers.registry
    assert "uRBP" in ir_measures.measures.registry


def judgements(qrels: pd.DataFrame) -> Any:
    rows = qrels[list(Judgement._fields)].itertuples(index=False, name=None)
    return (Judgement(*row) for row in rows)


def test_named_tuples_dictionaries_and_evaluators_used_again(sample, qrels, run) -> None:
    urbp, ap = ir_measures.parse_measure("uRBP"), ir_measures.parse_measure("AP")
    expected = ec.evaluate("uRBP", sample)[SYSTEM].mean()
    evaluator = ir_measures.evaluator([urbp], judgements(qrels))
    for _ in range(2):
        assert evaluator.calc_aggregate(iter(run))[urbp] == pytest.approx(expected, abs=1e-15)
    plain = {"q": {"a": 1, "b": 0}}
    assert provider.calc_aggregate([ap], plain, {"q": {"b": 2.0, "a": 1.0}}) == {ap: 0.5}


def test_topics_without_results_score_0_and_others_do_not_count() -> None:
    qrels, found = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q9": {"a": 1.0}}
    rbp = measure("RBP(rho=0.5)")
    assert {one.query_id: one.value for one in provider.iter_calc([rbp], qrels, found)} == {"q1": 0.5, "q2": 0.0}
    assert {one.query_id: one.value for one in provider.iter_calc([rbp], qrels, {})} == {"q1": 0.0, "q2": 0.0}


BOTH_HAVE = [
    ir_measures.P @ 5,
    ir_measures.ERR @ 5,
    ir_measures.ERR,
    ir_measures.measures.registry["Compat"],
    ir_measures.nDCG @ 5,
]


def test_nothing_judged_is_no_score_and_a_mean_of_nan() -> None:
    """The tests of ir_measures ask this of its providers."""
    qrels, run = {"0": {"a": 1}, "1": {"b": 2}}, {"0": {"a": 0.8, "x": 0.7}, "1": {"x": 0.8}}
    urbp = ir_measures.parse_measure("uRBP(rho=0.8)@5")
    nothings: list[Any] = [[], {}]
    for of in (provider, ir_measures):
        asked = [*BOTH_HAVE, urbp] if of is provider else [urbp]
        for nothing, found in itertools.product(nothings, [*nothings, run]):
            assert list(of.iter_calc(asked, nothing, found)) == []
            np.testing.assert_equal(of.calc_aggregate(asked, nothing, found), dict.fromkeys(asked, np.nan))
            np.testing.assert_equal(of.calc(asked, nothing, found), (dict.fromkeys(asked, np.nan), []))
    for found in ([], {}):
        zeros = {(topic, one, 0.0) for topic in qrels for one in BOTH_HAVE}
        assert {tuple(metric) for metric in provider.iter_calc(BOTH_HAVE, qrels, found)} == zeros
        assert provider.calc_aggregate(BOTH_HAVE, qrels, found) == dict.fromkeys(BOTH_HAVE, 0.0)


def test_an_empty_frame_of_qrels_is_nothing_judged() -> None:
    empty = pd.DataFrame({"query_id": [], "doc_id": [], "relevance": []})
    assert list(provider.iter_calc([ir_measures.AP], empty, {"0": {"a": 1.0}})) == []


def test_ids_come_back_as_they_were() -> None:
    qrels = pd.DataFrame({"query_id": [1, 2], "doc_id": [7, 8], "relevance": [1, 1]})
    found = pd.DataFrame({"query_id": [1, 2], "doc_id": [7, 9], "score": [1, 1]})
    values = {one.query_id: one.value for one in provider.iter_calc([measure("RR")], qrels, found)}
    assert values == {1: 1.0, 2: 0.0}


def test_scales_can_be_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "relevance": 1, "effort": [1.0, 3.0]})
    asked = ir_measures.parse_measure("uRBP(rho=0.5,aspect='effort',threshold=2)")
    high = provider.calc_aggregate([asked], qrels, {"q": {"a": 2.0, "b": 1.0}})[asked]
    monkeypatch.setitem(provider.scales, "effort", ec.Scale("effort", good="low"))
    low = provider.calc_aggregate([asked], qrels, {"q": {"a": 2.0, "b": 1.0}})[asked]
    assert (high, low) == (0.25, 0.5)


def test_an_aspect_that_the_qrels_lack() -> None:
    asked = ir_measures.parse_measure("uRBP")
    expected = "expected a column 'understandability' of the qrels beside query_id and doc_id, found relevance"
    with pytest.raises(ec.InputError, match=expected):
        ir_measures.calc_aggregate([asked], {"q": {"a": 1}}, {"q": {"a": 1.0}})


def test_parameters_that_do_not_fit() -> None:
    with pytest.raises(ec.InputError, match="expected a number in"):
        provider.evaluator([ir_measures.parse_measure("uRBP(rho=2)")], {"q": {"a": 1}})
    with pytest.raises(ec.InputError, match=r"^uRBP: expected one of rho, aspect, .* found 'nonsense'"):
        provider.evaluator([ir_measures.parse_measure("uRBP(nonsense=2)")], {"q": {"a": 1}})
    with pytest.raises(ec.InputError, match=r"expected a measure such as .* found 'nonsense'"):
        measure("nonsense")
