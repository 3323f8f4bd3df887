"""Files -> `Collection`: the one way in."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd

from evalcore.data import cache, tables
from evalcore.data.assessments import Labels, build_pool, coverage_notes, read_qrels, read_signal
from evalcore.data.discretise import cut, shares
from evalcore.data.infer import column_notes, infer
from evalcore.data.manifest import FILE_NAME, Column, Manifest, parse_manifest, write_manifest
from evalcore.data.readability import readability, readability_scale
from evalcore.data.runs import read_rankings
from evalcore.data.sources import Source, from_bytes, from_path
from evalcore.data.structures import Assessments, Collection, LoadingReport, Note, Scale
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
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Collection:
    """Load a collection: a folder or zip (`where`), or runs and one file per aspect named one by one.

    A folder with a `collection.toml` is read as that says; without one, what its files are is inferred and noted in the
    report. `good` overrules which end of a column is good ("high" or "low"); `order` is "score", "rank", "file" or
    "urbp-tool" (see `read_run`); `labels` is "by-topic" or "by-document" (every aspect but the first looks a document's
    label up without its topic). Reopening the same files comes from a cache on disk unless `use_cache` is False.
    `progress` is called with a share from 0 to 1 and a line of text. Raises DataError on bad input.
    """
    begun = time.perf_counter()
    if where is not None:
        package = _from_place(from_path(where), Path(where).name or "collection")
    elif runs is not None and aspects:
        package = _from_parts(runs, aspects, signals or {})
    else:
        raise DataError("expected a folder or zip, or runs and aspects, found neither")
    return _open(package.with_options(order, labels, good or {}), use_cache, progress, begun)


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
    package = _from_place(sources, "Uploaded files", manifest)
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
                problem = f"expected good to map one of {', '.join(sorted(known))} to high or low, found {name!r}: {end!r}"
                raise DataError(problem)
        columns = tuple(
            replace(column, scale=replace(column.scale, good=good.get(column.scale.name, column.scale.good)))
            for column in manifest.columns
        )
        return replace(self, manifest=replace(manifest, columns=columns))


@dataclass(frozen=True)
class _Files:
    """Files by name, found as a manifest names them: relative to its own folder, patterns allowed."""

    sources: Sequence[Source]
    base: str = ""

    def matching(self, pattern: str) -> list[Source]:
        full = f"{self.base}{pattern}"
        flat = PurePosixPath(pattern).name  # an upload of single files has no folders
        return self._named(full) or self._named(flat)

    def _named(self, pattern: str) -> list[Source]:
        exact = [source for source in self.sources if source.name == pattern]
        return exact or [source for source in self.sources if fnmatch.fnmatchcase(source.name, pattern)]

    def one(self, name: str, purpose: str) -> Source:
        found = self.matching(name)
        if len(found) != 1:
            raise DataError(f"expected the file {name!r} for {purpose}, found {len(found)} such files")
        return found[0]


def _from_place(sources: Sequence[Source], title: str, text: str | None = None) -> _Package:
    declared = [source for source in sources if PurePosixPath(source.name).name == FILE_NAME]
    if len(declared) > 1:
        names = ", ".join(source.name for source in declared)
        raise DataError(f"expected one {FILE_NAME}, found {len(declared)}: {names}; open one of their folders")
    base = declared[0].name.removesuffix(FILE_NAME) if declared else ""
    if text is None and declared:
        text = declared[0].read().decode("utf-8-sig", errors="replace")
    if text is not None:
        return _Package(parse_manifest(text), _Files(sources, base))
    manifest, notes = infer(sources, title)
    return _Package(manifest, _Files(sources), tuple(notes))


def _from_parts(
    runs: PathLike | Sequence[PathLike], aspects: Mapping[str, PathLike], signals: Mapping[str, PathLike]
) -> _Package:
    listed = [runs] if isinstance(runs, str | Path) else list(runs)
    run_files = [replace(source, name=f"runs/{source.name}") for path in listed for source in from_path(path)]
    files = [*run_files]
    columns = []
    for kind, named in (("grades", aspects), ("signal", signals)):
        for name, path in named.items():
            source = from_path(path)[0]
            files.append(replace(source, name=f"{name}/{source.name}"))
            scale = readability_scale(name) if name in ("fog", "smog", "flesch_kincaid") else Scale(name, kind=kind)  # type: ignore[arg-type]
            columns.append(Column(scale, file=f"{name}/{source.name}"))
    return _Package(Manifest(runs=("runs/*",), columns=tuple(columns)), _Files(files))


def _open(package: _Package, use_cache: bool, progress: Progress | None, begun: float) -> Collection:
    tell = progress or (lambda share, text: None)
    tell(0.0, "Looking at the files")
    text = write_manifest(package.manifest)
    key = cache.fingerprint(text, _used(package))
    collection = cache.recall(key) if use_cache else None
    if collection is None:
        collection = _read(package, text, key, tell)
        if use_cache:
            cache.store(collection)
    tell(1.0, "Done")
    report = replace(collection.report, seconds=time.perf_counter() - begun)
    return replace(collection, report=report)


def _used(package: _Package) -> list[Source]:
    manifest, files = package.manifest, package.files
    patterns = [*manifest.runs, *(column.file for column in manifest.columns if column.file)]
    patterns += [f"{manifest.documents}/*"] if manifest.documents else []
    patterns += [manifest.queries] if manifest.queries else []
    return [source for pattern in patterns for source in files.matching(pattern)]


def _read(package: _Package, text: str, key: str, tell: Progress) -> Collection:
    manifest, files = package.manifest, package.files
    pool, notes = _pool(manifest, files, tell)
    texts = _texts(manifest, files, pool)
    runs = [run for pattern in manifest.runs for source in files.matching(pattern) for run in _run_sources(source)]
    if not runs:
        raise DataError(f"expected runs matching {', '.join(manifest.runs)}, found no such file")
    rankings, systems, run_notes = read_rankings(runs, pool, manifest.order, lambda s, t: tell(0.1 + 0.9 * s, t))  # type: ignore[arg-type]
    systems[["assessed@10", "assessed@100"]] = rankings.assessed_share([10, 100]).to_numpy()
    guesses = (*package.inferred, *column_notes(manifest)) if package.inferred else ()
    report = LoadingReport(systems, _describe(pool, manifest), (*guesses, *notes, *run_notes))
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
    )


def _run_sources(source: Source) -> list[Source]:
    return tables.run_sources(source) if tables.is_table(source.head(1 << 12)) else [source]


def _pool(manifest: Manifest, files: _Files, tell: Progress) -> tuple[Assessments, list[Note]]:
    tell(0.02, "Reading assessments")
    from_files = [column for column in manifest.columns if column.file and column.scale.kind == "grades"]
    labels = _read_labels(from_files, files)
    by_document = [one.scale.name for one in labels[1:]] if manifest.labels == "by-document" else []
    pool = build_pool(labels, by_document)
    signals = {
        column.scale.name: (column.scale, read_signal(files.one(column.file, column.scale.name), column.scale))
        for column in manifest.columns
        if column.file and column.scale.kind == "signal"
    }
    texts = _texts(manifest, files, pool)
    for name in manifest.readability if texts else ():
        tell(0.06, f"Computing {name} of {len(texts):,} documents")
        signals[name] = (readability_scale(name), readability(texts, name))
    pool = build_pool(labels, by_document, signals) if signals else pool
    pool = _with_derived(pool, [column for column in manifest.columns if column.signal])
    notes = coverage_notes(pool, {column.scale.name: column.file for column in manifest.columns})
    if by_document:
        notes.append(Note("inferred", "labels", f"{', '.join(by_document)}: a document's first label, whatever its topic"))
    return pool, notes


def _read_labels(columns: Sequence[Column], files: _Files) -> list[Labels]:
    """The labels of each column, in the manifest's order; a file with several columns is read once for each."""
    found = []
    for column in columns:
        source = files.one(column.file, column.scale.name)
        if tables.is_table(source.head(1 << 12)):
            name = column.column if isinstance(column.column, str) else column.scale.name
            labels = tables.table_labels(tables.read_table(source), source, column.scale, name)
        else:
            labels = _qrels_column(source, column)
        found.append(_without(labels, column.missing))
    return found


def _qrels_column(source: Source, column: Column) -> Labels:
    first = next((line for line in source.head().splitlines() if line.strip()), b"").split()
    width = max(len(first) - 3, 1)
    if not isinstance(column.column, int) or not 1 <= column.column <= width:
        raise DataError(f"expected column to be a number from 1 to {width}, found {column.column!r}", source.name)
    others = [Scale(f"column {at + 1}") for at in range(width)]
    undeclared = replace(column.scale, grades=()) if column.missing else column.scale
    scales = [undeclared if at == column.column - 1 else scale for at, scale in enumerate(others)]
    return read_qrels(source, scales)[column.column - 1]


def _without(labels: Labels, missing: Sequence[float]) -> Labels:
    if not missing:
        return labels
    keep = ~np.isin(labels.grades, missing)
    grades = tuple(grade for grade in labels.scale.grades if grade not in missing)
    return Labels(
        replace(labels.scale, grades=grades),
        labels.name,
        labels.topics[keep],
        labels.documents[keep],
        labels.grades[keep],
        labels.lines[keep],
    )


def _with_derived(pool: Assessments, columns: Sequence[Column]) -> Assessments:
    """Add aspects that discretise a signal over the documents of the pool."""
    extra, scales = dict(pool.columns), dict(pool.scales)
    first = ~pd.Series(pool.documents).duplicated().to_numpy()
    for column in columns:
        values = pool.column(column.signal)
        per_document = values[first]
        grades = cut(per_document, column.cuts) if column.cuts else shares(per_document, column.shares)
        by_document = pd.Series(grades, index=pool.documents[first])
        name, count = column.scale.name, len(column.cuts) + 1 if column.cuts else len(column.shares)
        extra[name] = by_document.reindex(pool.documents).to_numpy()
        scales[name] = replace(column.scale, grades=column.scale.grades or tuple(map(float, range(count))))
    return replace(pool, columns=extra, scales=scales) if columns else pool


def _texts(manifest: Manifest, files: _Files, pool: Assessments) -> dict[str, str]:
    """The texts of assessed documents, by document id (the file name without .txt)."""
    if not manifest.documents:
        return {}
    wanted = set(pool.documents)
    found = files.matching(f"{manifest.documents}/*")
    return {s.stem: s.read().decode("utf-8-sig", errors="replace") for s in found if s.stem in wanted}


def _queries(manifest: Manifest, files: _Files) -> dict[str, str]:
    if not manifest.queries:
        return {}
    text = files.one(manifest.queries, "the queries").read().decode("utf-8-sig", errors="replace")
    rows = (line.split("\t", 1) for line in text.splitlines() if "\t" in line)
    return {topic.strip(): query.strip() for topic, query in rows}


def _describe(pool: Assessments, manifest: Manifest) -> pd.DataFrame:
    """One line per aspect and signal: where from, which end is good, its range, how many rows and topics it covers."""
    files = {column.scale.name: column.file or f"from {column.signal}" for column in manifest.columns}
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
