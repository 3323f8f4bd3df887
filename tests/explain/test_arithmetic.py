"""The pieces of a score add up to it, whatever the measure, the gains and what was assessed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import Small, collections

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.explain.arithmetic import arithmetic, label_steps
from evalcore.measures import TOMA, Aggregate
from evalcore.teaching.papers.three_documents import ASPECTS, LABELS, MEASURES, SCALES, table_3

TAKEN_APART = [
    "AP",
    "AP@2",
    "AP(rel=2, judged_only=True)",
    "nDCG",
    "nDCG@2",
    'nDCG(dcg="exp-log2")',
    "nDCG(judged_only=True)@3",
    "DCG@3",
    "RBP(rho=0.8)",
    "RBP(rho=0.5, rel=2)@2",
    "P@2",
    "P(judged_only=True)@5",
    "ERR",
    "ERR@2",
    "ERRlike",
    "uRBP(rho=0.8)",
    "uRBPgr(rho=0.8)",
    "uRBP2(rho=0.8, threshold=12)",
    "GainDiscount(gain=Share, discount=Reciprocal, normaliser=Ideal)@3",
    'Product(AP, gains={"relevance": Share, "fog": Arctan})',
    'Product(nDCG, gains={"relevance": Share, "understandability": Share})',
    'TOMA(nDCG, aspects=["relevance", "understandability"])',
    'TOMA(AP, aspects=["relevance", "understandability"], weights=TopHalf)',
]
IDEAL = [text for text in TAKEN_APART if "nDCG" in text or "Ideal" in text]
COLUMNS = ("relevance", "understandability", "fog")


@settings(max_examples=2 * settings().max_examples)
@given(text=st.sampled_from(TAKEN_APART), small=collections(COLUMNS))
def test_the_pieces_add_up_to_the_score(text: str, small: Small) -> None:
    measure, pool, rankings = ec.parse(text), small.pool, small.rankings
    scores = measure.scores(pool, rankings)
    for system, topic in np.ndindex(scores.shape):
        parts = arithmetic(measure, pool, rankings, system, topic)
        terms = parts.terms
        assert parts.score == pytest.approx(scores[system, topic], rel=1e-12, abs=1e-15)
        assert terms["contribution"].equals(terms["gain"] * terms["discount"])
        assert parts.total == pytest.approx(terms["contribution"].sum(), rel=1e-12)


@given(text=st.sampled_from(IDEAL), small=collections(COLUMNS))
def test_an_ideal_ranking_is_what_the_score_is_divided_by(text: str, small: Small) -> None:
    parts = arithmetic(ec.parse(text), small.pool, small.rankings)
    assert parts.ideal is not None
    assert parts.ideal["gain"].is_monotonic_decreasing
    assert parts.normaliser == pytest.approx(parts.ideal["contribution"].sum(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("text", ["RR", "Q", "CAM(nDCG)", "Compat"])
def test_a_measure_of_other_build_is_refused(text: str, example: ec.Collection) -> None:
    with pytest.raises(ec.InputError, match="expected AP, ERR or a discounted sum"):
        arithmetic(ec.parse(text), example.assessments, example.rankings)


# --- by hand: the three documents of Maistro et al. 2021 ------------------------------------------------------------


@pytest.fixture(scope="module")
def example() -> ec.Collection:
    rankings = {name: [f"d{number}" for number in name] for name in table_3("AP").index}
    return small_collection(pd.DataFrame(LABELS, index=ASPECTS).T, rankings, SCALES)


@pytest.mark.parametrize("base", ["AP", "NDCG"])
def test_every_cell_of_table_3_from_its_pieces(example: ec.Collection, base: str) -> None:
    pool, rankings = example.assessments, example.rankings
    for measure in map(ec.parse, MEASURES[base].values()):
        scores = ec.evaluate(measure, example).iloc[0].to_numpy()
        for system, score in enumerate(scores):
            if isinstance(measure, Aggregate):
                of_parts = np.array([arithmetic(part, pool, rankings, system).score for part in measure.parts])
                ours = float(measure.combine(of_parts, measure.shares))
            else:
                ours = arithmetic(measure, pool, rankings, system).score
            assert ours == pytest.approx(score, rel=1e-12)


def test_the_ideal_ranking_of_relevance_is_that_of_the_paper(example: ec.Collection) -> None:
    parts = arithmetic(ec.parse("nDCG"), example.assessments, example.rankings)
    assert parts.ideal is not None
    assert parts.ideal["gain"].tolist() == [3, 3, 1]
    assert parts.ideal["document"].tolist() == ["d2", "d3", "d1"]


def euclidean() -> TOMA:
    measure = ec.parse(MEASURES["NDCG"]["EUCL"])
    assert isinstance(measure, TOMA)
    return measure


def test_from_labels_to_weights_by_hand(example: ec.Collection) -> None:
    steps = label_steps(euclidean(), example.assessments)
    # Table 1, row 1: (2, 3) second best, ... The distances from (3, 3) are 2, 1.5 and 3.
    assert steps.to_numpy().tolist() == [
        ["mr, c", 1, 3, 2, 6, 5],
        ["hr, pc", 3, 1.5, 1.5, 8, 7],
        ["hr, nc", 3, 0, 3, 4, 3],
    ]
