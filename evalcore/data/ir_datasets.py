"""Assessments and queries from ir_datasets, a catalogue of public test collections: `irds:NAME` in place of a folder.

MacAvaney, Yates, Feldman, Downey, Cohan, Goharian 2021: Simplified Data Wrangling with ir_datasets (SIGIR).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from evalcore.common.constants import DATASET
from evalcore.data.collection_files import Files, Package, PathLike, given_runs
from evalcore.data.manifest import Column, Manifest
from evalcore.data.sources import Source
from evalcore.errors import InputError, not_installed, shorten
from evalcore.structures.documents import Scale

QUERIES = "queries.tsv"
_NO_ASPECTS = ("query_id", "doc_id", "iteration", "subtopic_id", "subtopic", "sub_query_id")


def package_of_dataset(where: str, runs: PathLike | Sequence[PathLike] | None) -> Package:
    """A package of the qrels and queries that ir_datasets has under a name, and of runs from files.

    Every number of an assessment is an aspect of its own: clueweb12/b13/clef-ehealth has relevance, trustworthiness
    and understandability. The grades are those that ir_datasets defines. What it does not have yet it may download,
    as it says. Raises InputError without it, for a name that it does not know, without qrels, and without runs.
    """
    name = where.removeprefix(DATASET)
    if runs is None:
        raise InputError("expected runs for the assessments of ir_datasets (runs=, or --runs), found none", where)
    dataset = _dataset(name, where)
    labels, scales = _labels(dataset, where)
    files = given_runs(runs) + [_source(f"{aspect}.qrels", lines) for aspect, lines in labels.items()]
    columns = tuple(Column(scales[aspect], f"{aspect}.qrels") for aspect in labels)
    queries = _queries(dataset, where)
    files += [queries] if queries else []
    manifest = Manifest(title=name, runs=("runs/*",), columns=columns, queries=QUERIES if queries else "")
    return Package(manifest, Files(files))


def _dataset(name: str, where: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise not_installed("ir_datasets", "ir_datasets") from None
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise InputError("expected a name known to ir_datasets, found another", where) from None
    if not dataset.has_qrels():
        raise InputError("expected a data set with qrels, found one without", where)
    return dataset


def _labels(dataset: Any, where: str) -> tuple[dict[str, list[str]], dict[str, Scale]]:
    """Lines of TREC qrels for each aspect, and what its grades mean."""
    rows = _read(dataset.qrels_iter, where)
    if not rows:
        raise InputError("expected assessments, found none", where)
    first = rows[0]
    aspects = [
        name
        for name in first._fields
        if name not in _NO_ASPECTS and all(isinstance(getattr(row, name), int | float) for row in rows)
    ]
    if not aspects:
        raise InputError(f"expected grades, found only {', '.join(first._fields)}", where)
    lines = {
        aspect: [
            f"{_word(row.query_id, where)} 0 {_word(row.doc_id, where)} {getattr(row, aspect):.17g}" for row in rows
        ]
        for aspect in aspects
    }
    return lines, {aspect: Scale(aspect, grades=_grades(dataset, aspect, rows)) for aspect in aspects}


def _grades(dataset: Any, aspect: str, rows: Iterable[Any]) -> tuple[float, ...]:
    """The grades that are defined for relevance, and 0; none if others are given: they are assumed.

    A grade below 0 means "not judged", and is no grade of the scale.
    """
    defined = dataset.qrels_defs() if aspect == "relevance" else {}
    known = {0.0, *(float(grade) for grade in defined if isinstance(grade, int | float) and grade > 0)}
    grades = {float(getattr(row, aspect)) for row in rows}
    return tuple(sorted(known)) if len(known) > 1 and {grade for grade in grades if grade >= 0} <= known else ()


def _queries(dataset: Any, where: str) -> Source | None:
    """Topics with their text or title, if the data set has them."""
    if not dataset.has_queries():
        return None
    rows = _read(dataset.queries_iter, where)
    titles = ((row.query_id, getattr(row, "text", None) or getattr(row, "title", "")) for row in rows)
    return _source(QUERIES, (f"{topic}\t{' '.join(str(text).split())}" for topic, text in titles))


def _read(rows: Callable[[], Iterable[Any]], where: str) -> list[Any]:
    """Read from ir_datasets; its errors, such as unavailable data, are passed on in its words."""
    try:
        return list(rows())
    except Exception as error:
        reason = shorten(str(error) or type(error).__name__, 200)
        raise InputError(f"expected data that ir_datasets has, found: {reason}", where) from error


def _word(text: str, where: str) -> str:
    """An identifier as TREC files hold it. Raises InputError for one with a space."""
    if len(text.split()) != 1:
        raise InputError(f"expected ids without spaces, found {shorten(text)}", where)
    return text


def _source(name: str, lines: Iterable[str]) -> Source:
    content = "\n".join(chain(lines, [""])).encode()
    return Source(name, lambda: content)
