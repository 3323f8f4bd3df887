"""One document with its highlights and the parts returned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from focused.small_passages import LENGTH, Marked, SmallPassages, ranked, small_passages
from hypothesis import given

from evalcore.focused.overlay import overlay


@given(small_passages())
def test_the_overlay_marks_every_character_correctly(small: SmallPassages) -> None:
    """Every character is in one segment, highlighted as assessed, and returned by the part that contains it."""
    for s, system in enumerate(small.lists):
        for t, parts in enumerate(system):
            for document in ranked(parts):
                found = overlay(small.passages, f"s{s}", f"t{t}", document)
                marked = small.judged[t].get(document, Marked())
                characters = [at for stretch in found.stretches for at in range(stretch.start, stretch.end)]
                assert characters == list(range(LENGTH if document in small.judged[t] else len(characters)))
                for one in found.stretches:
                    for at in range(one.start, one.end):
                        assert one.highlighted == (at in marked.characters)
                        holding = [r for r, (d, a, b) in enumerate(parts, 1) if d == document and a <= at < b]
                        assert [one.rank] == (holding or [0])
                assert found.best_entry == marked.best_entry
                assert found.begun == next(start for d, start, _ in parts if d == document)
                assert found.placed


@pytest.mark.parametrize(
    ("document", "assessed", "text", "length"),
    [
        ("d0", 30, 50, 30),  # as assessed
        ("d0", 0, 50, 50),  # else as its text
        ("d3", 30, 50, 50),
        ("d3", 30, 0, 11),  # else as far as parts reach
    ],
)
def test_the_length_of_a_document_has_three_sources(document: str, assessed: int, text: int, length: int) -> None:
    passages = SmallPassages(({"d0": Marked()},), ((((document, 4, 11),),),)).passages
    known = replace(passages.highlights, length=np.array([assessed]))
    found = overlay(replace(passages, highlights=known, texts={document: "x" * text}), "s0", "t0", document)
    assert (found.length, found.relevant, found.best_entry) == (length, 0, -1)
