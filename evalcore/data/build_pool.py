"""The pool of a collection: every label, signal and derived aspect that its manifest speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.data import tables
from evalcore.data.assessments import (
    Labels,
    alike_notes,
    build_pool,
    coverage_notes,
    document_values,
    label_notes,
    read_qrels,
    read_signal,
    scale_notes,
    subtopics_of,
)
from evalcore.data.comments import data_head, without_comments
from evalcore.data.corpus import read_corpus
from evalcore.data.discretise import cut, shares
from evalcore.data.fields import first_fields
from evalcore.data.focused.collect import PassagePool, with_specificity
from evalcore.data.focused.highlights import ASPECTS
from evalcore.data.manifest import FILE_NAME, Column, Manifest
from evalcore.data.package import Files, plain_text
from evalcore.data.readability import FORMULAS, readability, readability_scale
from evalcore.structures.documents import Assessments, Note
from evalcore.errors import InputError
from evalcore.progress import Progress


@dataclass(frozen=True, eq=False)
class Pool:
    """What was read before the runs: the pool, texts of its documents, notes, and grades by subtopic, if any."""

    assessments: Assessments
    texts: Mapping[str, str]
    notes: tuple[Note, ...]
    subtopics: pd.DataFrame | None = None


def read_pool(manifest: Manifest, files: Files, tell: Progress, judged: PassagePool | None = None) -> Pool:
    tell(0.02, "Reading assessments")
    labels = [_grades(column, files) for column in manifest.columns if column.file and column.scale.kind == "grades"]
    labels = [judged.assessed.labels, *labels] if judged else labels
    by_document = [one.scale.name for one in labels[1:]] if manifest.labels == "by-document" else []
    pool = build_pool(labels, by_document)
    given = [_signal(column, files) for column in manifest.columns if column.scale.kind == "signal"]
    signals = {one.scale.name: (one.scale, document_values(one)) for one in given}
    texts = texts_of(manifest, files, set(pool.documents))
    for name in manifest.readability if texts else ():
        tell(0.06, f"Computing {name} of {len(texts):,} documents")
        signals[name] = (readability_scale(name), readability(texts, name))
    pool = build_pool(labels, by_document, signals) if signals else pool
    pool = with_specificity(pool, judged.assessed) if judged else pool
    pool = _with_derived(pool, [column for column in manifest.columns if column.signal])
    notes = [*(judged.assessed.notes if judged else ()), *label_notes([*labels, *given]), *scale_notes(labels)]
    notes += [_computed(name) for name in manifest.readability if texts]
    notes += alike_notes(pool)
    notes += coverage_notes(pool, {column.scale.name: column.file for column in manifest.columns})
    if by_document:
        notes.append(
            Note("inferred", "labels", f"{', '.join(by_document)}: a document's first label, whatever its topic")
        )
    return Pool(pool, texts, tuple(notes), subtopics_of(labels))


def _computed(name: str) -> Note:
    return Note("inferred", name, f"computed from the texts: {FORMULAS[name].words}")


def _grades(column: Column, files: Files) -> Labels:
    """The labels of one column; a file with several is read once for each."""
    source = files.one(column.file, column.scale.name)
    if tables.is_table(data_head(source)):
        table = tables.read_table(source)
        return tables.table_labels(table, source, column.scale, _header(column, table), column.missing)
    width = max(len(first_fields(without_comments(data_head(source))[0])) - 3, 1)
    if not isinstance(column.column, int) or not 1 <= column.column <= width:
        raise InputError(f"expected column to be a number from 1 to {width}, found {column.column!r}", source.name)
    scales = [column.scale if at == column.column else None for at in range(1, width + 1)]
    return read_qrels(source, scales, column.missing)[0]


def _signal(column: Column, files: Files) -> Labels:
    source = files.one(column.file, column.scale.name)
    if tables.is_table(data_head(source)):
        table = tables.read_table(source)
        others = [name for name in table.columns if name != "document"]
        name = others[0] if len(others) == 1 else _header(column, table)
        return tables.table_signal(table, source, column.scale, name)
    return read_signal(source, column.scale)


def _header(column: Column, table: pd.DataFrame) -> str:
    """The header of a column of a table: as declared, else its name, or that of the only one there is."""
    if isinstance(column.column, str):
        return column.column
    only = tables.aspect_columns(table)
    return only[0] if len(only) == 1 else column.scale.name


def _with_derived(pool: Assessments, columns: Sequence[Column]) -> Assessments:
    """Add aspects that discretise a signal over the documents of the pool."""
    extra, scales = dict(pool.columns), dict(pool.scales)
    first = ~pd.Series(pool.documents).duplicated().to_numpy()
    for column in columns:
        per_document = _derived(column, pool.column(column.signal)[first])
        name, count = column.scale.name, len(column.shares) or len(column.cuts) + 1
        grades = column.scale.grades or tuple(map(float, range(count)))
        known = ~np.isnan(per_document)
        per_document[known] = np.array(grades)[per_document[known].astype(int)]
        by_document = pd.Series(per_document, index=pool.documents[first])
        extra[name] = np.asarray(by_document.reindex(pool.documents), dtype=np.float64)
        scales[name] = replace(column.scale, grades=grades)
    return replace(pool, columns=extra, scales=scales) if columns else pool


def _derived(column: Column, values: FloatArray) -> FloatArray:
    try:
        return cut(values, column.cuts) if column.cuts else shares(values, column.shares)
    except InputError as error:
        raise InputError(error.problem, f"{FILE_NAME} [aspects.{column.scale.name}]") from None


def texts_of(manifest: Manifest, files: Files, wanted: set[str] | None) -> dict[str, str]:
    """The texts of the documents that are wanted (None: all), by document id: of a folder, a file name without .txt."""
    texts = read_corpus(files.one(manifest.corpus, "the texts"), wanted) if manifest.corpus else {}
    if not manifest.documents:
        return texts
    found = files.matching(f"{manifest.documents}/*.txt")
    return texts | {source.stem: plain_text(source) for source in found if wanted is None or source.stem in wanted}


def described(pool: Assessments, manifest: Manifest) -> pd.DataFrame:
    """One line per aspect and signal: where from, which end is good, its range, how many rows and topics it has."""
    files = {column.scale.name: column.file or f"from {column.signal}" for column in manifest.columns}
    files |= dict.fromkeys(ASPECTS, ", ".join(manifest.passages.files)) if manifest.passages else {}
    rows = []
    for name, scale in pool.scales.items():
        judged, values = ~np.isnan(pool.column(name)), pool.columns[name]
        values = values[~np.isnan(values)]
        rows.append(
            {
                "column": name,
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
    return pd.DataFrame(rows).set_index("column")
