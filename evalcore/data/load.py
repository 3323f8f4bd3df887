"""Files -> `Collection`: the one way in."""

from __future__ import annotations

import fnmatch
import glob
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import cast

import numpy as np
import pandas as pd

from evalcore.data import cache, tables
from evalcore.data.assessments import (
    Labels,
    build_pool,
    coverage_notes,
    document_values,
    read_qrels,
    read_signal,
    repair_notes,
)
from evalcore.data.component_tables import read_components
from evalcore.data.components import Navigation
from evalcore.data.discretise import cut, shares
from evalcore.data.fields import PADDING, text_of
from evalcore.data.focused.collect import Judged, read_judged, read_parts, with_specificity
from evalcore.data.focused.highlights import ASPECTS
from evalcore.data.graphs import build_navigation, read_links
from evalcore.data.infer import RUN_FOLDERS, column_notes, infer
from evalcore.data.manifest import FILE_NAME, Column, Manifest, parse_manifest, write_manifest
from evalcore.data.readability import FORMULAS, readability, readability_scale
from evalcore.data.runs import Order, read_rankings
from evalcore.data.sources import Source, from_bytes, from_path
from evalcore.data.structures import Assessments, Collection, Floats, Good, LoadingReport, Note, Scale
from evalcore.errors import DataError

Progress = Callable[[float, str], None]
PathLike = str | Path


def load(
    where: PathLike | None = None,
    *,
    runs: PathLike | Sequence[PathLike] | None = None,
    aspects: Mapping[str, PathLike] | None = None,
    signals: Mapping[str, PathLike] | None = None,
    good: Mapping[str, str] | None = None,
    order: str | None = None,
    labels: str | None = None,
    manifest: str | None = None,
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Collection:
    """Load a collection: a folder or zip (`where`), or runs and one file per aspect named one by one.

    A folder with a `collection.toml` is read as that says; without one, what its files are is inferred and noted in the
    report. `manifest`, the text of a `collection.toml`, takes the place of both. `good` overrules which end of a column
    is good ("high" or "low"); `order` is "score", "rank", "file" or "urbp-tool" (see `read_run`); `labels` is
    "by-topic" or "by-document" (every aspect but the first looks a document's label up without its topic). Reopening
    the same files comes from a cache on disk unless `use_cache` is False. `progress` is called with a share from 0 to 1
    and a line of text. Raises DataError on bad input.
    """
    begun = time.perf_counter()
    package = _package(where, runs, aspects, signals, manifest)
    return _open(package.with_options(order, labels, good or {}), use_cache, progress, begun)


@dataclass(frozen=True, eq=False)
class Beginning:
    """A collection before its runs are read: the pool, and the files of the runs."""

    manifest: Manifest
    fingerprint: str  # the one that the collection will have
    pool: Assessments
    columns: pd.DataFrame  # of the report
    texts: Mapping[str, str]
    queries: Mapping[str, str]
    notes: tuple[Note, ...]
    runs: tuple[Source, ...]


def begin(
    where: PathLike | None = None,
    *,
    runs: PathLike | Sequence[PathLike] | None = None,
    aspects: Mapping[str, PathLike] | None = None,
    signals: Mapping[str, PathLike] | None = None,
    good: Mapping[str, str] | None = None,
    order: str | None = None,
    labels: str | None = None,
    manifest: str | None = None,
    progress: Progress | None = None,
) -> Beginning:
    """Read all of a collection but its runs, named as for `load`. Raises DataError on bad input."""
    package = _package(where, runs, aspects, signals, manifest).with_options(order, labels, good or {})
    said, files = package.manifest, package.files
    for name, part in (("passages", said.passages), ("navigation", said.navigation)):
        if part:
            raise DataError(f"expected rankings of whole documents, found [{name}]", FILE_NAME)
    pool, texts, notes = _pool(said, files, progress or (lambda share, text: None))
    return Beginning(
        said,
        _fingerprint(package),
        pool,
        _describe(pool, said),
        texts,
        _queries(said, files),
        (*_guesses(package), *notes),
        tuple(run for source in _runs(said, files) for run in _run_sources(source)),
    )


def load_files(
    files: Iterable[tuple[str, bytes]],
    *,
    manifest: str | None = None,
    order: str | None = None,
    labels: str | None = None,
    progress: Progress | None = None,
) -> Collection:
    """Load a collection from (name, content) pairs, such as an upload; nothing is kept on disk.

    `manifest`, the text of a `collection.toml`, takes the place of the one among the files or of inference.
    Raises DataError on bad input.
    """
    begun = time.perf_counter()
    sources = from_bytes(files)
    package = _from_place(sources, "Uploaded files", manifest, flat=True)
    return _open(package.with_options(order, labels, {}), False, progress, begun)


@dataclass(frozen=True)
class _Package:
    """A manifest and the files it speaks of."""

    manifest: Manifest
    files: _Files
    inferred: tuple[Note, ...] = ()

    def with_options(self, order: str | None, labels: str | None, good: Mapping[str, str]) -> _Package:
        manifest = self.manifest.with_options(order, labels)
        known = {column.scale.name for column in manifest.columns}
        for name, end in good.items():
            if name not in known or end not in ("high", "low"):
                expected = f"good to map one of {', '.join(sorted(known))} to high or low"
                raise DataError(f"expected {expected}, found {name!r}: {end!r}")
        ends = {**{column.scale.name: column.scale.good for column in manifest.columns}, **good}
        columns = tuple(
            replace(column, scale=replace(column.scale, good=cast(Good, ends[column.scale.name])))
            for column in manifest.columns
        )
        return replace(self, manifest=replace(manifest, columns=columns))


@dataclass(frozen=True)
class _Files:
    """Files by name, found as a manifest names them: relative to its own folder, patterns allowed."""

    sources: Sequence[Source]
    base: str = ""
    flat: bool = False  # an upload of single files, which have lost their folders

    def __post_init__(self) -> None:
        for name, named in self._by_name.items():
            if len(named) > 1:
                raise DataError(f"expected one file of each name, found {len(named)}", name)

    def matching(self, pattern: str) -> list[Source]:
        """The files of that name, or those that a pattern fits."""
        names = [(f"{self.base}{pattern}", f"{glob.escape(self.base)}{pattern}"), (pattern, pattern)]
        if self.flat:
            names.append((PurePosixPath(pattern).name,) * 2)
        return next((found for name, fits in names if (found := self._named(name) or self._fitting(fits))), [])

    def one(self, name: str, purpose: str) -> Source:
        found = self.matching(name)
        if len(found) != 1:
            raise DataError(f"expected the file {name!r} for {purpose}, found {len(found) or 'no'} such file")
        return found[0]

    @cached_property
    def _by_name(self) -> dict[str, list[Source]]:
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            found.setdefault(source.name, []).append(source)
        return found

    def _named(self, name: str) -> list[Source]:
        return self._by_name.get(name, [])

    def _fitting(self, pattern: str) -> list[Source]:
        """A star stays within its folder."""
        parts = pattern.split("/")
        return [source for source in self.sources if _fits(source.name.split("/"), parts)]


def _fits(parts: list[str], patterns: list[str]) -> bool:
    return len(parts) == len(patterns) and all(map(fnmatch.fnmatchcase, parts, patterns))


def _package(
    where: PathLike | None,
    runs: PathLike | Sequence[PathLike] | None,
    aspects: Mapping[str, PathLike] | None,
    signals: Mapping[str, PathLike] | None,
    manifest: str | None,
) -> _Package:
    if where is not None and not (runs is None and aspects is None and signals is None):
        raise DataError("expected a folder or zip, or runs and aspects, found both", str(where))
    if where is not None and (Path(where) / "partitions.json").is_file():
        raise DataError(
            "expected runs and assessments, found a collection in parts; ec.open_partitions opens it", str(where)
        )
    if where is not None:
        return _from_place(from_path(where), Path(where).name or "collection", manifest)
    if runs is not None and aspects:
        return _from_parts(runs, aspects, signals or {})
    raise DataError("expected a folder or zip, or runs and aspects, found neither")


def _from_place(sources: Sequence[Source], title: str, text: str | None = None, flat: bool = False) -> _Package:
    declared = [source for source in sources if PurePosixPath(source.name).name == FILE_NAME]
    if text is None and len(declared) > 1:
        names = ", ".join(source.name for source in declared)
        raise DataError(f"expected one {FILE_NAME}, found {len(declared)}: {names}; open one of their folders")
    base = declared[0].name.removesuffix(FILE_NAME) if len(declared) == 1 else ""
    base = base or _common_folder([source.name for source in sources if source not in declared])
    if text is None and declared:
        text = _plain_text(declared[0])
    if text is not None:
        return _Package(parse_manifest(text), _Files(sources, base, flat))
    below = [replace(source, name=source.name.removeprefix(base)) for source in sources]
    manifest, notes = infer(below, title)
    return _Package(manifest, _Files(below), tuple(notes))


def _common_folder(names: Sequence[str]) -> str:
    """The folder that all files are in, such as the one zip that was uploaded: "" or a path that ends in /.

    >>> _common_folder(["a.zip/qrels.txt", "a.zip/runs/x.txt"])
    'a.zip/'
    """
    common = os.path.commonpath([PurePosixPath(name).parent.as_posix().lstrip("/") for name in names] or ["."])
    # A folder of nothing but runs says something: it is kept.
    return "" if common in ("", ".") or PurePosixPath(common).name.lower() in RUN_FOLDERS else f"{common}/"


def _plain_text(source: Source) -> str:
    return text_of(source.read(), source.name, "text").removesuffix(PADDING).decode()


def _from_parts(
    runs: PathLike | Sequence[PathLike], aspects: Mapping[str, PathLike], signals: Mapping[str, PathLike]
) -> _Package:
    listed = [runs] if isinstance(runs, str | Path) else list(runs)
    files = [replace(source, name=f"runs/{_flat(source.name)}") for path in listed for source in from_path(path)]
    columns = []
    for kind, named in (("aspects", aspects), ("signals", signals)):
        for name, path in named.items():
            found = from_path(path)
            if len(found) != 1:
                raise DataError(f"expected one file for {name}, found {len(found)}", str(path))
            file = f"{kind}/{name}/{found[0].name}"
            files.append(replace(found[0], name=file))
            columns.append(Column(_given_scale(name, kind), file, column=1 if kind == "aspects" else name))
    if len({column.scale.name for column in columns}) < len(columns):
        raise DataError("expected one aspect or signal of each name, found one that is both")
    return _Package(Manifest(runs=("runs/*",), columns=tuple(columns)), _Files(files))


def _flat(name: str) -> str:
    """A file name without folders, which a pattern reaches."""
    return PurePosixPath(name).name


def _given_scale(name: str, kind: str) -> Scale:
    if kind == "aspects":
        return Scale(name)
    return readability_scale(name) if name in FORMULAS else Scale(name, kind="signal")


def _open(package: _Package, use_cache: bool, progress: Progress | None, begun: float) -> Collection:
    tell = progress or (lambda share, text: None)
    tell(0.0, "Looking at the files")
    text, key = write_manifest(package.manifest), _fingerprint(package)
    collection = cache.recall(key) if use_cache else None
    if collection is None:
        collection = _read(package, text, key, tell)
        if use_cache:
            cache.store(collection)
    tell(1.0, "Done")
    report = replace(collection.report, seconds=time.perf_counter() - begun)
    return replace(collection, report=report)


def _fingerprint(package: _Package) -> str:
    return cache.fingerprint(f"{write_manifest(package.manifest)}\n{package.inferred}", _used(package))


def _used(package: _Package) -> list[Source]:
    manifest, files = package.manifest, package.files
    patterns = [column.file for column in manifest.columns if column.file]
    patterns += [f"{manifest.documents}/*.txt"] if manifest.documents else []
    patterns += [manifest.queries] if manifest.queries else []
    patterns += [*_highlight_files(manifest), *_navigation_files(manifest)]
    return [*_runs(manifest, files), *(source for pattern in patterns for source in files.matching(pattern))]


def _highlight_files(manifest: Manifest) -> list[str]:
    """Names and patterns of all that [passages] speaks of."""
    given = manifest.passages
    return [name for name in (*given.files, given.elements, given.lengths) if name] if given else []


def _navigation_files(manifest: Manifest) -> list[str]:
    """Names of all that [navigation] speaks of."""
    given = manifest.navigation
    return [name for name in (given.links, given.components) if name] if given else []


def _runs(manifest: Manifest, files: _Files) -> list[Source]:
    """The files of the runs: what the patterns fit, except files with another purpose."""
    others = [*(column.file for column in manifest.columns if column.file), manifest.queries, FILE_NAME]
    others += [*_highlight_files(manifest), *_navigation_files(manifest)]
    taken = {source.name for name in others if name for source in files.matching(name)}
    found: dict[str, Source] = {}
    for pattern in manifest.runs:
        fitting = [source for source in files.matching(pattern) if source.name not in taken]
        if not fitting:
            raise DataError(f"expected runs matching {pattern}, found no such file")
        found.update({source.name: source for source in fitting})
    return list(found.values())


def _read(package: _Package, text: str, key: str, tell: Progress) -> Collection:
    if package.manifest.passages:
        return _read_focused(package, text, key, tell)
    manifest, files = package.manifest, package.files
    pool, texts, notes = _pool(manifest, files, tell)
    runs = [run for source in _runs(manifest, files) for run in _run_sources(source)]
    order = cast(Order, manifest.order)
    rankings, systems, run_notes = read_rankings(runs, pool, order, lambda share, text: tell(0.1 + 0.9 * share, text))
    systems[["assessed@10", "assessed@100"]] = rankings.assessed_share([10, 100]).to_numpy()
    navigation, link_notes = _navigation(manifest, files, pool, runs)
    notes = [*_guesses(package), *notes, *run_notes, *link_notes]
    report = LoadingReport(systems, _describe(pool, manifest), tuple(notes))
    return Collection(
        title=manifest.title,
        assessments=pool,
        rankings=rankings,
        report=report,
        description=manifest.description,
        manifest=text,
        fingerprint=key,
        texts=texts,
        queries=_queries(manifest, files),
        navigation=navigation,
    )


def _navigation(
    manifest: Manifest, files: _Files, pool: Assessments, runs: Sequence[Source]
) -> tuple[Navigation | None, list[Note]]:
    given = manifest.navigation
    if given is None:
        return None, []
    links = read_links(files.one(given.links, "the links")) if given.links else None
    table = read_components(files.one(given.components, "the components")) if given.components else None
    return build_navigation(pool, runs, cast(Order, manifest.order), links, table)


def _guesses(package: _Package) -> tuple[Note, ...]:
    return (*package.inferred, *column_notes(package.manifest)) if package.inferred else ()


def _read_focused(package: _Package, text: str, key: str, tell: Progress) -> Collection:
    """Highlighted text and runs of document parts; whole documents are a view of them, scored as any collection is."""
    manifest, files = package.manifest, package.files
    judged = _judged(manifest, files, tell)
    pool, texts, notes = _pool(manifest, files, tell, judged)
    passages, rankings, systems, run_notes = read_parts(
        _runs(manifest, files), judged, pool, manifest.order, lambda share, text: tell(0.1 + 0.9 * share, text)
    )
    systems[["assessed@10", "assessed@100"]] = rankings.assessed_share([10, 100]).to_numpy()
    texts = _texts(manifest, files, {*pool.documents, *passages.document_ids})
    report = LoadingReport(systems, _describe(pool, manifest), (*_guesses(package), *notes, *run_notes))
    return Collection(
        title=manifest.title,
        assessments=pool,
        rankings=rankings,
        report=report,
        description=manifest.description,
        manifest=text,
        fingerprint=key,
        texts=texts,
        queries={**judged.titles, **_queries(manifest, files)},
        passages=replace(passages, texts=texts),
    )


def _judged(manifest: Manifest, files: _Files, tell: Progress) -> Judged:
    tell(0.01, "Reading highlighted text")
    given = manifest.passages
    assert given is not None
    sources = [source for name in given.files for source in files.matching(name)]
    if not sources:
        raise DataError(f"expected highlighted text in {', '.join(given.files)}, found no such file")
    elements, lengths = (
        files.one(name, f"the table of {what}") if name else None
        for name, what in ((given.elements, "elements"), (given.lengths, "lengths"))
    )
    return read_judged(sources, elements, lengths, _texts(manifest, files, None))


def _run_sources(source: Source) -> list[Source]:
    return tables.run_sources(source) if tables.is_table(source.head(1 << 12)) else [source]


def _pool(
    manifest: Manifest, files: _Files, tell: Progress, judged: Judged | None = None
) -> tuple[Assessments, dict[str, str], list[Note]]:
    tell(0.02, "Reading assessments")
    labels = [_grades(column, files) for column in manifest.columns if column.file and column.scale.kind == "grades"]
    labels = [judged.assessed.labels, *labels] if judged else labels
    by_document = [one.scale.name for one in labels[1:]] if manifest.labels == "by-document" else []
    pool = build_pool(labels, by_document)
    given = [_signal(column, files) for column in manifest.columns if column.scale.kind == "signal"]
    signals = {one.scale.name: (one.scale, document_values(one)) for one in given}
    texts = _texts(manifest, files, set(pool.documents))
    for name in manifest.readability if texts else ():
        tell(0.06, f"Computing {name} of {len(texts):,} documents")
        signals[name] = (readability_scale(name), readability(texts, name))
    pool = build_pool(labels, by_document, signals) if signals else pool
    pool = with_specificity(pool, judged.assessed) if judged else pool
    pool = _with_derived(pool, [column for column in manifest.columns if column.signal])
    notes = [*(judged.assessed.notes if judged else ()), *repair_notes([*labels, *given])]
    notes += coverage_notes(pool, {column.scale.name: column.file for column in manifest.columns})
    if by_document:
        notes.append(
            Note("inferred", "labels", f"{', '.join(by_document)}: a document's first label, whatever its topic")
        )
    return pool, texts, notes


def _grades(column: Column, files: _Files) -> Labels:
    """The labels of one column; a file with several is read once for each."""
    source = files.one(column.file, column.scale.name)
    if tables.is_table(source.head(1 << 12)):
        table = tables.read_table(source)
        return tables.table_labels(table, source, column.scale, _header(column), column.missing)
    first = next((line for line in source.head().splitlines() if line.strip()), b"").split()
    width = max(len(first) - 3, 1)
    if not isinstance(column.column, int) or not 1 <= column.column <= width:
        raise DataError(f"expected column to be a number from 1 to {width}, found {column.column!r}", source.name)
    scales = [column.scale if at == column.column else None for at in range(1, width + 1)]
    return read_qrels(source, scales, column.missing)[0]


def _signal(column: Column, files: _Files) -> Labels:
    source = files.one(column.file, column.scale.name)
    if tables.is_table(source.head(1 << 12)):
        table = tables.read_table(source)
        others = [name for name in table.columns if name != "document"]
        name = others[0] if len(others) == 1 else _header(column)
        return tables.table_signal(table, source, column.scale, name)
    return read_signal(source, column.scale)


def _header(column: Column) -> str:
    """The header of a column of a table: as declared, else its name."""
    return column.column if isinstance(column.column, str) else column.scale.name


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


def _derived(column: Column, values: Floats) -> Floats:
    try:
        return cut(values, column.cuts) if column.cuts else shares(values, column.shares)
    except DataError as error:
        raise DataError(error.problem, f"{FILE_NAME} [aspects.{column.scale.name}]") from None


def _texts(manifest: Manifest, files: _Files, wanted: set[str] | None) -> dict[str, str]:
    """The texts of the documents that are wanted (None: all), by document id (the file name without .txt)."""
    if not manifest.documents:
        return {}
    found = files.matching(f"{manifest.documents}/*.txt")
    return {source.stem: _plain_text(source) for source in found if wanted is None or source.stem in wanted}


def _queries(manifest: Manifest, files: _Files) -> dict[str, str]:
    if not manifest.queries:
        return {}
    text = _plain_text(files.one(manifest.queries, "the queries"))
    rows = (line.split("\t", 1) for line in text.splitlines() if "\t" in line)
    return {topic.strip(): query.strip() for topic, query in rows}


def _describe(pool: Assessments, manifest: Manifest) -> pd.DataFrame:
    """One line per aspect and signal: where from, which end is good, its range, how many rows and topics it covers."""
    files = {column.scale.name: column.file or f"from {column.signal}" for column in manifest.columns}
    files |= dict.fromkeys(ASPECTS, ", ".join(manifest.passages.files)) if manifest.passages else {}
    rows = []
    for name, scale in pool.scales.items():
        known = ~np.isnan(pool.columns[name])
        values = pool.columns[name][known]
        rows.append(
            {
                "column": name,
                "kind": scale.kind,
                "file": files.get(name, "computed from the texts"),
                "good": scale.good,
                "lowest": float(values.min(initial=np.inf)),
                "highest": float(values.max(initial=-np.inf)),
                "levels": len(np.unique(values)),
                "assessed": int(known.sum()),
                "topics": len(np.unique(pool.topic[known])),
            }
        )
    return pd.DataFrame(rows).set_index("column")
