"""Every measure that another tool has too, by its name: all topics of adversarial collections, to 1e-9.

Texts are ir_measures' own. The tools, and where they differ by convention: `conformance/peers.py`.
"""

from __future__ import annotations

import pytest
from conformance.adversarial import WORLDS, World, in_memory, untied
from conformance.peers import (
    Scores,
    all_decimals,
    disagreements,
    of_ir_measures,
    of_ranx,
    residual_of_cwl,
)

import evalcore as ec
from evalcore.structures.documents import Collection

TREC_EVAL = (
    "P@1", "P@5", "P@30", "P(rel=2)@5", "P(judged_only=True)@5", "P(rel=3,judged_only=True)@3",
    "R@1", "R@5", "R@100", "R(rel=2)@5", "R(judged_only=True)@3",
    "Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)",
    "AP", "AP@3", "AP@100", "AP(rel=2)", "AP(rel=4)@5", "AP(judged_only=True)", "AP(judged_only=True)@3",
    "RR", "RR(rel=2)", "RR(judged_only=True)",
    "nDCG", "nDCG@1", "nDCG@3", "nDCG@10", "nDCG(judged_only=True)", "nDCG(judged_only=True)@3",
    "nDCG(gains={1:2,2:5})", "nDCG(gains={0:1,1:0,3:9})@5",
    "Bpref", "Bpref(rel=2)", "Bpref(rel=4)",
    "infAP", "infAP(rel=2)", "infAP(rel=4)",
    "SetP", "SetP(rel=2)", "SetP(relative=True)", "SetR", "SetR(rel=2)", "SetF", "SetF(beta=2.0)",
    "SetAP", "SetAP(rel=2)", "Success@1", "Success@5", "Success(rel=2)@3",
)  # fmt: skip
RANX = {
    "RR@2": "mrr@2",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg@3",
    'nDCG(dcg="exp-log2")': "ndcg_burges",
    'nDCG(dcg="exp-log2")@3': "ndcg_burges@3",
    "DCG": "dcg",
    "DCG@3": "dcg@3",
    'DCG(dcg="exp-log2")': "dcg_burges",
    'DCG(dcg="exp-log2")@3': "dcg_burges@3",
}
GDEVAL = ("ERR@1", "ERR@3", "ERR@20", 'nDCG(dcg="exp-log2")@3', 'nDCG(dcg="exp-log2")@20')
CWL_EVAL = ("RBP(rel=1,p=0.5)", "RBP(rel=2,p=0.95)", "RR", "RR(rel=2)", "P@5", "INST(T=1,min_rel=1,max_rel=4)")
VALUES = WORLDS  # scores of a measure at least, on all topics


def compared(theirs: Scores, ours: str, collection: Collection, world: World) -> int:
    """Assert that all values of one measure are the same; return how many there are."""
    problems, count = disagreements(ec.evaluate(ours, collection), theirs, collection, world)
    assert not problems, f"{len(problems)} of {count} values of {ours} differ: " + "; ".join(problems[:3])
    return count


@pytest.fixture(scope="module")
def as_trec_eval(everything: World) -> dict[str, Scores]:
    return of_ir_measures(everything, TREC_EVAL)


@pytest.fixture(scope="module")
def as_ranx(everything_untied: World) -> dict[str, Scores]:
    return of_ranx(everything_untied, list(RANX.values()))


def test_scores_equal_trec_eval(subtests, loaded, as_trec_eval, everything):
    for text in TREC_EVAL:
        with subtests.test(str(text)):
            assert compared(as_trec_eval[text], text, loaded["through files"], everything) >= VALUES


def test_scores_equal_ranx(subtests, loaded, as_ranx, everything):
    for text in RANX:
        with subtests.test(str(text)):
            assert compared(as_ranx[RANX[text]], text, loaded["in memory"], everything) >= VALUES


def test_rbp_equals_ranx(subtests, rbp_of_ranx, everything, loaded):
    for rho, theirs in [(0.5, "rbp.50"), (0.8, "rbp.80"), (0.95, "rbp.95")]:
        with subtests.test(f"{rho}, {theirs}"):
            assert compared(rbp_of_ranx[theirs], f"RBP(rho={rho})", loaded["in memory"], everything) >= VALUES


@pytest.fixture(scope="module")
def some(up_to_4: World) -> World:
    """200 of the topics, for slow tools, in lists that every tool orders alike."""
    qrels = dict(list(up_to_4.qrels.items())[:200])
    return untied(World(qrels, {name: {t: run[t] for t in qrels if t in run} for name, run in up_to_4.runs.items()}))


@pytest.fixture(scope="module")
def some_of_ours(some: World) -> Collection:
    return in_memory(some)


@pytest.fixture(scope="module")
def as_cwl_eval(some: World) -> dict[str, Scores]:
    return of_ir_measures(some, CWL_EVAL, "cwl_eval")


def test_scores_equal_cwl_eval(subtests, as_cwl_eval, some, some_of_ours):
    for text in CWL_EVAL:
        with subtests.test(str(text)):
            assert compared(as_cwl_eval[text], text, some_of_ours, some) > 0


@pytest.mark.parametrize("depth", [1, 4])
def test_rbp_with_a_cut_off_equals_cwl_eval_on_the_cut_list(depth, some, some_of_ours):
    runs = {
        name: {topic: {d: scores[d] for d in sorted(scores, key=scores.__getitem__, reverse=True)[:depth]}
               for topic, scores in run.items()}
        for name, run in some.runs.items()
    }  # fmt: skip
    theirs = of_ir_measures(World(some.qrels, runs), ["RBP(rel=1,p=0.8)"], "cwl_eval")["RBP(rel=1,p=0.8)"]
    assert compared(theirs, f"RBP(p=0.8)@{depth}", some_of_ours, some) > 0


@pytest.mark.parametrize(("rho", "rel"), [(0.5, 1), (0.95, 2)])
def test_the_residual_of_rbp_equals_cwl_eval(rho, rel, some, some_of_ours):
    ours = ec.residual(f"RBP(rho={rho}, rel={rel})", some_of_ours)
    problems, count = disagreements(ours, residual_of_cwl(some, rho, rel), some_of_ours, some)
    assert not problems, problems[:3]
    assert count > 0


def test_scores_equal_ms_marco(subtests, everything, everything_untied, loaded):
    for text in ["RR@1", "RR@3", "RR(rel=2)@3"]:
        with subtests.test(str(text)):
            theirs = of_ir_measures(everything_untied, [text], "msmarco")[text]
            assert compared(theirs, text, loaded["through files"], everything) >= VALUES


def test_scores_equal_compat(subtests, everything, everything_untied, loaded):
    for text in ["Compat", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)"]:
        with subtests.test(str(text)):
            runs = {
                name: {topic: _shifted(scores) for topic, scores in run.items() if scores}
                for name, run in everything_untied.runs.items()
            }
            theirs = of_ir_measures(World(everything.qrels, runs), [text])[text]
            assert compared(theirs, text, loaded["in memory"], everything) >= VALUES


def _shifted(scores: dict[str, float]) -> dict[str, float]:
    """Return the same order with positive scores."""
    order = sorted(scores, key=scores.__getitem__)
    return {document: float(at) for at, document in enumerate(order, start=1)}


@pytest.fixture(scope="module")
def as_gdeval(up_to_4: World) -> dict[str, Scores]:
    with all_decimals():
        return of_ir_measures(untied(up_to_4), GDEVAL, "gdeval")


@pytest.fixture(scope="module")
def up_to_4_of_ours(up_to_4: World) -> Collection:
    return in_memory(up_to_4)


def test_scores_equal_gdeval(subtests, as_gdeval, up_to_4, up_to_4_of_ours):
    for text in GDEVAL:
        with subtests.test(str(text)):
            ours = text.replace("ERR", "ERR(max_rel=4)")
            assert compared(as_gdeval[text], ours, up_to_4_of_ours, up_to_4) > 0
