"""Texts and queries in JSON lines, as in BEIR and MTEB: `{"_id": "d1", "title": "...", "text": "..."}`.

Queries may also be lines of a topic, a tab and its query.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Literal

from evalcore.data.json_tables import json_head
from evalcore.data.json_text import json_records
from evalcore.data.sources import Source
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError, shorten

IDS = ("_id", "id", "query_id", "qid", "doc_id", "docno")
TEXTS = ("text", "query", "contents", "body")
QUERY_NAMES = ("topic", "quer")


def corpus_kind(name: str, head: bytes) -> Literal["corpus", "queries"] | None:
    """Return "corpus" for JSON lines of texts, "queries" for JSON lines of queries, and None for other files.

    Queries are recognised by the file name or by the key of their id.

    >>> corpus_kind("corpus.jsonl", b'{"_id": "d1", "title": "", "text": "A te')
    'corpus'
    """
    begun = json_head(head)
    keys = begun.keys if begun else ()
    if not (_first(IDS, keys) and _first(TEXTS, keys)):
        return None
    named = PurePosixPath(name.lower()).name.startswith(QUERY_NAMES)
    return "queries" if named or {"query_id", "qid"} & set(keys) else "corpus"


def read_corpus(source: Source, wanted: Collection[str] | None = None) -> dict[str, str]:
    """Return the requested texts (None: all) by id, each with its title before it.

    Raises InputError, with the line, if a line is not an object with an id and a text, or if an id is given twice.
    """
    texts: dict[str, str] = {}
    for line, one in json_records(plain_text(source, "JSON lines"), source.name, "an object"):
        key, text = _first(IDS, one), _first(TEXTS, one)
        if not key or not text or not isinstance(one[text], str) or not isinstance(one[key], str | int):
            found = ", ".join(one) or "nothing"
            raise InputError(f"expected an id (_id) and a text, found {shorten(found)}", source.name, line)
        name = str(one[key])
        if wanted is not None and name not in wanted:
            continue
        if name in texts:
            raise InputError(f"expected each id once, found {shorten(name)} again", source.name, line)
        texts[name] = "\n\n".join(filter(None, [str(one.get("title") or ""), one[text]]))
    return texts


def read_queries(source: Source, wanted: Collection[str] | None = None) -> dict[str, str]:
    """Return all queries by topic, from lines `topic<tab>query`; `wanted` is ignored.

    Raises InputError for other lines, and for a second query of a topic.
    """
    queries: dict[str, str] = {}
    for at, line in enumerate(plain_text(source).splitlines(), start=1):
        topic, tab, query = line.partition("\t")
        if line.strip() and not tab:
            raise InputError(f"expected a topic, a tab and its query, found {shorten(line)}", source.name, at)
        if tab and queries.setdefault(topic.strip(), query.strip()) != query.strip():
            raise InputError(f"expected one query per topic, found a second for {topic.strip()!r}", source.name, at)
    return queries


def _first(names: Collection[str], keys: Collection[str]) -> str:
    return next((name for name in names if name in keys), "")
