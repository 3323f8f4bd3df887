"""Loading a `Collection` from files: folders, archives, uploads, or runs and labels."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from evalcore.common.constants import Order
from evalcore.common.progress import Progress
from evalcore.data import cache
from evalcore.data.characters import refuse_controls
from evalcore.data.collection_files import Inputs, Package, PathLike, from_place, origin_of, package_of, read_from
from evalcore.data.manifest import write_manifest
from evalcore.data.report_tables import Facts
from evalcore.data.sources import Source, from_bytes, from_paths
from evalcore.errors import InputError
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Note, Rankings, assessed_counts

if TYPE_CHECKING:
    from evalcore.data.adding import Addition
    from evalcore.data.score_tables import ScoreTables
    from evalcore.data.subject_data import OtherPool


def load(
    where: PathLike | Collection | None = None,
    *,
    add: PathLike | Sequence[PathLike] | None = None,
    runs: PathLike | Sequence[PathLike] | None = None,
    aspects: Mapping[str, PathLike | Mapping[str, PathLike]] | None = None,
    signals: Mapping[str, PathLike] | None = None,
    good: Mapping[str, str] | None = None,
    order: str | None = None,
    labels: str | None = None,
    manifest: str | None = None,
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Collection:
    """Load a collection from a folder or zip (`where`), or from runs and one file for each aspect.

    An aspect with several sources of labels has a file for each, {source: file}; the first is the default. A
    `collection.toml` in the folder describes its files; without one, their purposes are inferred and noted in the
    report. `manifest`, the text of a `collection.toml`, replaces that file and the inference. `good` sets the good end
    of a column ("high" or "low"); `order` is "score", "rank", "file" or "urbp-tool" (see `read_run`); `labels` is
    "by-topic" or "by-document" (for every aspect but the first, the first label of a document counts for all topics).
    `add` are more files that join the collection, or join an open collection (`where`): a run, labels by another judge
    or of another aspect, a signal. If the same files are opened again, they come from a cache on disk unless
    `use_cache` is False. `progress` is called with a share from 0 to 1 and a line of text. Raises InputError on bad
    input.
    """
    if isinstance(where, Collection):
        arguments = (runs, aspects, signals, good, order, labels, manifest)
        if add is None or any(value is not None for value in arguments):
            raise InputError("with an open collection, give only the files to add (add=...)", where.title)
        return add_to(where, from_paths(add), use_cache, progress)[0]
    begun = time.perf_counter()
    package = package_of(where, runs, aspects, signals, manifest)
    package = package.with_options(order, labels, good or {})
    if add is None:
        return open_package(package, use_cache, progress, begun)
    return add_to_package(package, from_paths(add), use_cache, progress, begun)[0]


def add_to(
    collection: Collection, sources: Sequence[Source], use_cache: bool = True, progress: Progress | None = None
) -> tuple[Collection, list[Addition]]:
    """Return an open collection with more files, and an `Addition` for each thing that they add.

    The original does not change. Raises InputError for a part of a collection, for one that was not read from files,
    for a file that cannot join, and for a run on other topics.
    """
    package = origin_of(collection)
    if package is None:
        expected = "expected a whole collection that was read from files"
        found = (
            "found a part of a collection, one with other labels, or data in memory. Add files first, then restrict "
            "the collection or choose labels"
        )
        raise InputError(f"{expected}, {found}", collection.title)
    return add_to_package(package, sources, use_cache, progress, time.perf_counter())


def add_to_package(
    package: Package, sources: Sequence[Source], use_cache: bool, progress: Progress | None, begun: float
) -> tuple[Collection, list[Addition]]:
    """Return a collection with more files, as `add_to` does, from the package that it was read from.

    `begun` is the time of the request (`time.perf_counter`).
    """
    from evalcore.data.adding import adding, refuse_strangers

    more, additions = adding(package, sources)
    collection = open_package(more, use_cache, progress, begun)
    refuse_strangers(collection, additions)
    return collection, additions


def load_files(
    files: Iterable[tuple[str, bytes]],
    *,
    manifest: str | None = None,
    order: str | None = None,
    labels: str | None = None,
    progress: Progress | None = None,
) -> Collection:
    """Load a collection from (name, content) pairs, such as an upload; nothing is kept on disk.

    `manifest`, the text of a `collection.toml`, is used instead of the one among the files, or instead of inference.
    Raises InputError on bad input.
    """
    begun = time.perf_counter()
    sources = from_bytes(files)
    package = from_place(sources, "Uploaded files", manifest, flat=True)
    return open_package(package.with_options(order, labels, {}), False, progress, begun)


def open_package(package: Package, use_cache: bool, progress: Progress | None, begun: float) -> Collection:
    """Return the collection in a package, read from the cache or from its files.

    `begun` is the time of the request (`time.perf_counter`).
    """
    tell = progress or (lambda share, text: None)
    tell(0.0, "Looking at the files")
    key = package.key if use_cache else ""
    collection = cache.recall(key) if use_cache else None
    if collection is None:
        collection = _read_what_is_whole(package, tell)
        if use_cache:
            cache.store(collection, key)
    tell(1.0, "Done")
    report = collection.report.changed(seconds=time.perf_counter() - begun)
    return read_from(replace(collection, report=report), package)


def _given(inputs: Inputs) -> ScoreTables | None:
    """Return the scores that the collection declares; None if it declares none."""
    if not inputs.scores:
        return None
    from evalcore.data.collection_scores import read_given

    return read_given(inputs.scores, [source.stem for source in inputs.runs])


def _read_what_is_whole(package: Package, tell: Progress) -> Collection:
    """Return the collection in all files, but without a damaged file of texts or queries.

    Raises InputError for such a file if a `collection.toml` names it.
    """
    try:
        return _read(package, write_manifest(package.manifest), tell)
    except InputError as error:
        texts = next((key for key in ("corpus", "queries") if getattr(package.manifest, key) == error.where != ""), "")
        if not package.inferred or not texts:
            raise
        place = f"line {error.line}: " if error.line else ""
        text = f"not read: {place}{error.problem}; copy or download it again to see its texts"
        notes = (*package.inferred, Note("dropped", error.where, text))
        without: dict[str, Any] = {texts: ""}
        package = replace(package, manifest=replace(package.manifest, **without), inferred=notes)
        return _read_what_is_whole(package, tell)


def _read(package: Package, text: str, tell: Progress) -> Collection:
    """Read all files: highlighted text, then the pool, then runs, then the tables of systems and topics."""
    from evalcore.data.build_pool import read_pool
    from evalcore.data.kinds import read_as
    from evalcore.data.report_warnings import direction_questions, fold_questions, pool_warnings, topic_warnings

    manifest, inputs = package.manifest, package.inputs
    judged = _judged(inputs, tell) if manifest.passages else None
    given = _given(inputs)
    read = read_pool(manifest, inputs, tell, judged, given.named("index") if given and not manifest.runs else ())
    pool = read.assessments
    ranked = _ranked(package, pool, judged, given, lambda share, text: tell(0.1 + 0.9 * share, text))
    rankings, facts = ranked.rankings, ranked.facts
    table, groups = inputs.alone.get("systems"), inputs.alone.get("groups")
    made_of, made_of_notes = read_as("systems", table, rankings.systems) if table else (None, [])
    misleading = [] if judged or not manifest.runs else pool_warnings(pool, rankings)
    pool, group_notes = read_as("groups", groups, pool) if groups else (pool, [])
    asked = package.inferred and manifest.runs and not judged
    notes = [
        *(fold_questions(rankings, [str(line["file"]) for line in facts]) if asked else ()),
        *direction_questions(pool, package.unsaid), *package.guesses,
        *read.notes, *topic_warnings(rankings), *misleading, *ranked.notes, *made_of_notes, *group_notes,
        *(given.notes if given else ()),
    ]  # fmt: skip
    if manifest.runs:
        assessed, retrieved = assessed_counts(rankings, pool.judged, (10, 100))
        for line, shares in zip(facts, (assessed / np.maximum(retrieved, 1)).tolist(), strict=True):
            line |= dict(zip(("assessed@10", "assessed@100"), shares, strict=True))
    labels = {"aspect": pool.aspects, "signal": pool.signals, "source": pool.source_names}
    refuse_controls({"title": [manifest.title], "system": rankings.systems, **labels})
    return Collection(
        title=manifest.title,
        assessments=pool,
        rankings=rankings,
        report=LoadingReport.of(Facts("system", rankings.systems, facts), read.described, notes),
        description=manifest.description,
        manifest=text,
        fingerprint=package.fingerprint,
        texts=read.texts if ranked.texts is None else ranked.texts,
        queries=read.queries,
        subtopics=read.subtopics,
        system_table=made_of,
        more=ranked.more,
    )


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Rankings from runs, with the data of subjects; or systems that have only scores."""

    rankings: Rankings
    facts: list[dict[str, Any]]  # of each system, for the report
    notes: list[Note]
    texts: Mapping[str, str] | None = None  # texts of the documents whose parts are ranked
    more: Mapping[str, Any] = field(default_factory=dict)


def _ranked(
    package: Package, pool: Assessments, judged: OtherPool | None, given: ScoreTables | None, tell: Progress
) -> _Ranked:
    """Read the runs. In a collection with highlighted text they rank parts of documents. Given scores are added."""
    if judged:
        ranked = _of_parts(package, pool, judged, tell)
    elif package.manifest.runs:
        ranked = _of_documents(package, pool, tell)
    else:
        return _without_runs(given, pool)
    if given is None:
        return ranked
    from evalcore.data.collection_scores import beside

    rankings, notes = beside(given, ranked.rankings, pool.topics)
    return replace(ranked, rankings=rankings, notes=[*ranked.notes, *notes])


def _of_parts(package: Package, pool: Assessments, judged: OtherPool, tell: Progress) -> _Ranked:
    from evalcore.data.build_pool import texts_of

    def texts(documents: set[str]) -> Mapping[str, str]:
        return texts_of(package.inputs, {*pool.documents, *documents})

    read = judged.read_runs(package.inputs.runs, pool, cast(Order, package.manifest.order), texts, tell)
    return _Ranked(read.rankings, read.facts, read.notes, read.texts, read.more)


def _of_documents(package: Package, pool: Assessments, tell: Progress) -> _Ranked:
    from evalcore.data.runs import read_rankings
    from evalcore.data.subject_data import read_beside

    order, runs = cast(Order, package.manifest.order), _runs(package)
    rankings, facts, notes = read_rankings(runs, pool, order, tell)
    more, more_notes = read_beside(package.inputs, pool, runs, order)
    return _Ranked(rankings, facts, [*notes, *more_notes], more=more)


def _without_runs(given: ScoreTables | None, pool: Assessments) -> _Ranked:
    """Return the systems of the given scores, with empty rankings; no systems if there are only labels."""
    if given is None:
        return _Ranked(Rankings.none((), len(pool.topics), len(pool)), [], [])
    systems = given.named("columns")
    scores = given.given(systems, pool.topics)
    known = np.sum([~np.isnan(score.values) for score in scores.values()], axis=0)
    facts: list[dict[str, Any]] = [
        {"scores": int(row.sum()), "topics": int((row > 0).sum()), "gaps": int((len(scores) - row).sum())}
        for row in known
    ]
    return _Ranked(Rankings.none(systems, len(pool.topics), len(pool), scores), facts, [])


def _judged(inputs: Inputs, tell: Progress) -> OtherPool | None:
    from evalcore.data.build_pool import texts_of
    from evalcore.data.subject_data import other_pool

    tell(0.01, "Reading highlighted text")
    return other_pool(inputs, lambda: texts_of(inputs, None))


def _runs(package: Package) -> list[Source]:
    """Return a source for each run; a table of several systems gives a source for each system."""
    from evalcore.data.kinds import read_as

    return [run for file in package.inputs.runs for run in read_as("run", file)]
