"""The focused sample collection: its runs show what they should, and its script still writes the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from sample_data.make_manual import make

MANUAL = Path(__file__).parents[2] / "sample_data" / "manual"
PERFECT = "second_assessor"  # a person's run; all other runs are from systems
ARTICLES = ["article_dense", "article_terms"]


@pytest.fixture(scope="module")
def scores(manual) -> pd.DataFrame:
    """Return the means over topics, systems x measures."""
    measures = {
        "iP": "iP(recall=0.01)",
        "iMAP": "iAP",
        "recall": "TextR(cutoff=60)",
        "relevant": "AgP",
        "best": "AgP(Entry(A=0.1))",
        "AP": "AP",
        "nDCG": "nDCG",
    }
    return pd.DataFrame({name: ec.evaluate(ec.parse(text), manual).mean() for name, text in measures.items()})


@pytest.fixture(scope="module")
def places(scores) -> pd.DataFrame:
    """Return the rank of every system under every measure."""
    return scores.rank(ascending=False, method="min").astype(int)


@pytest.mark.slow
def test_the_script_writes_exactly_the_files_in_the_folder(tmp_path):
    make(tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(MANUAL): path.read_bytes() for path in MANUAL.rglob("*") if path.is_file()}
    assert made.keys() == kept.keys()
    assert [str(name) for name in made if made[name] != kept[name]] == []
    assert sum(map(len, kept.values())) < 1_000_000


def test_the_size_of_the_sample(manual):
    marks = manual.passages.highlights
    assert (len(manual.topics), len(manual.systems), len(manual.texts)) == (20, 17, 40)
    assert manual.queries.keys() == set(manual.topics)
    assert marks.relevant_documents.min() >= 6
    assert 2 <= len(marks) / len(manual.topics) / marks.relevant_documents.mean() <= 3
    assert np.diff(marks.indptr).max() >= 3


def test_the_sample_reads_the_same_without_its_description(manual):
    paths = [*MANUAL.glob("*.t*"), *MANUAL.glob("*.csv"), *MANUAL.glob("runs/*")]
    files = [(path.relative_to(MANUAL).as_posix(), path.read_bytes()) for path in paths if path.suffix != ".toml"]
    inferred = ec.load_files(files)
    assert inferred.passages
    np.testing.assert_array_equal(inferred.passages.parts.rsize, manual.passages.parts.rsize)
    assert inferred.queries == manual.queries


def test_a_second_assessor_is_first_in_all_three_tasks(scores):
    assert [scores[task].idxmax() for task in ("iMAP", "relevant", "best")] == [PERFECT] * 3


def test_whole_articles_contain_all_relevant_text_but_are_mostly_irrelevant(scores, places):
    assert (scores.loc[ARTICLES, "recall"] == 1).all()
    assert (places.loc[ARTICLES, ["iP", "iMAP", "best"]] >= 15).all(axis=None)


def test_a_ranking_of_paragraphs_wins_focused_and_paragraphs_by_article_win_in_context(scores):
    systems = scores.drop(PERFECT)
    assert systems["iMAP"].idxmax() == "paragraph_dense"
    assert systems["relevant"].idxmax() == "paragraph_context"
    assert scores.loc["paragraph_dense", "relevant"] < 0.6 * scores.loc["paragraph_context", "relevant"]


def test_one_sentence_per_article_has_high_precision_and_low_recall(scores, places):
    assert scores["iP"].idxmax() == "sentence_answer"
    assert scores["AP"].idxmax() == "sentence_answer"
    assert places.loc["sentence_answer", "iMAP"] >= 10
    assert scores.loc["sentence_answer", "recall"] < 0.25


def test_rankings_of_whole_documents_hardly_predict_the_focused_tasks(scores):
    by_document = scores["nDCG"]
    assert ec.tau(by_document, scores["recall"]) < 0.2
    assert ec.tau(by_document, scores["iMAP"]) < ec.tau(scores["iP"], scores["iMAP"])
