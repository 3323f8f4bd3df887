from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from measures.small import Small, collections

from evalcore.data import collection
from evalcore.errors import InputError
from evalcore.measures import AP, RBP, evaluate, nDCG, parse, residual, sweep
from evalcore.structures.documents import Assessments, Rankings

SMALL = Small(
    ({"d1": {"relevance": 1.0}, "d2": {"relevance": 0.0}}, {"d1": {"relevance": 2.0}}),
    ((("d1", "d2"), ("d3", "d1")), (("d2", "d1"), ())),
)


@dataclass(frozen=True)
class Pair:
    assessments: Assessments
    rankings: Rankings


C = Pair(SMALL.pool, SMALL.rankings)


def test_one_measure_gives_a_frame_of_topics_by_systems():
    scores = evaluate("RBP(rho=0.5)", C)
    assert list(scores.index) == ["t0", "t1"]
    assert list(scores.columns) == ["s0", "s1"]
    assert scores.to_numpy().tolist() == [[0.5, 0.25], [0.25, 0.0]]


def test_several_measures_give_frames_by_text():
    tables = evaluate([AP(), "nDCG@1"], C)
    assert list(tables) == ["AP", "nDCG@1"]
    assert tables["nDCG@1"].equals(evaluate(nDCG(cutoff=1), C))


def test_a_sweep_has_a_row_for_every_value():
    table = sweep("RBP", "rho", [0.5, 0.9], C)
    assert table.index.name == "rho"
    np.testing.assert_allclose(table.loc[0.9], evaluate(RBP(rho=0.9), C).mean())
    with pytest.raises(InputError, match="expected one of rho, rel, aspect, cutoff, found 'phi'"):
        sweep("RBP", "phi", [1], C)


def test_only_rank_biased_measures_have_a_residual():
    assert residual("RBP(rho=0.5)", C).to_numpy().tolist() == [[0.25, 0.25], [0.75, 1.0]]
    with pytest.raises(InputError, match=r"expected a rank-biased measure .*, found AP"):
        residual("AP", C)


@given(collections(columns=("relevance", "fog")))
def test_a_sweep_equals_separate_evaluations(small):
    assume(small.pool.covered(["relevance", "fog"]).any())
    c = Pair(small.pool, small.rankings)
    for parameter, values in (("threshold", [3.0, 12.0, 12.5]), ("rho", [0.1, 0.8]), ("rel", [1, 2])):
        swept = sweep("uRBP1(rho=0.5)", parameter, values, c)
        for value in values:
            expected = evaluate(parse("uRBP1(rho=0.5)").with_(**{parameter: value}), c).mean()
            assert swept.loc[value].to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-12)


@pytest.mark.parametrize("text", ["CAM(nDCG@10)", "MM(AP)", "TOMA(AP)"])
def test_a_measure_reads_the_same_aspects_alone_and_with_other_measures(text):
    topics = {f"t{topic}": {f"d{at}": (at * topic) % 3 for at in range(1, 6)} for topic in (1, 2)}
    labels = dict.fromkeys(("relevance", "understandability"), topics)
    labels["credibility"] = {
        topic: {document: 2 - grade for document, grade in of.items()} for topic, of in topics.items()
    }
    runs = {"run": {topic: {f"d{at}": 6.0 - at for at in range(1, 6)} for topic in topics}}
    c = collection(runs, labels)
    pd.testing.assert_frame_equal(next(iter(evaluate([text, "AP"], c).values())), evaluate(text, c))
    named = text.replace(")", ', aspects=["relevance", "understandability", "credibility"])')
    assert evaluate(text, c).to_numpy() == pytest.approx(evaluate(named, c).to_numpy())
