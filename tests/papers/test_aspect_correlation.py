"""Table 4 of Maistro et al. 2021, upper half: its shape, and its values by a slow loop over topics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import evalcore as ec
from evalcore.measures import P, nDCG, suggestions
from evalcore.meta import ranks
from evalcore.papers import maistro2021_table4 as printed
from evalcore.papers.aspect_correlation import (
    PAIRS,
    aspect_correlations,
    measure_correlations,
    several_aspect_measures,
    single_aspect_measures,
)


def slow(x: str, y: str, collection: ec.Collection) -> tuple[float, int]:
    """Mean of scipy's tau over topics, and over how many."""
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


def test_each_pair_of_aspects_too(sample: ec.Collection):
    table = aspect_correlations(sample)
    assert table.index.tolist() == [
        "relevance - understandability",
        "relevance - credibility",
        "understandability - credibility",
    ]
    mean, topics = slow("AP", 'AP(aspect="credibility")', sample)
    assert table.loc["relevance - credibility", "AP"] == pytest.approx(mean, abs=1e-12)
    assert table.loc["relevance - credibility", "AP topics"] == topics


def test_the_measures_are_those_that_are_suggested(sample: ec.Collection):
    made = [one for named in several_aspect_measures(sample.assessments).values() for one in named.values()]
    offered = suggestions(sample)["TOMA, CAM and MM"]
    assert made
    for one, other in zip(made, offered, strict=True):
        assert type(one) is type(other)
        assert ec.evaluate(one, sample).equals(ec.evaluate(other, sample))


def test_any_base_and_any_aspects(sample: ec.Collection):
    aspects, bases = ["credibility", "understandability"], [P(cutoff=5), nDCG(cutoff=10)]
    table = measure_correlations(sample, aspects, bases, "tau_ap_b")
    assert table.columns.tolist() == ["P@5", "P@5 topics", "nDCG@10", "nDCG@10 topics"]
    assert {str(one) for one in single_aspect_measures(sample.assessments, aspects, bases)["P@5"].values()} == {
        'P(aspect="credibility")@5',
        'P(aspect="understandability")@5',
    }


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


def test_the_printed_numbers():
    ndcg, ap = printed.printed_measures("NDCG"), printed.printed_measures("AP")
    assert ndcg.shape == ap.shape == (len(PAIRS), 10)
    assert set(ap.T["EUCL - MANH"]) == {1.0}
    assert (min(ndcg.T["EUCL - MANH"]), max(ndcg.T["EUCL - MANH"])) == (0.19, 1)  # section 4.3.1
    assert (ap.loc["CHEB - MM", "TASK16"], ndcg.loc["CHEB - MM", "TASK15"]) == (0.53, 0.88)
    aspects = printed.printed_aspects("NDCG")
    assert aspects.T["Relevance - Correctness"].dropna().tolist() == [0.42, 0.49]
    assert aspects.T["Usefulness - Non-spam"].dropna().tolist() == [0.40, -0.16]


def test_the_printed_range_of_a_pair_stands_beside_it():
    table = pd.DataFrame(
        {"nDCG": [0.5, 0.1], "P@5": [0.4, 0.2]}, index=["Relevance - correctness", "readability - cost"]
    )
    shown = printed.beside_printed(table, printed.printed_aspects)
    assert shown.columns.tolist() == ["nDCG", "P@5", "nDCG printed"]
    assert shown["nDCG printed"].tolist() == ["0.42 to 0.49", ""]  # NDCG of Decision 2019 and Misinformation 2020
