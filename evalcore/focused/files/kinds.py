"""The kinds of files of focused retrieval: tests that recognise them, readers, and positions in the list of kinds.

The `read` of each kind gets a source. It returns, by purpose:

- highlights: records, and the titles of topics
- part run: pairs of a system and a function from Elements to its Run
- elements: Elements
- lengths: characters by document
"""

from __future__ import annotations

import re

from evalcore.data.file_kind import Kind, Look, in_table
from evalcore.focused.files.elements import read_elements
from evalcore.focused.files.highlight_files import table_records, text_records
from evalcore.focused.files.inex import ASSESSMENTS, SUBMISSION, is_xml, read_assessments, root_of
from evalcore.focused.files.run_files import table_runs, text_runs, xml_runs
from evalcore.focused.files.tables import meaning, read_lengths

# Lines of the INEX file-offset-length forms
_HIGHLIGHTS = re.compile(
    rb"^[ \t]*\S+[ \t]+\S+[ \t]+\S+[ \t]+\d+[ \t]+\d+[ \t]+-?\d+(?:[ \t]+\d+:\d+)+[ \t]*\r?$", re.M
)
_RANGE = re.compile(rb":\d+[ \t]*\r?$", re.M)  # the end of such a line, faster to search for
_BEGINNING = rb"\s*\S+[ \t]+(?:Q0|q0|\d+)[ \t]+\S+[ \t]+-?\d+[ \t]+[-+.\deE]+[ \t]+"
_PASSAGES = re.compile(_BEGINNING + rb"(?P<tag>\S+)[ \t]+-?\d+[ \t]+-?\d+[ \t]*(?:\r?\n|$)")
_ELEMENTS = re.compile(_BEGINNING + rb"\S+[ \t]+/\S+[ \t]*(?:\r?\n|$)")


def _in_xml(look: Look) -> bool:
    return is_xml(look.head)


def _root(look: Look) -> str:
    """Return the name of the first element of XML, "" for any other file."""
    return root_of(look.head) if is_xml(look.head) else ""


def _columns(look: Look) -> set[str]:
    """Return the columns of a table, with known names replaced by their meaning (see `meaning`)."""
    return {meaning(name) for name in look.columns}


def _is_table_of_elements(look: Look) -> bool:
    """Return whether a file is a table of documents and the paths of their elements, without topics."""
    return {"document", "path"} <= _columns(look) and "topic" not in _columns(look)


def _is_table_of_lengths(look: Look) -> bool:
    """Return whether a file is a table of documents and their lengths, without topics."""
    return {"document", "document_length"} <= _columns(look) and "topic" not in _columns(look)


def _is_table_of_highlights(look: Look) -> bool:
    """Return whether a file is a table of topics, documents and ranges, without ranks or scores."""
    return _has_ranges(look) and not _columns(look) & {"rank", "score", "system"}


def _is_table_of_part_runs(look: Look) -> bool:
    """Return whether a file is a table of topics, documents, ranges or paths, and ranks or scores."""
    has_parts = _has_ranges(look) or {"topic", "document", "path"} <= _columns(look)
    return has_parts and bool(_columns(look) & {"rank", "score", "system"})


def _has_ranges(look: Look) -> bool:
    return {"topic", "document", "start"} <= _columns(look) and bool({"length", "end"} & _columns(look))


def _is_highlights(look: Look) -> bool:
    """Return whether a file has lines that end in ranges, `offset:length`."""
    return bool(_RANGE.search(look.head) and _HIGHLIGHTS.search(look.head))


def _is_part_run(look: Look) -> bool:
    """Return whether a file has lines of a run with a path, or with offset and length, after the tag."""
    run = _PASSAGES.match(look.head)
    # Eight numbers may also be five grades.
    return bool(_ELEMENTS.match(look.head)) or (run is not None and not run["tag"].isdigit())


KINDS = (
    (
        "table of topics",
        Kind("XML of highlights", "highlights", lambda look: _root(look) == ASSESSMENTS, read_assessments, _in_xml),
    ),
    (
        "table of topics",
        Kind("XML of part runs", "part run", lambda look: _root(look) == SUBMISSION, xml_runs, _in_xml),
    ),
    ("queries in JSON", Kind("table of elements", "elements", _is_table_of_elements, read_elements)),
    ("queries in JSON", Kind("table of lengths", "lengths", _is_table_of_lengths, read_lengths)),
    ("queries in JSON", Kind("table of highlights", "highlights", _is_table_of_highlights, table_records, in_table)),
    ("queries in JSON", Kind("table of part runs", "part run", _is_table_of_part_runs, table_runs, in_table)),
    ("table of runs", Kind("highlights", "highlights", _is_highlights, text_records)),
    ("table of runs", Kind("part run", "part run", _is_part_run, text_runs)),
)
