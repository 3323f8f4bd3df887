"""Read a ranking and its labels from a few lines of text, to try a measure on your own example."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import replace

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError, counted, shorten
from evalcore.structures.documents import Collection, Scale, assumed_grades

SYSTEM, TOPIC, WHERE = "ranking", "topic", "example"
UNASSESSED, BELOW = "-", "---"
MOST_LINES, MOST_GRADE = 500, 20
_PARTED = re.compile(r"[\s,;]+")
_GRADE = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")


def written_collection(text: str) -> Collection:
    """Return a collection of one ranking, read from a text.

    The first line has a word for the document, and then the names of the aspects. Then comes a line for each document,
    from rank 1 on, with the document's id and a label for each aspect. The name `ease/3` means that the aspect ease
    has the grades 0 to 3; without a number, whole grades go from 0 to the highest that occurs, at least 1. The label
    `-` means not assessed. Assessed documents that were not retrieved come after a line `---`. Spaces, tabs, commas or
    semicolons separate fields. Raises InputError for a mistake; the message names the line.

    >>> c = written_collection("document relevance ease/3\\na 1 2\\nx - -\\n---\\nb 1 0")
    >>> c.aspects, c.rankings.length.tolist(), c.assessments.documents.tolist()
    (('relevance', 'ease'), [[2]], ['a', 'x', 'b'])
    """
    lines = [(at, _PARTED.split(line.strip(" \t\r,;"))) for at, line in enumerate(text.splitlines(), start=1)]
    lines = [(at, fields) for at, fields in lines if fields != [""]]
    if not lines or len(lines) > MOST_LINES:
        raise InputError(
            f"expected a line of names and up to {MOST_LINES - 1} documents, found {len(lines)} lines", WHERE
        )
    aspects = _aspects(*lines[0])
    labels: dict[str, list[float]] = {}
    ranked: list[str] = []
    below = False
    for at, fields in lines[1:]:
        if fields == [BELOW]:
            below = True
            continue
        document, *given = fields
        if document in labels:
            raise InputError(f"expected each document once, found {shorten(document)} again", WHERE, at)
        if len(given) != len(aspects):
            expected = f"a document and {counted(len(aspects), 'label')} ({', '.join(aspects)})"
            raise InputError(f"expected {expected}, found {len(fields)} fields", WHERE, at)
        labels[document] = [_grade(grade, *pair, at) for grade, pair in zip(given, aspects.items(), strict=True)]
        ranked += [] if below else [document]
    if not ranked:
        raise InputError(f"expected a document above {BELOW}, found none", WHERE)
    table = pd.DataFrame.from_dict(labels, orient="index", columns=list(aspects), dtype=float)
    if bare := [name for name in aspects if table[name].isna().all()]:
        raise InputError(f"expected a label of {bare[0]}, found only {UNASSESSED}", WHERE)
    scales = [_scale(name, best, table[name].to_numpy()) for name, best in aspects.items()]
    made = small_collection(table, {SYSTEM: ranked}, scales, "Own example")
    return replace(made, fingerprint=hashlib.sha256(f"written\n{text}".encode(errors="replace")).hexdigest())


def _aspects(at: int, fields: list[str]) -> dict[str, int | None]:
    """Map the aspects named in the first line to their highest grade, None if not given.

    Raises InputError for an invalid or repeated name, or if no aspect is named.
    """
    result: dict[str, int | None] = {}
    for field in fields[1:]:
        name, _, best = field.partition("/")
        if not name or _GRADE.fullmatch(name) or name == UNASSESSED or name in result:
            raise InputError(f"expected aspects, each once, in the first line, found {shorten(field)}", WHERE, at)
        if best and not (best.isascii() and best.isdigit() and 1 <= int(best[:4]) <= MOST_GRADE and len(best) < 4):
            raise InputError(f"expected a highest grade from 1 to {MOST_GRADE}, found {shorten(field)}", WHERE, at)
        result[name] = int(best) if best else None
    if not result:
        raise InputError("expected a first line such as: document relevance understandability", WHERE, at)
    return result


def _grade(text: str, aspect: str, best: int | None, at: int) -> float:
    if text == UNASSESSED:
        return math.nan
    most = best or MOST_GRADE
    if not _GRADE.fullmatch(text) or float(text) > most or (best and not float(text).is_integer()):
        kind = "whole grade" if best else "grade"
        raise InputError(f"expected a {kind} of {aspect} from 0 to {most}, or -, found {shorten(text)}", WHERE, at)
    return float(text)


def _scale(name: str, best: int | None, given: np.ndarray) -> Scale:
    known = given[~np.isnan(given)]
    if best is None and (known % 1 == 0).all():
        best = max(int(known.max(initial=0)), 1)
    return Scale(name, grades=tuple(range(best + 1)) if best else assumed_grades(given))
