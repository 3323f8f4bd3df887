"""Distances between the starts of returned parts and the best entry points."""

from __future__ import annotations

import numpy as np
import pytest

import evalcore as ec
from evalcore.focused.nearness import entry_distances, median_length, nearness_curves
from evalcore.measures import Entry, EntryScreen, ranked_documents


def test_a_distance_scores_by_its_formula():
    curves = nearness_curves({"by length": Entry(A=0.5), "by a screen": EntryScreen(n=100)}, 400, 4)
    assert list(curves.index) == [0, 100, 200, 300, 400]
    assert curves["by length"].tolist() == pytest.approx([200 / (200 + d) for d in curves.index])
    assert curves["by a screen"].tolist() == pytest.approx([max(100 - d, 0) / 100 for d in curves.index])


def test_a_short_document_is_examined_character_by_character():
    assert list(nearness_curves({"s": EntryScreen()}, 3).index) == [0, 1, 2, 3]


def test_distances_are_given_for_each_document_in_the_rankings(manual):
    system, expected = "section_dense", []
    for topic in manual.topics:
        rows = ranked_documents(manual.passages, system, topic)
        rows = rows[(rows["relevant"] > 0) & (rows["best_entry"] >= 0) & (rows["start"] >= 0)]
        expected += (rows["start"] - rows["best_entry"]).abs().tolist()
    assert sorted(entry_distances(manual.passages, system)) == sorted(expected) != []


def test_an_unknown_system_is_an_error(manual):
    with pytest.raises(ec.InputError, match="expected a system of this collection, found 'section_dens'; did you mean"):
        entry_distances(manual.passages, "section_dens")


def test_the_median_length_is_of_documents_with_an_entry_point(manual):
    highlights = manual.passages.highlights
    lengths = [one for one, entry in zip(highlights.length, highlights.best_entry, strict=True) if entry >= 0 < one]
    assert median_length(manual.passages) == int(np.median(lengths))
