"""Highlights from records: merged, completed, located and reported."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.elements import read_elements
from evalcore.focused.files.highlights import Assessed, assess, highlights
from evalcore.focused.passages import merged

ELEMENTS = """document,path,start,end
d1,/article[1],0,300
d1,/article[1]/p[1],20,120
d1,/article[1]/p[2],120,300
d1,/article[1]/p[2]/b[1],150,160
"""
XML = """<assessments topic="1"><file name="d1">
<best-entry-point path="/article[1]/p[1]/text()[1].30"/>
<passage start="/article[1]/p[1]/text()[1].30" end="/article[1]/p[1]/text()[1].{last}" size="41"/>
<passage start="/article[1]/p[2]" end="/article[1]/p[2]/b[1]" size="40"/>
<element path="/article[1]/p[1]" size="100" rsize="41"/>
<element path="/article[1]" size="300" rsize="{rsize}"/></file></assessments>"""


def assessed(text: str, elements: str = "", **lengths: int) -> Assessed:
    table = read_elements(Source("elements.csv", elements.encode)) if elements else None
    return assess(read_as("highlights", Source("h", text.encode))[0], table, lengths)


def notes(text: str, elements: str = "", **lengths: int) -> list[str]:
    return [f"{note.kind}: {note.text}" for note in assessed(text, elements, **lengths).notes]


ranges = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda at: (at[0], at[0] + at[1])), max_size=6)


@given(ranges)
def test_merged_ranges_contain_the_same_characters_and_share_none(some):
    result = merged(some)
    assert {at for a, b in result for at in range(a, b)} == {at for a, b in some for at in range(a, b)}
    assert all(a < b for a, b in result)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(result))


def test_highlights_are_sorted_by_topic_in_the_given_order():
    marks = highlights(assessed("9 Q0 d1 10 400 0 0:10\n7 Q0 d2 0 80\n7 Q0 d1 50 400 90 200:20 90:30\n"), ("7", "9"))
    assert marks.topics == ("7", "9")
    assert marks.topic.tolist() == [0, 0, 1]
    assert marks.documents.tolist() == ["d2", "d1", "d1"]
    assert (marks.length.tolist(), marks.relevant.tolist()) == ([80, 400, 400], [0, 50, 10])
    assert (marks.best_entry.tolist(), marks.indptr.tolist()) == ([-1, 90, 0], [0, 0, 2, 3])
    assert (marks.start.tolist(), marks.end.tolist()) == ([90, 200, 0], [120, 220, 10])
    assert (marks.relevant_text.tolist(), marks.relevant_documents.tolist()) == ([50, 10], [1, 1])


def test_overlapping_and_empty_ranges_are_merged_and_counted():
    text = "1 Q0 a 30 99 0 0:20 10:10 40:0\n1 Q0 b 5 99 0 0:5\n"
    assert notes(text) == [
        "repaired: 2 empty or overlapping highlighted ranges: merged",
        "repaired: 1 document whose highlighted ranges do not add up to the stated total: their sum counts "
        "(first in line 1)",
    ]
    assert assessed(text).records[0].highlighted == 20


def test_assessments_given_again_count_once():
    assert notes("1 Q0 a 0 99\n1 Q0 a 0 99\n") == ["repaired: 1 assessment repeated: counted once"]


def test_missing_best_entry_points_are_counted():
    text = "1 Q0 a 5 99 -1 0:5\n1 Q0 b 5 99 0 0:5\n1 Q0 c 0 99\n"
    assert notes(text) == [
        "warning: no best entry point for 1 of 2 documents with highlighted text: no distance can be measured in these "
        "documents"
    ]


def test_a_length_comes_from_the_elements_or_a_table_of_lengths():
    text = "topic,document,start,length,best_entry_point\n1,d1,5,4,5\n"
    assert assessed(text, ELEMENTS).records[0].length == 300
    assert assessed(text, d1=77).records[0].length == 77


@pytest.mark.parametrize("last", [70, 71])  # the stated size decides whether the last character is included
def test_paths_become_characters_by_a_table_of_elements(last):
    (record,) = assessed(XML.format(last=last, rsize=81), ELEMENTS).records
    assert record.ranges == ((50, 91), (120, 160))
    assert (record.best_entry, record.highlighted, record.length) == (50, 81, 300)
    assert notes(XML.format(last=last, rsize=81), ELEMENTS) == []


@pytest.mark.parametrize(
    ("left_out", "ranges", "entry"), [("<best-entry-point", ((50, 91), (120, 160)), -1), ("<passage", (), 50)]
)
def test_passages_and_the_best_entry_point_are_located_independently(left_out, ranges, entry):
    lines = [line for line in XML.format(last=70, rsize=81).splitlines() if not line.startswith(left_out)]
    (record,) = assessed("\n".join(lines), ELEMENTS).records
    assert (record.best_entry, record.highlighted) == (entry, 81)
    assert record.ranges == ranges


def test_if_paths_lead_nowhere_only_sizes_are_known():
    for text, table in ((XML.format(last=60, rsize=81), ELEMENTS), (XML.format(last=70, rsize=81), "")):
        (record,) = assessed(text, table).records
        assert (record.ranges, record.highlighted) == (None, 81)
        assert (
            "warning: only sizes of elements are known for 1 document with highlighted text: "
            "give a table of elements with start and end to locate their passages"
        ) in notes(text, table)


def test_a_stated_size_that_differs_from_the_ranges_counts_and_is_noted():
    assert notes(XML.format(last=70, rsize=80), ELEMENTS) == [
        "repaired: 1 document whose highlighted ranges do not add up to the stated total: the total counts "
        "(first in line 1)"
    ]


def test_labels_and_sizes_come_from_highlights():
    found = assessed(XML.format(last=70, rsize=81) + "\n", "")
    assert found.labels.grades.tolist() == [1.0]
    assert sorted(zip(found.sizes.paths, found.sizes.size.tolist(), strict=True)) == [
        ("/article[1]", 300),
        ("/article[1]/p[1]", 100),
    ]
    assert found.sizes.start.tolist() == [-1, -1]
    assert highlights(found, ("1",)).indptr.tolist() == [0, 0]


def test_a_collection_without_assessments_is_refused():
    with pytest.raises(InputError, match="expected assessments of at least one document, found none"):
        assess([])
