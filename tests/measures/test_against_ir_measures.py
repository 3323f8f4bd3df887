"""Every measure that ir_measures has too, on the real data: 40 runs, 66 topics, ties and unassessed documents included.

Texts are ir_measures' own. Where a tool breaks ties otherwise than trec_eval does (gdeval.pl compares 64-bit scores; MS
MARCO's RR and compatibility take ascending document ids), it is given the same order without ties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ir_measures
import numpy as np
import pytest
from conformance.adversarial import World
from conformance.peers import Scores, of_ir_measures
from ir_measures.providers import gdeval_provider
from measures.conftest import untied

import evalcore as ec
from evalcore import Collection

TREC_EVAL = [
    "P@5",
    "P@10",
    "P(rel=2)@5",
    "P(judged_only=True)@10",
    "R@100",
    "R@1000",
    "R(rel=2)@100",
    "Rprec",
    "Rprec(rel=2)",
    "AP",
    "AP@100",
    "AP(rel=2)",
    "AP(judged_only=True)",
    "RR",
    "RR(rel=2)",
    "nDCG",
    "nDCG@10",
    "nDCG(gains={1:2,2:5})@20",
    "nDCG(judged_only=True)@10",
    "Bpref",
    "Bpref(rel=2)",
]


def differences(ours: str, clef: Collection, theirs: Mapping[str, Mapping[str, float]]) -> float:
    """The largest over all topics of the runs that the tool was given; a topic that it leaves out scores 0."""
    scores = ec.evaluate(ours, clef)
    return max(_difference(scores[f"{name}.dat"], found) for name, found in theirs.items())


def _difference(scores: Any, theirs: Mapping[str, float]) -> float:
    expected = [theirs.get(topic.rpartition(".")[2], 0.0) for topic in scores.index]
    assert len(theirs) == len(scores)
    return float(np.abs(scores.to_numpy() - expected).max())


@pytest.fixture(scope="module")
def as_trec_eval(clef_qrels, clef_runs) -> dict[str, Scores]:
    """All of them at once: the tool reads each run once."""
    return of_ir_measures(World(clef_qrels, clef_runs), TREC_EVAL)


@pytest.mark.parametrize("text", TREC_EVAL)
def test_as_trec_eval(text, clef, as_trec_eval):
    assert len(as_trec_eval[text]) == len(clef.systems) == 40
    assert differences(text, clef, as_trec_eval[text]) < 1e-12


@pytest.fixture(scope="module")
def few(clef_runs):
    """One run of each kind; the tools below take their time."""
    names = ["ECNU_EN_Run.1", "GRIUM_EN_Run.1", "KISTI_EN_RUN.2", "TeamHCMUS_EN_Run.1"]
    return {name: untied(clef_runs[name]) for name in names}


@pytest.mark.parametrize("text", ["RR@10", "RR(rel=2)@5", "Compat", "Compat(p=0.8)", "Compat(p=0.9,normalize=False)"])
def test_as_other_tools_on_the_same_order(text, clef, clef_qrels, few):
    runs = few if text.startswith("RR") else {"KISTI_EN_RUN.2": few["KISTI_EN_RUN.2"]}
    theirs = of_ir_measures(World(clef_qrels, runs), [text])
    assert differences(text, clef, theirs[text]) < 1e-12


@pytest.mark.parametrize(
    ("text", "ours"),
    [("ERR@20", "ERR(max_rel=4)@20"), ("ERR@1000", "ERR(max_rel=4)@1000"), ('nDCG(dcg="exp-log2")@10',) * 2],
)
def test_as_gdeval(text, ours, clef, clef_qrels, few, monkeypatch):
    """gdeval.pl takes 4 for the highest grade; it prints 5 decimals, unless it is told to print them all."""
    if not gdeval_provider.GdevalProvider().is_available():
        pytest.skip("gdeval.pl needs perl")
    script = gdeval_provider.pkgutil.get_data("ir_measures", "bin/gdeval.pl") or b""
    monkeypatch.setattr(gdeval_provider.pkgutil, "get_data", lambda *_: script.replace(b"%.5f", b"%.17g"))
    runs = {name: few[name] for name in ("GRIUM_EN_Run.1", "KISTI_EN_RUN.2")}
    theirs = of_ir_measures(World(clef_qrels, runs), [text])
    assert differences(ours, clef, theirs[text]) < 1e-12


@pytest.mark.parametrize("other", ["MAP", "MRR", "NDCG@10", "RPrec", "BPref", "Precision@5", "Recall@100"])
def test_ir_measures_other_names_are_read(other):
    assert str(ec.parse(other)) == str(ir_measures.parse_measure(other))
