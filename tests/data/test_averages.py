"""Topics that means are over: all assessed ones, or those that a system retrieved for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from invented_support import invented
from measures.small import collections
from measures.test_evaluation import Pair

import evalcore as ec
from evalcore import sensitivity
from evalcore.data.small_collections import small_collection
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.measures import MM
from evalcore.measures.base import combined_aspects

MEASURES = ["AP", "nDCG@5", "RBP(rho=0.8)", "Bpref", "MM(nDCG)", "uRBPgr(rho=0.8)", "Compat", "TOMA(nDCG)"]


@pytest.fixture(scope="module")
def some():
    """Draw rankings, one in ten of them empty."""
    collection = invented(4)
    assert 0 < (collection.rankings.length == 0).sum() < collection.rankings.length.size
    return collection


@pytest.fixture(scope="module")
def retrieved(some):
    return ec.average_over(some, "retrieved")


@pytest.mark.parametrize("text", MEASURES)
def test_a_topic_that_a_system_lacks_has_no_score(some, retrieved, text: str) -> None:
    full, found = ec.evaluate(text, some), ec.evaluate(text, retrieved)
    lacking = some.rankings.length.T == 0
    assert found.isna().to_numpy().tolist() == lacking.tolist()
    assert found.equals(full.mask(lacking))
    assert ec.evaluate(text, some, topics="retrieved").equals(found)
    assert ec.evaluate(text, retrieved, topics="all").equals(full)


def test_a_system_without_any_topic_has_empty_rankings_and_no_mean_over_none() -> None:
    labels = pd.DataFrame({"relevance": [1]}, index=["a"])
    c = small_collection(labels, {"one": ["a"], "none": []})
    assert ec.evaluate("AP", c, topics="retrieved").loc["topic"].to_dict() == {"one": 1.0, "none": 0.0}


@given(collections())
def test_means_are_over_the_topics_with_a_score(small) -> None:
    """A slow loop: the mean of what is not nan."""
    rankings = small.rankings
    covered = np.flatnonzero(small.pool.covered(["relevance"])).tolist()
    assume(covered)
    report: Any = None
    c = ec.average_over(ec.Collection("small", small.pool, rankings, report), "retrieved")
    table = ec.sweep("RBP", "rho", [0.5, 0.9], c)
    for measure, means in (("RBP(rho=0.5)", table.loc[0.5]), ("RBP(rho=0.9)", table.loc[0.9])):
        scores = ec.evaluate(measure, Pair(small.pool, rankings))
        for s, system in enumerate(rankings.systems):
            kept = [t for t in covered if rankings.length[s, t]] or covered
            assert means[system] == pytest.approx(np.mean([scores.iloc[t, s] for t in kept]), abs=1e-12)


def test_sweeps_trajectories_and_weightings_have_the_means_of_the_frames(retrieved) -> None:
    def close(found: object, frame: pd.DataFrame) -> bool:
        return bool(np.allclose(np.asarray(found, dtype=float), frame.mean(), rtol=0, atol=1e-12))

    for text, parameter in (("RBP(rho=0.8)", "rho"), ("nDCG@5", "cutoff"), ("uRBP1(rho=0.8)", "threshold")):
        for value in (0.5, 0.9) if parameter == "rho" else (3, 7):
            frame = ec.evaluate(ec.parse(text).with_(**{parameter: value}), retrieved)
            assert close(ec.sweep(text, parameter, [value], retrieved).iloc[0], frame)
            assert close(sensitivity.trajectory(text, parameter, [value], retrieved).means.iloc[0], frame)
    weighted, grid = MM(), weightings(4, 2)  # of the four aspects of the collection, as it names none
    table = means_by_weighting(weighted, retrieved.assessments, retrieved.rankings, grid)
    assert (len(table), tuple(table.index.names)) == (10, combined_aspects(retrieved.assessments))
    for at, weights in enumerate(grid):
        assert close(table.iloc[at], ec.evaluate(weighted.with_(weights=tuple(weights.tolist())), retrieved))


def test_a_restricted_collection_keeps_its_averaging(retrieved) -> None:
    part = ec.restrict(retrieved, retrieved.systems[1:], retrieved.topics[2:])
    expected = ec.evaluate("AP", retrieved).loc[list(part.topics), list(part.systems)]
    assert ec.evaluate("AP", part).equals(expected)
    assert ec.cut_rankings(retrieved, 5).rankings.average_over == "retrieved"


def test_the_choice_is_part_of_what_a_collection_is(some, retrieved) -> None:
    assert retrieved.fingerprint != some.fingerprint
    assert ec.average_over(some, "all") is some
    assert "means over topics with results" in retrieved.summary
    assert "means" not in some.summary


def test_an_unknown_choice_is_refused(some) -> None:
    choice: Any = "some"
    for call in (lambda: ec.average_over(some, choice), lambda: ec.evaluate("AP", some, topics=choice)):
        with pytest.raises(ec.InputError, match="expected means over the topics all or retrieved, found 'some'"):
            call()
