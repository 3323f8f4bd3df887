"""One ranking read from the top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.explain import largest_gap, read_down
from evalcore.explain.rank_by_rank import walk

SUMS = ["RBP(rho=0.8)", "AP", "nDCG", "ERR", "uRBPgr", "TOMA(nDCG)", "Product(AP)", "CAM(nDCG)", "CAM(AP)", "P@10"]


@pytest.fixture(scope="module")
def collection():
    return ec.load(SAMPLE)


def test_what_the_ranks_add_is_the_score(subtests, collection):
    for text in SUMS:
        with subtests.test(str(text)):
            measure = ec.parse(text)
            scores = ec.evaluate(measure, collection)
            for system, topic in [(0, 0), (7, 11), (31, 39)]:
                table = walk(measure, collection.assessments, collection.rankings, system, topic, 10_000)
                assert table["adds"].sum() == pytest.approx(scores.iloc[topic, system], abs=1e-12)
                assert table["sum so far"].iloc[-1] == pytest.approx(table["adds"].sum())


def test_a_measure_that_is_no_sum_shows_labels_only(collection):
    table = walk(ec.parse("MM(nDCG)"), collection.assessments, collection.rankings, 0, 0, 10)
    assert not {"adds", "sum so far"} & set(table)
    assert len(table) == 10


def test_ties_part_nowhere():
    assert largest_gap([0.5], [0.25, 0.25]) is None


def test_of_equal_gains_the_highest_rank_is_named():
    """0.3 at rank 1 and 0.1 + 0.2 at rank 2."""
    found = largest_gap([0.3, 0.1 + 0.2], [0.0, 0.0])
    assert found is not None
    assert found.rank == 1


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_what_is_added_in_another_order_is_a_tie(scale):
    """The measure's own units do not matter."""
    assert largest_gap([0.1 * scale, 0.2 * scale, 0.3 * scale], [0.3 * scale, 0.2 * scale, 0.1 * scale]) is None
    assert largest_gap([0.1 * scale], [0.1001 * scale]) is not None


def test_read_by_names_is_read_by_places(collection):
    system, topic = collection.systems[3], collection.topics[5]
    table = read_down("AP", collection, system, topic, 20)
    pd.testing.assert_frame_equal(table, walk(ec.parse("AP"), collection.assessments, collection.rankings, 3, 5, 20))
    assert len(read_down("AP", collection, system, topic)) == collection.rankings.length[3, 5]


@pytest.mark.parametrize(("system", "topic", "what"), [("bm25_bas", "q01", "system"), ("bm25_base", "q1", "topic")])
def test_a_name_that_the_collection_lacks_is_an_error(collection, system, topic, what):
    with pytest.raises(ec.InputError, match=f"expected a {what} of this collection, found .*; did you mean"):
        read_down("AP", collection, system, topic)


def test_subtopics_of_each_rank_by_a_loop():
    c = ec.load(SAMPLE.parent / "diversity")
    lines = [line.split() for line in (SAMPLE.parent / "diversity" / "qrels.txt").read_text().splitlines()]
    table = read_down("nDCG@10", c, "focus_base", "q03", 10)
    met: set[str] = set()
    for document, found, new in table[["document", "subtopics", "new"]].to_numpy().tolist():
        own = [subtopic for topic, subtopic, name, grade in lines if (topic, name) == ("q03", document) and grade > "0"]
        assert found == ", ".join(own)
        assert new == ", ".join(one for one in own if one not in met)
        met |= set(own)
    assert "subtopics" not in read_down("nDCG@10", ec.load(SAMPLE), "bm25_base", "q03", 10)


@pytest.mark.parametrize("text", ["INST", "alphanDCG@10", "Bpref", "IA(AP)", "MM(nDCG)", "SetF", "U"])
def test_of_other_measures_each_rank_adds_what_the_score_of_the_cut_ranking_rises_by(text):
    c = ec.load(SAMPLE.parent / ("health" if text == "MM(nDCG)" else "diversity"))
    system, topic = c.systems[0], c.topics[2]
    table = read_down(text, c, system, topic, 12)
    assert table.attrs["cut"]
    for depth in (1, 5, 12):
        cut = cut_run(c, system, topic, depth)
        assert table["sum so far"].loc[depth] == pytest.approx(ec.evaluate(text, cut).loc[topic, system])


def cut_run(c: ec.Collection, system: str, topic: str, depth: int) -> ec.Collection:
    """Return the collection with that ranking cut, by a mask of its hits."""
    s, t = c.systems.index(system), c.topics.index(topic)
    line = s * len(c.topics) + t
    keep = (c.rankings.hit_row != line) | (c.rankings.rank <= depth)
    counts = np.bincount(c.rankings.hit_row[keep], minlength=c.rankings.length.size)
    length = c.rankings.length.copy()
    length[s, t] = min(length[s, t], depth)
    start = np.append(0, np.cumsum(counts))
    rankings = replace(c.rankings, rank=c.rankings.rank[keep], row=c.rankings.row[keep], indptr=start, length=length)
    return replace(c, rankings=rankings)
