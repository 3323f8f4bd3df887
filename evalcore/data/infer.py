"""A folder or upload without `collection.toml` -> the manifest it most likely has, with every guess noted."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from evalcore.data.assessments import Labels
from evalcore.data.kinds import Kind, Purpose, columns_of, kinds_of, read_as
from evalcore.data.manifest import ASSESSORS, Column, Highlighted, Linked, Manifest, OtherSource
from evalcore.data.names import ASPECT_WORDS, aspect_name, beyond_aspect, differences
from evalcore.data.readability import USUAL
from evalcore.data.sources import Source
from evalcore.data.tables import assessors_in
from evalcore.direction import Good
from evalcore.errors import InputError
from evalcore.structures.documents import Note, Scale
from evalcore.structures.sources import COMBINED

ByPurpose = dict[Purpose, list[Source]]
RUNS: tuple[Purpose, ...] = ("run", "part run")
# Of a signal or aspect; a Flesch that is not Kincaid's grade is his reading ease, which is high for an easy text.
LOW_IS_GOOD = ("fog", "smog", "kincaid", "difficult", "grade_level", "gunning", "coleman", "dale_chall", "harmful")
SPLITS = ("test", "dev", "validation", "train")  # of BEIR, the one that is scored first
NO_MANIFEST = Note("inferred", "collection", "no collection.toml: what the files are was inferred from them")
HARM = "harmfulness"
LEFT_FOR_HARM = (
    "not read: it lists harmful documents alone, and all others would gain as little as these; a collection.toml may "
    "name this file"
)
GRADINGS = {"bin", "binary", "graded", "grades"}


def infer(sources: Sequence[Source], title: str) -> tuple[Manifest, list[Note]]:
    """Guess what each file is from its first lines and its name. Raises InputError where nothing usable is found."""
    sources = sorted(sources, key=lambda source: source.name)
    kinds = kinds_of(sources)
    by_purpose: ByPurpose = {}
    for source in sources:
        by_purpose.setdefault(kinds[source.name].purpose, []).append(source)
    runs = _patterns(sources, [source for purpose in RUNS for source in by_purpose.get(purpose, ())])
    aspects, aspect_notes = _aspects(by_purpose.get("aspect", []), kinds)
    signals = [
        _signal(source, name, column)
        for source in by_purpose.get("signal", ())
        for name, column, _ in columns_of(source, kinds[source.name])
    ]
    folder = next(map(_folder, by_purpose.get("text", ())), "")
    passages, navigation = _highlighted(by_purpose), _linked(by_purpose)
    _need(runs, "runs", sources)
    _need(passages or aspects, "assessments (TREC qrels or a table)", sources)
    computed = tuple(name for name in USUAL if folder and name not in {c.scale.name for c in signals})
    manifest = Manifest(
        title=title,
        runs=tuple(runs),
        columns=(*aspects, *signals),
        documents=folder,
        corpus=_only(by_purpose, "corpus", "document texts"),
        readability=computed,
        queries=next((source.name for source in by_purpose.get("queries", ())), ""),
        passages=passages,
        navigation=navigation,
        systems=_only(by_purpose, "systems", "what systems are made of"),
        order="rank" if passages else Manifest.order,
    )
    return manifest, [*_notes(manifest, by_purpose), *aspect_notes]


def _notes(manifest: Manifest, files: ByPurpose) -> list[Note]:
    """What was taken for what, beside columns and runs; and what was left."""
    notes = [NO_MANIFEST]
    unused = [source.name for source in files.get("none", ())]
    if unused:
        shown = ", ".join(unused[:5]) + (f" and {len(unused) - 5} more" if len(unused) > 5 else "")
        notes.append(Note("dropped", "collection", f"neither runs nor assessments, not read: {shown}"))
    if manifest.corpus:
        notes.append(Note("inferred", manifest.corpus, "read as the texts of the documents"))
    if manifest.queries:
        notes.append(Note("inferred", manifest.queries, "read as the queries of the topics"))
    if manifest.systems:
        notes.append(Note("inferred", manifest.systems, "read as what systems are made of"))
    if passages := manifest.passages:
        notes.append(Note("inferred", ", ".join(passages.files), "read as highlighted text: relevance and specificity"))
    else:
        text = "parts of documents, it seems (offset and length, or a path): read as whole documents"
        notes += [Note("warning", source.name, text) for source in files.get("part run", ())]
    if navigation := manifest.navigation:
        names = ", ".join(filter(None, [navigation.links, navigation.components]))
        notes.append(Note("inferred", names, "read as where users can go from a result"))
    return notes


def _only(files: ByPurpose, purpose: Purpose, what: str) -> str:
    """The one file for a purpose, "" for none."""
    found = [source.name for source in files.get(purpose, ())]
    if len(found) > 1:
        raise InputError(f"expected one file of {what}, found {', '.join(found)}; write a collection.toml")
    return found[0] if found else ""


def _highlighted(files: ByPurpose) -> Highlighted | None:
    """Files of highlighted text, with the tables of elements and lengths among them."""
    highlights = tuple(source.name for source in files.get("highlights", ()))
    elements, lengths = _only(files, "elements", "elements"), _only(files, "lengths", "lengths")
    return Highlighted(highlights, elements, lengths) if highlights else None


def _linked(files: ByPurpose) -> Linked | None:
    """The edge list and the table of components."""
    linked = Linked(_only(files, "links", "links"), _only(files, "components", "components"))
    return linked if linked != Linked() else None


def _patterns(sources: Sequence[Source], found: Sequence[Source]) -> list[str]:
    """The runs found by name, or `folder/*` where a folder holds nothing else."""
    runs = {source.name: _folder(source) for source in sorted(found, key=lambda source: source.name)}
    mixed = {_folder(source) for source in sources if source.name not in runs} | {"."}
    patterns = (name if folder in mixed else f"{glob.escape(folder)}/*" for name, folder in runs.items())
    return list(dict.fromkeys(patterns))


def _need(found: object, what: str, sources: Sequence[Source]) -> None:
    if not found:
        names = ", ".join(source.name for source in sources[:5]) or "no file at all"
        raise InputError(f"expected {what}, found none among: {names}")


@dataclass(frozen=True)
class _Found:
    """An aspect in a file."""

    column: Column
    source: Source
    levels: int  # grades seen in it; 0 where they are not counted

    @property
    def name(self) -> str:
        return self.column.scale.name

    def called(self, name: str, **more: Any) -> _Found:
        return replace(self, column=replace(self.column, scale=replace(self.column.scale, name=name, **more)))


def _aspects(sources: Sequence[Source], kinds: Mapping[str, Kind]) -> tuple[list[Column], list[Note]]:
    sources, notes = _one_split(sources)
    by_name: dict[str, list[_Found]] = {}
    for source in sources:
        for name, column, levels in columns_of(source, kinds[source.name]):
            found_here = _Found(Column(Scale(name, good=_good(name)), source.name, column), source, levels)
            if name == HARM and len(sources) > 1 and _lists_harm_alone(found_here):
                notes.append(Note("dropped", source.name, LEFT_FOR_HARM))
            else:
                by_name.setdefault(name, []).append(found_here)
    if meant := _meant_by_relevance(by_name):
        found = by_name.pop(meant)
        by_name["relevance"] = [one.called("relevance", good="high") for one in found]
        text = "read as relevance, which no other file holds; a collection.toml may call it something else"
        notes += [Note("inferred", one.column.file, text) for one in found]
    kept: list[Column] = []
    for name in sorted(by_name, key=lambda name: name != "relevance"):
        found, dropped = _without_coarser(by_name[name])
        notes += dropped
        if names := _source_names(found):
            kept.append(_with_sources(found, names))
            notes += _source_notes(kept[-1])
            continue
        apart = _apart(found)
        kept += [_by_assessors(one) for one in apart]
        notes += [
            Note("inferred", one.column.file, f"holds {name} too, as {apart[0].column.file} does: kept as {one.name}")
            for one in apart[1:]
        ]
    return kept, notes


def _lists_harm_alone(found: _Found) -> bool:
    """Whether no line calls a document harmless: then one without a label would gain as little as the most harmful."""
    with suppress(InputError):
        labels: Labels = read_as("aspect", found.source, found.column.scale, found.column.column)
        return bool((labels.grades > 0).all())
    return False


def _meant_by_relevance(found: Mapping[str, list[_Found]]) -> str:
    """Where no aspect is called relevance, the only one whose file says nothing of what it holds; "" for none."""
    if "relevance" in found:
        return ""
    others = (name for name in found if name not in ASPECT_WORDS)
    unnamed = [name for name in others if all(one.column.column == 1 for one in found[name])]
    return unnamed[0] if len(unnamed) == 1 else ""


def _by_assessors(found: _Found) -> Column:
    """The column, with what says in its file who gave each label."""
    return replace(found.column, assessor_column=assessors_in(found.source))


def _source_names(found: list[_Found]) -> list[str]:
    """What several sources of one aspect are called, if that is what its files are; else none.

    They are if their names differ by words, other than how fine the grades are, and all assess topics of the first.
    """
    said = differences([one.column.file for one in found])
    is_grading = set(" ".join(said).split()) <= GRADINGS
    if len(set(said)) < max(len(said), 2) or is_grading or len({_speaks_of(one) for one in found}) > 1:
        return []
    names: list[str] = []
    for one, text in zip(found, said, strict=True):
        file = one.column.file
        words = (beyond_aspect(text) or ASSESSORS, text, file, f"labels in {file}")
        names.append(next(name for name in words if name and name not in names and name not in COMBINED))
    topics = [_topics(one) for one in found]
    first = topics[_default(said)]
    return names if all(first & others for others in topics) else []


def _default(said: Sequence[str]) -> int:
    """Which of several files is read unasked: the one whose name says no more than the aspect, else the first."""
    beyond = [beyond_aspect(text) for text in said]
    return next((listed.index("") for listed in (said, beyond) if "" in listed), 0)


def _speaks_of(one: _Found) -> str:
    """What a column without a name of its own is named after."""
    return aspect_name(one.source) if isinstance(one.column.column, int) and one.column.column > 1 else ""


def _topics(one: _Found) -> set[str]:
    """The topics that a file assesses; none of one that cannot be read: the error is that of the aspect."""
    with suppress(InputError):
        if one.column.assessor_column or assessors_in(one.source):
            return set()
        labels: Labels = read_as("aspect", one.source, one.column.scale, one.column.column)
        return set(labels.topics)
    return set()


def _with_sources(found: list[_Found], names: list[str]) -> Column:
    at = _default(differences([one.column.file for one in found]))
    others = [
        OtherSource(name, one.column.file, one.column.column)
        for name, one in zip(names, found, strict=True)
        if one is not found[at]
    ]
    return replace(found[at].column, source=names[at], sources=tuple(others))


def _source_notes(column: Column) -> list[Note]:
    name = column.scale.name
    notes = [Note("inferred", one.file, f"read as {name} by another source, {one.name}") for one in column.sources]
    if beyond_aspect(differences(column.files)[0]):
        others = ", ".join(one.name for one in column.sources)
        text = f"read by default: the first by name of the sources of {name} ({column.source}, {others})"
        notes.append(Note("inferred", column.file, text))
    return notes


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
    said = [set(text.split()) for text in differences([one.column.file for one in found])]
    alike = [one for one, words in zip(found, said, strict=True) if words <= GRADINGS]
    if not any(words <= GRADINGS for words in said if words):
        return found, []
    best = max(alike, key=lambda one: one.levels)
    coarser = [one for one in alike if one is not best and _is_coarser(one, best)]
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
    if not one.levels or not other.levels:
        return False
    with suppress(InputError):
        labels = (read_as("aspect", found.source, found.column.scale, found.column.column) for found in (one, other))
        mine, theirs = (pd.Series(read.grades, index=read.pairs) for read in labels)
        pairs = pd.DataFrame({"theirs": theirs.reindex(mine.index), "mine": mine}).drop_duplicates()
        steps = pairs.sort_values("theirs")
        return bool(
            steps["theirs"].notna().all() and steps["theirs"].is_unique and steps["mine"].is_monotonic_increasing
        )
    return False


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


def _signal(source: Source, name: str, column: int | str) -> Column:
    return Column(Scale(name, kind="signal", good=_good(name)), source.name, column)


def _good(name: str) -> Good:
    """Which end is good, as a name says it."""
    return "low" if any(word in name.lower() for word in LOW_IS_GOOD) else "high"


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
