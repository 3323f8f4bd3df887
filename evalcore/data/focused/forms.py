"""What a file of a focused collection is, from its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from evalcore.data.focused.inex import ASSESSMENTS, SUBMISSION
from evalcore.data.focused.markup import is_xml, root_of
from evalcore.data.focused.tables import meaning
from evalcore.data.sources import Source

PartKind = Literal["highlights", "part run", "elements", "lengths"]

_HIGHLIGHTS = re.compile(
    rb"^[ \t]*\S+[ \t]+\S+[ \t]+\S+[ \t]+\d+[ \t]+\d+[ \t]+-?\d+(?:[ \t]+\d+:\d+)+[ \t]*\r?$", re.M
)
_BEGINNING = rb"\s*\S+[ \t]+(?:Q0|q0|\d+)[ \t]+\S+[ \t]+-?\d+[ \t]+[-+.\deE]+[ \t]+"
_PASSAGES = re.compile(_BEGINNING + rb"(?P<tag>\S+)[ \t]+-?\d+[ \t]+-?\d+[ \t]*(?:\r?\n|$)")
_ELEMENTS = re.compile(_BEGINNING + rb"\S+[ \t]+/\S+[ \t]*(?:\r?\n|$)")


def xml_kind(source: Source) -> PartKind | None:
    """Assessments or a submission in INEX XML; None for any other file."""
    head = source.head(1 << 14)
    root = root_of(head) if is_xml(head) else ""
    kinds: dict[str, PartKind] = {ASSESSMENTS: "highlights", SUBMISSION: "part run"}
    return kinds.get(root)


def part_kind(head: bytes) -> PartKind | None:
    """The INEX file-offset-length forms; None for any other text.

    >>> part_kind(b"7 Q0 d1 30 900 12 12:30"), part_kind(b"7 Q0 d1 1 4.5 me 12 30"), part_kind(b"7 0 d1 1 2 3 0 1")
    ('highlights', 'part run', None)
    """
    head = head.removeprefix(b"\xef\xbb\xbf")
    if _HIGHLIGHTS.search(head):
        return "highlights"
    run = _PASSAGES.match(head)
    # Eight numbers may be five grades.
    return "part run" if _ELEMENTS.match(head) or (run and not run["tag"].isdigit()) else None


def part_table_kind(columns: Iterable[str]) -> PartKind | None:
    """What a table with these columns is, None if not about parts of documents.

    >>> part_table_kind(["topic", "document", "offset", "length"])
    'highlights'
    """
    names = {meaning(name) for name in columns}
    if "document" not in names:
        return None
    ranges = "start" in names and bool({"length", "end"} & names)
    if "topic" in names:
        ranked = bool({"rank", "score", "system"} & names)
        if ranked:
            return "part run" if ranges or "path" in names else None
        return "highlights" if ranges else None
    if "path" in names:
        return "elements"
    return "lengths" if "document_length" in names else None
