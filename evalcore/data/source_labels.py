"""The sources of each aspect's labels: read from files, put on one scale and on the topics of the pool, and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pandas as pd

from evalcore.data.assessments import Labels
from evalcore.data.kinds import read_as
from evalcore.data.manifest import FILE_NAME, Column, OtherSource, check_source
from evalcore.data.sources import Source
from evalcore.data.tables import read_by_assessor
from evalcore.errors import InputError, counted
from evalcore.structures.documents import Assessments, Note, assumed_grades

BySource = dict[str, Labels]  # the default first
MOST_SOURCES = 100  # of an aspect: each has a label for every document, and a majority compares all with all


def read_sources(column: Column, file: Source, others: Sequence[tuple[OtherSource, Source]]) -> BySource:
    """The labels of one aspect by each source, the default first; of a single one under `column.source`.

    Raises InputError for what is wrong in a file, and for names of sources that clash.
    """
    if len(others) >= MOST_SOURCES:
        raise _too_many(column, 1 + len(others), FILE_NAME)
    if column.assessor_column:
        how = (column.column, column.assessor_column, column.missing, column.mapped)
        by_assessor = read_by_assessor(file, column.scale, *how)
        if len(by_assessor) > MOST_SOURCES:
            raise _too_many(column, len(by_assessor), file.name)
        return _on_one_scale(_default_first(by_assessor, column, file))
    found = {column.source: _read(column, file, column)}
    found |= {one.name: _read(column, source, one) for one, source in others}
    return _on_one_scale(found)


def _too_many(column: Column, found: int, where: str) -> InputError:
    return InputError(f"expected at most {MOST_SOURCES} sources of {column.scale.name} labels, found {found:,}", where)


def _read(column: Column, file: Source, given: Column | OtherSource) -> Labels:
    mapped = (given.mapped,) if given.mapped else ()
    labels: Labels = read_as("aspect", file, column.scale, given.column, given.missing, *mapped)
    return labels


def _default_first(found: BySource, column: Column, file: Source) -> BySource:
    """Those by `column.source` first, without it by who gave the most labels; of as many, the first by name."""
    for name in found:
        check_source(name, file.name)
    most = min(found, key=lambda name: (-len(found[name].grades), name))
    default = column.source or most
    if default not in found:
        known = ", ".join(found)
        where = f"{FILE_NAME} [aspects.{column.scale.name}]"
        raise InputError(
            f"expected source to be one of the assessors in {file.name} ({known}), found {default!r}", where
        )
    return {default: found[default]} | found


def _on_one_scale(found: BySource) -> BySource:
    """Where nobody declared the scale: that of the labels of all."""
    if len(found) == 1 or not all(one.assumed for one in found.values()):
        return found
    grades = assumed_grades(np.concatenate([one.grades for one in found.values()]))
    return {name: replace(one, scale=replace(one.scale, grades=grades)) for name, one in found.items()}


def on_topics(
    given: Mapping[str, BySource], columns: Mapping[str, Column], more: Sequence[Labels] = ()
) -> tuple[dict[str, BySource], list[Note]]:
    """The labels of all sources on the topics that default ones, or `more`, assess; and notes on what is dropped.

    Raises InputError for a file of another source that has none of these topics.
    """
    if all(len(found) == 1 for found in given.values()):
        return dict(given), []
    unasked = [*more, *(next(iter(found.values())) for found in given.values())]
    topics = pd.unique(np.concatenate([one.topics for one in unasked]))
    kept: dict[str, BySource] = {}
    notes = []
    for aspect, found in given.items():
        kept[aspect] = {}
        for name, one in found.items():
            inside = pd.Index(one.topics).isin(topics)
            others = len(pd.unique(one.topics[~inside]))
            if not inside.any() and not columns[aspect].assessor_column:
                default = next(iter(found.values()))
                problem = f"expected {aspect} labels of some topic that {default.name} assesses"
                raise InputError(f"{problem}, found none among {others:,} topics", one.name)
            if others:
                what = f"{aspect} labels by {name} on {others:,} topics"
                notes.append(Note("dropped", one.name, f"{what} that the labels read by default leave out: not read"))
            if inside.any():
                kept[aspect][name] = one if inside.all() else one.take(inside)
    return kept, notes


def source_table(pool: Assessments) -> pd.DataFrame:
    """Who labelled how many documents: a line for each source of each aspect that has several.

    Columns: aspect, source, read (whether unasked), documents, topics, shared (documents that the default labelled
    too), alike (of those, how many with the same label). What means "not judged" is no label.
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
    names = ["aspect", "source", "read", "documents", "topics", "shared", "alike"]
    return pd.DataFrame(rows, columns=names)


def source_notes(pool: Assessments, given: Mapping[str, BySource], columns: Mapping[str, Column]) -> list[Note]:
    """Notes on how many documents each source labelled, and on labels that cannot be compared as they are."""
    notes = []
    for row in source_table(pool).itertuples():
        aspect, name = str(row.aspect), str(row.source)
        labels, default = given[aspect][name], pool.sources[aspect].default
        text = f"{aspect} labels by {name}: {counted(cast(int, row.documents), 'document')}"
        if row.read:
            why = ", who gave the most" if columns[aspect].assessor_column and not columns[aspect].source else ""
            notes.append(Note("inferred", labels.name, f"{text}, read unless another source is asked for{why}"))
        else:
            shared = f"{row.shared:,} of them labelled by {default} too, {row.alike:,} alike"
            notes.append(Note("inferred", labels.name, f"{text}, {shared}"))
            if labels.by_subtopic is not None:
                text = f"{aspect} labels by {name}: the highest over subtopics, which are kept of {default} alone"
                notes.append(Note("inferred", labels.name, text))
            if not _is_mapped(columns[aspect], name):
                notes += _other_scale(labels, given[aspect][default], aspect, name, default)
        found = np.unique(labels.scale.judged(labels.grades))
        if len(found) == 1:
            text = f"{aspect} labels by {name} are all {found[0]:g}: they tell no document from another"
            notes.append(Note("warning", labels.name, text))
    return notes


def _is_mapped(column: Column, name: str) -> bool:
    """Whether a map says what the grades of a source mean."""
    return bool(column.assessor_column and column.mapped) or any(
        one.mapped for one in column.sources if one.name == name
    )


def _other_scale(labels: Labels, default: Labels, aspect: str, name: str, by: str) -> list[Note]:
    """A note where nobody declared the scale and one source uses more of it."""
    mine, theirs = labels.grades.max(), default.grades.max()
    if not labels.assumed or mine == theirs:
        return []
    text = f"{aspect} labels by {name} go up to {mine:g}, those by {by} to {theirs:g}: read as grades of one scale"
    return [Note("warning", labels.name, f"{text}; a map in {FILE_NAME} would say which mean the same")]
