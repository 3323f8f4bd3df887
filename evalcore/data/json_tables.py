"""Convert JSON and JSON lines to tables like those from CSV: rows of topic, document and score or grade.

- Scores or grades in a dict, as ranx and pytrec_eval keep them: `{"q1": {"d1": 0.5}}`.
- One object per line for each row, as in the qrels of MTEB and BEIR:
  `{"query-id": "q1", "corpus-id": "d1", "score": 1}`; or all rows in one list, as pandas (`orient="records"`) and
  polars write them.
- One object per line for each topic, with its documents in a list `ratings`, as in the judgments of OpenSearch:
  `{"query": "q1", "ratings": [{"docId": "d1", "rating": "3.0"}]}`; or such objects in one list,
  `{"judgmentRatings": [...]}`; a case of Quepid has `{"queries": [{"query_text": "q1", "ratings": {"d1": 3}}]}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.json_text import json_records, kind_of_value, of_kind, parse_json
from evalcore.data.names import meanings
from evalcore.data.text_files import BOM, text_of
from evalcore.errors import InputError, refuse_huge, shorten
from evalcore.limits import refuse_more

Form = Literal["scores", "rows", "topics", "judgments"]

LISTS = ("ratings", "judgments")  # keys of lists of one topic's documents
JUDGMENTS = ("judgmentRatings", "queries")  # keys in OpenSearch, and in a case of Quepid
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}\[\]]|[^\s{}\[\],:"]+')
_IDS = ("topic", "document", "system", "aspect", "iteration")


@dataclass(frozen=True)
class JsonHead:
    """The keys of the first object of a JSON text, and its first value that is not an object."""

    keys: tuple[str, ...]
    depth: int  # of that value
    value: str  # "" for a list, or none
    listed: bool = False  # whether the object is the first of a list


@lru_cache(maxsize=32)
def json_head(head: bytes) -> JsonHead | None:
    """Return the keys and the first value at the beginning of a JSON object or list of objects; None for other text.

    >>> json_head(b'{"q1": {"d1": 0.5, "d')
    JsonHead(keys=('q1',), depth=2, value='0.5', listed=False)
    """
    text = head.removeprefix(BOM).decode(errors="replace").lstrip()
    listed = text.startswith("[")
    text = text[listed:].lstrip()
    if not text.startswith("{"):
        return None
    depth, keys, outermost = 0, [], None
    for token in _TOKEN.finditer(text):
        piece = token.group()
        if piece in "{[":
            outermost = outermost or (None if piece == "{" else (depth, ""))
            depth += 1
        elif piece in "}]":
            depth -= 1
        elif token.group(1):
            keys += [piece.rstrip(": \t\r\n")[1:-1]] if depth == 1 else []
        else:
            outermost = outermost or (depth, piece)
        if not depth:
            break
    return JsonHead(tuple(keys), *(outermost or (0, "")), listed)


def json_form(head: bytes) -> Form | None:
    """Return the form of JSON (see `Form`), according to its beginning; None for other text."""
    begun = json_head(head)
    if begun is None:
        return None
    names = meanings(list(begun.keys))
    if JUDGMENTS[0] in begun.keys or (JUDGMENTS[1] in begun.keys and b'"ratings"' in head):
        return "judgments"
    if "topic" in names and set(LISTS) & set(names):
        return "topics"
    if {"topic", "document"} <= set(names):
        return "rows"
    return "scores" if begun.value and begun.depth == 2 and not begun.listed else None


def columns(head: bytes, form: Form) -> list[str]:
    """Return the columns that the table will have, as far as the beginning shows them."""
    begun = json_head(head)
    if form == "rows" and begun:
        return meanings(list(begun.keys))
    if form in ("topics", "judgments"):
        return ["topic", "document", "grade" if b'"rating' in head else "score"]
    return ["topic", "document", "score"]


def read_json(content: bytes, name: str) -> pd.DataFrame:
    """Read a table of topics, documents and scores or grades; the columns of row objects keep their names.

    The index of the table has the line numbers or, for one dict or list, the numbers of the entries. Raises InputError
    with this number if the text is not JSON, has a different form, or contains a value of the wrong type.
    """
    text, form = text_of(content, name, "JSON").decode(), json_form(content[: 1 << 16])
    if form is None:
        raise InputError("expected JSON of topics, documents and scores or grades, found a different form", name, 1)
    if form == "scores":
        rows = [*_scores(parse_json(text, name, what="scores by topic", kind=dict, parse_int=float), name)]
        return pd.DataFrame(rows, pd.RangeIndex(1, len(rows) + 1), ["topic", "document", "score"])
    return _of_rows(_judgments(text, name) if form == "judgments" else json_records(text, name, "an object"), name)


def _scores(by_topic: dict[str, Any], name: str) -> Iterator[tuple[str, str, float]]:
    """Yield (topic, document, score) for each score. Raises InputError for a value of the wrong type."""
    for topic, documents in by_topic.items():
        for document, value in of_kind(documents, dict, f"an object of documents for topic {topic!r}", name).items():
            yield topic, document, of_kind(value, float, f"a number for topic {topic!r}, document {document!r}", name)


def _judgments(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (position from 1, object) for each topic in a list of judgments."""
    whole = parse_json(text, name, what="judgments", kind=dict)
    key = next(key for key in JUDGMENTS if key in whole)
    for at, record in enumerate(of_kind(whole[key], list, f"a list under the key {key}", name, 1), start=1):
        one = of_kind(record, dict, "an object for each topic", name, at)
        if isinstance(ratings := one.get("ratings"), dict):  # {document: grade}
            rows = [{"document": document, "rating": grade} for document, grade in ratings.items()]
            one = {"query": one.get("query_text", one.get("query")), "ratings": rows}
        yield at, one


def _of_rows(objects: Iterator[tuple[int, dict[str, Any]]], name: str) -> pd.DataFrame:
    listed = [(line, row) for line, one in objects for row in _expanded(one, name, line)]
    names = list(dict.fromkeys(key for _, row in listed for key in row))
    refuse_more("table_columns", len(names), where=name)
    refuse_more("table_cells", len(listed), len(names), where=name)
    meant = dict(zip(names, meanings(names), strict=True))
    cells = {key: [_cell(row.get(key), meant[key], name, line) for line, row in listed] for key in names}
    return pd.DataFrame(cells, index=pd.Index([line for line, _ in listed], dtype=np.int64), dtype=object)


def _expanded(record: dict[str, Any], name: str, line: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each document in the list of an object; the object itself if it has no list."""
    key = next((key for key in LISTS if isinstance(record.get(key), list)), "")
    own = {name: value for name, value in record.items() if name not in LISTS}
    for document in record[key] if key else ():
        row = of_kind(document, dict, f"an object for each document in {key}", name, line)
        for twice in own.keys() & row.keys():
            if meanings([twice]) == ["topic"] and own[twice] != row[twice]:
                found = f"found {shorten(str(row[twice]))} in {key} of {shorten(str(own[twice]))}"
                raise InputError(f"expected each document under its own {twice}, {found}", name, line)
        yield own | row
    if not key:
        yield record


def _cell(value: Any, meaning: str, name: str, line: int) -> Any:
    """Return an id as text, or any other value as it is; None if it is missing. Raises InputError for a wrong type."""
    if meaning in _IDS and isinstance(value, float) and value.is_integer():
        return str(int(value))  # a table turned it into a float
    is_id = meaning in _IDS
    odd = (list, dict, bool, float) if is_id else (list, dict, bool)
    if isinstance(value, odd) and (is_id or meaning in ("score", "grade", "rank")):
        what = f"a {meaning} id as text" if is_id else f"a number as {meaning}"
        raise InputError(f"expected {what}, found {kind_of_value(value)}", name, line)
    if is_id and value is not None:
        return str(value)
    return refuse_huge(value, name, line) if isinstance(value, int) else value
