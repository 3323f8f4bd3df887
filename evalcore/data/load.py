"""Files -> `Collection`: the one way in."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.data import cache
from evalcore.data.build_pool import described, read_pool, texts_of
from evalcore.data.component_tables import read_components
from evalcore.structures.links import Navigation
from evalcore.data.corpus import read_corpus
from evalcore.data.focused.collect import PassagePool, read_passage_pool, read_parts
from evalcore.data.graphs import build_navigation, read_links
from evalcore.data.json_tables import json_head
from evalcore.data.manifest import FILE_NAME, Manifest, write_manifest
from evalcore.data.package import Files, Package, PathLike, from_place, package_of, plain_text, run_files, run_sources
from evalcore.data.runs import Order, read_rankings
from evalcore.data.sources import Source, from_bytes
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Note, Rankings, assessed_counts
from evalcore.errors import InputError
from evalcore.progress import Progress


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
    and a line of text. Raises InputError on bad input.
    """
    begun = time.perf_counter()
    package = package_of(where, runs, aspects, signals, manifest)
    return open_package(package.with_options(order, labels, good or {}), use_cache, progress, begun)


@dataclass(frozen=True, eq=False)
class PoolOnly:
    """A collection before its runs are read: the pool, and the files of the runs."""

    manifest: Manifest
    fingerprint: str  # the one that the collection will have
    pool: Assessments
    columns: pd.DataFrame  # of the report
    texts: Mapping[str, str]
    queries: Mapping[str, str]
    notes: tuple[Note, ...]
    runs: tuple[Source, ...]
    subtopics: pd.DataFrame | None = None


def load_pool(package: Package, progress: Progress | None = None) -> PoolOnly:
    """Read all of a collection but its runs. Raises InputError on bad input."""
    said, files = package.manifest, package.files
    for name, part in (("passages", said.passages), ("navigation", said.navigation)):
        if part:
            raise InputError(f"expected rankings of whole documents, found [{name}]", FILE_NAME)
    read = read_pool(said, files, progress or (lambda share, text: None))
    return PoolOnly(
        said,
        package.fingerprint,
        read.assessments,
        described(read.assessments, said),
        read.texts,
        _queries(said, files, read.assessments),
        (*package.guesses, *read.notes),
        tuple(run_sources(said, files)),
        read.subtopics,
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
    Raises InputError on bad input.
    """
    begun = time.perf_counter()
    sources = from_bytes(files)
    package = from_place(sources, "Uploaded files", manifest, flat=True)
    return open_package(package.with_options(order, labels, {}), False, progress, begun)


def open_package(package: Package, use_cache: bool, progress: Progress | None, begun: float) -> Collection:
    """Read the files of a package, or take what was read of them before; `begun` is when somebody asked for it."""
    tell = progress or (lambda share, text: None)
    tell(0.0, "Looking at the files")
    key = package.key if use_cache else ""
    collection = cache.recall(key) if use_cache else None
    if collection is None:
        collection = _read(package, write_manifest(package.manifest), tell)
        if use_cache:
            cache.store(collection, key)
    tell(1.0, "Done")
    report = replace(collection.report, seconds=time.perf_counter() - begun)
    return replace(collection, report=report)


def _read(package: Package, text: str, tell: Progress) -> Collection:
    if package.manifest.passages:
        return _read_focused(package, text, tell)
    manifest, files = package.manifest, package.files
    read = read_pool(manifest, files, tell)
    pool, runs = read.assessments, run_sources(manifest, files)
    order = cast(Order, manifest.order)
    rankings, systems, run_notes = read_rankings(runs, pool, order, lambda share, text: tell(0.1 + 0.9 * share, text))
    systems[["assessed@10", "assessed@100"]] = _assessed_shares(rankings, pool)
    navigation, link_notes = _navigation(manifest, files, pool, runs)
    notes = [*package.guesses, *read.notes, *run_notes, *link_notes]
    report = LoadingReport.of(systems, described(pool, manifest), notes)
    return Collection(
        title=manifest.title,
        assessments=pool,
        rankings=rankings,
        report=report,
        description=manifest.description,
        manifest=text,
        fingerprint=package.fingerprint,
        texts=read.texts,
        queries=_queries(manifest, files, pool),
        navigation=navigation,
        subtopics=read.subtopics,
    )


def _navigation(
    manifest: Manifest, files: Files, pool: Assessments, runs: Sequence[Source]
) -> tuple[Navigation | None, list[Note]]:
    given = manifest.navigation
    if given is None:
        return None, []
    links = read_links(files.one(given.links, "the links")) if given.links else None
    table = read_components(files.one(given.components, "the components")) if given.components else None
    return build_navigation(pool, runs, cast(Order, manifest.order), links, table)


def _read_focused(package: Package, text: str, tell: Progress) -> Collection:
    """Highlighted text and runs of document parts; whole documents are a view of them, scored as any collection is."""
    manifest, files = package.manifest, package.files
    judged = _judged(manifest, files, tell)
    read = read_pool(manifest, files, tell, judged)
    pool = read.assessments
    passages, rankings, systems, run_notes = read_parts(
        run_files(manifest, files), judged, pool, manifest.order, lambda share, text: tell(0.1 + 0.9 * share, text)
    )
    systems[["assessed@10", "assessed@100"]] = _assessed_shares(rankings, pool)
    texts = texts_of(manifest, files, {*pool.documents, *passages.document_ids})
    report = LoadingReport.of(systems, described(pool, manifest), (*package.guesses, *read.notes, *run_notes))
    return Collection(
        title=manifest.title,
        assessments=pool,
        rankings=rankings,
        report=report,
        description=manifest.description,
        manifest=text,
        fingerprint=package.fingerprint,
        texts=texts,
        queries={**judged.titles, **_queries(manifest, files, pool)},
        passages=replace(passages, texts=texts),
        subtopics=read.subtopics,
    )


def _assessed_shares(rankings: Rankings, pool: Assessments) -> FloatArray:
    found, retrieved = assessed_counts(rankings, pool.judged, (10, 100))
    return np.asarray(found / np.maximum(retrieved, 1))


def _judged(manifest: Manifest, files: Files, tell: Progress) -> PassagePool:
    tell(0.01, "Reading highlighted text")
    given = manifest.passages
    assert given is not None
    sources = [source for name in given.files for source in files.matching(name)]
    if not sources:
        raise InputError(f"expected highlighted text in {', '.join(given.files)}, found no such file")
    elements, lengths = (
        files.one(name, f"the table of {what}") if name else None
        for name, what in ((given.elements, "elements"), (given.lengths, "lengths"))
    )
    return read_passage_pool(sources, elements, lengths, texts_of(manifest, files, None))


def _queries(manifest: Manifest, files: Files, pool: Assessments) -> dict[str, str]:
    """Queries by topic: `topic<tab>query` lines, or JSON lines, of which those of assessed topics are kept."""
    if not manifest.queries:
        return {}
    source = files.one(manifest.queries, "the queries")
    if json_head(source.head()):
        return read_corpus(source, set(pool.topics))
    rows = (line.split("\t", 1) for line in plain_text(source).splitlines() if "\t" in line)
    return {topic.strip(): query.strip() for topic, query in rows}
