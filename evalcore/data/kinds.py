"""What a file is, from its name and its first lines: a table of recognisers, of which the first that knows decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

import numpy as np

from evalcore.data import tables
from evalcore.data.comments import data_head, without_comments
from evalcore.data.corpus import QUERY_NAMES, corpus_kind
from evalcore.data.fields import BOM
from evalcore.data.focused.forms import part_kind, part_table_kind, xml_kind
from evalcore.data.graphs import graph_kind
from evalcore.data.json_tables import json_head, json_form
from evalcore.data.names import called_aspect, called_run, file_name
from evalcore.data.sources import Source

Kind = Literal[
    "run", "qrels", "signal", "assessment table", "run table", "text", "corpus", "queries", "unknown",
    "highlights", "part run", "elements", "lengths", "links", "components",
]  # fmt: skip

DOCUMENT_FOLDERS = ("documents", "docs", "texts", "text")
RUN_KINDS = ("run", "run table", "part run")
NOT_DATA = (
    ".md", ".rst", ".toml", ".yaml", ".yml", ".py", ".r", ".sh", ".pdf", ".png", ".svg", ".urbp", ".xml"
)  # fmt: skip
BEIR = ("query-id", "corpus-id", "score")
_SHOWN = 200  # lines that are looked at


@dataclass(frozen=True)
class Look:
    """A file as far as it is looked at before it is read."""

    source: Source

    @cached_property
    def head(self) -> bytes:
        return data_head(self.source, 1 << 16)

    @cached_property
    def lines(self) -> list[list[bytes]]:
        """The fields of the first lines, comments and blank lines aside."""
        text, _ = without_comments(self.head.removeprefix(BOM))
        return [line.split() for line in text.splitlines()[:_SHOWN] if line.strip()]

    @cached_property
    def columns(self) -> list[str]:
        """The columns of a table by their meaning; none of any other file."""
        return tables.columns(self.source, self.head) if tables.is_table(self.head) else []


def kind_of(source: Source) -> Kind:
    """What one file is, as the first recogniser says that knows it."""
    look = Look(source)
    return next((kind for recognise in RECOGNISERS if (kind := recognise(look))), "unknown")


def _document_text(look: Look) -> Kind | None:
    """A .txt in a folder of documents is the text of one: whatever it holds."""
    name = look.source.name.lower()
    return "text" if PurePosixPath(name).parent.name in DOCUMENT_FOLDERS and name.endswith(".txt") else None


def _xml(look: Look) -> Kind | None:
    """INEX XML, by its root."""
    return xml_kind(look.source)


def _not_data(look: Look) -> Kind | None:
    """Files about the data and figures, by their ending."""
    return "unknown" if look.source.name.lower().endswith(NOT_DATA) else None


def _graph(look: Look) -> Kind | None:
    """Links and components, by a header or their name."""
    return graph_kind(look.source.name, look.head)


def _json_text(look: Look) -> Kind | None:
    """JSON lines of ids and texts: documents or queries."""
    return None if json_form(look.head, tables.meanings) else corpus_kind(look.source.name, look.head)


def _table(look: Look) -> Kind | None:
    """A table, by its columns; where score is all there is beside topic and document, by what it is called or holds."""
    names = set(look.columns)
    if not names:
        return None
    if part := part_table_kind(names):
        return part
    if not {"topic", "document"} <= names:
        return "signal" if "document" in names and len(names) > 1 else "unknown"
    if _is_other_json(look):
        return "unknown"
    if "score" in names and not names & {"rank", "system"} and _are_grades(look):
        return "assessment table"
    return "run table" if names & {"rank", "score"} else "assessment table"


def _is_other_json(look: Look) -> bool:
    """Whether objects within objects hold no numbers, and are called nothing that would make them broken ones."""
    begun = json_head(look.head)
    other = begun is not None and begun.depth > 1 and not _is_number(begun.value.encode())
    return other and not (called_run(look.source.name) or called_aspect(look.source.name))


def _are_grades(look: Look) -> bool:
    """Whether the scores of a table are grades: BEIR calls them so, and JSON does not say."""
    if called_run(look.source.name):
        return False
    if called_aspect(look.source.name):
        return True
    named = [name.lower() for name in tables.named(look.source, look.head)]
    if set(BEIR) <= set(named):
        return all(float(number).is_integer() for number in _scores_of(look, named.index("score")))
    return json_form(look.head, tables.meanings) == "scores" and _are_whole(look.head)


def _are_whole(head: bytes) -> bool:
    found = re.findall(rb'":\s*([^\s{}\[\],"]+)\s*[,}]', head)
    return bool(found) and all(re.fullmatch(rb"-?\d{1,3}", number) for number in found)


def _scores_of(look: Look, at: int) -> list[str]:
    """The first numbers in one column of a table or in JSON lines."""
    if look.head[:4] == tables.PARQUET:
        return tables.read_table(look.source)["score"].astype(str).tolist()
    lines = look.head.decode(errors="replace").split("\n")[: _SHOWN + 1]
    if json_head(look.head):
        found = re.findall(r'"score"\s*:\s*"?([^\s,"}]+)', "\n".join(lines))
    else:
        cells = [re.split(r"[\t,;]", line.strip()) for line in lines[1:]]
        found = [listed[at].strip('" ') for listed in cells if len(listed) > at]
    return [number for number in found if _is_number(number.encode())]


def _parts(look: Look) -> Kind | None:
    """Highlighted text and runs of document parts, by the fields of a line."""
    return part_kind(look.head)


def _nothing(look: Look) -> Kind | None:
    """No text, or none at all; and JSON that no other recogniser knows."""
    return "unknown" if not look.lines or b"\0" in look.head or json_head(look.head) else None


def _queries(look: Look) -> Kind | None:
    """`topic<tab>query`, by its name."""
    return "queries" if file_name(look.source.name).startswith(QUERY_NAMES) and b"\t" in look.head else None


def _scores(look: Look) -> Kind | None:
    """Scores of systems, by their header: they belong elsewhere."""
    return "unknown" if "system" in tables.header(look.head) else None


def _run(look: Look) -> Kind | None:
    """Topic, iteration, document, rank, score, tag, and perhaps more; or topic, document and rank alone."""
    first = look.lines[0]
    if len(first) == 3:
        ranked = not called_aspect(look.source.name) and _are_ranks([line for line in look.lines if len(line) == 3])
        return "run" if ranked else None
    if len(first) < 6 or not _has_iteration(first):
        return None
    ranked = (_is_number(first[3]) or first[3] == b"-") and _is_number(first[4])
    plain = first[1].upper() == b"Q0" or not all(map(_is_number, first[3:]))
    if len(first) > 6:
        return "run" if ranked and plain else None
    return "run" if ranked and not _many_grades(look.lines) else None


def _qrels(look: Look) -> Kind | None:
    """Topic, iteration or subtopic, document and one grade or several; a single one may be a word, to be refused."""
    first = look.lines[0]
    if len(first) == 4 and _has_iteration(first):
        return "qrels"
    if len(first) == 5 and _has_iteration(first) and (b"." in first[4] or first[1].upper() == b"Q0"):
        return "unknown"  # a run without a tag
    if len(first) >= 5 and _has_iteration(first) and all(map(_is_number, first[3:])):
        return "qrels"
    subtopics = len(first) == 4 and _is_number(first[3]) and called_aspect(look.source.name)
    return "qrels" if subtopics else None


def _signal(look: Look) -> Kind | None:
    """A document and its value, by white space or comma."""
    first = look.lines[0]
    if len(first) == 2 and (_is_number(first[1]) or (len(look.lines) > 1 and _is_number(look.lines[1][-1]))):
        return "signal"
    cells = [line[0].split(b",") for line in look.lines[:2] if len(line) == 1]
    return "signal" if any(len(pair) == 2 and _is_number(pair[1]) for pair in cells) else None


RECOGNISERS: tuple[Callable[[Look], Kind | None], ...] = (
    _document_text,
    _xml,
    _not_data,
    _graph,
    _json_text,
    _table,
    _parts,
    _nothing,
    _queries,
    _scores,
    _run,
    _qrels,
    _signal,
)


def _has_iteration(fields: list[bytes]) -> bool:
    return _is_number(fields[1]) or fields[1].upper() == b"Q0"


def _are_ranks(lines: list[list[bytes]]) -> bool:
    """Whether third fields are ranks: whole, each once for its topic, from 0 or 1."""
    ranks: dict[bytes, list[bytes]] = {}
    for topic, _, rank in lines:
        ranks.setdefault(topic, []).append(rank)
    whole = all(rank.isdigit() for listed in ranks.values() for rank in listed)
    return whole and all(len(set(one)) == len(one) and min(map(float, one)) <= 1 for one in ranks.values())


def _many_grades(lines: list[list[bytes]]) -> bool:
    """Whether six columns are a run's (ranks, decimal scores, a tag) or three grades per document."""
    last = [line[3:6] for line in lines if len(line) == 6]
    small = all(re.fullmatch(rb"-?\d{1,3}", field) for fields in last for field in fields)
    ranks = [fields[0] for fields in last]
    varied = len(set(ranks)) < max(len(ranks), 2) and len(set(map(tuple, last))) > 1
    return small and lines[0][1].upper() != b"Q0" and varied


def _is_number(field: bytes) -> bool:
    try:
        return bool(np.isfinite(float(field)))
    except ValueError:
        return False
