"""New highlights of a document: equal to a loop over its characters, and compared with the assessor's."""

from __future__ import annotations

import numpy as np
import pytest

import evalcore as ec
from app_support import ROOT
from evalcore import InputError
from evalcore.focused.highlighting import Marking, fitting_marks, marked_by_assessor, marking, reassessed, shared
from evalcore.focused.overlay import overlay
from evalcore.focused.passages import Passages
from evalcore.measures import ranked_documents


@pytest.fixture(scope="module")
def passages() -> Passages:
    found = ec.load(ROOT / "sample_data" / "manual").passages
    assert found is not None
    return found


def test_new_highlights_equal_a_loop_over_characters() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        steps, on = list[str](), np.zeros(40, dtype=bool)
        for _ in range(8):
            start, end = sorted(random.choice(41, 2, replace=False).tolist())
            mark = bool(random.random() < 0.6)
            on[start:end] = mark
            steps.append(f"{'mark' if mark else 'erase'}:{start}:{end}")
        found = marking(40, steps)
        again = np.zeros(40, dtype=bool)
        for start, end in found.ranges:
            assert not again[max(start - 1, 0) : end].any()  # disjoint, and none touches another
            again[start:end] = True
        assert (again == on).all()
        assert found.size == on.sum()


def test_a_mark_that_does_not_fit_is_refused_and_the_others_are_kept(subtests: pytest.Subtests) -> None:
    for step in [
        "mark:5:5",
        "mark:6:5",
        "mark:0:41",
        "mark:-1:3",
        "mark:1",
        "mark:1:2:3",
        "entry:40",
        "entry:x",
        "",
        "draw:1:2",
        "mark:0:" + "9" * 5000,
    ]:
        with subtests.test(str(step)):
            with pytest.raises(InputError, match="within 40 characters"):
                marking(40, [step])
            kept, problem = fitting_marks(40, ["mark:0:40", step, "entry:39"])
            assert kept == ("mark:0:40", "entry:39")
            assert problem


def test_the_assessors_own_marks_change_nothing(passages: Passages) -> None:
    highlights = passages.highlights
    for row in range(0, len(highlights), 41):
        of = highlights.topics[highlights.topic[row]], str(highlights.documents[row])
        same = reassessed(passages, *of, marked_by_assessor(passages, *of))
        for before, after in ((highlights, same.highlights), (passages.parts, same.parts)):
            for name, value in vars(after).items():
                if isinstance(value, np.ndarray):
                    np.testing.assert_array_equal(value, getattr(before, name), err_msg=f"{of} {name}")


@pytest.mark.parametrize("ranges", [(), ((300, 500),), ((0, 10), (700, 3015))])
def test_the_score_of_a_document_equals_a_loop_over_its_characters(passages: Passages, ranges: tuple) -> None:
    of, system = ("101", "bike-gear-cable"), "window_150"
    marks = Marking(ranges, 300)
    again = reassessed(passages, *of, marks)
    text = overlay(passages, system, *of)
    returned = {at for stretch in text.stretches if stretch.rank for at in range(stretch.start, stretch.end)}
    marked = {at for start, end in ranges for at in range(start, end)}
    rows = ranked_documents(again, system, "101")
    row = rows[rows["document"] == of[1]].iloc[0]
    assert (row["size"], row["relevant"], row["rsize"]) == (len(returned), len(marked), len(returned & marked))
    assert row["best_entry"] == 300
    others = rows["document"] != of[1]
    assert rows[others].equals(ranked_documents(passages, system, "101")[others])
    assert again.highlights.indptr[-1] == len(again.highlights.start) == len(again.highlights.end)


def test_the_overlap_of_two_highlightings_is_symmetric() -> None:
    a, b = ((0, 10), (20, 30)), ((5, 25), (29, 40))
    assert shared(a, b) == shared(b, a) == len({*range(10), *range(20, 30)} & {*range(5, 25), *range(29, 40)})


def test_a_document_that_nobody_assessed_is_refused(passages: Passages) -> None:
    with pytest.raises(InputError, match="assessed for topic 101, found nothing"):
        reassessed(passages, "101", "nothing", Marking())
    with pytest.raises(InputError, match="topic 999"):
        marked_by_assessor(passages, "999", "bike-wheel")
