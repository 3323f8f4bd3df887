"""The pool and the rankings, as values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.structures.documents import Rankings, Scale, assessed_counts, natural_key

FILES = {
    "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n",
    "runs/a.run": b"1 Q0 d2 1 3 x\n1 Q0 new 2 2 x\n1 Q0 d1 3 1 x\n2 Q0 d1 1 1 x\n",
    "runs/b.run": b"2 Q0 new 1 1 x\n",
}


@pytest.fixture
def c() -> ec.Collection:
    return ec.load_files(FILES.items())


def test_a_collection_in_one_line(c):
    assert c.summary == "2 systems · 2 topics · 3 assessed documents · relevance"
    assert repr(c) == f"<Collection 'Uploaded files': {c.summary}>"


def test_rankings_as_csr(c):
    rankings = c.rankings
    assert rankings.indptr.tolist() == [0, 2, 3, 3, 3]
    assert (rankings.rank.tolist(), rankings.row.tolist()) == ([1, 3, 1], [1, 0, 2])
    assert (rankings.length.tolist(), rankings.depth) == ([[3, 1], [0, 1]], 3)


def test_a_matrix_reads_gains_through_ranks(c):
    gains = np.array([1.0, 10, 100])
    discounted = 1 / c.rankings.rank
    assert (c.rankings.matrix(discounted) @ gains).tolist() == [10 + 1 / 3, 100, 0, 0]
    assert (c.rankings.system_matrix(discounted) @ gains).tolist() == [110 + 1 / 3, 0]


def test_the_share_of_assessed_documents(c):
    shares = c.assessed_share([1, 2, 100])
    assert shares.loc["a"].tolist() == [2 / 2, 2 / 3, 3 / 4]
    assert shares.loc["b"].tolist() == [0, 0, 0]


def test_a_system_without_documents_has_no_assessed_ones():
    none = np.zeros(0, dtype=np.int32)
    empty = Rankings(("a",), 1, 1, np.array([0, 0]), none, none, np.array([[0]]))
    found, retrieved = assessed_counts(empty, np.ones(1, dtype=bool), [10])
    assert (found.tolist(), retrieved.tolist(), empty.depth) == ([[0]], [[0]], 0)


def test_a_grade_below_0_is_no_assessment():
    labels = pd.DataFrame({"relevance": [1, -1], "trust": [np.nan, np.nan]}, index=["a", "b"])
    shares = small_collection(labels, {"s": ["a", "b"]}).assessed_share([1, 2])
    assert shares.to_numpy().tolist() == [[1, 1 / 2]]


def test_the_pool_by_topic(c):
    assert c.assessments.topic_start.tolist() == [0, 2, 3]
    assert c.assessments.frame().to_dict("list") == {
        "topic": ["1", "1", "2"],
        "document": ["d1", "d2", "d1"],
        "relevance": [1, 0, 2],
    }


def test_an_unknown_column_names_what_there_is(c):
    with pytest.raises(
        ec.InputError, match=r"expected an aspect or signal of this collection \(relevance\), found 'trust'"
    ):
        c.assessments.column("trust")


def test_without_labels_the_measure_of_given_scores_is_named():
    scores = ec.collection(scores={"map": pd.DataFrame({"a": [0.5], "b": [0.4]}, index=["t"])})
    with pytest.raises(ec.InputError, match=r"expected labels of 'relevance', .*the measure Score reads"):
        ec.evaluate("AP", scores)


@pytest.mark.parametrize(
    ("scale", "border"),
    [
        (Scale("x", grades=(0, 1)), 1),
        (Scale("x", grades=(0, 1, 2)), 1),
        (Scale("x", grades=(0, 1, 2, 3)), 2),
        (Scale("x", grades=(0.2, 0.3, 0.4)), 0.3),  # (0.2 + 0.4) / 2 is 0.30000000000000004
        (Scale("x", grades=(0, 100), threshold=40), 40),
        (Scale("x", grades=(1,)), 1),
        (Scale("x", kind="signal"), 0),
    ],
)
def test_the_border_of_the_good_side(scale, border):
    assert scale.border == border


def test_many_grades_are_continuous():
    assert Scale("x", grades=tuple(range(21))).continuous
    assert not Scale("x", grades=tuple(range(20))).continuous
    assert Scale("x", kind="signal").continuous


def test_natural_order():
    names = ["q10", "q2", "q", "2", "10", "q2b"]
    assert sorted(names, key=natural_key) == ["2", "10", "q", "q2", "q2b", "q10"]
    assert natural_key("9" * 5000) > natural_key("8")


def test_a_repeated_document_of_a_small_collection_is_named() -> None:
    with pytest.raises(ec.InputError, match=r"^s: expected each document once, found 'b' listed twice$"):
        small_collection(pd.DataFrame({"relevance": [1.0]}, index=["a"]), {"s": ["a", "b", "b"]})


def test_a_summary_of_one_of_everything_is_in_the_singular() -> None:
    one = small_collection(pd.DataFrame({"relevance": [1.0]}, index=["a"]), {"s": ["a"]})
    assert one.summary == "1 system · 1 topic · 1 assessed document · relevance"
