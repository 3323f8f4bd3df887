"""The pool of a collection: all labels and signals that its manifest names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray
from evalcore.common.constants import HIGHLIGHTED
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import Progress, checkpoint
from evalcore.data.assessments import Labels, plain_subtopics
from evalcore.data.collection_files import Inputs
from evalcore.data.kinds import read_as
from evalcore.data.manifest import Column, Manifest
from evalcore.data.readability import FORMULAS, readability, signal_scale
from evalcore.data.report_tables import Facts
from evalcore.data.source_labels import BySource, read_sources, refuse_strangers, source_notes
from evalcore.data.subject_data import OtherPool
from evalcore.data.text_files import comment_notes
from evalcore.errors import InputError, counted
from evalcore.limits import refuse_more
from evalcore.structures.documents import RELEVANCE, Assessments, Note, Scale, natural_key
from evalcore.structures.sources import Sources


@dataclass(frozen=True, eq=False)
class Pool:
    """The pool as it is read before the runs, with texts of documents, queries, notes, and grades by subtopic."""

    assessments: Assessments
    described: Facts  # for the report, a line for each column
    texts: Mapping[str, str]
    queries: Mapping[str, str]
    notes: tuple[Note, ...]
    subtopics: pd.DataFrame | None = None


def read_pool(
    manifest: Manifest, inputs: Inputs, tell: Progress, judged: OtherPool | None = None, scored: Sequence[str] = ()
) -> Pool:
    """Read labels, signals, texts and queries, and join them into a pool.

    `judged` are assessments of parts of documents; `scored` are topics with given scores, which the pool
    includes even if they have no assessments.

    Raises InputError for an error in a file.
    """
    tell(0.02, "Reading assessments")
    read = _read_labels(inputs, [judged.labels] if judged else [])
    labels = read.labels
    signals = {signal.scale.name: (signal.scale, document_values(signal)) for signal in read.signals}
    texts = texts_of(inputs, {document for aspect in (*labels, *read.others) for document in aspect.documents})
    computed = manifest.readability if texts else ()
    for name in computed:
        tell(0.06, f"Computing {name} of {counted(len(texts), 'document')}")
        signals[name] = (signal_scale(name), readability(texts, name))
    by_document = [aspect.scale.name for aspect in labels[1:]] if manifest.labels == "by-document" else []
    none = Assessments((), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object), {}, {})
    pool = build_pool(labels, by_document, signals, read.by_source) if labels or not scored else none
    pool = _with_topics(pool, scored)
    pool = judged.with_signals(pool) if judged else pool
    topics = set(pool.topics)
    queries = read_as("queries", inputs.alone["queries"], topics) if "queries" in inputs.alone else {}
    together = [_together(label, read.by_source.get(label.scale.name, {})) for label in labels]
    notes = [
        *(judged.notes if judged else ()),
        *_label_notes([*labels, *read.signals]),
        *_label_notes([replace(other, by_subtopic=None) for other in read.others]),
        *(Note("inferred", aspect.name, text) for aspect in together for text in _assumptions(aspect)),
        *(Note("warning", aspect.name, text) for aspect in together if (text := _all_positive(aspect))),
        *source_notes(pool, read.by_source, read.columns),
        *(Note("inferred", name, f"computed from the texts: {FORMULAS[name].words}") for name in computed),
        *_leading_notes(pool),
        *_unused_notes(pool, read.signals),
        *_coverage_notes(pool, {column.scale.name: column.file for column in manifest.columns}),
    ]
    if by_document:
        text = f"{', '.join(by_document)}: the first label of a document counts for all topics"
        notes.append(Note("inferred", "labels", text))
    as_texts = {name: text for label in (*labels, *read.others) for name, text in label.queries.items()}
    queries = {**(judged.titles if judged else {}), **as_texts, **queries}
    subtopics = _subtopics([*labels, *read.others], topics)
    return Pool(pool, _described(pool, manifest), texts, queries, tuple(notes), subtopics)


@dataclass(frozen=True, eq=False)
class _Read:
    """The labels that are read by default, labels by other sources, and signals."""

    labels: list[Labels]
    by_source: dict[str, BySource]  # of aspects in files
    columns: dict[str, Column]  # of the same aspects
    signals: list[Labels]

    @property
    def others(self) -> list[Labels]:
        """The labels of all sources except the default ones."""
        return [other for labels in self.by_source.values() for other in list(labels.values())[1:]]


def _read_labels(inputs: Inputs, highlighted: list[Labels]) -> _Read:
    """Read all files of labels and signals. A file with several aspects or signals is read once for each of them."""
    aspects = [(column, files) for column, files in inputs.columns if column.scale.kind == "grades"]
    columns = {column.scale.name: column for column, _ in aspects}
    by_aspect = dict[str, BySource]()
    count = 0
    for column, files in aspects:
        others = [(source, of_source) for of, source, of_source in inputs.others if of is column]
        by_source = by_aspect[column.scale.name] = read_sources(column, files, others, count)
        count += sum(len(source.grades) for source in by_source.values())
    signals = list[Labels]()
    for column, files in inputs.columns:
        if column.scale.kind == "signal":
            signals.append(read_as("signal", files[0], column.scale, column.column))
            count += len(signals[-1].grades)
            refuse_more("labels", count, where=files[0].name)
    refuse_strangers(by_aspect, columns, highlighted)
    labels = [*highlighted, *(next(iter(by_source.values())) for by_source in by_aspect.values())]
    return _Read(labels, by_aspect, columns, signals)


def build_pool(
    labels: Sequence[Labels],
    by_document: Sequence[str] = (),
    signals: Mapping[str, tuple[Scale, pd.Series[float]]] | None = None,
    by_source: Mapping[str, BySource] | None = None,
) -> Assessments:
    """Join aspects (and signals of documents) into one pool.

    Rows are the (topic, document) pairs that have a label of any aspect by any of its sources (`by_source`; `labels`
    are by the default sources). For an aspect named in `by_document`, a pair gets the first label that the document has
    under any topic, as in the uRBP tool of 2016.
    """
    if not labels:
        raise InputError("expected assessments of at least one aspect, found none")
    several = {name: found for name, found in (by_source or {}).items() if len(found) > 1}
    every = [*labels, *(other for found in several.values() for other in list(found.values())[1:])]
    pairs = dict.fromkeys(chain.from_iterable(map(_pairs_of, every)))
    checkpoint()
    names = dict.fromkeys(topic for topic, _ in pairs)
    refuse_more("topics", len(names), where=labels[0].name)
    topics = sorted(names, key=natural_key)
    code = {name: code for code, name in enumerate(topics)}
    codes = np.fromiter((code[topic] for topic, _ in pairs), np.int64, len(pairs))
    refuse_more("labels", len(pairs), len(every) + len(signals or ()), where=labels[0].name)
    order = np.argsort(codes, kind="stable")
    checkpoint()
    documents = np.fromiter((document for _, document in pairs), object, len(pairs))[order]
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    rows = _Rows(dict(zip(pairs, places.tolist(), strict=True)), documents)
    checkpoint()
    columns = {label.scale.name: _column(label, rows, label.scale.name in by_document) for label in labels}
    scales = {aspect.scale.name: aspect.scale for aspect in labels}
    sources = {name: _sources(found, columns[name], rows, name in by_document) for name, found in several.items()}
    for name, (scale, values) in (signals or {}).items():
        columns[name] = np.asarray(values.reindex(documents), dtype=np.float64)
        scales[name] = scale
    return Assessments(tuple(topics), codes[order], documents, columns, scales, sources)


def _with_topics(pool: Assessments, topics: Sequence[str]) -> Assessments:
    """Return the pool with these topics added; they have no assessed documents."""
    if not topics:
        return pool
    every = tuple(sorted({*pool.topics, *topics}, key=natural_key))
    place = {name: at for at, name in enumerate(every)}
    moved = np.array([place[name] for name in pool.topics], dtype=np.int64)
    return replace(pool, topics=every, topic=moved[pool.topic])


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a pool: the row of each (topic, document), and the documents by row."""

    row_of: Mapping[tuple[str, str], int]
    documents: NDArray[np.object_]


def _pairs_of(labels: Labels) -> Iterator[tuple[str, str]]:
    return zip(labels.topics.tolist(), labels.documents.tolist(), strict=True)


def _sources(by_source: BySource, default: FloatArray, rows: _Rows, by_document: bool) -> Sources:
    first, *others = by_source
    columns = {name: _column(by_source[name], rows, by_document) for name in others}
    return Sources({first: default, **columns}, first)


def _column(labels: Labels, rows: _Rows, by_document: bool) -> FloatArray:
    if by_document:
        return np.asarray(document_values(labels).reindex(rows.documents), dtype=np.float64)
    values = np.full(len(rows.documents), np.nan)
    own = map(rows.row_of.__getitem__, _pairs_of(labels))
    values[np.fromiter(own, np.int64, len(labels.grades))] = labels.grades
    return values


def document_values(labels: Labels) -> pd.Series[float]:
    """Return the first value of each document, over all topics."""
    index = pd.Index(labels.documents, name="document", dtype=object)
    values = pd.Series(labels.grades, index=index, name=labels.scale.name)
    return values[~index.duplicated()]


def texts_of(inputs: Inputs, wanted: set[str] | None) -> dict[str, str]:
    """Return the texts of the `wanted` documents (None: all) by id.

    In a folder, the id is the file name without .txt.
    """
    texts: dict[str, str] = {}
    if "corpus" in inputs.alone:
        texts = read_as("corpus", inputs.alone["corpus"], wanted)
    files = (source for source in inputs.documents if wanted is None or source.stem in wanted)
    return texts | {source.stem: read_as("text", source) for source in files}


def _described(pool: Assessments, manifest: Manifest) -> Facts:
    """List each aspect and signal with its file, good end, range, and numbers of levels, labels and topics."""
    files = {column.scale.name: ", ".join(column.files) for column in manifest.columns}
    files |= dict.fromkeys(HIGHLIGHTED, ", ".join(manifest.passages)) if manifest.passages else {}
    rows = []
    for name, scale in pool.scales.items():
        judged, values = ~np.isnan(pool.column(name)), pool.columns[name]
        values = values[~np.isnan(values)]
        rows.append(
            {
                "kind": scale.kind,
                "file": files.get(name, "computed from the texts"),
                "good": scale.good,
                "lowest": float(values.min(initial=np.inf)),
                "highest": float(values.max(initial=-np.inf)),
                "levels": len(np.unique(values)),
                "assessed": int(judged.sum()),
                "topics": len(np.unique(pool.topic[judged])),
            }
        )
    return Facts("column", list(pool.scales), rows)


# Notes of the report


def _all_positive(labels: Labels) -> str:
    """Return a warning if all labels that occur on an assumed scale are positive: the true scale may begin at 1.

    "" for other labels, and for only one or two different grades: such a file probably lists only positive documents.
    """
    if not labels.assumed or labels.scale.good == "low":
        return ""
    grades = np.unique(labels.grades)
    if len(grades) < 3 or not grades[0] > 0:
        return ""
    listed = ", ".join(f"{grade:g}" for grade in grades) if len(grades) <= Scale.MANY else f"{grades[0]:g}, ..."
    text = f"every {labels.scale.name} label is above 0, so every assessed document counts as positive"
    return f"{text}; if {grades[0]:g} is the worst label, write grades = [{listed}] in collection.toml"


def _together(labels: Labels, by_source: BySource) -> Labels:
    """Return labels with the grades of all sources of an aspect, for a note on their scale.

    Everything except the grades comes from the default source.
    """
    if len(by_source) < 2:
        return labels
    return replace(labels, grades=np.concatenate([source.grades for source in by_source.values()]))


def _assumptions(labels: Labels) -> Iterator[str]:
    scale, judged = labels.scale, labels.scale.judged(labels.grades)
    unjudged = int(np.isnan(judged).sum())
    if unjudged:
        yield f"{counted(unjudged, f'{scale.name} label')} below 0: in the pool, but not judged, as in trec_eval"
    if not labels.assumed:
        return
    own = np.unique(judged[~np.isnan(judged)])
    few = ", ".join(f"{grade:g}" for grade in own) if len(own) <= Scale.MANY else f"{own[0]:g} to {own[-1]:g}"
    unlisted = "; 0 is on the scale, although no line has it" if len(own) and 0.0 not in own else ""
    if scale.threshold is None:
        assumed = f"assumed that {scale.positive} is positive{unlisted}"
        yield f"{scale.name} labels {few or 'none'}: {assumed}; declare grades in collection.toml to change this"


def _label_notes(labels: Sequence[Labels]) -> list[Note]:
    """Return notes on the form of files, on comments, on subtopics, and on repeated lines."""
    labels = [part for label in labels for part in _as_read(label)]
    notes = [Note("inferred", aspect.name, aspect.remark) for aspect in labels if aspect.remark]
    for aspect in labels:
        notes += [*comment_notes(aspect.name, aspect.comments), *_subtopic_notes(aspect)]
    for aspect in labels:
        if aspect.repeated:
            again = counted(aspect.repeated, f"{aspect.scale.name} label")
            notes.append(Note("repaired", aspect.name, f"{again} repeated: counted once"))
    return list(dict.fromkeys(notes))  # a file with several aspects is read once for each


def _as_read(labels: Labels) -> tuple[Labels, ...]:
    """Return the labels of each file, followed by the joined labels; if there is only one file, return only its labels.

    The joined labels carry no comments, remarks or grades by subtopic.
    """
    return (*labels.parts, replace(labels, comments="", remark="", by_subtopic=None)) if labels.parts else (labels,)


def _subtopic_notes(labels: Labels) -> list[Note]:
    if labels.by_subtopic is None:
        return []
    several = len(labels.by_subtopic) - len(labels.grades)
    grades = f"a document's grade is the highest {labels.scale.name} in its lines ({counted(several, 'line')} merged)"
    text = "the second column has several values within a topic: read as subtopics"
    return [Note("inferred", labels.name, f"{text}; {grades}" if several else text)]


def _subtopics(labels: Sequence[Labels], topics: set[str]) -> pd.DataFrame | None:
    """Return all labels by subtopic (aspect, topic, subtopic, document, grade); None if there are none.

    For each aspect, they are by the first of its sources that has subtopics; the default source is tried first.
    """
    by_aspect = {label.scale.name: label.by_subtopic for label in reversed(labels) if label.by_subtopic is not None}
    tables = [table[table["topic"].isin(topics)].assign(aspect=name) for name, table in reversed(by_aspect.items())]
    return plain_subtopics(pd.concat(tables, ignore_index=True)) if tables else None


def _leading_notes(pool: Assessments) -> Iterator[Note]:
    """Yield a note on the leading aspect if no aspect is called relevance."""
    if pool.aspects and pool.leading != RELEVANCE:
        why = "the first, as none is called relevance" if len(pool.aspects) > 1 else "the only one"
        yield Note("inferred", "aspects", f"measures that specify no aspect read {pool.leading} ({why})")


def _unused_notes(pool: Assessments, signals: Sequence[Labels]) -> Iterator[Note]:
    """Yield a note on the number of documents of a signal that nobody assessed; their values are not used."""
    for signal in signals:
        if unused := len({*signal.documents}.difference(pool.documents)):
            yield Note("dropped", signal.name, f"{counted(unused, 'document')} without a label: not used")


def _coverage_notes(pool: Assessments, files: Mapping[str, str]) -> Iterator[Note]:
    """Yield notes on pool rows that have no label of an aspect or no value of a signal."""
    for name in pool.columns:
        missing = int(np.isnan(pool.column(name)).sum())
        if missing:
            text = f"no {name} for {missing:,} of {counted(len(pool), 'document')} in the pool: their gain is 0"
            covered = int(pool.covered([name]).sum())
            if covered < len(pool.topics):
                count = f"{covered:,} of {counted(len(pool.topics), 'topic')}"
                text = f"{text}; {name} covers {count}, so means of measures that read it are over these topics"
            yield Note("warning", files.get(name, name), text)
