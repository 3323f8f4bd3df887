"""A folder or upload without `collection.toml` -> the manifest it most likely has, with every guess noted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

import numpy as np

from evalcore.data import tables
from evalcore.data.manifest import Column, Manifest
from evalcore.data.readability import FORMULAS
from evalcore.data.sources import Source
from evalcore.data.structures import Note, Scale
from evalcore.errors import DataError

Kind = Literal["run", "qrels", "signal", "assessment table", "run table", "text", "unknown"]

ASPECT_WORDS: Mapping[str, tuple[str, ...]] = {
    "relevance": ("qrel", "relev", "topical"),
    "understandability": ("qread", "qunder", "underst", "readab"),
    "trustworthiness": ("qtrust", "trust"),
    "credibility": ("qcred", "credib"),
    "usefulness": ("quse", "useful"),
    "correctness": ("qcorr", "correct"),
}
LOW_IS_GOOD = ("fog", "smog", "flesch", "kincaid", "difficult", "grade_level")
DOCUMENT_FOLDERS = ("documents", "docs", "texts", "text")
NOT_DATA = (".md", ".rst", ".toml", ".json", ".yaml", ".yml", ".py", ".r", ".sh", ".pdf", ".png", ".svg", ".urbp", ".xml")


def infer(sources: Sequence[Source], title: str) -> tuple[Manifest, list[Note]]:
    """Guess what each file is from its first lines and its name. Raises DataError where nothing usable is found."""
    kinds = _kinds(sources)
    notes = [Note("inferred", "collection", "no collection.toml: what the files are was inferred from them")]
    runs = _patterns(sources, kinds)
    aspects, aspect_notes = _aspects([s for s in sources if kinds[s.name] in ("qrels", "assessment table")], kinds)
    signals = [_signal(source) for source in sources if kinds[source.name] == "signal"]
    folder = next((_folder(s) for s in sources if kinds[s.name] == "text"), "")
    unused = [source.name for source in sources if kinds[source.name] == "unknown"]
    if unused:
        shown = ", ".join(unused[:5]) + (f" and {len(unused) - 5} more" if len(unused) > 5 else "")
        notes.append(Note("dropped", "collection", f"neither runs nor assessments, not read: {shown}"))
    _need(runs, "runs", sources)
    _need(aspects, "assessments (TREC qrels or a table)", sources)
    computed = tuple(name for name in FORMULAS if folder and name not in {c.scale.name for c in signals})
    manifest = Manifest(
        title=title,
        runs=tuple(runs),
        columns=(*aspects, *signals),
        documents=folder,
        readability=computed,
    )
    return manifest, [*notes, *aspect_notes]


def _patterns(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> list[str]:
    """The runs by name, or `folder/*` where a folder holds nothing else."""
    runs = {source.name: _folder(source) for source in sources if kinds[source.name] in ("run", "run table")}
    mixed = {_folder(source) for source in sources if source.name not in runs} | {"."}
    return list(dict.fromkeys(name if folder in mixed else f"{folder}/*" for name, folder in runs.items()))


def _need(found: Sequence[object], what: str, sources: Sequence[Source]) -> None:
    if not found:
        names = ", ".join(source.name for source in sources[:5]) or "no file at all"
        raise DataError(f"expected {what}, found none among: {names}")


def _kinds(sources: Sequence[Source]) -> dict[str, Kind]:
    kinds = {source.name: kind_of(source) for source in sources}
    # A file that stands among runs and is no run is a broken run: it must get its error, not be passed over.
    homes = Counter(_folder(source) for source in sources if kinds[source.name] == "run")
    for source in sources:
        if kinds[source.name] == "unknown" and _like_a_run(source, homes):
            kinds[source.name] = "run"
    return kinds


def _like_a_run(source: Source, homes: Counter[str]) -> bool:
    path = PurePosixPath(source.name.lower())
    if path.suffix in NOT_DATA or path.name.startswith(("readme", "license", "licence")):
        return False
    in_runs = path.parent.name in ("runs", "run")
    return in_runs or homes[_folder(source)] > 0 or path.suffix in (".run", ".res", ".trec") or not homes


def kind_of(source: Source) -> Kind:
    """What one file is, from its first lines (and, for texts, its folder)."""
    if PurePosixPath(source.name).parent.name.lower() in DOCUMENT_FOLDERS and source.name.lower().endswith(".txt"):
        return "text"
    if source.name.lower().endswith(NOT_DATA):
        return "unknown"
    head = source.head()
    if tables.is_table(head):
        return _table_kind(source, head)
    lines = [line.split() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()[:200] if line.strip()]
    if not lines or b"\0" in head:
        return "unknown"
    return _trec_kind(lines)


def _trec_kind(lines: list[list[bytes]]) -> Kind:
    first = lines[0]
    numeric = [_is_number(field) for field in first]
    iteration = len(first) >= 4 and (numeric[1] or first[1].upper() == b"Q0")
    if len(first) == 6 and iteration and numeric[3] and numeric[4]:
        return "qrels" if _many_grades(lines) else "run"
    if iteration and len(first) != 6 and (len(first) == 4 or all(numeric[3:])):
        return "qrels" if not (len(first) == 5 and b"." in first[4]) else "unknown"
    if len(first) == 2 and (numeric[1] or (len(lines) > 1 and _is_number(lines[1][-1]))):
        return "signal"
    if b"," in first[0] and len(first) == 1:
        cells = first[0].split(b",")
        return "signal" if len(cells) == 2 else "unknown"
    return "unknown"


def _many_grades(lines: list[list[bytes]]) -> bool:
    """Whether six columns are a run's (ranks, decimal scores, a tag) or three grades per document."""
    last = [line[3:6] for line in lines if len(line) == 6]
    small = all(re.fullmatch(rb"-?\d{1,3}", field) for fields in last for field in fields)
    ranks = [fields[0] for fields in last]
    return small and lines[0][1].upper() != b"Q0" and len(set(ranks)) < max(len(ranks), 2) and len(set(map(tuple, last))) > 1


def _table_kind(source: Source, head: bytes) -> Kind:
    names = set(tables.read_table(source).columns if head[:4] == tables.PARQUET else tables.header(head))
    if {"topic", "document"} <= names:
        return "run table" if names & {"rank", "score"} else "assessment table"
    return "signal" if "document" in names and len(names) == 2 else "unknown"


def _aspects(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> tuple[list[Column], list[Note]]:
    found: dict[str, tuple[int, Column]] = {}
    notes: list[Note] = []
    for source in sources:
        for column, levels in _file_aspects(source, kinds[source.name]):
            name = column.scale.name
            known = found.get(name)
            if known is None or levels > known[0]:
                found[name] = (levels, column)
            if known is not None:
                used, other = found[name][1].file, (column if found[name][1] is known[1] else known[1]).file
                notes.append(Note("inferred", other, f"not read: {used} also holds {name}, with at least as many grades"))
    ordered = sorted(found, key=lambda name: (name != "relevance", list(found).index(name)))
    return [found[name][1] for name in ordered], notes


def _file_aspects(source: Source, kind: Kind) -> list[tuple[Column, int]]:
    """The aspects in one file, each with the number of grades seen in it."""
    if kind == "assessment table":
        table = tables.read_table(source)
        return [(Column(Scale(name), source.name, name), 0) for name in tables.aspect_columns(table)]
    rows = [line.split() for line in source.read().splitlines()[:20_000] if line.strip()]
    labels = [row[3:] for row in rows if len(row) == len(rows[0])]
    many = len(labels[0]) > 1
    named = aspect_name(source)
    return [
        (
            Column(Scale(f"aspect{at + 1}" if many and at else named), source.name, at + 1),
            len({row[at] for row in labels}),
        )
        for at in range(len(labels[0]))
    ]


def aspect_name(source: Source) -> str:
    """The aspect a file name speaks of, else its stem.

    >>> aspect_name(Source("task2.qtrust", bytes))
    'trustworthiness'
    """
    name = PurePosixPath(source.name).name.lower()
    for aspect, words in ASPECT_WORDS.items():
        if any(word in name for word in words):
            return aspect
    return source.stem


def _signal(source: Source) -> Column:
    name = source.stem
    low = any(word in name.lower() for word in LOW_IS_GOOD)
    return Column(Scale(name, kind="signal", good="low" if low else "high"), source.name)


def column_notes(manifest: Manifest) -> list[Note]:
    """What was assumed of each column: its name and which end is good."""
    return [
        Note(
            "inferred",
            column.file,
            f"read as {column.scale.name}, {column.scale.good} is good"
            + (f" (column {column.column})" if column.column not in (1, column.scale.name) else ""),
        )
        for column in manifest.columns
    ]


def _folder(source: Source) -> str:
    return PurePosixPath(source.name).parent.as_posix()


def _is_number(field: bytes) -> bool:
    try:
        return bool(np.isfinite(float(field)))
    except ValueError:
        return False
