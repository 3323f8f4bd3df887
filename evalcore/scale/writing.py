"""Collections -> folders of parts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evalcore.data.loading import PoolOnly, load_pool
from evalcore.data.manifest import write_manifest
from evalcore.data.misleading import label_warnings
from evalcore.data.package import PathLike, package_of
from evalcore.data.restricting import restrict
from evalcore.data.store import About, sources_of, write_about, write_collection
from evalcore.data.system_table import read_system_table
from evalcore.errors import InputError
from evalcore.progress import Progress
from evalcore.scale.streaming import RUNS_AT_ONCE, Stream
from evalcore.scale.tasks import LocalRunner, Runner
from evalcore.structures.documents import Collection, LoadingReport
from evalcore.writing import new_folder

TOPICS_PER_PART = 100


def partition(
    collection: Collection | PathLike | None,
    folder: PathLike,
    *,
    topics_per_part: int = TOPICS_PER_PART,
    runs: PathLike | Sequence[PathLike] | None = None,
    aspects: Mapping[str, PathLike | Mapping[str, PathLike]] | None = None,
    signals: Mapping[str, PathLike] | None = None,
    good: Mapping[str, str] | None = None,
    order: str | None = None,
    labels: str | None = None,
    manifest: str | None = None,
    runner: Runner | None = None,
    runs_at_once: int = RUNS_AT_ONCE,
    progress: Progress | None = None,
) -> Path:
    """Write a collection into a new folder, in parts of so many topics; returns the folder, for `open_partitions`.

    A collection in memory is cut up. Anything that `evalcore.load` takes, a folder or zip or, with None, `runs` and
    `aspects`, is read run by run and never held whole: beside the pool, one run file and the assessed documents of
    `runs_at_once` runs, then one part. `runner`, as of `evalcore.scale.cluster.connect`, has its workers read
    run files and write parts. The folder appears when it is whole. Raises InputError on bad input, for a folder that
    holds something, and for collections with passages or navigation, which are not kept in parts.
    """
    if topics_per_part < 1:
        raise InputError(f"expected at least 1 topic in a part, found {topics_per_part}")
    with new_folder(folder) as new:
        if isinstance(collection, Collection):
            _refuse_others(collection)
            write_collection(new, collection, _cut_up(collection, topics_per_part, progress))
        else:
            package = package_of(collection, runs, aspects, signals, manifest)
            start = load_pool(package.with_options(order, labels, good or {}), progress)
            _stream(start, new, topics_per_part, runner or LocalRunner(), runs_at_once, progress)
        for left in new.glob("*/.*"):  # by a process that ended while it wrote
            left.unlink()
    return Path(folder)


def _refuse_others(collection: Collection) -> None:
    for name in ("passages", "navigation"):
        if getattr(collection, name) is not None:
            raise InputError(f"expected rankings of whole documents, found {name}", collection.title)


def topic_groups(topics: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Consecutive topics, so many at a time.

    >>> topic_groups(["a", "b", "c"], 2)
    [('a', 'b'), ('c',)]
    """
    return [tuple(topics[at : at + size]) for at in range(0, len(topics), size)]


def _cut_up(collection: Collection, topics_per_part: int, progress: Progress | None) -> Iterator[Collection]:
    groups = topic_groups(collection.topics, topics_per_part)
    for number, topics in enumerate(groups, start=1):
        part = restrict(collection, topics=topics)
        texts = {name: part.texts[name] for name in part.assessments.documents if name in part.texts}
        yield replace(part, texts=texts)
        if progress:
            progress(number / len(groups), f"Writing parts: {number} of {len(groups)}")


def _stream(
    start: PoolOnly, folder: Path, topics_per_part: int, runner: Runner, runs_at_once: int, progress: Progress | None
) -> None:
    package, pool = start.package, start.read.assessments
    manifest, groups = package.manifest, topic_groups(pool.topics, topics_per_part)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".scratch-") as scratch:  # and goes with it
        stream = Stream(str(folder), scratch, package.fingerprint, manifest.order, tuple(map(len, groups)))  # type: ignore[arg-type]
        done = stream.run(start, runner, runs_at_once, progress)
    systems = tuple(map(str, done.facts.index))
    table = package.inputs.systems
    made_of, notes = read_system_table(table, systems) if table else (None, [])
    noted = (*start.notes, *label_warnings(pool), *done.notes, *notes)
    report = LoadingReport.of(done.facts, start.read.described, noted)
    about = About(
        title=manifest.title,
        fingerprint=package.fingerprint,
        systems=systems,
        scales=pool.scales,
        sources=sources_of(pool),
        parts=done.parts,
        description=manifest.description,
        manifest=write_manifest(manifest),
        queries=start.read.queries,
    )
    write_about(folder, about, report, start.read.subtopics, made_of)
