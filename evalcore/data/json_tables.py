"""JSON and JSON lines -> the tables that CSV gives: rows of topic, document and score or grade, with their lines.

- Scores or grades in a dict, as ranx and pytrec_eval keep them: `{"q1": {"d1": 0.5}}`.
- One object a line for each row, as MTEB and BEIR have qrels: `{"query-id": "q1", "corpus-id": "d1", "score": 1}`; or
  all of them in one list, as pandas (`orient="records"`) and polars write them.
- One object a line for each topic, its documents in a list `ratings` or `hits` as OpenSearch gives them:
  `{"query": "q1", "ratings": [{"docId": "d1", "rating": "3.0"}]}`, `{"query_id": "q1", "hits": {"hits": [{"_id": "d1",
  "_score": 2.5}]}}`; or such objects in one list, `{"judgmentRatings": [...]}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.json_text import parse_json
from evalcore.data.names import meanings
from evalcore.data.runs_or_labels import Verdict, verdict
from evalcore.data.text_files import BOM, text_of
from evalcore.errors import InputError, refuse_huge, shorten
from evalcore.limits import refuse_more

Form = Literal["scores", "rows", "topics", "judgments"]

LISTS = ("ratings", "hits", "results", "judgments")  # of the documents of one topic
JUDGMENTS = ("judgmentRatings", "queries")  # of OpenSearch, of a case of Quepid
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}\[\]]|[^\s{}\[\],:"]+')
_ELEMENT = re.compile(r"[^\s,]")  # how the next one of a list begins
_KEY = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
_IDS = ("topic", "document", "system", "aspect", "iteration")
_BODY = re.compile(r"\{([^{}]*)(?:\}|$)")  # of an object that has none in it
_OF_SCORES = ("topic", "document", "score")


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs, so that a key given twice is seen."""


@dataclass(frozen=True)
class JsonHead:
    """The keys of the first object of a JSON text, and its first value that is no object."""

    keys: tuple[str, ...]
    depth: int  # of that value
    value: str  # "" for a list, or none


@lru_cache(maxsize=32)
def json_head(head: bytes) -> JsonHead | None:
    """Look at the beginning of a JSON object; None for what is none.

    >>> json_head(b'{"q1": {"d1": 0.5, "d')
    JsonHead(keys=('q1',), depth=2, value='0.5')
    """
    text = head.removeprefix(BOM).decode(errors="replace").lstrip()
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
            keys += [_plain(piece.rstrip(": \t\r\n"))] if depth == 1 else []
        else:
            outermost = outermost or (depth, piece)
        if not depth:
            break
    return JsonHead(tuple(keys), *(outermost or (0, "")))


def array_head(head: bytes) -> JsonHead | None:
    """Look at the beginning of a list of objects; None for what is none.

    >>> array_head(b'[{"qid": "q1", "docno": "d1"')
    JsonHead(keys=('qid', 'docno'), depth=1, value='"q1"')
    """
    text = head.removeprefix(BOM).lstrip()
    return json_head(text[1:]) if text.startswith(b"[") else None


def _plain(piece: str) -> str:
    try:
        return str(json.loads(piece))
    except ValueError:
        return piece


def json_form(head: bytes) -> Form | None:
    """Name the form of JSON that a text begins as; None for any other."""
    begun = json_head(head) or array_head(head)
    if begun is None:
        return None
    names = meanings(list(begun.keys))
    if JUDGMENTS[0] in begun.keys or (JUDGMENTS[1] in begun.keys and b'"ratings"' in head):
        return "judgments"
    if "topic" in names and set(LISTS) & set(names):
        return "topics"
    if {"topic", "document"} <= set(names):
        return "rows"
    return "scores" if begun.value and begun.depth == 2 and not array_head(head) else None


def numbers_verdict(head: bytes) -> Verdict:
    """Judge the numbers in dicts, as far as the beginning of a text shows."""
    bodies = _BODY.findall(head.decode(errors="replace"))
    listed = [re.findall(r'":\s*([^\s{}\[\],"]+)\s*(?=,|$|\})', body) for body in bodies]
    return verdict({str(at): numbers for at, numbers in enumerate(listed) if numbers})


def columns(head: bytes, form: Form) -> list[str]:
    """The columns that the table will have, as far as the beginning shows."""
    begun = json_head(head) or array_head(head)
    if form == "rows" and begun:
        return meanings(list(begun.keys))
    if form in ("topics", "judgments"):
        return ["topic", "document", "grade" if b'"rating' in head else "score"]
    return [*_OF_SCORES]


def read_json(content: bytes, name: str) -> pd.DataFrame:
    """A table with columns of their meaning, its index the lines of the file.

    Raises InputError with the line of what is no JSON, of another shape, or a value of another kind.
    """
    text = text_of(content, name, "JSON").decode()
    head = content[: 1 << 16]
    form = json_form(head)
    if form is None:
        raise InputError("expected JSON of topics, documents and scores or grades, found another", name, 1)
    if form == "scores":
        return _of_scores(_parsed(text, name, parse_int=float), _Lines(text, name))
    return _of_rows(_objects(text, form, name), name)


def _parsed(text: str, name: str, line: int = 1, **how: Any) -> Any:
    return parse_json(text, name, line, object_pairs_hook=_Object, **how)


# Dicts of scores


class _Lines:
    """On which line each key of a JSON text stands; the keys in their order."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def all(self) -> np.ndarray:
        """The line of every key."""
        newlines = np.array([match.start() for match in re.finditer("\n", self.text)])
        keys = np.array([match.start() for match in _KEY.finditer(self.text) if match.group(1)])
        return np.searchsorted(newlines, keys) + 1

    def error(self, key: int, problem: str) -> InputError:
        return InputError(problem, self.name, int(self.all()[key]))


def _of_scores(parsed: Any, lines: _Lines) -> pd.DataFrame:
    """The rows of a dict of dicts. Raises InputError with the line of a value that is no number."""
    rows, places, key = list[tuple[str, str, float]](), list[int](), -1
    for topic, documents in parsed:
        key += 1
        if not isinstance(documents, _Object):
            problem = f"expected an object of documents for topic {shorten(topic)}, found {_shown(documents)}"
            raise lines.error(key, problem)
        for document, value in documents:
            key += 1
            if not isinstance(value, float):
                place = f"topic {shorten(topic)}, document {shorten(document)}"
                raise lines.error(key, f"expected a number for {place}, found {_shown(value)}")
            rows.append((topic, document, value))
            places.append(key)
    index = lines.all()[places] if "\n" in lines.text.strip() else np.ones(len(rows), dtype=np.int64)
    return pd.DataFrame(rows, index=pd.Index(index), columns=[*_OF_SCORES])


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "an object" if isinstance(value, _Object) else "a list"
    return shorten(value) if isinstance(value, str) else json.dumps(value)


# Objects, one for each row or topic


def _objects(text: str, form: Form, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object with its line."""
    if form == "judgments":
        whole = _dict(_parsed(text, name), name, 1)
        listed = next((whole[key] for key in JUDGMENTS if key in whole), None)
        if not isinstance(listed, list):
            raise InputError(f"expected a list as {JUDGMENTS[0]}, found {_shown(listed)}", name, 1)
        for record in listed:
            one = _dict(record, name, 1)
            ratings = one.get("ratings")
            if isinstance(ratings, _Object):  # {document: grade}
                rows = [_Object([("document", key), ("rating", grade)]) for key, grade in ratings]
                one = {"query": one.get("query_text", one.get("query")), "ratings": rows}
            yield 1, one
        return
    if text.lstrip().startswith("["):
        yield from _listed(text, name)
        return
    for line, piece in enumerate(text.split("\n"), start=1):
        if piece.strip():
            yield line, _dict(_parsed(piece, name, line), name, line)


def _listed(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object of a list with the line on which it begins."""
    whole = _parsed(text, name)  # which says what is wrong in it
    decoder = json.JSONDecoder(object_pairs_hook=_Object)
    at, line = text.index("[") + 1, 1 + text.count("\n", 0, text.index("["))
    for value in whole:
        begin = _ELEMENT.search(text, at)
        assert begin is not None  # as it was parsed
        line += text.count("\n", at, begin.start())
        yield line, _dict(value, name, line)
        _, end = decoder.raw_decode(text, begin.start())
        line += text.count("\n", begin.start(), end)
        at = end


def _dict(value: Any, name: str, line: int) -> dict[str, Any]:
    if not isinstance(value, _Object):
        raise InputError(f"expected an object in each line, found {_shown(value)}", name, line)
    known = dict(value)
    if len(known) < len(value):
        again = next(key for at, (key, _) in enumerate(value) if key in [other for other, _ in value[:at]])
        raise InputError(f"expected each key once, found {shorten(again)} twice", name, line)
    return known


def _of_rows(objects: Iterator[tuple[int, dict[str, Any]]], name: str) -> pd.DataFrame:
    index, rows = [], []
    for line, one in objects:
        for row in _expanded(one, name, line):
            index.append(line)
            rows.append(row)
    names = list(dict.fromkeys(key for row in rows for key in row))
    refuse_more("table_columns", len(names), where=name)
    refuse_more("table_cells", len(rows), len(names), where=name)
    meant = dict(zip(names, meanings(names), strict=True))
    cells = {
        key: [_cell(row.get(key), meant[key], name, line) for row, line in zip(rows, index, strict=True)]
        for key in names
    }
    return pd.DataFrame(cells, index=pd.Index(index, dtype=np.int64), dtype=object)


def _expanded(record: dict[str, Any], name: str, line: int) -> Iterator[dict[str, Any]]:
    """A row for each document, where an object has a list of them."""
    lists = [key for key in LISTS if isinstance(record.get(key), list)]
    if not lists:
        yield record
        return
    inner, own = record[lists[0]], {key: value for key, value in record.items() if key not in lists}
    if isinstance(inner, _Object):  # hits within hits
        inner = dict(inner).get(lists[0])
    if not isinstance(inner, list):
        raise InputError(f"expected a list as {lists[0]}, found {_shown(inner)}", name, line)
    for document in inner:
        known = _dict(document, name, line)
        yield {**own, **({"document": known.pop("_id")} if "_id" in known else {}), **known}


def _cell(value: Any, meaning: str, name: str, line: int) -> Any:
    """Ids as text; a number, or a text that may be one; None for what is not there."""
    known = isinstance(value, int | float | str | None) and not isinstance(value, bool)
    if meaning in _IDS and isinstance(value, float) and value.is_integer():
        return str(int(value))  # a table made it a float
    if meaning in _IDS and (not known or isinstance(value, float)):
        raise InputError(f"expected a {meaning} id as text, found {_shown(value)}", name, line)
    if meaning in ("score", "grade", "rank") and not known:
        raise InputError(f"expected a number as {meaning}, found {_shown(value)}", name, line)
    if meaning in _IDS and value is not None:
        return str(value)
    return refuse_huge(value, name, line) if isinstance(value, int) else value
