"""A local Dask cluster of two workers: the same numbers, with less memory than the data and when a worker dies."""

from __future__ import annotations

import filecmp
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scale.invented import assert_scores_equal, invented, tables

import evalcore as ec
from app_support import ROOT, SAMPLE
from evalcore import sensitivity
from evalcore.data.store import About, write_about, write_part
from evalcore.errors import ClusterError
from evalcore.scale import cluster as clusters
from evalcore.scale.tasks import LocalRunner, Task
from evalcore.structures.documents import Assessments, LoadingReport, Rankings, Scale

pytestmark = pytest.mark.threads  # Dask is made of them

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
def test_a_claim_is_judged_the_same(cluster, folder):
    here, there = ec.open_partitions(folder), ec.open_partitions(folder, cluster)
    specs = '[[choice]]\nname = "m"\nmeasures = ["AP", "RBP", "CAM(nDCG)"]\n'
    specs += '[[choice]]\nname = "u"\nunassessed = ["0", "left out"]\n'
    text = f"{here.systems[0]} > {here.systems[1]}"
    one, other = (ec.claim(text, specs, at) for at in (here, there))
    assert one.sentence == other.sentence
    np.testing.assert_array_equal(one.multiverse.scores, other.multiverse.scores)


@needs_dask
def test_the_bootstrap_is_the_same(cluster, folder):
    frames = tables(ec.open_partitions(folder))
    shares: list[float] = []
    mine = cluster.discriminative_power(frames, n_resamples=200, seed=3, tell=shares.append)
    pd.testing.assert_frame_equal(mine, ec.discriminative_power(frames, n_resamples=200, seed=3), check_exact=True)
    assert shares[-1] == 1
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
    with pytest.raises(ec.InputError, match="expected an aspect or signal of this collection"):
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
    pids = [*cluster.client.run(os.getpid).values()]

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
    assert pids[0] not in cluster.client.run(os.getpid).values()


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
        facts.append(write_part(folder, part, pool, rankings, {}))
    about = About("Large", "large", names, scales, tuple(facts))
    facts_of = pd.DataFrame({"of": names}, index=pd.Index(names, name="system"))
    write_about(folder, about, LoadingReport(facts_of, facts_of.rename_axis("column")))
    return folder


@needs_dask
def test_workers_that_are_gone(folder, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    monkeypatch.setattr(clusters, "LOOKS", 0.1)
    with clusters.connect(workers=1, memory=MEMORY, patience=60) as cluster:
        cluster.client.retire_workers()
        with pytest.raises(ec.InputError, match=r"expected a worker that runs, found none for 0\.5 s"):
            tables(ec.open_partitions(folder, cluster))


# A scheduler with a worker, in a process that can be stopped and killed without harm to this one.
ELSEWHERE = """
import sys, distributed
cluster = distributed.LocalCluster(
    n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1",
    dashboard_address="127.0.0.1:0",
)
print(cluster.scheduler_address, flush=True)
sys.stdin.read()
"""


@needs_dask
def test_a_scheduler_that_hangs_or_is_gone_is_reported_within_seconds(monkeypatch):
    monkeypatch.setattr(clusters, "ANSWER", 0.5)
    monkeypatch.setattr(clusters, "LOOKS", 0.1)
    process = subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        with patient(monkeypatch):
            cluster = clusters.connect(address)
        sleeps = cluster.run([Task(("sleep",), time.sleep, (60,))], tell=lambda share: hang(process))
        with pytest.raises(ClusterError, match=r"expected an answer from the scheduler and its workers within 0\.5 s"):
            next(sleeps)
        with pytest.raises(ClusterError, match="expected a Dask scheduler, found no answer"):
            clusters.connect(address)
        process.send_signal(signal.SIGCONT)
        with patient(monkeypatch):
            sleeps = cluster.run([Task(("sleep again",), time.sleep, (60,))], tell=lambda share: process.kill())
            with pytest.raises(ClusterError, match="expected an answer from the scheduler, found it gone"):
                next(sleeps)
        with pytest.raises(ClusterError, match="found it gone: start it again"):
            list(cluster.run([Task((), divmod, (1, 2))]))
    finally:
        process.kill()
        process.communicate()
    cluster.close()


def hang(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGSTOP)


@contextmanager
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As long as a busy machine may take, for what does come."""
    with monkeypatch.context() as patched:
        patched.setattr(clusters, "ANSWER", 30.0)
        yield


@needs_dask
def test_a_folder_that_workers_do_not_see(cluster, folder, tmp_path):
    moved = ec.open_partitions(shutil.copytree(folder, tmp_path / "here"), cluster)
    assert moved.n_parts  # opened: this process has read partitions.json
    assert len(moved.assessments)  # and the labels, which say which topics they cover
    shutil.rmtree(tmp_path / "here")
    with pytest.raises(ClusterError) as found:
        tables(moved)
    assert found.value.where == str(tmp_path / "here" / "partitions.json")
    assert "expected workers that see this file, found 2 of 2 that do not (tcp://" in found.value.problem
    assert "put it where all see it under this path" in found.value.problem


@needs_dask
def test_workers_of_another_version(cluster, monkeypatch):
    monkeypatch.setattr(ec, "__version__", "0.0.1")
    with pytest.raises(ClusterError, match=r"expected the versions evalcore 0\.0\.1, numpy \S+ on workers, found"):
        clusters.connect(cluster.address)


@needs_dask
def test_workers_without_evalcore(cluster, monkeypatch):
    # What a worker answers that cannot import it; these ones can.
    monkeypatch.setattr(
        cluster.client, "run", answering({"tcp://w:1": ModuleNotFoundError("No module named 'evalcore'")})
    )
    with pytest.raises(ClusterError, match=r"tcp://w:1: .*found an error \(No module named 'evalcore'\): install"):
        cluster.refuse_other_versions()


def answering(answer: object) -> Callable[..., Awaitable[object]]:
    async def run(*_: object, **__: object) -> object:
        return answer

    return run


@needs_dask
def test_workers_that_hang_are_no_sign_of_life(cluster, monkeypatch):
    same = frozenset({("tcp://w:1", 12.5)})  # heard from last at the same moment, at every look
    monkeypatch.setattr(clusters.Cluster, "_signs_of_life", lambda self: same)
    monkeypatch.setattr(clusters, "PATIENCE", 0.5)
    monkeypatch.setattr(clusters, "LOOKS", 0.1)
    with pytest.raises(ClusterError, match="all have ended, hang, or are paused"):
        list(cluster.run([Task(("hang",), time.sleep, (3,))]))


@needs_dask
def test_an_address_that_nobody_answers():
    with pytest.raises(ec.InputError, match=r"127\.0\.0\.1:9: expected a Dask scheduler, found no answer"):
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


def test_without_dask_the_message_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert not clusters.installed()
    with pytest.raises(ec.InputError, match=r"pip install 'ir-evalcore\[cluster\]'"):
        clusters.connect()


def test_dask_is_not_imported_before_it_is_used():
    code = "from evalcore import *; import evalcore.scale.cluster, sys; print({'dask', 'distributed'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout.strip(), run.stderr) == ("set()", "")


def test_tasks_here_run_one_after_another():
    shares: list[float] = []
    assert list(LocalRunner().run([Task((at,), divmod, (at, 2)) for at in range(4)], shares.append))[3] == (1, 1)
    assert shares == [0.25, 0.5, 0.75, 1.0]
