"""Every name of trec_eval's all_trec: all topics of adversarial collections.

trec_eval 9 is inside pytrec_eval, which also says its order. Where they differ by convention:

| trec_eval | here |
|---|---|
| G, ndcg_rel and Rndcg are 0 / 0, or as good as, where nothing is relevant | 0 |
"""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from conformance.adversarial import World
from conformance.peers import Scores, disagreements, trec_eval

import evalcore as ec
from evalcore.notation.trec_eval import ALL_TREC, GEOMETRIC, names_of_trec_eval
from evalcore.structures.documents import Collection

NAMES = [name for name in ALL_TREC if name not in ("num_q", "relstring")]


@pytest.fixture(scope="module")
def theirs(everything: World) -> dict[str, Scores]:
    return trec_eval(everything, NAMES)


def test_every_score_equals_trec_eval(
    subtests: pytest.Subtests, theirs: dict[str, Scores], everything: World, loaded: dict[str, Collection]
) -> None:
    qrels = everything.qrels
    for family in NAMES:
        with subtests.test(str(family)):
            for name, ours in names_of_trec_eval(family):
                scores = ec.evaluate(ours, loaded["in memory"])
                defined = {
                    system: {topic: value for topic, value in found.items() if not math.isnan(value)}
                    for system, found in theirs[name].items()
                }
                if family == "num_rel":  # of the topic, whatever was retrieved
                    counts = {
                        t: float(sum(grade >= 1 for grade in found.values())) for t, found in everything.qrels.items()
                    }
                    defined = dict.fromkeys(scores.columns, counts)
                if family in GEOMETRIC:  # what a topic counts for which nothing was retrieved
                    least = dict.fromkeys(qrels, math.log(1e-5))
                    defined = {system: least | found for system, found in defined.items()}
                problems, count = disagreements(scores, defined, loaded["in memory"], everything)
                assert not problems, f"{len(problems)} of {count} values of {name} differ: " + "; ".join(problems[:3])


def test_the_order_equals_trec_eval() -> None:
    """pytrec_eval gives the measures in the order of trec_eval's own table."""
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, pytrec_eval.supported_measures)
    found = [name for name in evaluator.evaluate({"1": {"a": 1.0}})["1"] if name != "runid"]
    assert [name for family in ALL_TREC for name, _ in names_of_trec_eval(family)] == found
