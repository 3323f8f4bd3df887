"""Collections in parts: read whole where they fit in memory, else scored part by part; sweeps on a cluster.

$EVALCORE_MEMORY (2GB) says what may be held of one collection. `--scheduler tcp://...` after the app's `--`, or
$EVALCORE_SCHEDULER, names the Dask scheduler that sweeps of collections in parts are sent to, and with them all scores
of one that does not fit.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.errors import ClusterError
from evalcore.progress import Progress, Tell, checkpoint
from evalcore.scale import PartitionedCollection, is_partitioned
from evalcore.scale.cluster import Cluster, connect
from evalcore.scale.tasks import LocalRunner, ReportingRunner, Task
from ui.computing import unfinished
from ui.computing.work import Job, results
from ui.screen.text import markdown
from ui.server import held

MEMORY = "2GB"
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
PATIENCE = 15.0  # seconds for workers to appear
RETRY = 60.0  # seconds until a scheduler that failed is asked again


def opened(folder: Path, tell: Progress) -> Collection:
    """What is in a folder or zip: a collection in memory, or in parts where it does not fit."""
    if not is_partitioned(folder):
        return ec.load(folder, progress=tell)
    parts = ec.open_partitions(folder)
    _known()[parts.fingerprint] = parts
    if parts.bytes_in_memory > most_bytes():
        return cast(Collection, parts.on(ClusterOrLocalRunner()) if scheduler() else parts)
    return parts.in_memory(lambda share: tell(share, "Reading parts"))


def described(collection: Collection) -> str:
    """Where its scores are made, in Markdown; empty for a collection in memory."""
    parts = in_parts(collection)
    if parts is None:
        return ""
    where = f"on {markdown(scheduler())}" if scheduler() and not failed() else "here"
    return f":material/hard_drive: {parts.n_parts:,} parts, scored {where} one by one"


def most_bytes() -> int:
    """$EVALCORE_MEMORY in bytes. Raises InputError where it is no size."""
    text = os.environ.get("EVALCORE_MEMORY") or MEMORY
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)B?\s*", text, re.IGNORECASE)
    if not match:
        raise InputError(f"expected a size such as 500MB or 2GB, found {text!r}", "EVALCORE_MEMORY")
    return int(float(match[1]) * UNITS[match[2].upper()])


def in_parts(collection: Collection) -> PartitionedCollection | None:
    """The collection as what it is where its rankings are not in memory."""
    instance = cast(object, collection)
    return instance if isinstance(instance, PartitionedCollection) else None


def swept(collection: Collection, whole: Collection) -> Collection:
    """What a sweep is computed on: the same collection on the cluster, where one is named and sees its parts.

    Where the sweep does not tell its progress itself, as while it looks for where the winner changes, it can be stopped
    all the same.
    """
    parts = _known().get(whole.fingerprint)
    if parts is not None and scheduler() is not None:
        parts = ec.judged_by(parts, collection.source) if collection.source else parts
        parts = ec.restrict(parts.on(ClusterOrLocalRunner()), collection.systems, collection.topics)
        parts = ec.average_over(parts, collection.rankings.average_over)
    else:
        parts = in_parts(collection)
    return (
        collection
        if parts is None
        else cast(Collection, parts.on(ReportingRunner(parts.runner, lambda share: checkpoint())))
    )


def scores(parts: PartitionedCollection, text: str) -> pd.DataFrame:
    """Topics x systems, part by part with a bar; a person may stop it."""
    name = ("scores", parts.fingerprint, text)
    jobs: dict[Hashable, Job[pd.DataFrame]] = {
        name: lambda tell: ec.evaluate(text, parts.on(ReportingRunner(parts.runner, tell)))
    }
    by_text = results(f"scores {text}", f"Scoring {parts.n_parts} parts by {text}", jobs)
    if name not in by_text:
        unfinished.end()  # how to go on stands where the work was held
        st.stop()
    return by_text[name]


def scheduler() -> str | None:
    """The address of the scheduler, if one is named."""
    addresses = [value for flag, value in pairwise(sys.argv[1:]) if flag == "--scheduler"]
    return (addresses or [os.environ.get("EVALCORE_SCHEDULER", "")])[-1] or None


@dataclass(frozen=True)
class ClusterOrLocalRunner:
    """The workers of the scheduler; where they fail, this process goes on from where they stopped."""

    def run(self, tasks: Sequence[Task], tell: Tell | None = None) -> Iterator[Any]:
        """The result of each task, in their order."""
        done = 0
        try:
            for result in cluster().run(tasks, tell):
                yield result
                done += 1
            return
        except ClusterError as error:
            _failures()[cast(str, scheduler())] = time.monotonic(), error
        rest = tasks[done:]
        yield from LocalRunner().run(rest, tell and (lambda share: tell((done + share * len(rest)) / len(tasks))))


def say_failed() -> None:
    """While the scheduler is not asked: why, and who computes instead."""
    if error := failed():
        st.warning(
            f"The Dask cluster does not answer: {markdown(error)}. This machine computes instead, part by part; the "
            f"cluster is asked again after {RETRY:g} seconds.",
            icon=":material/cloud_off:",
        )


def failed() -> ClusterError | None:
    """How the scheduler failed within the last RETRY seconds."""
    when, error = _failures().get(scheduler() or "", (-RETRY, None))
    return error if time.monotonic() - when < RETRY else None


def cluster() -> Cluster:
    """The cluster of the scheduler, for all sessions. Raises ClusterError where it failed or cannot be reached."""
    if error := failed():
        raise error
    address = cast(str, scheduler())
    connected = _connected(address)
    if not connected.alive:
        _connected.clear()
        connected = _connected(address)
    return connected


@st.cache_resource(max_entries=4, on_release=Cluster.close, show_spinner="Connecting to the scheduler")
def _connected(address: str) -> Cluster:
    return connect(address, patience=PATIENCE)


@held.once
def _failures() -> dict[str, tuple[float, ClusterError]]:
    """When each scheduler failed last, and how."""
    return {}


@held.once
def _known() -> dict[str, PartitionedCollection]:
    """Collections in parts that were opened, by fingerprint: as few as the server has folders."""
    return {}
