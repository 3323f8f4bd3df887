"""Measures of ranked documents with parts or entry points: values by hand, and by sets of characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from focused.small_passages import LENGTH, Marked, Part, SmallPassages, ranked, small_passages
from hypothesis import given

import evalcore as ec
from evalcore.measures import AgP, DocumentF, DocumentP, DocumentR, DocumentScore, Entry, EntryScreen, gP, gR

# --- the score of one document ----------------------------------------------------------------------------------------


def test_document_precision_recall_and_f() -> None:
    # 80 characters returned, 60 of them highlighted, 120 highlighted in all: P = 3/4, R = 1/2.
    returned = {"size": 80, "rsize": 60, "relevant": 120}
    assert DocumentP().of(**returned) == 0.75
    assert DocumentR().of(**returned) == 0.5
    assert DocumentF().of(**returned) == 2 * 0.75 * 0.5 / (0.75 + 0.5) == 0.6
    assert DocumentF(beta=2).of(**returned) == pytest.approx(5 * 0.75 * 0.5 / (4 * 0.75 + 0.5))
    assert DocumentF(beta=0.5).of(**returned) == pytest.approx(1.25 * 0.75 * 0.5 / (0.25 * 0.75 + 0.5))
    assert DocumentF(beta=0).of(**returned) == 0.75
    assert DocumentF(beta=1e6).of(**returned) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("A", "distance", "score"),
    [
        (0.1, 0, 1.0),
        (0.1, 100, 0.5),  # 100 / (100 + 100)
        (0.1, 300, 0.25),
        (0.1, 1000, 1 / 11),  # the smallest there is: A / (1 + A), not 0
        (10.0, 1000, 10 / 11),
    ],
)
def test_nearness_depends_on_the_length_of_the_document(A: float, distance: int, score: float) -> None:
    assert Entry(A=A).of(distance, length=1000) == pytest.approx(score, abs=1e-15)


OUT_OF_RANGE = {
    "gP(Entry(A=0))": "(0, ",
    "gP(EntryScreen(n=0))": "found 0",
    "gP(EntryScreen(n=2.5))": "a whole number",
    "gP(DocumentF(beta=-1))": "found -1",
    "gP(nDCG)": "expected DocumentScore",
    "gR@0": "found 0",
}


@pytest.mark.parametrize(("text", "found"), OUT_OF_RANGE.items())
def test_parameters_out_of_range_are_refused(text: str, found: str) -> None:
    with pytest.raises(ec.InputError) as error:
        ec.parse(text)
    assert found in str(error.value)


# --- ranked documents -------------------------------------------------------------------------------------------------


def test_measures_of_a_ranking_by_hand() -> None:
    # S is 0.5 at rank 1 and 1 at rank 3; rank 2 is not relevant, rank 4 is but returns no relevant text; 5 are relevant
    scores, relevant = [0.5, None, 1.0, 0.0], 5
    assert gP(cutoff=2).of(scores, relevant=relevant) == 0.25
    assert gP(cutoff=3).of(scores, relevant=relevant) == 0.5
    assert gP(cutoff=10).of(scores, relevant=relevant) == 0.15
    assert gR(cutoff=2).of(scores, relevant=relevant) == 0.2
    assert gR(cutoff=10).of(scores, relevant=relevant) == 0.6
    # gP at the ranks 1, 3, 4 of relevant documents is 0.5, 0.5, 0.375; their mean, times recall 3 / 5.
    assert AgP().of(scores, relevant=relevant) == pytest.approx((0.5 + 0.5 + 0.375) / 3 * 3 / 5, abs=1e-15)


def test_lists_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ec.InputError, match="expected one list"):
        AgP().of([1.0], [1.0])
    with pytest.raises(ec.InputError, match="expected at least the 2 relevant documents listed, found 1"):
        AgP().of([1.0, 0.5], relevant=1)


def test_names_are_read_as_the_literature_writes_them() -> None:
    assert ec.parse("MAgP(score=F)") == AgP(DocumentF())
    assert str(ec.parse("gP(score=F)@5")) == "gP(DocumentF)@5"
    assert str(ec.parse("AgP(Entry)")) == "AgP(Entry(A=0.1))"


JUDGED = ({"d0": Marked(((10, 20),), best_entry=12), "d1": Marked(), "d2": Marked(((0, 6), (25, 29)), best_entry=0)},)
# d0: 4 of 8 characters returned are highlighted, of 10; d1 in between; d2 is returned whole.
LIST = (("d0", 6, 10), ("d1", 3, 9), ("d0", 16, 20), ("d2", 0, 30))


def test_parts_known_by_size_only_are_refused() -> None:
    collection = SmallPassages(JUDGED, ((LIST,),)).collection
    assert collection.passages is not None
    parts, highlights = collection.passages.parts, collection.passages.highlights
    unplaced = replace(collection.passages, parts=replace(parts, start=np.full(4, -1)))
    with pytest.raises(ec.InputError, match=r"expected the position of each part, found 2 that have only a size"):
        ec.evaluate("AgP(Entry)", replace(collection, more={"passages": unplaced}))
    assert ec.evaluate("AgP", replace(collection, more={"passages": unplaced})).equals(ec.evaluate("AgP", collection))
    lengths = replace(collection.passages, highlights=replace(highlights, length=np.full(3, -1)))
    with pytest.raises(ec.InputError, match="expected the length of each relevant document, found none for 2"):
        ec.evaluate("AgP(Entry)", replace(collection, more={"passages": lengths}))


# --- sets of characters -----------------------------------------------------------------------------------------------


def overlap(marked: Marked, parts: list[Part], beta: Fraction) -> Fraction:
    returned = {at for _, start, end in parts for at in range(start, end)}
    both = Fraction(len(returned & marked.characters))
    if not both:
        return Fraction(0)
    p, r = both / len(returned), both / len(marked.characters)
    return (1 + beta**2) * p * r / (beta**2 * p + r)


def nearness(marked: Marked, parts: list[Part], A: Fraction) -> Fraction:
    if marked.best_entry < 0:
        return Fraction(0)
    return A * LENGTH / (A * LENGTH + abs(parts[0][1] - marked.best_entry))


def on_screen(marked: Marked, parts: list[Part], n: int) -> Fraction:
    distance = abs(parts[0][1] - marked.best_entry)
    return Fraction(n - distance, n) if marked.best_entry >= 0 and distance <= n else Fraction(0)


SCORES: dict[DocumentScore, Callable[[Marked, list[Part]], Fraction]] = {
    DocumentF(): lambda marked, parts: overlap(marked, parts, Fraction(1)),
    DocumentF(beta=3): lambda marked, parts: overlap(marked, parts, Fraction(3)),
    DocumentP(): lambda marked, parts: overlap(marked, parts, Fraction(0)),
    Entry(A=0.25): lambda marked, parts: nearness(marked, parts, Fraction(1, 4)),
    EntryScreen(n=7): lambda marked, parts: on_screen(marked, parts, 7),
}


def gp(scores: list[Fraction], r: int) -> Fraction:
    return sum(scores[:r], Fraction(0)) / r


@given(small_passages())
def test_document_scores_equal_those_of_sets_of_characters(small: SmallPassages) -> None:
    collection = small.collection
    for score, of in SCORES.items():
        cells: dict[str, list[float]] = {}
        for lists in small.lists:
            for t, parts in enumerate(lists):
                judged = {d: marked for d, marked in small.judged[t].items() if marked.ranges}
                documents, n_relevant = ranked(parts), len(judged)
                s = [
                    of(judged[d], [part for part in parts if part[0] == d]) if d in judged else Fraction(0)
                    for d in documents
                ]
                rel = [d in judged for d in documents]
                ap = sum((gp(s, r) for r, one in enumerate(rel, start=1) if one), Fraction(0))
                cells.setdefault("gP", []).append(float(gp(s, 3)))
                cells.setdefault("gR", []).append(float(Fraction(sum(rel[:3]), max(n_relevant, 1))))
                cells.setdefault("AgP", []).append(float(ap / max(n_relevant, 1)))
        for measure in (gP(score, cutoff=3), gR(cutoff=3), AgP(score)):
            expected = np.array(cells[type(measure).__name__]).reshape(len(small.lists), -1)
            np.testing.assert_allclose(measure.scores_on(collection), expected, atol=1e-14)
