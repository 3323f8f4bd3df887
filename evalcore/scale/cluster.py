"""Past one machine: tasks on the workers of a Dask cluster, `pip install ir-evalcore[cluster]`.

    with ec.cluster.connect("tcp://head:8786") as cluster:   # or connect() for workers on this machine
        c = ec.open_partitions("/shared/collection", cluster)
        ec.evaluate("nDCG@10", c); ec.sweep("RBP", "rho", [0.5, 0.8], c)   # and evalcore.sensitivity, unchanged

Workers need this version of evalcore and must see the collection's folder under the same path. A task depends on
nothing but files and its arguments, and its key says all of these: a worker may die at any time, what it had to do or
had done is done again elsewhere, and a result is the same whoever computed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib.util
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd

from evalcore.apart import ONE_THREAD, end
from evalcore.errors import ClusterError, InputError, not_installed
from evalcore.meta.align import paired_frames
from evalcore.meta.discrimination import PairedBootstrap, bootstrap_blocks, discriminative_power, n_blocks, of_blocks
from evalcore.progress import Tell, tell_share
from evalcore.scale.tasks import Task
from evalcore.writing import temporary_folder

AHEAD = 3  # tasks handed out per thread, so that none waits and results do not pile up
BETWEEN = 0.05  # seconds between two signs of life
BYE = 2.0  # seconds to leave in
ANSWER = 10.0  # seconds for a scheduler or all workers to answer a question
PATIENCE = 20.0  # seconds for workers to appear, or to show a sign of life
START = 60.0  # seconds for workers on this machine to start
TRANSFER = 60.0  # seconds for a result to arrive
LOOKS = 5.0  # seconds between two looks at the workers while nothing is done


GONE = "expected an answer from the scheduler, found it gone: start it again"


def installed() -> bool:
    """Whether dask is there."""
    try:
        return importlib.util.find_spec("distributed") is not None
    except ValueError:
        return False


def connect(
    address: str | None = None, *, workers: int = 2, memory: str = "2GB", patience: float | None = None
) -> Cluster:
    """A cluster: the one whose scheduler is at an address such as tcp://head:8786, or workers on this machine.

    Local ones are `workers` processes of one thread that may take `memory` each; they end with the cluster. Raises
    ClusterError where dask is not installed, nobody answers, no worker appears within `patience` seconds (20; 60 for
    local ones), or workers have another version of evalcore.
    """
    distributed = _distributed()
    if address is not None:
        seconds = min(ANSWER, patience or ANSWER)
        try:
            _greet(distributed, address, seconds)
            client = distributed.Client(address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError) as error:
            found = str(error) or f"within {seconds:g} s"  # a TimeoutError says nothing
            problem = f"expected a Dask scheduler, found no answer ({found}): it may have ended, or be elsewhere"
            raise ClusterError(problem, address) from None
        cluster, count = Cluster(client), 1
    else:
        cluster, count = _local(distributed, workers, memory), workers
    try:
        cluster.wait_for_workers(count, patience or (START if address is None else PATIENCE))
        cluster.refuse_other_versions()
    except BaseException:
        cluster.close()
        raise
    return cluster


class Cluster:
    """Runs tasks on the workers of a Dask cluster; to be closed, or used as a context."""

    def __init__(self, client: Any, own: contextlib.ExitStack | None = None) -> None:
        self.client = client
        self._own = own or contextlib.ExitStack()
        self._seen: set[str] = set()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; workers that `connect` started end."""
        with contextlib.suppress(OSError):  # a scheduler that says nothing
            self.client.close(timeout=BYE)
        self._own.close()

    @property
    def address(self) -> str:
        """What `connect` takes to reach the same scheduler."""
        return str(self.client.scheduler.address)

    @property
    def alive(self) -> bool:
        """Whether the scheduler still answers."""
        return bool(self.client.status == "running")

    @property
    def threads(self) -> int:
        """How many tasks run at once."""
        return sum(self._asked(self.client.nthreads).values())

    def run(self, tasks: Sequence[Task], tell: Tell | None = None) -> Iterator[Any]:
        """The result of each task, in their order, a few per thread under way at once.

        `tell` gets the share that is done, also while nothing is; what it raises, or leaving the iterator, cancels what
        is under way. Raises what a task raises, and ClusterError where workers do not see what tasks read or die of one
        task again and again, or where the scheduler or all workers are gone.
        """
        for path in dict.fromkeys(task.reads for task in tasks):
            self._refuse_unseen(path)
        waiting, running = deque(tasks), deque[Any]()
        try:
            for done in range(len(tasks)):
                while waiting and len(running) < AHEAD * max(self.threads, 1):
                    running.append(self._submitted(waiting.popleft()))
                self._wait(running[0], tell, done / len(tasks))
                result = self._result(running[0])
                running.popleft().release()
                yield result
            if tasks:
                tell_share(tell, 1.0)
        finally:
            if self.alive:
                self.client.cancel(list(running))

    def paired_bootstrap(
        self, scores: pd.DataFrame, n_resamples: int = 10_000, seed: int = 0, tell: Tell | None = None
    ) -> PairedBootstrap:
        """`evalcore.paired_bootstrap`, some pairs of systems to a task: the same resamples, the same numbers."""
        frame = paired_frames(scores, scores)[0]
        count = n_blocks(frame.shape[1], n_resamples)
        step = max(1, -(-count // (AHEAD * max(self.threads, 1))))
        tasks = []
        for first in range(0, count, step):
            blocks = range(first, min(first + step, count))
            arguments = (frame, blocks, n_resamples, seed)
            tasks.append(Task((_digest(frame), *arguments[1:]), bootstrap_blocks, arguments))
        if not tasks:
            raise InputError(f"expected at least 2 systems, found {frame.shape[1]}")
        return of_blocks(frame, n_resamples, list(self.run(tasks, tell)))

    def discriminative_power(
        self,
        tables: Mapping[str, pd.DataFrame],
        alpha: float = 0.05,
        n_resamples: int = 10_000,
        seed: int = 0,
        tell: Tell | None = None,
    ) -> pd.DataFrame:
        """`evalcore.discriminative_power`, one measure to a task: the same resamples, the same numbers."""
        first = next(iter(tables.values()))
        tasks = []
        for text, scores in tables.items():
            frame = paired_frames(first, scores)[1]
            arguments = ({text: frame}, alpha, n_resamples, seed)
            tasks.append(Task((text, _digest(frame), *arguments[1:]), discriminative_power, arguments))
        rows: list[pd.DataFrame] = list(self.run(tasks, tell))
        return pd.concat(rows)

    def wait_for_workers(self, count: int, patience: float) -> None:
        """Raises ClusterError where fewer have come by then."""
        deadline = time.monotonic() + patience
        while (here := len(self._asked(self.client.nthreads))) < count:
            if time.monotonic() > deadline:
                problem = f"expected {count} workers within {patience:g} s, found {here}"
                raise ClusterError(f"{problem}: `dask worker {self.address}` starts one", self.address)
            time.sleep(BETWEEN)

    def refuse_other_versions(self) -> None:
        """Raises ClusterError where a worker lacks evalcore or has another version of it."""
        own = _versions()
        for worker, theirs in self._of_workers(_versions).items():
            if theirs != own:
                versions = f"an error ({theirs})" if isinstance(theirs, Exception) else _listed(theirs)
                problem = f"expected the versions {_listed(own)} on workers, found {versions}"
                raise ClusterError(f"{problem}: install the same there", worker)

    def _refuse_unseen(self, path: str) -> None:
        if not path or path in self._seen:
            return
        seen = self._of_workers(os.path.exists, path)
        blind = [worker for worker, sees in seen.items() if sees is not True]
        if blind:
            problem = f"expected workers that see this file, found {len(blind)} of {len(seen)} that do not ({blind[0]})"
            raise ClusterError(f"{problem}: put it where all see it under this path", path)
        self._seen.add(path)

    def _of_workers(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """What a function gives on each worker, at once whatever it does; an exception where it raises one."""
        result: dict[str, Any] = self._asked(lambda: self.client.run(function, *arguments, on_error="return"))
        return result

    def _asked(self, ask: Callable[[], Any]) -> Any:
        """What the scheduler answers, as it would never come from one that hangs."""

        async def answer() -> Any:
            return await ask()

        if not self.alive:
            raise ClusterError(GONE, self.address)
        with contextlib.suppress(OSError):  # TimeoutError is one
            return self.client.sync(answer, callback_timeout=ANSWER)
        problem = f"expected an answer from the scheduler and its workers within {ANSWER:g} s, found none"
        raise ClusterError(f"{problem}: they may hang, or have lost the network", self.address)

    def _submitted(self, task: Task) -> Any:
        try:
            return self.client.submit(task.function, *task.arguments, key=task.key)
        except TypeError as error:  # from pickle
            raise InputError(f"expected files in a folder, which workers can open themselves, found: {error}") from None

    def _wait(self, future: Any, tell: Tell | None, share: float) -> None:
        seen = look = time.monotonic()
        signs: frozenset[object] = frozenset()
        pause = BETWEEN / 64
        while not future.done():
            time.sleep(pause)
            pause = min(2 * pause, BETWEEN)
            tell_share(tell, share)
            now = time.monotonic()
            if now - look > LOOKS:
                before, signs = signs, self._signs_of_life()
                look, seen = now, now if signs - before else seen
                if now - seen > PATIENCE:
                    problem = f"expected a worker that runs, found none for {PATIENCE:g} s"
                    raise ClusterError(
                        f"{problem}: all have ended, hang, or are paused as they lack memory", self.address
                    )

    def _signs_of_life(self) -> frozenset[object]:
        """Which workers run, each with when the scheduler heard from it last, by its clock."""
        workers = self._asked(lambda: self.client.scheduler.identity(n_workers=-1))["workers"]
        running = {name: worker for name, worker in workers.items() if worker["status"] == "running"}
        return frozenset((name, worker["last_seen"]) for name, worker in running.items())

    def _result(self, future: Any) -> Any:
        try:
            return future.result(timeout=TRANSFER)
        except CancelledError:
            raise ClusterError(GONE, self.address) from None
        except _distributed().TimeoutError:
            raise ClusterError(f"expected a result within {TRANSFER:g} s, found none", self.address) from None
        except _distributed().KilledWorker as error:
            problem = "a worker was killed while scoring this part, again and again (out of memory?)"
            raise ClusterError(f"{problem}; store smaller parts (topics_per_part)", str(error.task)) from None


def _greet(distributed: Any, address: str, seconds: float) -> None:
    """Ask a scheduler who it is: for one that hangs a Client would wait for ever. Raises OSError or ValueError."""

    async def ask() -> None:
        async with distributed.rpc(address) as scheduler:
            await asyncio.wait_for(scheduler.identity(), seconds)

    with ThreadPoolExecutor(1) as thread:  # of its own: a notebook's runs a loop already
        thread.submit(lambda: asyncio.run(ask())).result()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ClusterError(str(not_installed("distributed", "cluster"))) from None
    return distributed


def _digest(frame: pd.DataFrame) -> str:
    """What a result depends on of a frame."""
    hashed = pd.util.hash_pandas_object(frame).to_numpy().tobytes()
    return hashlib.blake2b(hashed + repr(list(frame.columns)).encode(), digest_size=16).hexdigest()


def _versions() -> dict[str, str]:
    """What results depend on."""
    import numpy

    import evalcore

    return {"evalcore": evalcore.__version__, "numpy": numpy.__version__}


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _local(distributed: Any, workers: int, memory: str) -> Cluster:
    """A scheduler in this process, and workers in processes that know nothing of what this one runs.

    Workers forked or spawned by Python would import its main module, which in the app is a page.
    """
    own = contextlib.ExitStack()
    scheduler = own.enter_context(
        distributed.LocalCluster(n_workers=0, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1")
    )
    scratch = own.enter_context(temporary_folder())
    for _ in range(workers):
        own.callback(end, [_started(scheduler.scheduler_address, memory, str(scratch))])
    client = distributed.Client(scheduler.scheduler_address, set_as_default=False)
    return Cluster(client, own)


def _started(address: str, memory: str, scratch: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nworkers", "1", "--nthreads", "1"]
    command += ["--memory-limit", memory, "--no-dashboard", "--local-directory", scratch, "--death-timeout", "30"]
    here = str(Path(__file__).parents[1])
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = dict(ONE_THREAD)
    # Results are small and leave at once, so there is nothing to spill, and a pause would free nothing.
    settings |= dict.fromkeys(
        (f"DASK_DISTRIBUTED__WORKER__MEMORY__{at}" for at in ("TARGET", "SPILL", "PAUSE")), "False"
    )
    settings["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # gives back what it no longer needs
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env={**os.environ, **settings, "PYTHONPATH": path}, **quiet)  # type: ignore[call-overload,no-any-return]
