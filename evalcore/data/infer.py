"""A folder or upload without `collection.toml` -> the manifest it most likely has, with every guess noted."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import PurePosixPath

import pandas as pd

from evalcore.data import tables
from evalcore.data.assessments import read_qrels
from evalcore.data.comments import data_text
from evalcore.data.fields import PADDING
from evalcore.data.json_tables import json_head
from evalcore.data.kinds import NOT_DATA, RUN_KINDS, Kind, kind_of
from evalcore.data.manifest import Column, Highlighted, Linked, Manifest
from evalcore.data.names import ASPECT_WORDS, RUN_ENDINGS, RUN_FOLDERS, aspect_name, differences, file_name
from evalcore.data.readability import USUAL
from evalcore.data.sources import Source
from evalcore.structures.documents import Note, Scale
from evalcore.errors import InputError, shorten

LOW_IS_GOOD = ("fog", "smog", "flesch", "kincaid", "difficult", "grade_level")
TABLE_ENDINGS = (".csv", ".tsv", ".parquet")
JSON_ENDINGS = (".json", ".jsonl")
SPLITS = ("test", "dev", "validation", "train")  # of BEIR, the one that is scored first
NO_MANIFEST = Note("inferred", "collection", "no collection.toml: what the files are was inferred from them")
GRADINGS = {"bin", "binary", "graded", "grades"}


def infer(sources: Sequence[Source], title: str) -> tuple[Manifest, list[Note]]:
    """Guess what each file is from its first lines and its name. Raises InputError where nothing usable is found."""
    sources = sorted(sources, key=lambda source: source.name)
    kinds = _kinds(sources)
    runs = _patterns(sources, kinds)
    aspects, aspect_notes = _aspects([s for s in sources if kinds[s.name] in ("qrels", "assessment table")], kinds)
    signals = [column for source in sources if kinds[source.name] == "signal" for column in _signals(source)]
    folder = next((_folder(s) for s in sources if kinds[s.name] == "text"), "")
    passages, navigation = _highlighted(sources, kinds), _linked(sources, kinds)
    _need(runs, "runs", sources)
    _need(passages or aspects, "assessments (TREC qrels or a table)", sources)
    computed = tuple(name for name in USUAL if folder and name not in {c.scale.name for c in signals})
    manifest = Manifest(
        title=title,
        runs=tuple(runs),
        columns=(*aspects, *signals),
        documents=folder,
        corpus=_only(sources, kinds, "corpus", "document texts"),
        readability=computed,
        queries=next((source.name for source in sources if kinds[source.name] == "queries"), ""),
        passages=passages,
        navigation=navigation,
        order="rank" if passages else Manifest.order,
    )
    return manifest, [*_notes(manifest, sources, kinds), *aspect_notes]


def _notes(manifest: Manifest, sources: Sequence[Source], kinds: Mapping[str, Kind]) -> list[Note]:
    """What was taken for what, beside columns and runs; and what was left."""
    notes = [NO_MANIFEST]
    unused = [source.name for source in sources if kinds[source.name] == "unknown"]
    if unused:
        shown = ", ".join(unused[:5]) + (f" and {len(unused) - 5} more" if len(unused) > 5 else "")
        notes.append(Note("dropped", "collection", f"neither runs nor assessments, not read: {shown}"))
    if manifest.corpus:
        notes.append(Note("inferred", manifest.corpus, "read as the texts of the documents"))
    if manifest.queries:
        notes.append(Note("inferred", manifest.queries, "read as the queries of the topics"))
    if passages := manifest.passages:
        notes.append(Note("inferred", ", ".join(passages.files), "read as highlighted text: relevance and specificity"))
    else:
        text = "parts of documents, it seems (offset and length, or a path): read as whole documents"
        notes += [Note("warning", source.name, text) for source in sources if kinds[source.name] == "part run"]
    if navigation := manifest.navigation:
        names = ", ".join(filter(None, [navigation.links, navigation.components]))
        notes.append(Note("inferred", names, "read as where users can go from a result"))
    return notes


def _only(sources: Sequence[Source], kinds: Mapping[str, Kind], kind: Kind, what: str) -> str:
    """The one file of a kind, "" for none."""
    found = [source.name for source in sources if kinds[source.name] == kind]
    if len(found) > 1:
        raise InputError(f"expected one file of {what}, found {', '.join(found)}; write a collection.toml")
    return found[0] if found else ""


def _highlighted(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> Highlighted | None:
    """Files of highlighted text, with the tables of elements and lengths among them."""
    highlights = tuple(source.name for source in sources if kinds[source.name] == "highlights")
    elements = _only(sources, kinds, "elements", "elements")
    lengths = _only(sources, kinds, "lengths", "lengths")
    return Highlighted(highlights, elements, lengths) if highlights else None


def _linked(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> Linked | None:
    """The edge list and the table of components."""
    linked = Linked(_only(sources, kinds, "links", "links"), _only(sources, kinds, "components", "components"))
    return linked if linked != Linked() else None


def _patterns(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> list[str]:
    """The runs by name, or `folder/*` where a folder holds nothing else."""
    runs = {source.name: _folder(source) for source in sources if kinds[source.name] in RUN_KINDS}
    mixed = {_folder(source) for source in sources if source.name not in runs} | {"."}
    patterns = (name if folder in mixed else f"{glob.escape(folder)}/*" for name, folder in runs.items())
    return list(dict.fromkeys(patterns))


def _need(found: object, what: str, sources: Sequence[Source]) -> None:
    if not found:
        names = ", ".join(source.name for source in sources[:5]) or "no file at all"
        raise InputError(f"expected {what}, found none among: {names}")


def _kinds(sources: Sequence[Source]) -> dict[str, Kind]:
    kinds = {source.name: kind_of(source) for source in sources}
    # What stands among runs, or is called qrels, and is none is a broken one: it must get its error.
    homes = Counter(_home(source) for source in sources if kinds[source.name] in RUN_KINDS)
    for source in sources:
        if not source.name.lower().endswith(NOT_DATA) and not _is_about(source):
            kinds[source.name] = _broken(source, kinds[source.name], homes) or kinds[source.name]
    return kinds


def _broken(source: Source, kind: Kind, homes: Counter[tuple[str, str]]) -> Kind | None:
    """What a file was meant to be that does not look like anything, or not like what it stands among."""
    path = PurePosixPath(source.name.lower())
    if path.parent.name in RUN_FOLDERS and kind not in (*RUN_KINDS, "text") and not _is_flat_json(source):
        return "run"
    if kind != "unknown" or _is_flat_json(source):
        return None
    if "qrel" in path.name or aspect_name(replace(source, name=path.name)) in ASPECT_WORDS:
        return "qrels"
    alone = not homes and not _home(source)[1]
    return "run" if homes[_home(source)] or alone or set(path.suffixes) & set(RUN_ENDINGS) else None


def _is_flat_json(source: Source) -> bool:
    """Whether a file is a JSON object of plain values: about something, not a broken run."""
    begun = json_head(source.head(1 << 12))
    return begun is not None and begun.depth < 2


def _home(source: Source) -> tuple[str, str]:
    """Where a file stands, and what it calls itself: a table, JSON, or neither."""
    name = source.name.lower().removesuffix(".gz").removesuffix(".bz2")
    is_json = name.endswith(JSON_ENDINGS)
    return _folder(source), "json" if is_json else "table" if name.endswith(TABLE_ENDINGS) else ""


def _is_about(source: Source) -> bool:
    return file_name(source.name).startswith(("readme", "license", "licence"))


@dataclass(frozen=True)
class _Found:
    """An aspect in a file."""

    column: Column
    source: Source
    levels: int = 0  # grades seen in it

    @property
    def name(self) -> str:
        return self.column.scale.name

    def called(self, name: str) -> _Found:
        return replace(self, column=replace(self.column, scale=replace(self.column.scale, name=name)))


def _aspects(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> tuple[list[Column], list[Note]]:
    sources, notes = _one_split(sources)
    by_name: dict[str, list[_Found]] = {}
    for one in (one for source in sources for one in _file_aspects(source, kinds[source.name])):
        by_name.setdefault(one.name, []).append(one)
    kept: list[_Found] = []
    for name in sorted(by_name, key=lambda name: name != "relevance"):
        found, dropped = _without_coarser(by_name[name])
        apart = _apart(found)
        kept += apart
        notes += dropped
        notes += [
            Note("inferred", one.column.file, f"holds {name} too, as {apart[0].column.file} does: kept as {one.name}")
            for one in apart[1:]
        ]
    return [one.column for one in kept], notes


def _one_split(sources: Sequence[Source]) -> tuple[list[Source], list[Note]]:
    """The qrels without splits of topics for training, which BEIR keeps beside those that are scored."""
    splits = {
        source.name: source.stem.lower() for source in sources if PurePosixPath(source.name).parent.name == "qrels"
    }
    known = [name for name in SPLITS if name in splits.values()]
    others = [name for name, split in splits.items() if split in known[1:]]
    text = f"not read: other topics than {known[0]}, on which systems are scored" if known else ""
    notes = [Note("dropped", name, f"{text}; a collection.toml may name this file") for name in others]
    return [source for source in sources if source.name not in others], notes


def _without_coarser(found: list[_Found]) -> tuple[list[_Found], list[Note]]:
    """Without files that, as their names say too, repeat the assessments of another in fewer grades."""
    said = set(" ".join(differences([one.column.file for one in found])).split())
    best = max(found, key=lambda one: one.levels)
    if not said or not said <= GRADINGS:
        return found, []
    coarser = [one for one in found if one is not best and _is_coarser(one, best)]
    notes = [
        Note(
            "inferred",
            one.column.file,
            f"not read: {best.column.file} holds the same {one.name}, with at least as many grades",
        )
        for one in coarser
    ]
    return [one for one in found if one not in coarser], notes


def _is_coarser(one: _Found, other: _Found) -> bool:
    """Whether all that one file assesses the other does too, and the higher grade there is never the lower here."""
    with suppress(InputError):
        mine, theirs = (_grades(found) for found in (one, other))
        pairs = pd.DataFrame({"theirs": theirs.reindex(mine.index), "mine": mine}).drop_duplicates()
        steps = pairs.sort_values("theirs")
        return bool(
            steps["theirs"].notna().all() and steps["theirs"].is_unique and steps["mine"].is_monotonic_increasing
        )
    return False


def _grades(found: _Found) -> pd.Series[float]:
    if not isinstance(found.column.column, int):
        raise InputError("expected TREC qrels, found a table", found.source.name)
    width = found.column.column
    labels = read_qrels(found.source, [*[None] * (width - 1), found.column.scale])[0]
    return pd.Series(labels.grades, index=labels.pairs)


def _apart(found: list[_Found]) -> list[_Found]:
    """Columns of one name named apart by what their files are called; the plainest, else the finest, keeps the name."""
    said = differences([one.column.file for one in found])
    order = sorted(range(len(found)), key=lambda at: (said[at] != "", -found[at].levels, at))
    first, taken = found[order[0]], {found[order[0]].name}
    apart = [first]
    for at in order[1:]:
        one = found[at]
        words = chain(filter(None, [said[at], one.column.file]), map(str, count(2)))
        name = next(name for word in words if (name := f"{one.name} ({word})") not in taken)
        taken.add(name)
        apart.append(one.called(name))
    return apart


def _file_aspects(source: Source, kind: Kind) -> list[_Found]:
    """The aspects in one file, each with the number of grades seen in it."""
    if kind == "assessment table":
        names = tables.aspect_columns(tables.read_table(source))
        if names in (["grade"], ["score"]):  # which say nothing of the aspect
            called = aspect_name(source) if aspect_name(source) in ASPECT_WORDS else "relevance"
            return [_Found(Column(Scale(called), source.name, names[0]), source)]
        return [_Found(Column(Scale(name), source.name, name), source) for name in names]
    text = data_text(source, "TREC qrels")[0].removesuffix(PADDING)
    rows = [line.split() for line in text.splitlines()[:20_000] if line.strip()]
    labels = [row[3:] for row in rows if len(row) == len(rows[0])]
    if not labels[0]:
        found = shorten(b" ".join(rows[0]))
        line = text[: len(text) - len(text.lstrip())].count(b"\n") + 1
        raise InputError(f"expected TREC qrels (topic iteration document grade), found {found}", source.name, line)
    many = len(labels[0]) > 1
    named = aspect_name(source)
    return [
        _Found(
            Column(Scale(f"aspect{at + 1}" if many and at else named), source.name, at + 1),
            source,
            len({row[at] for row in labels}),
        )
        for at in range(len(labels[0]))
    ]


def _signals(source: Source) -> list[Column]:
    """The signals in one file: of a table with several, each under its own header."""
    head = source.head()
    names = [name for name in tables.columns(source, head) if name != "document"] if tables.is_table(head) else []
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
