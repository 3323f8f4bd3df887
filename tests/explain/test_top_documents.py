from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data import Assessments, LoadingReport, Rankings, Scale
from evalcore.explain.top_documents import (
    cut_rankings,
    label_sums,
    label_sums_by_rank,
    zero_aspect_documents,
)

TEXTS = ("nDCG@10", "MM(nDCG)", "TOMA(AP, distance=Chebyshev)")


def collection(
    grades: dict[str, tuple[float, float]], runs: dict[str, list[str]], difficulty: bool = False
) -> ec.Collection:
    """One topic: (relevance, understandability) of the assessed documents, and what each system ranks."""
    names = list(grades)
    columns = {name: np.array([pair[at] for pair in grades.values()]) for at, name in enumerate(("relevance", "u"))}
    scales = {
        "relevance": Scale("relevance", grades=(0.0, 1.0, 2.0)),
        "u": Scale("u", good="low" if difficulty else "high", grades=(0.0, 1.0, 2.0)),
    }
    pool = Assessments(("t",), np.zeros(len(names), dtype=int), np.array(names, dtype=object), columns, scales)
    hits = [[(rank, names.index(one)) for rank, one in enumerate(run, 1) if one in grades] for run in runs.values()]
    rank, row = np.array([hit for run in hits for hit in run]).reshape(-1, 2).T
    indptr = np.append(0, np.cumsum([len(run) for run in hits]))
    length = np.array([[len(run)] for run in runs.values()])
    report = LoadingReport(pd.DataFrame(), pd.DataFrame())
    return ec.Collection("tiny", pool, Rankings(tuple(runs), 1, len(names), indptr, rank, row, length), report)


NAN = float("nan")
GRADES = {"good": (2.0, 1.0), "fair": (1.0, 0.0), "bad": (0.0, 0.0), "half": (0.0, NAN), "none": (NAN, NAN)}


def scores(**systems: float) -> dict[str, pd.DataFrame]:
    return {"m": pd.DataFrame(systems, index=["t"])}


def rows(table: pd.DataFrame) -> dict[str, list[float]]:
    return {row[1]: row[2:] for row in table.to_numpy().tolist()}


def test_zero_aspect_documents_by_hand():
    c = collection(GRADES, {"a": ["good", "bad", "unknown", "none", "half"], "b": ["fair", "good"]})
    table = zero_aspect_documents(scores(a=0.9, b=0.1), c)
    assert table.columns.tolist() == ["measure", "ranks", "documents", "zero", "share", "unassessed"]
    assert rows(table) == {
        "1": [1, 0, 0, 0],
        "2": [1, 1, 0.2, 0],
        "3": [1, 0, 0, 1],  # in no assessment
        "4": [1, 0, 0, 1],  # in the pool, but without any label
        "5": [1, 1, 0.2, 0],  # the label that is missing counts as the worst
        "1-5": [5, 2, 0.4, 2],
    }


def test_systems_tied_as_best_share_the_topic_whatever_their_order():
    runs = {"a": ["bad", "good"], "b": ["good", "unknown"], "c": ["bad", "bad"]}
    for order in (runs, dict(reversed(runs.items()))):
        found = rows(zero_aspect_documents(scores(a=0.5, b=0.5 + 1e-16, c=0.4), collection(GRADES, order), depth=2))
        assert found == {"1": [1, 0.5, 0.25, 0], "2": [1, 0, 0, 0.5], "1-2": [2, 0.5, 0.25, 0.5]}


def test_bands_of_a_depth_they_do_not_divide():
    c = collection(GRADES, {"a": ["good"] + ["bad"] * 9, "b": []})
    assert label_sums_by_rank(scores(a=1, b=0), c, depth=10, bands=4)["ranks"].tolist() == ["1-3", "4-6", "7-9", "10"]


def test_a_label_is_counted_from_the_worst_grade():
    assert label_sums(collection(GRADES, {}).assessments).tolist()[:4] == [3, 1, 0, 0]
    assert label_sums(collection(GRADES, {}, difficulty=True).assessments).tolist()[:4] == [3, 3, 2, 0]
    assert label_sums(collection(GRADES, {}).assessments, as_shares=True).tolist()[:4] == [1.5, 0.5, 0, 0]
    assert label_sums(collection(GRADES, {}).assessments, ["u"]).tolist()[:3] == [1, 0, 0]
    assert np.isnan(label_sums(collection(GRADES, {}).assessments, ["u"])[3:]).all()


def test_grades_below_0_are_no_worse_than_0():
    scale = Scale("relevance", grades=(-2.0, 0.0, 1.0, 2.0))
    values = np.array([-2.0, 0.0, 1.0, 2.0])
    pool = Assessments(
        ("t",), np.zeros(4, dtype=int), np.arange(4).astype(object), {"relevance": values}, {"relevance": scale}
    )
    assert label_sums(pool).tolist() == [0, 0, 1, 2]
    assert label_sums(pool, as_shares=True).tolist() == [0, 0, 0.5, 1]


def slow(collection: ec.Collection, table: pd.DataFrame, first: int, last: int) -> tuple[Fraction, ...]:
    """Count documents, unassessed ones and those of sum 0, and add labels, document by document."""
    pool, rankings, found = collection.assessments, collection.rankings, [Fraction(0)] * 4
    sums = dict(zip(range(len(pool)), label_sums(pool).tolist(), strict=True))
    for t, topic in enumerate(pool.topics):
        line = table.loc[topic]
        best = [s for s in range(len(line)) if line.iloc[s] >= line.max() - 1e-12]
        for s in best:
            row = s * rankings.n_topics + t
            at = slice(rankings.indptr[row], rankings.indptr[row + 1])
            by_rank = dict(zip(rankings.rank[at].tolist(), rankings.row[at].tolist(), strict=True))
            for rank in range(first, min(last, int(rankings.length[s, t])) + 1):
                value = sums.get(by_rank.get(rank, -1), float("nan"))
                known = value == value
                counted = (1, not known, known and value == 0, Fraction(value) if known else 0)
                found = [total + Fraction(one) / len(best) for total, one in zip(found, counted, strict=True)]
    return tuple(found)


@pytest.mark.parametrize("text", TEXTS)
def test_equals_the_obvious_loop_on_the_sample(sample, text):
    scores = ec.evaluate(text, cut_rankings(sample, 5))
    table = zero_aspect_documents({text: scores}, sample)
    assert table["ranks"].tolist() == ["1", "2", "3", "4", "5", "1-5"]
    for row in table.to_dict("records"):
        first, _, last = row["ranks"].partition("-")
        documents, unassessed, zero, _ = slow(sample, scores, int(first), int(last or first))
        assert [row["documents"], row["unassessed"], row["zero"]] == pytest.approx([documents, unassessed, zero])
        assert row["share"] == pytest.approx(zero / slow(sample, scores, 1, 5)[0])
    bands = label_sums_by_rank({text: scores}, sample, depth=20, bands=2)
    for row, (first, last) in zip(bands.to_dict("records"), ((1, 10), (11, 20)), strict=True):
        documents, unassessed, _, total = slow(sample, scores, first, last)
        assert row["mean_sum"] == pytest.approx(float(total / (documents - unassessed)))
        assert row["mean_sum_all"] == pytest.approx(float(total / documents))


@pytest.mark.parametrize("name", ["nDCG", "P", "ERR", "RBP"])
def test_cut_rankings_give_a_measure_a_cut_off(sample, name):
    cut = cut_rankings(sample, 5)
    measure = ec.parse(f"{name}@5")
    assert (cut.rankings.depth, cut.rankings.length.max()) == (5, 5)
    assert cut.fingerprint != sample.fingerprint
    assert ec.evaluate(measure, cut).to_numpy() == pytest.approx(ec.evaluate(measure, sample).to_numpy())


def test_some_systems_and_topics_only(sample):
    scores = ec.evaluate("AP", sample)
    some = scores.iloc[:3, [4, 2]]
    table = zero_aspect_documents({"AP": some}, sample)
    assert table["documents"].tolist() == [3, 3, 3, 3, 3, 15]
    with pytest.raises(ec.InputError, match="expected systems of the collection, found nobody"):
        zero_aspect_documents({"AP": some.rename(columns={some.columns[0]: "nobody"})}, sample)


def test_unusable_requests_say_what_was_expected_and_found(sample):
    tables = {"AP": ec.evaluate("AP", sample)}
    with pytest.raises(ec.InputError, match="expected an aspect with grades, found the signal fog"):
        zero_aspect_documents(tables, sample, aspects=["relevance", "fog"])
    with pytest.raises(ec.InputError, match="expected at least one aspect with grades, found none"):
        zero_aspect_documents(tables, sample, aspects=[])
    with pytest.raises(ec.InputError, match="expected from 1 to 5 bands of ranks, found 6"):
        label_sums_by_rank(tables, sample, depth=5, bands=6)
    with pytest.raises(ec.InputError, match="expected a depth of 1 or more, found 0"):
        cut_rankings(sample, 0)
    with pytest.raises(ec.InputError, match="expected a depth of 1 or more, found 0"):
        zero_aspect_documents(tables, sample, depth=0)


def test_real_runs_have_the_shape_of_tables_5_and_6(clef2016):
    cut = cut_rankings(clef2016, 5)
    texts = [f"TOMA(AP, distance={one})" for one in ("Euclidean", "Chebyshev")]
    table = zero_aspect_documents(ec.evaluate(texts, cut), clef2016)
    assert table.groupby("measure")["documents"].last().tolist() == [250, 250]
    deep = label_sums_by_rank(ec.evaluate(["nDCG"], clef2016), clef2016)
    assert deep["ranks"].tolist() == ["1-25", "26-50", "51-75", "76-100"]
    assert deep["mean_sum_all"].is_monotonic_decreasing
