"""The sources of each aspect's labels: read from files, put on one scale, and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.assessments import Labels, joined
from evalcore.data.kinds import read_as
from evalcore.data.manifest import FILE_NAME, Column, OtherSource, check_source
from evalcore.data.names import is_trusted
from evalcore.data.sources import Source
from evalcore.data.tables import read_by_assessor
from evalcore.errors import InputError, counted
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Assessments, Note, assumed_grades

BySource = dict[str, Labels]  # the default first
# Of an aspect. It is limited, as each source holds a label for every document, and a majority compares all sources
MOST_SOURCES = most("sources")


def read_sources(
    column: Column, files: Sequence[Source], others: Sequence[tuple[OtherSource, Sequence[Source]]], before: int = 0
) -> BySource:
    """Return the labels of one aspect by source, the default first. A single source is called `column.source`.

    The labels of a source may be in one file or split over several. Raises InputError for an error in a file, for
    names of sources that clash, for a label that two parts give differently, or if there are too many labels, counting
    the `before` labels that were already read for other aspects.
    """
    if column.assessor_column:
        how = (column.column, column.assessor_column, column.missing, column.mapped)
        parts = [read_by_assessor(file, column.scale, *how) for file in files]
        names = dict.fromkeys(name for part in parts for name in part)
        by_assessor = {name: joined([part[name] for part in parts if name in part]) for name in names}
        _refuse_many(column, len(by_assessor), files[0].name)
        return _on_one_scale(_default_first(by_assessor, column, files[0]))
    _refuse_many(column, 1 + len(others), FILE_NAME)
    by_source = dict[str, Labels]()
    given: list[tuple[str, Column | OtherSource, Sequence[Source]]] = [(column.source, column, files)]
    for name, one, sources in [*given, *((column.name, column, parts) for column, parts in others)]:
        read = list[Labels]()
        for file in sources:
            read.append(_read(column, file, one))
            before += len(read[-1].grades)
            refuse_more("labels", before, where=file.name)
        by_source[name] = joined(read)
    return _on_one_scale(by_source)


def _refuse_many(column: Column, count: int, where: str) -> None:
    if count > MOST_SOURCES:
        expected = f"expected at most {MOST_SOURCES} sources of {column.scale.name} labels"
        raise InputError(f"{expected}, found {count:,}", where)


def _read(column: Column, file: Source, given: Column | OtherSource) -> Labels:
    mapped = (given.mapped,) if given.mapped else ()
    labels: Labels = read_as("aspect", file, column.scale, given.column, given.missing, *mapped)
    return labels


def _default_first(by_source: BySource, column: Column, file: Source) -> BySource:
    """Return the sources with the default one first: `column.source`, else the one with the most labels.

    Ties are broken in favour of people, then by name.
    """
    for name in by_source:
        check_source(name, file.name)
    busiest = min(by_source, key=lambda name: (-len(by_source[name].grades), not is_trusted(name), name))
    default = column.source or busiest
    if default not in by_source:
        known = ", ".join(by_source)
        problem = f"expected `source` to be one of the assessors in {file.name} ({known}), found {default!r}"
        raise InputError(problem, f"{FILE_NAME} [aspects.{column.scale.name}]")
    return {default: by_source[default]} | by_source


def _on_one_scale(by_source: BySource) -> BySource:
    """Return the labels of all sources on one scale, if none is declared."""
    if len(by_source) == 1 or not all(source.assumed for source in by_source.values()):
        return by_source
    grades = assumed_grades(np.concatenate([source.grades for source in by_source.values()]))
    return {name: replace(source, scale=replace(source.scale, grades=grades)) for name, source in by_source.items()}


def refuse_strangers(
    by_aspect: Mapping[str, BySource], columns: Mapping[str, Column], more: Sequence[Labels] = ()
) -> None:
    """Raise InputError if no topic in a file of another source occurs in the default labels or in `more`.

    A source may also label further topics. A measure is computed over the topics covered by the labels that it reads.
    """
    if all(len(by_source) == 1 for by_source in by_aspect.values()):
        return
    unasked = [*more, *(next(iter(by_source.values())) for by_source in by_aspect.values())]
    topics = {topic for source in unasked for topic in source.topics.tolist()}
    for aspect, by_source in by_aspect.items():
        default, *others = by_source.values()
        for labels in others if not columns[aspect].assessor_column else ():
            theirs = set(labels.topics.tolist())
            if topics.isdisjoint(theirs):
                problem = f"expected {aspect} labels of at least one topic that {default.name} assesses"
                raise InputError(f"{problem}, found none among {counted(len(theirs), 'topic')}", labels.name)


def source_table(pool: Assessments) -> pd.DataFrame:
    """Return the number of documents that each source labelled, for each aspect with several sources.

    Columns: aspect, source, read (true for the default one), documents, topics, shared (documents that the default
    labelled too), alike (shared documents with the same label). A value that means "not judged" does not count as a
    label.
    """
    rows = []
    for aspect, one in pool.sources.items():
        scale = pool.scale(aspect)
        default = scale.judged(one.labels[one.default])
        for name, given in one.labels.items():
            labels = scale.judged(given)
            known = ~np.isnan(labels)
            rows.append(
                {
                    "aspect": aspect,
                    "source": name,
                    "read": name == one.default,
                    "documents": int(known.sum()),
                    "topics": len(np.unique(pool.topic[known])),
                    "shared": int((known & ~np.isnan(default)).sum()),
                    "alike": int((labels == default).sum()),
                }
            )
    return pd.DataFrame(rows, columns=["aspect", "source", "read", "documents", "topics", "shared", "alike"])


def source_notes(pool: Assessments, by_aspect: Mapping[str, BySource], columns: Mapping[str, Column]) -> Iterator[Note]:
    """Yield notes on how many documents each source labelled, and on labels that cannot be compared as they are."""
    for row in source_table(pool).itertuples() if pool.sources else ():
        aspect, name = str(row.aspect), str(row.source)
        labels, default = by_aspect[aspect][name], pool.sources[aspect].default
        text = f"{aspect} labels by {name}: {counted(cast(int, row.documents), 'document')}"
        if row.read:
            why = "; no judge has more labels" if columns[aspect].assessor_column and not columns[aspect].source else ""
            yield Note("inferred", labels.name, f"{text}, read unless another source is chosen{why}")
        else:
            shared = f"{row.shared:,} of them also labelled by {default}, {row.alike:,} of these with the same label"
            yield Note("inferred", labels.name, f"{text}, {shared}")
            if labels.by_subtopic is not None:
                kept = next(source for source, one in by_aspect[aspect].items() if one.by_subtopic is not None)
                extent = "as well" if kept == name else f"only for {kept}"
                text = f"each document gets its highest grade over subtopics; grades by subtopic are kept {extent}"
                yield Note("inferred", labels.name, f"{aspect} labels by {name}: {text}")
            if not _is_mapped(columns[aspect], name):
                yield from _other_scale(labels, by_aspect[aspect][default], aspect, name, default)
        grades = np.unique(labels.scale.judged(labels.grades))
        if len(grades) == 1:
            text = f"{aspect} labels by {name} are all {grades[0]:g}: they do not separate any documents"
            yield Note("warning", labels.name, text)


def _is_mapped(column: Column, name: str) -> bool:
    """Return true if a map translates the grades of a source."""
    mapped = any(source.mapped for source in column.sources if source.name == name)
    return mapped or bool(column.assessor_column and column.mapped)


def _other_scale(labels: Labels, default: Labels, aspect: str, name: str, by: str) -> Iterator[Note]:
    """Yield a warning if the highest grades of two sources differ on an undeclared scale."""
    mine, theirs = labels.grades.max(), default.grades.max()
    if labels.assumed and mine != theirs:
        text = f"{aspect} labels by {name} go up to {mine:g}, those by {by} to {theirs:g}: read as grades of one scale"
        yield Note("warning", labels.name, f"{text}; a map in {FILE_NAME} can declare which are equal")
