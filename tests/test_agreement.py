"""Agreement with the tools that the field trusts, on the real runs: topic by topic, to 1e-9."""

from __future__ import annotations

import gzip
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval

import evalcore as ec

RHO = 0.8
DEPTH = 200  # below, RBP gives less than 1e-19 in all
Lists = dict[str, dict[str, float]]


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def read_run(path: Path) -> Lists:
    run: Lists = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, _, document, _, score, _ = line.split()
            run.setdefault(topic, {}).setdefault(document, float(score))
    return run


@pytest.fixture(scope="module", params=["clef2015", "clef2016"])
def real(
    request: pytest.FixtureRequest, data_folder: Path
) -> tuple[ec.Collection, dict[str, dict[str, int]], dict[str, Lists]]:
    """A collection as we read it, and its relevance and runs as plain dicts."""
    place, qrels = {
        "clef2015": ("clef2015", "qrels.eng.clef2015.qtest.graded.txt"),
        "clef2016": ("clef2016task2", "task2.qrels"),
    }[request.param]
    c = request.getfixturevalue(request.param)
    folder = data_folder / place
    runs = {name: read_run(folder / file) for name, file in c.report.systems["file"].items()}
    return c, read_qrels(folder / qrels), runs


def test_rbp_over_the_order_of_trec_eval(real):
    """Precision at every depth tells at which ranks trec_eval saw the relevant documents; from them RBP."""
    c, qrels, runs = real
    every_depth = ",".join(map(str, range(1, DEPTH + 1)))
    official = pytrec_eval.RelevanceEvaluator(qrels, {f"P_{every_depth}"})
    weights = (1 - RHO) * RHO ** np.arange(DEPTH)
    ours = ec.evaluate(f"RBP(rho={RHO})", c)
    checked = 0
    for system, run in runs.items():
        for topic, found in official.evaluate(run).items():
            relevant = [found[f"P_{depth}"] * depth for depth in range(1, DEPTH + 1)]
            expected = np.diff(relevant, prepend=0) @ weights
            assert ours.loc[topic, system] == pytest.approx(expected, abs=1e-9), (system, topic)
            checked += 1
    assert checked == rankings_of(qrels, runs)


def rankings_of(qrels: dict[str, dict[str, int]], runs: dict[str, Lists]) -> int:
    """How many rankings there are of assessed topics; nearly every run has every topic."""
    count = sum(len(run.keys() & qrels.keys()) for run in runs.values())
    assert count > 0.9 * len(runs) * len(qrels) > 500
    return count


def test_rbp_of_ir_measures(real):
    """ir_measures leaves ties in the order in which documents come, so they come as trec_eval orders them."""
    provider = ir_measures.providers.registry["cwl_eval"]
    if not provider.is_available():
        pytest.skip("ir_measures computes RBP(rel=1) only with cwl_eval: pip install cwl-eval")
    provider.initialize()
    c, qrels, runs = real
    evaluator = provider.evaluator([ir_measures.RBP(rel=1, p=RHO)], qrels)
    ours = ec.evaluate(f"RBP(rho={RHO})", c)
    checked: set[tuple[str, str]] = set()
    for system, run in runs.items():
        for found in evaluator.iter_calc(as_trec_eval_orders(run)):
            assert ours.loc[found.query_id, system] == pytest.approx(found.value, abs=1e-9), (system, found.query_id)
            checked.add((system, found.query_id))
    assert len(checked) >= rankings_of(qrels, runs)


def as_trec_eval_orders(run: Lists) -> Lists:
    """Scores as 32-bit floats, ties by document id descending, down to `DEPTH`."""
    ordered = {}
    for topic, scores in run.items():
        ranking = [(float(np.float32(score)), document) for document, score in scores.items()]
        ordered[topic] = {document: score for score, document in sorted(ranking, reverse=True)[:DEPTH]}
    return ordered


def test_every_official_rbp(clef2015, data_folder):
    """The organisers' own tool, per topic and to its four decimals: ranks as it read them, labels by document."""
    c = ec.load(data_folder / "clef2015", order="urbp-tool", labels="by-document")
    ours = ec.evaluate(f"RBP(rho={RHO})", c)
    checked = 0
    for system in clef2015.systems:
        for line in (data_folder / "clef2015" / "official" / f"{system}.urbp").read_text().splitlines():
            measure, topic, *_, value = line.split()
            if measure == "RBP(0.8)" and topic != "all":
                assert ours.loc[topic, system] == pytest.approx(float(value), abs=0.000051), (system, topic)
                checked += 1
    assert checked == 40 * 66
