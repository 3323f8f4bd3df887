"""Assessments in three forms: they read the same, and a mistake is named with its line."""

from __future__ import annotations

import pytest

from evalcore.data.kinds import read_as
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.focused.files.highlights import Record, assess

OFFSETS = "7 Q0 d1 50 400 90 90:30 200:20\n7 Q0 d2 0 80\n9\tQ0\td1\t10\t400\t-1\t0:10\n"
TABLE = """topic,document,start,length,document_length,best_entry_point
7,d1,90,30,400,90
7,d1,200,20,400,90
7,d2,,,80,
9,d1,0,10,400,
"""
# The excerpt printed in Figure 2 of the ep/gr paper.
FIGURE_2 = """<assessments topic="289"><file collection="wikipedia" name="2267781"> <passage
start="/article[1]/body[1]/section[1]/p[5]/text()[1].89"
end="/article[1]/body[1]/section[1]/p[5]/text()[1].199"
size="111"/> <element path="/article[1]/body[1]/section[1]/p[5]"
exhaustivity="2" size="569" rsize="111"/> <element
path="/article[1]/body[1]/section[1]" exhaustivity="2" size="8470"
rsize="111"/> <element path="/article[1]/body[1]" exhaustivity="2"
size="20356" rsize="111"/> <element path="/article[1]"
exhaustivity="2" size="20376" rsize="111"/> </file></assessments>"""


def read(text: str, name: str = "h.txt") -> list[Record]:
    return read_as("highlights", Source(name, text.encode))[0]


def refusal(text: str) -> str:
    with pytest.raises(InputError) as error:
        assess(read(text))
    return str(error.value)


def content(records: list[Record]) -> list[tuple[object, ...]]:
    return [(*r.key, r.highlighted, r.length, r.best_entry, r.ranges) for r in assess(records).records]


EXPECTED = [
    ("7", "d1", 50, 400, 90, ((90, 120), (200, 220))),
    ("7", "d2", 0, 80, -1, ()),
    ("9", "d1", 10, 400, -1, ((0, 10),)),
]


@pytest.mark.parametrize("text", [OFFSETS, TABLE, TABLE.replace(",", "\t"), "\n" + OFFSETS.replace("\n", "\r\n\r\n")])
def test_offsets_and_tables_give_the_same_highlights(text):
    assert content(read(text)) == EXPECTED


def test_a_table_may_give_ends_in_place_of_lengths():
    text = "qid,docno,offset,end,doc_length,bep\n7,d1,200,220,400,90\n7,d1,90,120,400,\n7,d2,,,80,\n9,d1,0,10,400,\n"
    assert content(read(text)) == EXPECTED


def test_the_excerpt_of_figure_2_is_read():
    (record,) = read(FIGURE_2)
    assert (*record.key, record.length, record.highlighted, record.ranges) == ("289", "2267781", 20376, 111, None)
    assert record.elements["/article[1]/body[1]/section[1]/p[5]"] == (569, 111)
    assert record.pointers[0][2] == 111


def test_a_broken_line_of_highlights_is_refused_with_its_number(subtests):
    for line, message in [
        (
            "7 Q0 d1 50",
            "expected 5 or more fields (topic Q0 document highlighted length best-entry-point "
            "offset:length ...), found 4",
        ),
        ("7 Q0 d1 many 400 0 1:2", "expected an integer of 0 or more as highlighted, found 'many'"),
        ("7 Q0 d1 50 2147483648 0 1:2", "expected an integer of 0 or more as length, found '2147483648'"),
        ("7 Q0 d1 50 400 -7 1:2", "expected an integer of 0 or more as best entry point, found '-7'"),
        ("7 Q0 d1 50 400 0 12", "expected a range offset:length, such as 120:85, found '12'"),
        ("7 Q0 d1 50 400", "expected ranges offset:length for 50 highlighted characters, found none"),
        (
            "7 Q0 d1 20 400 0 390:20",
            "expected highlighted text within the 400 characters of document 'd1', found 390 to 410",
        ),
        (
            "7 Q0 d1 20 400 400 0:20",
            "expected a best entry point within the 400 characters of document 'd1', found 400",
        ),
        (
            "1 Q0 a 0 9\n1 Q0 a 5 9 0 0:5",
            "expected one assessment of document 'a' for topic '1', found another in h.txt line 2",
        ),
    ]:
        with subtests.test(f"{line}, {message}"):
            number = 3 if "\n" in line else 2
            assert refusal(f"7 Q0 d0 0 80\n{line}\n") == f"h.txt line {number}: {message}"


def test_a_broken_table_of_highlights_is_refused(subtests):
    for text, message in [
        ("topic,document,start\n1,d,5\n", "h.txt: expected a column length or end, found neither"),
        ("topic,document,length\n1,d,5\n", "h.txt: expected a column 'start', found topic, document, length"),
        (
            "topic,document,start,length\n1,d,5,\n",
            "h.txt line 2: expected a length or an end for the start, found neither",
        ),
        ("topic,document,start,end\n1,d,5,4\n", "h.txt line 2: expected an end from 5, found 4"),
        ("topic,document,start,length,end\n1,d,5,4,8\n", "h.txt line 2: expected an end of 9, found 8"),
        (
            "topic,document,start,length,document_length\n1,d,5,4,90\n1,d,15,4,91\n",
            "h.txt line 3: expected one document_length of document 'd', found 91 after 90",
        ),
        (
            "topic,document,start,length\n1,d,5,4\n",
            "h.txt line 2: expected the length of document 'd', which has "
            "highlighted text, found none: give a column document_length, a table of lengths or of elements, "
            "or the texts",
        ),
    ]:
        with subtests.test(f"{text}, {message}"):
            assert refusal(text) == message
