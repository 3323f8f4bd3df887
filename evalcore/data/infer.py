"""A folder or upload without `collection.toml` -> the manifest it most likely has, with every guess noted."""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

import numpy as np

from evalcore.data import tables
from evalcore.data.fields import PADDING, text_of
from evalcore.data.focused.forms import part_kind, part_table_kind, xml_kind
from evalcore.data.graphs import graph_kind
from evalcore.data.manifest import Column, Highlighted, Linked, Manifest
from evalcore.data.readability import USUAL
from evalcore.data.sources import Source
from evalcore.data.structures import Note, Scale
from evalcore.errors import DataError, shorten

Kind = Literal[
    "run", "qrels", "signal", "assessment table", "run table", "text", "queries", "unknown",
    "highlights", "part run", "elements", "lengths", "links", "components",
]  # fmt: skip

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
TABLE_ENDINGS = (".csv", ".tsv", ".parquet")
RUN_FOLDERS = ("runs", "run")
RUN_KINDS = ("run", "run table", "part run")
RUN_ENDINGS = (".run", ".res", ".trec")
NOT_DATA = (
    ".md", ".rst", ".toml", ".json", ".yaml", ".yml", ".py", ".r", ".sh", ".pdf", ".png", ".svg", ".urbp", ".xml"
)  # fmt: skip


def infer(sources: Sequence[Source], title: str) -> tuple[Manifest, list[Note]]:
    """Guess what each file is from its first lines and its name. Raises DataError where nothing usable is found."""
    sources = sorted(sources, key=lambda source: source.name)
    kinds = _kinds(sources)
    notes = [Note("inferred", "collection", "no collection.toml: what the files are was inferred from them")]
    runs = _patterns(sources, kinds)
    aspects, aspect_notes = _aspects([s for s in sources if kinds[s.name] in ("qrels", "assessment table")], kinds)
    signals = [column for source in sources if kinds[source.name] == "signal" for column in _signals(source)]
    folder = next((_folder(s) for s in sources if kinds[s.name] == "text"), "")
    queries = next((source.name for source in sources if kinds[source.name] == "queries"), "")
    unused = [source.name for source in sources if kinds[source.name] == "unknown"]
    if unused:
        shown = ", ".join(unused[:5]) + (f" and {len(unused) - 5} more" if len(unused) > 5 else "")
        notes.append(Note("dropped", "collection", f"neither runs nor assessments, not read: {shown}"))
    passages = _highlighted(sources, kinds)
    if passages:
        notes.append(Note("inferred", ", ".join(passages.files), "read as highlighted text: relevance and specificity"))
    navigation = _linked(sources, kinds)
    if navigation:
        names = ", ".join(filter(None, [navigation.links, navigation.components]))
        notes.append(Note("inferred", names, "read as where users can go from a result"))
    _need(runs, "runs", sources)
    _need(passages or aspects, "assessments (TREC qrels or a table)", sources)
    computed = tuple(name for name in USUAL if folder and name not in {c.scale.name for c in signals})
    manifest = Manifest(
        title=title,
        runs=tuple(runs),
        columns=(*aspects, *signals),
        documents=folder,
        readability=computed,
        queries=queries,
        passages=passages,
        navigation=navigation,
        order="rank" if passages else Manifest.order,
    )
    return manifest, [*notes, *aspect_notes]


def _highlighted(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> Highlighted | None:
    """Files of highlighted text, with the tables of elements and lengths among them."""
    named = {kind: [s.name for s in sources if kinds[s.name] == kind] for kind in ("highlights", "elements", "lengths")}
    for kind in ("elements", "lengths"):
        if len(named[kind]) > 1:
            raise DataError(f"expected one table of {kind}, found {', '.join(named[kind])}; write a collection.toml")
    tables_found = {kind: named[kind][0] if named[kind] else "" for kind in ("elements", "lengths")}
    return Highlighted(tuple(named["highlights"]), **tables_found) if named["highlights"] else None


def _linked(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> Linked | None:
    """The edge list and the table of components."""
    found = {
        kind: [source.name for source in sources if kinds[source.name] == kind] for kind in ("links", "components")
    }
    for kind, names in found.items():
        if len(names) > 1:
            raise DataError(f"expected one file of {kind}, found {', '.join(names)}; write a collection.toml")
    given = {kind: names[0] for kind, names in found.items() if names}
    return Linked(**given) if given else None


def _patterns(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> list[str]:
    """The runs by name, or `folder/*` where a folder holds nothing else."""
    runs = {source.name: _folder(source) for source in sources if kinds[source.name] in RUN_KINDS}
    mixed = {_folder(source) for source in sources if source.name not in runs} | {"."}
    patterns = (name if folder in mixed else f"{glob.escape(folder)}/*" for name, folder in runs.items())
    return list(dict.fromkeys(patterns))


def _need(found: object, what: str, sources: Sequence[Source]) -> None:
    if not found:
        names = ", ".join(source.name for source in sources[:5]) or "no file at all"
        raise DataError(f"expected {what}, found none among: {names}")


def _kinds(sources: Sequence[Source]) -> dict[str, Kind]:
    kinds = {source.name: kind_of(source) for source in sources}
    # What stands among runs, or is called qrels, and is none is a broken one: it must get its error.
    homes = Counter(_home(source) for source in sources if kinds[source.name] in RUN_KINDS)
    for source in sources:
        if not source.name.lower().endswith(NOT_DATA) and not _is_about(source):
            kinds[source.name] = _broken(source, kinds[source.name], homes) or kinds[source.name]
    return kinds


def _broken(source: Source, kind: Kind, homes: Counter[tuple[str, bool]]) -> Kind | None:
    """What a file was meant to be that does not look like anything, or not like what it stands among."""
    path = PurePosixPath(source.name.lower())
    if path.parent.name in RUN_FOLDERS and kind not in (*RUN_KINDS, "text"):
        return "run"
    if kind != "unknown":
        return None
    if "qrel" in path.name or aspect_name(source) in ASPECT_WORDS:
        return "qrels"
    alone = not homes and path.suffix not in TABLE_ENDINGS
    return "run" if homes[_home(source)] or alone or set(path.suffixes) & set(RUN_ENDINGS) else None


def _home(source: Source) -> tuple[str, bool]:
    """Where a file stands, and whether it calls itself a table."""
    return _folder(source), PurePosixPath(source.name.lower()).suffix in TABLE_ENDINGS


def _is_about(source: Source) -> bool:
    return PurePosixPath(source.name.lower()).name.startswith(("readme", "license", "licence"))


def kind_of(source: Source) -> Kind:
    """What one file is, from its first lines (and, for texts, its folder)."""
    if PurePosixPath(source.name).parent.name.lower() in DOCUMENT_FOLDERS and source.name.lower().endswith(".txt"):
        return "text"
    if xml := xml_kind(source):
        return xml
    if source.name.lower().endswith(NOT_DATA):
        return "unknown"
    head = source.head()
    if graph := graph_kind(source.name, head):
        return graph
    if tables.is_table(head):
        return _table_kind(source, head)
    if part := part_kind(head):
        return part
    lines = [line.split() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()[:200] if line.strip()]
    if not lines or b"\0" in head:
        return "unknown"
    if PurePosixPath(source.name.lower()).name.startswith(("topic", "quer")) and b"\t" in head:
        return "queries"
    if "system" in tables.header(head):  # scores of systems
        return "unknown"
    return _trec_kind(lines)


def _trec_kind(lines: list[list[bytes]]) -> Kind:
    first = lines[0]
    numeric = [_is_number(field) for field in first]
    iteration = len(first) >= 4 and (numeric[1] or first[1].upper() == b"Q0")
    if len(first) == 6 and iteration and numeric[3] and numeric[4]:
        return "qrels" if _many_grades(lines) else "run"
    if iteration and len(first) != 6 and (len(first) == 4 or all(numeric[3:])):
        without_tag = len(first) == 5 and (b"." in first[4] or first[1].upper() == b"Q0")
        return "unknown" if without_tag else "qrels"
    if len(first) == 2 and (numeric[1] or (len(lines) > 1 and _is_number(lines[1][-1]))):
        return "signal"
    cells = [line[0].split(b",") for line in lines[:2] if len(line) == 1]
    return "signal" if any(len(pair) == 2 and _is_number(pair[1]) for pair in cells) else "unknown"


def _many_grades(lines: list[list[bytes]]) -> bool:
    """Whether six columns are a run's (ranks, decimal scores, a tag) or three grades per document."""
    last = [line[3:6] for line in lines if len(line) == 6]
    small = all(re.fullmatch(rb"-?\d{1,3}", field) for fields in last for field in fields)
    ranks = [fields[0] for fields in last]
    varied = len(set(ranks)) < max(len(ranks), 2) and len(set(map(tuple, last))) > 1
    return small and lines[0][1].upper() != b"Q0" and varied


def _table_kind(source: Source, head: bytes) -> Kind:
    names = set(_table_columns(source, head))
    if part := part_table_kind(names):
        return part
    if {"topic", "document"} <= names:
        return "run table" if names & {"rank", "score"} else "assessment table"
    return "signal" if "document" in names and len(names) > 1 else "unknown"


def _table_columns(source: Source, head: bytes) -> list[str]:
    return list(tables.read_table(source).columns if head[:4] == tables.PARQUET else tables.header(head))


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
                text = f"not read: {used} also holds {name}, with at least as many grades"
                notes.append(Note("inferred", other, text))
    ordered = sorted(found, key=lambda name: (name != "relevance", list(found).index(name)))
    return [found[name][1] for name in ordered], notes


def _file_aspects(source: Source, kind: Kind) -> list[tuple[Column, int]]:
    """The aspects in one file, each with the number of grades seen in it."""
    if kind == "assessment table":
        table = tables.read_table(source)
        return [(Column(Scale(name), source.name, name), 0) for name in tables.aspect_columns(table)]
    text = text_of(source.read(), source.name, "TREC qrels").removesuffix(PADDING)
    rows = [line.split() for line in text.splitlines()[:20_000] if line.strip()]
    labels = [row[3:] for row in rows if len(row) == len(rows[0])]
    if not labels[0]:
        found = shorten(b" ".join(rows[0]))
        raise DataError(f"expected TREC qrels (topic iteration document grade), found {found}", source.name, 1)
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


def _signals(source: Source) -> list[Column]:
    """The signals in one file: of a table with several, each under its own header."""
    head = source.head()
    names = [name for name in _table_columns(source, head) if name != "document"] if tables.is_table(head) else []
    if len(names) < 2:
        return [Column(_signal_scale(source.stem), source.name, names[0] if names else 1)]
    return [Column(_signal_scale(name), source.name, name) for name in names]


def _signal_scale(name: str) -> Scale:
    low = any(word in name.lower() for word in LOW_IS_GOOD)
    return Scale(name, kind="signal", good="low" if low else "high")


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
