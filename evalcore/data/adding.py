"""Adding files to an open collection: runs, labels by another judge or of another aspect, signals, scores or groups.

All files are read again: the old ones as they were described, and the new ones as their content and names indicate. So
the result does not depend on the order in which files are added.
"""

from __future__ import annotations

import glob
from collections.abc import Collection as Names
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from evalcore.common.progress import checkpoint
from evalcore.data.collection_files import Files, Package
from evalcore.data.collection_files import origin_of as origin_of
from evalcore.data.file_kind import Look
from evalcore.data.kinds import columns_of, kinds_of
from evalcore.data.manifest import ASSESSORS, FILE_NAME, Column, Manifest, OtherSource, Scored
from evalcore.data.names import beyond_aspect, called_aspect
from evalcore.data.readability import signal_scale
from evalcore.data.sources import Source
from evalcore.errors import InputError, counted
from evalcore.limits import refuse_more
from evalcore.structures.documents import Collection, Note, Scale

FOLDER = "added"


@dataclass(frozen=True)
class Addition:
    """A file and its role in the collection, in words (`text`). `system` is set for a run, `measure` for scores."""

    file: str
    text: str
    system: str = ""
    measure: str = ""


def adding(package: Package, sources: Sequence[Source]) -> tuple[Package, list[Addition]]:
    """Return the package with these files added, and an `Addition` for each thing that the files add.

    Raises InputError for a file without a run, labels, a signal, scores or groups, and for a run whose name is taken.
    """
    if not sources:
        raise InputError("expected files to add, found none")
    if package.manifest.passages or package.manifest.navigation:
        raise InputError("expected a collection of whole documents to add to, found one of passages or links")
    refuse_more("archive_members", len(package.files.sources) + len(sources), where=sources[0].name)
    kinds = kinds_of(map(Look, sources))
    taken = {source.name for source in package.files.sources}
    manifest, files, additions = package.manifest, list(package.files.sources), list[Addition]()
    systems, scores = {source.stem for source in package.inputs.runs}, list[tuple[Source, Source]]()
    for source in sources:
        kind, placed = kinds[source.name], replace(source, name=_free(source.name, taken), label=source.label)
        taken.add(placed.name)
        files.append(placed)
        if kind.purpose == "run":
            if source.stem in systems:
                problem = f"expected a run with a new name, found {source.stem!r} again"
                raise InputError(f"{problem}: rename the file", source.name)
            systems.add(source.stem)
            manifest = replace(manifest, runs=(*manifest.runs, glob.escape(placed.name)))
            additions.append(Addition(source.name, f"a run, the system {source.stem}", source.stem))
        elif kind.purpose in ("aspect", "signal"):
            for name, at in columns_of(source, kind):
                added = _with_signal if kind.purpose == "signal" else _with_labels
                manifest, text = added(manifest, name, at, source, placed)
                additions.append(Addition(source.name, text))
        elif kind.purpose == "scores":
            scores.append((source, placed))
        elif kind.purpose == "groups" and not manifest.groups:
            manifest = replace(manifest, groups=placed.name)
            additions.append(Addition(source.name, "groups of topics"))
        else:
            raise InputError(f"expected a run, labels, a signal or scores to add, found {kind.name}", source.name)
    manifest, joined = _with_scores(replace(package, manifest=manifest), scores)
    additions += joined
    notes = tuple(Note("inferred", addition.file, f"added as {addition.text}") for addition in additions)
    every = Files(files, package.files.base, package.files.flat)
    return Package(manifest, every, (*package.inferred, *notes)), additions


def _free(name: str, taken: Names[str]) -> str:
    """Return a path for an added file: the same name, in a folder that has no other file of that name."""
    plain = PurePosixPath(name).name
    return f"{_numbered(FOLDER, {other.removesuffix(f'/{plain}') for other in taken})}/{plain}"


def _with_signal(manifest: Manifest, name: str, at: int | str, _: Source, placed: Source) -> tuple[Manifest, str]:
    if any(column.scale.name == name for column in manifest.columns):
        raise InputError(f"expected a signal with a new name, found {name!r}", placed.name)
    column = Column(signal_scale(name), placed.name, at)
    return replace(manifest, columns=(*manifest.columns, column)), f"a signal, {name}"


def _with_labels(manifest: Manifest, name: str, at: int | str, source: Source, placed: Source) -> tuple[Manifest, str]:
    """Return the manifest with these labels as another source of an existing aspect or as a new aspect, and their role.

    The role is in words, as in `Addition`. Raises InputError if the existing aspect has a column of assessors.
    """
    known = {column.scale.name: column for column in manifest.columns if column.file}
    own = known.get(name)
    if own is None and name == source.stem and not called_aspect(source.name) and len(known) == 1:
        own = next(iter(known.values()))  # the file name says nothing about the aspect
    if own is None:
        column = Column(Scale(name), placed.name, at)
        return replace(manifest, columns=(*manifest.columns, column)), f"labels of a new aspect, {name}"
    if own.assessor_column:
        where = f"a column of assessors in {own.file}"
        raise InputError(f"expected one file for each source of {own.scale.name}, found {where}", source.name)
    words = " ".join(source.stem.replace(".", " ").replace("_", " ").split())
    by = _numbered(beyond_aspect(words) or source.stem, {own.source or ASSESSORS, *(one.name for one in own.sources)})
    others = (*own.sources, OtherSource(by, placed.name, at))
    changed = replace(own, source=own.source or ASSESSORS, sources=others)
    columns = tuple(changed if column is own else column for column in manifest.columns)
    return replace(manifest, columns=columns), f"{own.scale.name} labels by another source, {by}"


def _with_scores(package: Package, sources: Sequence[tuple[Source, Source]]) -> tuple[Manifest, list[Addition]]:
    """Return the manifest with these scores added, and an `Addition` for each measure.

    Scores extend an existing measure if they are for other systems or topics; otherwise they are a new measure.
    `sources` pairs each file as it was given with the same file under its name in the collection.
    """
    if not sources:
        return package.manifest, []
    from evalcore.data.collection_scores import cells_of, inferred

    known = {scores.name: scores for scores, _ in package.inputs.scores}
    cells = {scores.name: cells_of(files, scores) for scores, files in package.inputs.scores}
    additions = []
    for source, placed in sources:
        for table in inferred([placed])[0]:
            own, before = cells_of([placed], table), known.get(table.name)
            more = before is not None and before.read_as == table.read_as and not cells[table.name] & own
            name = table.name if more else _numbered(table.name, known)
            measure = "" if table.read_as == name else table.read_as
            files = (*before.files, *table.files) if before and more else table.files
            good = before.good if before and more else table.good
            known[name], cells[name] = Scored(name, files, measure, good), cells.get(name, set()) | own
            text = f"more scores by {name}" if more else f"scores by {name} ({good} is good)"
            additions.append(Addition(source.name, text, measure=name))
    return replace(package.manifest, scores=tuple(known.values())), additions


def _numbered(name: str, taken: Names[str]) -> str:
    """Return the name, with a number after it if the name is taken."""
    return next(free for free in (name, *(f"{name} {at}" for at in range(2, len(taken) + 3))) if free not in taken)


def files_of(collection: Collection) -> tuple[tuple[str, bytes], ...]:
    """Return (name, content) of each file of a collection except `collection.toml`, with names as in that description.

    The collection must have been read from files.

    Raises InputError if the files together are larger than an upload may be.
    """
    package = origin_of(collection)
    assert package is not None
    files = package.files
    listed = ((source.name.removeprefix(files.base), source) for source in files.sources)
    read, size = [], 0
    for name, source in listed:
        if PurePosixPath(name).name != FILE_NAME:
            read.append((name, source.read()))
            size += len(read[-1][1])
            refuse_more("archive_bytes", size, where=source.name)
            checkpoint()
    return tuple(read)


def refuse_strangers(collection: Collection, additions: Sequence[Addition]) -> None:
    """Raise InputError for an added run without an assessed topic, or for added scores that do not fit.

    Scores fit if they are for at least two systems and one topic of the collection.
    """
    systems = collection.report.systems
    for addition in additions:
        if addition.measure and addition.measure not in collection.rankings.given:
            expected = f"expected scores of two or more systems (such as {', '.join(collection.systems[:2])})"
            raise InputError(f"{expected} on at least one topic of this collection, found none", addition.file)
        if addition.system:
            facts = systems.loc[addition.system]
            if not facts["topics"]:
                example = facts["dropped_example"]
                problem = f"expected a run on topics of this collection (such as {collection.topics[0]!r})"
                raise InputError(f"{problem}, found other topics (such as {example!r})", addition.file)


def topic_text(collection: Collection, addition: Addition) -> str:
    """Return a text on how many topics of the collection an added run covers, and how many other topics it has.

    "" for files other than runs.
    """
    if not addition.system:
        return ""
    facts, count = collection.report.systems.loc[addition.system].to_dict(), len(collection.topics)
    parts = [f"on {facts['topics']:,} of {counted(count, 'topic')}"]
    if facts["topics"] < count:
        parts.append("0 on the other topics")
    if facts["dropped_topics"]:
        parts.append(f"without {counted(facts['dropped_topics'], 'more topic')} that nobody assessed")
    return ", ".join(parts)
