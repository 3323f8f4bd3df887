"""Effects of each disagreement on the systems, against one document swapped at a time and scored as usual."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sources_support import confused, with_sources

import evalcore as ec
from evalcore.common.rounding import TIE
from evalcore.labels.judges import disagreements, swapped_cell

CONFUSION = np.array([[0.95, 0.04, 0.01], [0.2, 0.6, 0.2], [0.05, 0.25, 0.7]])


@pytest.fixture(scope="module")
def small() -> ec.Collection:
    c = ec.restrict(ec.load("sample_data/health"), topics=["q01", "q02", "q07"])
    return with_sources(c, llm=confused(c, CONFUSION))


def with_label(collection: ec.Collection, topic: str, document: str, label: float) -> ec.Collection:
    pool = collection.assessments
    row = (pool.documents == document) & (pool.topic == pool.topics.index(topic))
    changed = np.where(row, label, pool.columns["relevance"])
    return replace(collection, assessments=replace(pool, columns={**pool.columns, "relevance": changed}))


@pytest.mark.parametrize(
    "text", ["RBP(rho=0.8)", "DCG@10", "AP", "nDCG", "CAM(nDCG)", 'TOMA(AP, aspects=["relevance", "credibility"])']
)
def test_changes_are_those_of_one_document_swapped_at_a_time(small, text):
    table, before = disagreements(small, text), ec.evaluate(text, small)
    assert len(table) > 10
    for row in table.iloc[:: len(table) // 4].to_dict("records"):
        after = ec.evaluate(text, with_label(small, row["topic"], row["document"], row["label of llm"]))
        delta = (after - before).loc[row["topic"]]
        assert row["systems"] == (delta != 0).sum()
        assert abs(row["change"]) == pytest.approx(delta.abs().max(), abs=1e-12)
        if row["systems"]:
            assert row["change"] == pytest.approx(delta[row["system"]], abs=1e-12)
            mean = (after - before).mean()[row["system"]]
            assert row["mean change"] == pytest.approx(mean, abs=1e-12)


def test_gains_that_hang_on_all_topics_are_swapped_one_by_one(small):
    text = 'TOMA(AP, aspects=["relevance", "credibility"], tuples="observed")'
    table, before = disagreements(small, text, cell=(2.0, 0.0)), ec.evaluate(text, small)
    for row in table.to_dict("records"):
        after = ec.evaluate(text, with_label(small, row["topic"], row["document"], 0.0))
        assert abs(row["change"]) == pytest.approx((after - before).loc[row["topic"]].abs().max(), abs=1e-12)


def test_only_the_documents_of_a_cell_are_listed_and_largest_changes_first(small):
    table = disagreements(small, "RBP", cell=(1.0, 0.0))
    assert set(table["label of nist"]) == {1.0}
    assert set(table["label of llm"]) == {0.0}
    assert (np.diff(table["change"].abs()) <= TIE).all()


def test_a_whole_cell_swapped_is_the_collection_with_those_labels(small):
    pool = small.assessments
    llm = pool.sources["relevance"].labels["llm"]
    cell = (pool.columns["relevance"] == 1) & (llm == 0)
    labels = np.where(cell, 0.0, pool.columns["relevance"])
    changed = replace(small, assessments=replace(pool, columns={**pool.columns, "relevance": labels}))
    table = swapped_cell(small, "AP", cell=(1.0, 0.0))
    expected = ec.evaluate("AP", changed).mean()
    pd.testing.assert_series_equal(table["after"], expected, check_names=False, check_exact=False, rtol=1e-12)
    assert table["rank after"].tolist() == ec.ranks(expected).tolist()


def test_infinite_scores_that_stay_so_do_not_change(small):
    none = np.zeros(len(small.assessments))
    barren = with_sources(with_label(small, "q01", "x", 0.0), none=none)
    table = swapped_cell(barren, "EffortTo", ("none", "nist"))
    assert not table["change"].isna().any()


def test_more_scorings_than_allowed_are_refused(small, monkeypatch):
    monkeypatch.setattr("evalcore.labels.judges.label_effects.MOST_SCORINGS", 3)
    with pytest.raises(ec.InputError, match=r"at most 3 scorings by AP, found \d+ for \d+ documents: choose a cell"):
        disagreements(small, "AP")


@pytest.mark.parametrize("sources", [("nist",), ("nist", "nist"), ("nist", "x"), ("nist", "llm", "mean")])
def test_two_known_sources_are_asked_for(small, sources):
    with pytest.raises(ec.InputError, match="expected"):
        disagreements(small, "RBP", sources)


@pytest.mark.parametrize("of", [disagreements, swapped_cell])
def test_a_measure_that_names_its_source_is_refused(small, of):
    with pytest.raises(ec.InputError, match="names no source of labels, such as AP, found AP"):
        of(small, 'AP(source="llm")')


def test_where_nothing_ranks_documents_they_are_listed_by_their_labels():
    first, second = "1 0 x 0\n1 0 y 1\n1 0 z 2\n1 0 w 2\n", "1 0 x 2\n1 0 y 1\n1 0 z 1\n1 0 v 0\n"
    c = ec.load_files([("nist.qrels", first.encode()), ("gpt4.qrels", second.encode())])
    found = disagreements(c, "RBP", ("nist", "gpt4"))
    assert found.to_numpy().tolist() == [["1", "x", 0, 2], ["1", "z", 2, 1]]
