"""Make a `Collection` from runs and assessments in memory, which are read and checked like tables in files."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.common.lazy_imports import pa, parquet, pd
from evalcore.common.threads import arrow_table
from evalcore.data import tables
from evalcore.data.collection_files import Files, Package
from evalcore.data.infer import aspects_of_table, good_end
from evalcore.data.loading import open_package
from evalcore.data.manifest import Column, Manifest, OtherSource, Scored, check_source
from evalcore.data.names import meanings
from evalcore.data.readability import signal_scale
from evalcore.data.sources import Source
from evalcore.errors import InputError, refuse_huge, shorten
from evalcore.structures.documents import Collection, Note, Scale

EXPECTED = "a frame, a dict of dicts, or (topic, document, number) records such as those of ir_measures"


@dataclass(frozen=True, eq=False)
class _Part:
    """An argument, or one entry of an argument, as a table; `place` names a row of the table in an error."""

    name: str
    table: pd.DataFrame
    place: Callable[[int], str]
    label: str = ""  # of a system

    @property
    def source(self) -> Source:
        buffer = io.BytesIO()
        parquet.write_table(arrow_table(self.table), buffer)
        content = buffer.getvalue()
        return Source(self.name, lambda: content, label=self.label)


def collection(
    runs: Any = None,
    aspects: Any = None,
    signals: Any = None,
    *,
    scores: Any = None,
    groups: Any = None,
    scales: Sequence[Scale] = (),
    good: Mapping[str, str] | None = None,
    order: str | None = None,
    labels: str | None = None,
    title: str = "Collection in memory",
    queries: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Collection:
    """Make a collection from data in memory, equal to one that is loaded from files with the same content.

    `runs`: {system: run}, or one run, or one frame with a column system. `aspects`: {aspect: assessments}, or
    assessments of relevance, or one frame with a column for each aspect (or the columns aspect and grade). `signals`:
    {signal: {document: value}}, Series or frames, or one frame with a column for each signal. Runs and assessments are
    - a frame of pandas or polars, or an Arrow table, its columns named as in a table file: PyTerrier's qid, docno,
      rank, score; ir_measures' query_id, doc_id, score or relevance; topic, document, ...; if several assessors
      labelled a document, a column assessor (judge, annotator, source) makes them sources of the aspect; the one with
      the most labels is the default;
    - a dict {topic: {document: number}}, as in pytrec_eval and ranx, or ranx's Run and Qrels;
    - an iterable of named tuples, such as ir_measures' ScoredDoc and Qrel.

    Headers name aspects as they do in files: `readability` means understandability, unless `scales` or `good` use this
    name; columns without labels (`worker_id`, `seconds`) are left out. The report notes these changes. An aspect
    that is given by name keeps that name.

    Without runs, `scores` holds the scores of systems: a frame of topics x systems as `evaluate` gives it, a frame with
    columns topic, system and score, {system: {topic: score}}, or {measure: any of these}; nan means no score.
    `groups`, a frame with a row for each topic, assigns topics to groups, such as domains. Without runs and scores,
    assessments by several sources may be given alone.

    An aspect with several sources of labels is {source: assessments}; the first is the default. `scales` declares
    grades; `good`, `order` and `labels` are as in `load`. An empty cell (NaN) in a frame of assessments means "not
    assessed". Raises InputError for invalid data; it names the argument and the row, or the keys of a dict.

    >>> c = collection({"bm25": {"q1": {"d1": 2.0, "d2": 1.0}}}, {"q1": {"d1": 1, "d2": 0}})
    >>> c.systems, c.aspects, c.rankings.rank.tolist()
    (('bm25',), ('relevance',), [1, 2])
    >>> collection(scores={"map": {"bm25": {"q1": 0.5, "q2": 0.25}}}).topics
    ('q1', 'q2')
    """
    begun = time.perf_counter()
    if aspects is None and scores is None:
        raise InputError("expected assessments or scores, found neither")
    if runs is not None and aspects is None:
        raise InputError("expected assessments with the runs, found none", "aspects")
    run_parts = [] if runs is None else list(_runs(runs))
    declared = {scale.name: scale for scale in scales}
    columns, column_parts = ([], []) if aspects is None else _columns(aspects, signals, declared, good or {})
    scored, score_parts = _scored(scores)
    group_parts = [] if groups is None else [_part(_with_index(groups, "topic"), "groups", "group")]
    manifest = Manifest(
        title=title,
        runs=tuple(part.name for part in run_parts),
        columns=tuple(columns),
        scores=scored,
        groups="groups" if group_parts else "",
    )
    parts = {part.name: part for part in (*run_parts, *column_parts, *score_parts, *group_parts)}
    package = Package(manifest, Files([part.source for part in parts.values()]))
    try:
        opened = open_package(package.with_options(order, labels, good or {}), False, None, begun)
    except InputError as error:
        if error.where not in parts or error.line is None:
            raise
        raise InputError(error.problem.replace(" in line ", " in row "), parts[error.where].place(error.line)) from None
    notes = _role_notes(column_parts, columns)
    report = replace(opened.report, notes=(*notes, *opened.report.notes))
    return replace(opened, report=report, queries=dict(queries or {}), texts=dict(texts or {}))


def _scored(data: Any) -> tuple[tuple[Scored, ...], list[_Part]]:
    """Return the measures with given scores, and a table of scores for each."""
    if data is None:
        return (), []
    several = isinstance(data, Mapping) and _depth(data) != 2
    listed = {str(name): value for name, value in data.items()} if several else {"score": data}
    if not listed:
        raise InputError("expected scores by at least one measure, found none", "scores")
    parts = [_score_part(part, f"scores[{name!r}]" if several else "scores", name) for name, part in listed.items()]
    return tuple(Scored(name, (part.name,)) for name, part in zip(listed, parts, strict=True)), parts


def _score_part(data: Any, where: str, measure: str) -> _Part:
    """Return scores by one measure as a long table."""
    data = _as_frame(data)
    if not isinstance(data, pd.DataFrame | Mapping):
        raise InputError(f"expected a frame or a dict of scores, found {type(data).__name__}", where)
    if isinstance(data, pd.DataFrame) and not {"topic", "system"} <= set(meanings([str(name) for name in data])):
        for axis, what in ((data.index, "topic"), (data.columns, "system")):
            if not axis.is_unique:
                again = axis[axis.duplicated()][0]
                raise InputError(f"expected one {what} of each name, found two called {shorten(str(again))}", where)
        data = data.rename(index=str).to_dict()
    if isinstance(data, Mapping):
        part = _of_dicts(data, where, ("system", "topic"), "score")
        return replace(part, table=part.table.assign(measure=measure))
    return _Part(where, _writable(data, where).assign(measure=measure), lambda row: f"{where} row {row}")


def _with_index(data: Any, name: str) -> Any:
    """Turn the index of a frame (or the keys of a dict) into a column of this name, unless it has such a column."""
    data = _as_frame(data)
    if isinstance(data, Mapping):
        data = pd.DataFrame({"group": pd.Series(data, dtype=object)})
    if isinstance(data, pd.DataFrame) and name not in meanings([str(column) for column in data.columns]):
        return data.rename_axis(name).reset_index()
    return data


def _role_notes(parts: Iterable[_Part], columns: Sequence[Column]) -> Iterator[Note]:
    """Yield a note on the roles of columns for each frame of assessments that names columns differently."""
    for part in dict.fromkeys(parts):
        own = [column for column in columns if column.file == part.name]
        headers = [column.column for column in own]
        headers += [other.column for column in own for other in column.sources]
        roles = tables.roles_of_table(part.source, "aspect", headers)
        if not roles.are_named and "grade" in roles.columns:
            yield Note("inferred", part.name, f"columns: {roles}")


def _runs(data: Any) -> Iterator[_Part]:
    """Yield a table (`_Part`) for each system, or a single table with a column of systems or only one run."""
    depth = _depth(data)
    if depth == 2 or not isinstance(data, Mapping):
        part = _part(data, "runs", "score")
        yield replace(part, label="" if "system" in meanings(list(part.table.columns)) else "run")
        return
    if not data:
        raise InputError("expected at least one run, found none", "runs")
    for system, run in data.items():
        _known(system, "runs", "the name of a system")
        if not str(system).strip():
            raise InputError("expected a name for each system, found an empty one", "runs")
        yield replace(_part(run, f"runs[{system!r}]", "score"), label=str(system))


def _columns(
    aspects: Any, signals: Any, scales: Mapping[str, Scale], good: Mapping[str, str]
) -> tuple[list[Column], list[_Part]]:
    listed: list[tuple[Column, _Part]] = []
    if isinstance(aspects, Mapping) and _depth(aspects) != 2:
        for name, data in aspects.items():
            if _are_sources(data):
                listed += _of_sources(str(name), data, scales)
            else:
                listed += _of_aspects(_part(data, f"aspects[{name!r}]", "grade"), str(name), scales)
    else:
        part = _part(aspects, "aspects", "grade")
        listed += _of_aspects(part, "", {name: Scale(name) for name in good} | dict(scales))
    if isinstance(signals, Mapping):
        listed += [_of_signal(_signal(data, f"signals[{name!r}]"), str(name), scales) for name, data in signals.items()]
    elif signals is not None:
        part = _part(signals, "signals", "value")
        names = [name for name in meanings(list(part.table.columns)) if name != "document"]
        listed += [_of_signal(part, name, scales) for name in names]
    columns = list({id(column): column for column, _ in listed}.values())  # each source has a part
    names = [column.scale.name for column in columns]
    if len(set(names)) < len(names):
        raise InputError(f"expected different names for aspects and signals, found {', '.join(names)}")
    return columns, [part for _, part in listed]


def _are_sources(data: Any) -> bool:
    """Return true if an aspect has assessments by several sources: a dict from names to dicts, frames or records."""
    if not isinstance(data, Mapping):
        return False
    return _depth(data) == 3 or any(_is_whole(value) for value in data.values())


def _is_whole(data: Any) -> bool:
    """Return true if a value in a dict contains assessments by itself, as a frame or records do."""
    records = isinstance(data, list | tuple) and len(data) > 0 and all(hasattr(value, "_fields") for value in data)
    is_table = isinstance(data, pd.DataFrame) or hasattr(data, "__arrow_c_stream__")
    return is_table or hasattr(data, "to_dict") or records


def _of_sources(name: str, data: Mapping[Any, Any], scales: Mapping[str, Scale]) -> list[tuple[Column, _Part]]:
    """Return (aspect, table) for each source of one aspect; the first source is the default."""
    read = []
    for source, labels in data.items():
        _known(source, f"aspects[{name!r}]", "the name of a source")
        check_source(str(source), f"aspects[{name!r}]")
        part = _part(labels, f"aspects[{name!r}][{source!r}]", "grade")
        read += [(str(source), column, part) for column, _ in _of_aspects(part, name, scales)]
    (first, own, _), *others = read
    sources = tuple(OtherSource(source, column.file, column.column) for source, column, _ in others)
    column = replace(own, source=first, sources=sources, assessor_column="")
    return [(column, part) for _, _, part in read]


def _of_aspects(part: _Part, name: str, scales: Mapping[str, Scale]) -> list[tuple[Column, _Part]]:
    """Return a pair (column, table) for each aspect in a table; if `name` is given, only for the aspect `name`.

    Without a name, these are all aspects that the headers of the table name. Raises InputError if the table has no
    column of grades.
    """
    table = part.table.set_axis(meanings(list(part.table.columns)), axis=1)
    held = [str(column) for column in tables.aspect_columns(table)]
    if not held:
        raise InputError(f"expected a column of grades, found {', '.join(map(str, table.columns))}", part.name)
    if not name and len(held) > 1:
        return [(_declared(column, scales), part) for column in aspects_of_table(part.source)]
    aspect = name or (held[0] if held[0] in scales else tables.named_aspects(held)[0])
    header = _asked_for(held, name, part.name) if name else held[0]
    scale = scales.get(aspect) or Scale(aspect, good="high" if name else good_end(aspect))
    return [(Column(scale, part.name, header, assessor_column=tables.named_assessors(table)), part)]


def _declared(column: Column, scales: Mapping[str, Scale]) -> Column:
    """Return a column with the scale that is declared under its aspect or its header, if there is one."""
    names = (column.scale.name, column.column)
    return replace(column, scale=next((scales[str(name)] for name in names if name in scales), column.scale))


def _asked_for(held: Sequence[str], name: str, where: str) -> str:
    """Return the header of an aspect: its own name, else the only header, else the only header that names it.

    Raises InputError if the table has none of these.
    """
    speaking = [column for column, aspect in zip(held, tables.named_aspects(held), strict=True) if aspect == name]
    for columns in ([name] if name in held else [], held, speaking):
        if len(columns) == 1:
            return columns[0]
    raise InputError(f"expected one column of grades, or one called {name!r}, found {', '.join(held)}", where)


def _of_signal(part: _Part, name: str, scales: Mapping[str, Scale]) -> tuple[Column, _Part]:
    return Column(scales.get(name) or signal_scale(name), part.name, name), part


def _signal(data: Any, where: str) -> _Part:
    """Return a signal of documents, given as a dict, a Series or a frame of two columns."""
    if isinstance(data, Mapping | pd.Series):
        return _of_dicts(data, where, ("document",), "value")
    return _part(data, where, "value")


# One run, or the assessments of one table


def _part(labels: Any, where: str, value: str) -> _Part:
    labels = _as_frame(labels)
    if not isinstance(labels, pd.DataFrame | Mapping) and hasattr(labels, "to_dict"):
        labels = labels.to_dict()  # ranx
    if isinstance(labels, pd.DataFrame):
        return _Part(where, _writable(labels, where), lambda row: f"{where} row {row}")
    if isinstance(labels, Mapping):
        part = _of_dicts(labels, where, ("topic", "document"), value)
        if part.table.empty:
            raise InputError(f"expected documents with a {value}, found none", where)
        return part
    if isinstance(labels, Iterable) and not isinstance(labels, str | bytes):
        return _of_records(list(labels), where, value)
    raise InputError(f"expected {EXPECTED}, found {type(labels).__name__}", where)


def _as_frame(data: Any) -> Any:
    """Return a pandas frame of anything that exports to Arrow (polars, pyarrow, DuckDB); anything else as it is."""
    if isinstance(data, pd.DataFrame | pd.Series) or not hasattr(data, "__arrow_c_stream__"):
        return data
    return pa.table(data).to_pandas()


def _of_dicts(data: Any, where: str, names: Sequence[str], value: str) -> _Part:
    """Return nested dicts, such as {topic: {document: number}}, as a table: each row has the keys and their value."""
    rows = list(_flat(data, where, names))
    table = pd.DataFrame(rows, columns=[*names, value])
    table[value] = _plain(table[value], where)
    return _Part(where, table, lambda row: where + "".join(f"[{name!r}]" for name in rows[row - 1][:-1]))


def _flat(data: Any, where: str, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for key, inner in data.items():
        here = f"{where}[{key!r}]"
        name = str(key) if names[0] == "system" else _known(key, here, f"a {names[0]} id")
        if not names[1:]:
            yield name, inner
        elif isinstance(inner, Mapping):
            yield from ((name, *more) for more in _flat(inner, here, names[1:]))
        else:
            raise InputError(f"expected a dict of {names[1]}s, found {shorten(str(inner))}", here)


def _of_records(records: list[Any], where: str, value: str) -> _Part:
    if not records:
        raise InputError(f"expected documents with a {value}, found none", where)
    for row, record in enumerate(records, start=1):
        if not hasattr(record, "_fields"):
            raise InputError(f"expected {EXPECTED}, found {shorten(repr(record))}", f"{where} row {row}")
    table = pd.DataFrame([record._asdict() for record in records])
    return _Part(where, _writable(table, where), lambda row: f"{where} row {row}")


def _writable(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Return the frame with ids as text, and with the named levels of its index as columns."""
    if any(frame.index.names):
        frame = frame.reset_index()
    meant = meanings([str(name) for name in frame.columns])
    columns = {}
    for name, meaning in zip(frame.columns, meant, strict=True):
        if meaning in ("topic", "document", "system", "aspect", "iteration"):
            columns[str(name)] = _texts(frame[name], where, meaning)
        else:
            columns[str(name)] = _plain(frame[name], where)
    if len(columns) < len(meant):
        raise InputError("expected columns with different names, found two with the same", where)
    return pd.DataFrame({name: cells.reset_index(drop=True) for name, cells in columns.items()})


def _plain(cells: pd.Series[Any], where: str) -> pd.Series[Any]:
    """Return numbers as they are, but cells of mixed types, and true or false, as text; missing cells stay missing."""
    if cells.dtype not in (object, bool):
        return cells
    for row, cell in enumerate(cells, start=1):
        if isinstance(cell, int):
            refuse_huge(cell, f"{where} row {row}")
    return cells.map(str, na_action="ignore")


def _texts(cells: pd.Series[Any], where: str, meaning: str) -> pd.Series[str]:
    """Return ids as text; missing ones stay missing. Raises InputError for other types than text and whole numbers."""
    plain = cells.astype(object).map(_whole)
    for row, cell in enumerate(plain, start=1):
        if not (isinstance(cell, str) or pd.isna(cell)):
            _known(cell, f"{where} row {row}", f"a {meaning} id")
    return plain.map(str, na_action="ignore").astype(object)


# Checks of single values; what ids may hold is checked where tables are read


def _known(value: Any, where: str, what: str) -> str:
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | int | np.integer):
        raise InputError(f"expected {what} as text or a whole number, found {shorten(str(value))}", where)
    return str(value)


def _whole(value: Any) -> Any:
    """Return a whole number that a table turned into a float (101.0) as an int; other values as they are."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _depth(data: Any) -> int:
    """Return how many dicts are nested around the first number; 0 if the innermost value is not a number."""
    depth = 0
    while isinstance(data, Mapping):
        inner = [value for value in data.values() if not isinstance(value, Mapping) or value]
        if not inner:
            return 0
        depth, data = depth + 1, inner[0]
    return depth if isinstance(data, int | float | np.number) else 0
