"""Table 4 of Maistro et al. 2021, upper half: its shape, and its values by a slow loop over topics."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import evalcore as ec
from evalcore.explain.aspect_correlation import (
    PAIRS,
    aspect_correlations,
    measure_correlations,
    several_aspect_measures,
)
from evalcore.measures import suggestions
from evalcore.meta import ranks
from evalcore.teaching.papers import maistro2021_table4 as printed


def slow(x: str, y: str, collection: ec.Collection) -> tuple[float, int]:
    """Mean of scipy's tau over topics, and the number of topics."""
    # Ranks, as scores may be tied but for the last bits of a sum, which scipy would not see.
    x_scores, y_scores = (ec.evaluate(one, collection) for one in (x, y))
    taus = [
        scipy.stats.kendalltau(ranks(x_scores.loc[topic]), ranks(y_scores.loc[topic])).statistic
        for topic in x_scores.index
    ]
    return float(np.nanmean(taus)), int(np.isfinite(taus).sum())


def test_pairs_and_columns_are_the_papers(sample: ec.Collection):
    table = measure_correlations(sample)
    assert table.index.tolist() == printed.printed_measures("NDCG").index.tolist()
    assert table.columns.tolist() == ["nDCG", "nDCG topics", "AP", "AP topics"]


@pytest.mark.parametrize("pair", [("EUCL", "CAM"), ("CHEB", "MM"), ("CAM", "MM")])
@pytest.mark.parametrize("base", ["nDCG", "AP"])
def test_each_cell_is_the_mean_of_scipys_tau_over_topics(sample: ec.Collection, pair, base):
    table = measure_correlations(sample)
    measures = several_aspect_measures(sample.assessments)[base]
    mean, topics = slow(str(measures[pair[0]]), str(measures[pair[1]]), sample)
    assert table.loc[" - ".join(pair), base] == pytest.approx(mean, abs=1e-12)
    assert table.loc[" - ".join(pair), f"{base} topics"] == topics


@pytest.mark.parametrize("pair", [("relevance", "credibility"), ("relevance", "understandability")])
@pytest.mark.parametrize("base", ["nDCG", "AP"])
def test_two_aspects_have_the_mean_of_scipys_tau_over_topics(sample: ec.Collection, pair, base):
    table = aspect_correlations(sample)
    x, y = (f'{base}(aspect="{aspect}")' for aspect in pair)
    mean, topics = slow(x, y, sample)
    assert table.loc[" - ".join(pair), base] == pytest.approx(mean, abs=1e-12)
    assert table.loc[" - ".join(pair), f"{base} topics"] == topics


def test_the_measures_are_those_that_are_suggested(sample: ec.Collection):
    made = [one for named in several_aspect_measures(sample.assessments).values() for one in named.values()]
    offered = suggestions(sample)["TOMA, CAM and MM"]
    assert made
    for one, other in zip(made, offered, strict=True):
        assert type(one) is type(other)
        assert ec.evaluate(one, sample).equals(ec.evaluate(other, sample))


def test_fewer_than_two_aspects_are_refused(sample: ec.Collection):
    with pytest.raises(ec.InputError, match="expected at least two aspects with two grades or more, found relevance"):
        measure_correlations(sample, ["relevance"])


@pytest.mark.parametrize("name", ["clef2015", "clef2016"])
def test_real_collections_have_the_papers_shape(name, request: pytest.FixtureRequest):
    collection = request.getfixturevalue(name)
    # section 4.1: one unit separates each grade of every aspect
    measures = measure_correlations(collection, embedding="equal steps")
    aspects = aspect_correlations(collection)
    assert [f"{a} - {b}" for a, b in PAIRS] == measures.index.tolist()
    # section 4.3.1: under AP the classes of both distances are made the same two labels
    assert measures.loc["EUCL - MANH", "AP"] == 1.0
    # an aspect alone says less about another than a measure of all aspects does about another such measure
    for base in ("nDCG", "AP"):
        assert min(aspects[base].tolist()) < min(measures[base].tolist())
    assert len(aspects) == len(collection.aspects) * (len(collection.aspects) - 1) / 2
