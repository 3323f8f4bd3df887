"""Run files -> parts, without ever holding all runs.

First some runs at a time are read, and their hits written to a scratch file sorted by part; then each part collects its
hits from all scratch files. Both steps are tasks of their own: whichever process does one, and however often, the same
files come of it. Shapes: R runs of a batch, T topics, H hits of a batch.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.arrays import IntArray, concatenated
from evalcore.constants import Order
from evalcore.data.loading import PoolOnly
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import Run, in_order, read_run, summarise_runs
from evalcore.data.sources import Source
from evalcore.data.store import PartFacts, write_part
from evalcore.progress import Progress, Tell
from evalcore.scale.tasks import Runner, Task
from evalcore.structures.documents import Assessments, Note, Rankings, assessed_counts

RUNS_AT_ONCE = 8  # whose hits are held at once; of their files one is
DEPTHS = (10, 100)  # of the shares of assessed documents in a loading report


@dataclass(frozen=True, eq=False)
class Streamed:
    """What is known once all parts are written."""

    facts: pd.DataFrame
    notes: tuple[Note, ...]
    parts: tuple[PartFacts, ...]


@dataclass(frozen=True)
class Stream:
    """Where the parts go, and what is common to all tasks."""

    folder: str
    scratch: str
    fingerprint: str
    order: Order
    sizes: tuple[int, ...]  # topics of each part

    def run(self, start: PoolOnly, runner: Runner, runs_at_once: int, progress: Progress | None) -> Streamed:
        """Read all runs, write all parts. Raises InputError on bad input."""
        sources = in_order(start.runs, self.order)
        batches = [tuple(sources[at : at + runs_at_once]) for at in range(0, len(sources), runs_at_once)]
        _write_pool(self.scratch, start.read.assessments)
        firsts = list(accumulate(map(len, batches), initial=0))
        tasks = [
            Task((self, number, firsts[number]), read_batch, (self, number, batch), _pool_file(self.scratch))
            for number, batch in enumerate(batches)
        ]
        runs = [run for batch in runner.run(tasks, _share_of(progress, 0.1, 0.7, "Reading runs")) for run in batch]
        facts, notes = summarise_runs(runs, start.read.assessments, self.order)
        texts = _texts_by_part(start, self.sizes)
        tasks = [
            Task(
                (self, number),
                write_one,
                (self, number, tuple(facts.index), tuple(firsts), texts[number]),
                _pool_file(self.scratch),
            )
            for number in range(len(self.sizes))
        ]
        written = list(runner.run(tasks, _share_of(progress, 0.7, 1.0, "Writing parts")))
        found, retrieved = (sum(counts[at] for _, counts in written) for at in (0, 1))
        facts[[f"assessed@{depth}" for depth in DEPTHS]] = found / np.maximum(retrieved, 1)
        _pool.cache_clear()
        _index.cache_clear()
        return Streamed(facts, tuple(notes), tuple(part for part, _ in written))


def read_batch(stream: Stream, number: int, sources: Sequence[Source]) -> list[Run]:
    """Read some runs, and write their hits sorted by part; returns what is known of the runs without their hits."""
    index, part_of = _index(stream.scratch), np.repeat(np.arange(len(stream.sizes)), stream.sizes)
    runs = [read_run(source, index, stream.order) for source in sources]
    run = np.repeat(np.arange(len(runs)), [len(run.row) for run in runs])
    topic = np.concatenate([run.topic for run in runs])
    part = part_of[topic]
    by_part = np.argsort(part, kind="stable")
    columns = (run, topic, *concatenated(runs, "rank", "row").values())
    hits = np.array([column[by_part] for column in columns], dtype=np.int32).reshape(4, -1)
    _save(_path(stream, number, "hits"), hits)
    _save(_path(stream, number, "starts"), np.searchsorted(part[by_part], np.arange(len(stream.sizes) + 1)))
    _save(_path(stream, number, "lengths"), np.array([run.length for run in runs], dtype=np.int32))
    none, short = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    return [replace(run, topic=short, rank=none, row=short, length=none) for run in runs]


def write_one(
    stream: Stream, number: int, systems: tuple[str, ...], firsts: Sequence[int], texts: Mapping[str, str]
) -> tuple[PartFacts, tuple[IntArray, IntArray]]:
    """Write one part from all scratch files; returns its facts, and its counts for the shares of assessed documents."""
    start = sum(stream.sizes[:number])
    stop = start + stream.sizes[number]
    batches = range(len(firsts) - 1)
    run, topic, rank, row = np.concatenate([_piece(stream, batch, number) for batch in batches], axis=1)
    counts = [_piece(stream, batch, number).shape[1] for batch in batches]
    system, topic = run + np.repeat(firsts[:-1], counts), topic - start
    lengths = [np.load(_path(stream, batch, "lengths"), mmap_mode="r")[:, start:stop] for batch in batches]
    pool, first_row = _pool_of(stream.scratch, start, stop)
    sizes = np.bincount(system * (stop - start) + topic, minlength=len(systems) * (stop - start))
    rankings = Rankings(
        systems=systems,
        n_topics=stop - start,
        n_pool=len(pool),
        indptr=np.append(0, np.cumsum(sizes)),
        rank=rank,
        row=row - first_row,
        length=np.concatenate(lengths),
    )
    facts = write_part(Path(stream.folder), number, pool, rankings, texts)
    return facts, assessed_counts(rankings, pool.judged, DEPTHS)


def _piece(stream: Stream, batch: int, number: int) -> IntArray:
    """(4, hits) of one part out of a scratch file."""
    first, last = np.load(_path(stream, batch, "starts"))[number : number + 2]
    return np.asarray(np.load(_path(stream, batch, "hits"), mmap_mode="r")[:, first:last])


def _texts_by_part(start: PoolOnly, sizes: Sequence[int]) -> list[Mapping[str, str]]:
    """The texts of the documents of each part."""
    texts, pool = start.read.texts, start.read.assessments
    rows = pool.topic_start[[0, *accumulate(sizes)]]
    return [
        {name: texts[name] for name in pool.documents[first:last] if name in texts} for first, last in pairwise(rows)
    ]


def _share_of(progress: Progress | None, low: float, high: float, what: str) -> Tell | None:
    if progress is None:
        return None
    return lambda share: progress(low + (high - low) * share, f"{what}: {share:.0%}")


# --- the pool, as every process that takes part reads it ----------------------------------------------------------


def _pool_file(scratch: str) -> str:
    return str(Path(scratch) / "pool")


def _write_pool(scratch: str, pool: Assessments) -> None:
    with open(_pool_file(scratch), "wb") as file:
        pickle.dump(pool, file, protocol=pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=1)
def _pool(scratch: str) -> Assessments:
    with open(_pool_file(scratch), "rb") as file:
        pool: Assessments = pickle.load(file)
    return pool


@lru_cache(maxsize=1)
def _index(scratch: str) -> PoolIndex:
    return PoolIndex.of(_pool(scratch))


def _pool_of(scratch: str, start: int, stop: int) -> tuple[Assessments, int]:
    """The pool of some topics, and its first row in the whole pool."""
    pool = _pool(scratch)
    rows = slice(*pool.topic_start[[start, stop]].tolist())
    return replace(
        pool,
        topics=pool.topics[start:stop],
        topic=pool.topic[rows] - start,
        documents=pool.documents[rows],
        columns={name: values[rows] for name, values in pool.columns.items()},
        sources={name: sources.take(rows) for name, sources in pool.sources.items()},
    ), rows.start


def _path(stream: Stream, batch: int, what: str) -> Path:
    return Path(stream.scratch) / f"{what}-{batch:06d}.npy"


def _save(path: Path, values: IntArray) -> None:
    """All or nothing, as the process may end at any time."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    with half.open("wb") as file:
        np.save(file, values)
    half.replace(path)
