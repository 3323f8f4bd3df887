"""A local Dask cluster of two workers: the same numbers, with less memory than the data and when a worker dies."""

from __future__ import annotations

import filecmp
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from partitioned.invented import assert_scores_equal, invented, tables

import evalcore as ec
from app_support import ROOT, SAMPLE
from evalcore import cluster as clusters
from evalcore import sensitivity
from evalcore.data.structures import Assessments, Rankings, Scale
from evalcore.partitioned.files import About, write_about, write_part
from evalcore.partitioned.tasks import Here, Task

needs_dask = pytest.mark.skipif(
    not clusters.installed(), reason="dask is not installed: pip install 'ir-evalcore[cluster]'"
)
MEMORY = "320MB"  # of each worker; one takes 200 MB before it has done anything


@pytest.fixture(scope="module")
def cluster() -> Iterator[clusters.Cluster]:
    with clusters.connect(workers=2, memory=MEMORY) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ec.partition(invented(7, systems=6, topics=30), tmp_path_factory.mktemp("p") / "new", topics_per_part=4)


@needs_dask
def test_scores_sweeps_and_grids_are_the_same(cluster, folder):
    here, there = ec.open_partitions(folder), ec.open_partitions(folder, cluster)
    assert_scores_equal(tables(there), tables(here))
    assert_scores_equal(tables(there), tables(invented(7, systems=6, topics=30)))
    mine, theirs = (ec.sweep("RBP", "rho", [0.5, 0.8, 0.9], one) for one in (there, here))
    pd.testing.assert_frame_equal(mine, theirs, check_exact=True)
    one, other = (
        sensitivity.grid("MM(nDCG)", "weights[0]", [0.5, 1.0], "weights[1]", [0.0, 1.0], at).means
        for at in (there, here)
    )
    np.testing.assert_array_equal(one, other)


@needs_dask
def test_the_bootstrap_is_the_same(cluster, folder):
    frames = tables(ec.open_partitions(folder))
    told: list[float] = []
    mine = cluster.discriminative_power(frames, n_resamples=200, seed=3, tell=told.append)
    pd.testing.assert_frame_equal(mine, ec.discriminative_power(frames, n_resamples=200, seed=3), check_exact=True)
    assert told[-1] == 1
    for count in (200, 100_000):  # with these, 4 pairs at once: several tasks
        one, other = (at.paired_bootstrap(frames["AP"], n_resamples=count, seed=5) for at in (cluster, ec))
        pd.testing.assert_frame_equal(one.pairs, other.pairs, check_exact=True)
        assert one.n_resamples == other.n_resamples


@needs_dask
def test_loading_is_the_same_to_the_last_byte(cluster, tmp_path):
    here, there = (
        ec.partition(SAMPLE, tmp_path / name, topics_per_part=9, runner=runner, runs_at_once=3)
        for name, runner in (("here", None), ("there", cluster))
    )
    names, others = ([path.relative_to(at) for path in at.rglob("*") if path.is_file()] for at in (here, there))
    assert sorted(names) == sorted(others)
    assert filecmp.cmpfiles(here, there, names, shallow=False)[1:] == ([], [])


@needs_dask
def test_errors_come_back_as_they_are(cluster, folder):
    with pytest.raises(ec.DataError, match="expected an aspect or signal of this collection"):
        ec.evaluate('AP(aspect="taste")', ec.open_partitions(folder, cluster))
    with pytest.raises(ZeroDivisionError):
        list(cluster.run([Task(("zero",), divmod, (1, 0))]))


@needs_dask
def test_what_a_person_stops_is_cancelled(cluster, folder):
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    there = ec.open_partitions(folder, cluster)
    with pytest.raises(KeyboardInterrupt):
        sensitivity.grid("ERR", "cutoff", list(range(1, 90)), "max_rel", [3, 4, 5], there, tell=stop)
    assert tables(there)


@needs_dask
def test_more_data_than_memory_and_a_worker_killed_midway(cluster, tmp_path):
    large = write_large(tmp_path / "large", parts=30)
    assert ec.open_partitions(large).bytes_in_memory > 2 * 320e6
    first: list[int] = []
    pids = cluster.worker_processes()

    def kill_one(share: float) -> None:
        if share > 0.3 and not first:
            first.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    measures = [ec.parse(text) for text in ("RBP(rho=0.8)", "nDCG@10")]
    there = ec.open_partitions(large, cluster)
    found = list(there.score_each(measures, tell=kill_one))
    assert first
    expected = list(ec.open_partitions(large).score_each(measures))
    np.testing.assert_array_equal(found, expected)
    cluster.wait_for_workers(2, 30)
    assert pids[0] not in cluster.worker_processes()


def write_large(folder: Path, parts: int, systems: int = 100, topics: int = 40, depth: int = 500) -> Path:
    """Every document of every ranking assessed: 2 million hits to a part, 16 MB in memory."""
    folder.mkdir()
    rng = np.random.default_rng(22)
    scales = {"relevance": Scale("relevance", grades=(0, 1, 2))}
    names, facts = tuple(f"s{at}" for at in range(systems)), []
    size = 2 * depth
    for part in range(parts):
        topic = np.repeat(np.arange(topics), size)
        grades = rng.choice(3, len(topic)).astype(float)
        ids = np.array([f"d{at}" for at in range(size)] * topics, dtype=object)
        pool = Assessments(
            tuple(f"t{part * topics + t}" for t in range(topics)), topic, ids, {"relevance": grades}, scales
        )
        orders = rng.permuted(np.tile(np.arange(size), (systems, 1)), axis=1)[:, None, :depth]
        rows = (orders + size * np.arange(topics)[None, :, None]).ravel().astype(np.int32)
        ranks = np.tile(np.arange(1, depth + 1, dtype=np.int32), systems * topics)
        indptr = np.arange(systems * topics + 1) * depth
        lengths = np.full((systems, topics), depth)
        rankings = Rankings(names, topics, len(pool), indptr, ranks, rows, lengths)
        facts.append(write_part(folder, part, "large", pool, rankings, {}))
    about = About("Large", "large", names, scales, tuple(facts))
    tables = (
        pd.DataFrame({"of": names}, index=pd.Index(named, name=name))
        for name, named in (("system", names), ("column", names))
    )
    write_about(folder, about, *tables)
    return folder


@needs_dask
def test_workers_that_are_gone(folder, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    monkeypatch.setattr(clusters, "LOOKS", 0.1)
    with clusters.connect(workers=1, memory=MEMORY, patience=60) as cluster:
        cluster.client.retire_workers()
        with pytest.raises(ec.DataError, match=r"expected a worker that runs, found none for 0\.5 s"):
            tables(ec.open_partitions(folder, cluster))


@needs_dask
def test_an_address_that_nobody_answers():
    with pytest.raises(ec.DataError, match=r"127\.0\.0\.1:9: expected a Dask scheduler, found no answer"):
        clusters.connect("tcp://127.0.0.1:9", patience=0.5)


@needs_dask
def test_the_address_of_a_running_scheduler(cluster, folder):
    with clusters.connect(cluster.address) as other:
        assert other.threads == 2
        assert_scores_equal(tables(ec.open_partitions(folder, other)), tables(ec.open_partitions(folder)))
    assert cluster.threads == 2  # leaving does not end what another started


@needs_dask
def test_keys_tell_tasks_apart():
    keys = {Task(name, divmod, (1, 2)).key for name in ((1,), (2,), ("1",), (1, 1))}
    assert len(keys) == 4
    assert Task((1,), divmod, (1, 2)).key == Task((1,), divmod, (3, 4)).key


def test_without_dask_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert not clusters.installed()
    with pytest.raises(ec.DataError, match=r"pip install 'ir-evalcore\[cluster\]'"):
        clusters.connect()


def test_dask_is_not_imported_before_it_is_used():
    code = "from evalcore import *; import evalcore.cluster, sys; print({'dask', 'distributed'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout.strip(), run.stderr) == ("set()", "")


def test_tasks_here_run_one_after_another():
    told: list[float] = []
    assert list(Here().run([Task((at,), divmod, (at, 2)) for at in range(4)], told.append))[3] == (1, 1)
    assert told == [0.25, 0.5, 0.75, 1.0]
