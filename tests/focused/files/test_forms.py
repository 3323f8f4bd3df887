"""Kinds of files about parts of documents, recognised by their columns or by their first lines."""

from __future__ import annotations

import pytest

from evalcore.data.kinds import kind_of
from evalcore.data.sources import Source


def purpose(content: bytes) -> str | None:
    """Return the purpose of a file, None if it is not about parts of documents."""
    found = kind_of(Source("file", lambda: content)).purpose
    return found if found in ("highlights", "part run", "elements", "lengths") else None


def test_a_table_is_recognised_by_its_columns(subtests):
    for columns, kind in [
        ("topic document start length", "highlights"),
        ("topic document start", None),  # a range needs both ends
        ("topic document rank start length", "part run"),
        ("topic document score path", "part run"),
        ("system topic document begin end", "part run"),
        ("topic document rank start", None),
        ("document path start end", "elements"),
        ("document xpath size", "elements"),
        ("document doc_length", "lengths"),
        ("", None),
    ]:
        with subtests.test(f"{columns}, {kind}"):
            header = ",".join(columns.split())
            assert purpose(f"{header}\n{'1,' * header.count(',')}1\n".encode()) == kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("7 Q0 d1 30 900 12 12:30", "highlights"),
        ("7\tQ0\td1\t30\t900\t-1\t12:30\t50:4\r\n", "highlights"),
        ("7 Q0 d1 0 900", None),  # nothing highlighted: could be anything
        ("7 Q0 d1 1 4.5 me 12 30", "part run"),
        ("7 Q0 d1 1 4.5 me /article[1]/p[2]", "part run"),
        ("7 Q0 d1 1 4.5 me", None),  # a run of whole documents
    ],
)
def test_a_text_is_recognised_by_its_first_line(line, kind):
    assert purpose(line.encode()) == kind
    assert purpose(b"\xef\xbb\xbf" + line.encode()) == kind


def test_highlights_may_begin_below_lines_without_any():
    assert purpose(b"7 Q0 d1 0 900\n7 Q0 d2 30 900 12 12:30\n") == "highlights"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<?xml version="1.0"?><assessments/>', "highlights"),
        ("<inex-submission/>", "part run"),
        ("<html/>", None),
        ("7 Q0 d1 1 4.5 me", None),
    ],
)
def test_xml_is_recognised_by_its_root(text, kind):
    assert purpose(text.encode()) == kind


def test_a_ranked_table_of_ranges_is_a_run_of_parts_before_it_is_one_of_documents() -> None:
    content = b"topic,document,score,start,length\n1,d1,2,0,9\n"
    assert kind_of(Source("a.csv", lambda: content)).name == "table of part runs"
