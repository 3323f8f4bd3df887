"""Sets of measures for menus, and short names."""

from __future__ import annotations

import pandas as pd
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.data.small_collections import small_collection
from evalcore.measures import short_names, suggestions


@pytest.fixture(scope="module")
def collection():
    return ec.load(SAMPLE)


def test_a_collection_of_several_aspects_gets_sets_of_several(collection):
    assert {"First look", "One aspect, classic", "TOMA, CAM and MM"} < set(suggestions(collection))


def test_every_suggested_measure_scores_the_collection(collection):
    for listed in suggestions(collection).values():
        for frame in ec.evaluate(listed, collection).values():
            assert frame.shape == (40, 32)
            assert frame.notna().all(axis=None)


def test_a_collection_of_one_aspect_gets_no_sets_of_several():
    small = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"run": ["a", "b"]})
    assert list(suggestions(small)) == [
        "First look",
        "One aspect, classic",
        "Each aspect alone",
        "Readers (C/W/L)",
        "trec_eval",
        "Graded",
        "Condensed lists",
    ]


def test_short_names_are_unique_in_every_set(collection):
    for listed in suggestions(collection).values():
        names = short_names(map(str, listed))
        assert len(set(names.values())) == len(listed)


def test_short_names_include_the_aspect_if_measures_differ_in_it():
    names = short_names(["nDCG@10", 'nDCG(aspect="trust")@10'])
    assert list(names.values()) == ["nDCG(relevance)@10", "nDCG(trust)@10"]


def test_names_of_imported_tables_are_kept():
    assert short_names(["map", "P_10", "AP"]) == {"map": "map", "P_10": "P_10", "AP": "AP"}


def test_a_short_name_that_two_measures_share_is_replaced_by_their_texts():
    texts = ["CAM([AP, P@5])", "CAM([AP(rel=2), P@5])"]
    full = [str(ec.parse(text)) for text in texts]
    assert list(short_names(full).values()) == full


@pytest.mark.parametrize(("folder", "measure"), [("manual", "iAP"), ("site", "MAep(navigation=Stay)")])
def test_other_kinds_of_retrieval_get_their_own_measures(folder, measure):
    special = ec.load(SAMPLE.parent / folder)
    first = suggestions(special)["First look"]
    assert measure in map(str, first)
    for frame in ec.evaluate(first, special).values():
        assert frame.notna().all(axis=None)


def test_subtopics_have_their_own_set():
    sets = suggestions(ec.load(SAMPLE.parent / "diversity"))
    assert str(sets["Subtopics"][0]) == "alphanDCG@10"
    assert "alphanDCG@10" in map(str, sets["First look"])
