"""Processes of the app that are kept running: one that ends, is silent or grows too large is started again."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import IO

from evalcore.apart import end
from evalcore.cli import keeper
from evalcore.cli.terminal import print_note
from evalcore.errors import InputError
from evalcore.later import http_client

LOOK = 1.0  # seconds between two looks at each
ANSWER = 2.0  # seconds in which it says that it is well
MOST = 3  # starts, one after the other, that come to nothing


@dataclass(frozen=True)
class Bounds:
    """What a worker may take."""

    memory: float | None = None  # MB
    silence: float = 30.0  # seconds; a start may take twice as long


@dataclass(eq=False)
class Worker:
    """A process of the app, and when it was last heard of."""

    port: int
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    heard: float = 0.0
    well: bool = False
    failed: int = 0  # such starts since it was last well and within its bounds

    def start(self) -> None:
        """Start it, for the first time or again."""
        # Its standard output says its own address, which is not for visitors.
        self.process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.DEVNULL)
        self.heard, self.well = time.monotonic(), False

    def end(self) -> None:
        """End it."""
        if self.process is not None:
            end([self.process], keeper.END)

    def trouble(self, bounds: Bounds) -> str:
        """Why it cannot go on; empty where it can."""
        assert self.process is not None
        if (code := self.process.poll()) is not None:
            return f"ended with {code}"
        if answers(self.port):
            self.heard, self.well = time.monotonic(), True
        elif time.monotonic() - self.heard > bounds.silence * (1 if self.well else 2):
            return f"was silent for {time.monotonic() - self.heard:.0f} s"
        if bounds.memory is not None and (taken := megabytes(self.process.pid)) > bounds.memory:
            return f"took {taken:,.0f} MB of memory, more than {bounds.memory:,.0f}"
        return ""


class Keeper:
    """A small process that ends all others when this one is killed, so that no port stays taken."""

    def __enter__(self) -> Keeper:
        command = [sys.executable, "-I", "-S", keeper.__file__]
        # In a session of its own: what a terminal sends to all is for this process to answer.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.knows([])
        with contextlib.suppress(OSError):
            self._stdin.close()
        self._process.wait()

    @property
    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def knows(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        """Tell it which processes run now. Where it was ended by hand, nobody keeps them."""
        with contextlib.suppress(OSError):
            self._stdin.write(" ".join(str(process.pid) for process in processes) + "\n")
            self._stdin.flush()


def serve_until_ended(
    commands: Mapping[int, Sequence[str]],
    front: Sequence[str],
    listen: str,
    environment: Mapping[str, str],
    bounds: Bounds,
) -> None:
    """Run a worker for each port and, once they answer, what stands before them, until a signal ends it.

    Raises InputError where a port is taken, a worker does not start, or what stands before them ends.
    """
    _refuse_taken([*([int(listen.rpartition(":")[2])] if front else []), *commands])
    workers = [Worker(port, command, environment) for port, command in commands.items()]
    before: subprocess.Popen[bytes] | None = None

    def running() -> list[subprocess.Popen[bytes]]:
        return [process for process in (before, *(worker.process for worker in workers)) if process]

    with ended_by_a_signal(), Keeper() as kept, contextlib.ExitStack() as stack:
        stack.callback(lambda: end(running(), keeper.END))
        for worker in workers:
            worker.start()
            kept.knows(running())
        while not all(worker.well for worker in workers):
            _look(workers, bounds, lambda: kept.knows(running()))
        before = subprocess.Popen(front) if front else None
        kept.knows(running())
        where = f"The app is at http://{listen}, with" if front else "The app runs as"
        count = "1 worker on the port" if len(workers) == 1 else f"{len(workers)} workers on the ports"
        print(f"\n  {where} {count} {', '.join(map(str, commands))}\n", flush=True)
        while before is None or before.poll() is None:
            _look(workers, bounds, lambda: kept.knows(running()))
        raise InputError(f"expected nginx to stay, found that it ended with {before.returncode}")


def answers(port: int) -> bool:
    """Whether the app at this port of this machine says that it is well."""
    with contextlib.closing(http_client.HTTPConnection("127.0.0.1", port, timeout=ANSWER)) as connection:
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == http_client.OK
        except (OSError, http_client.HTTPException):
            return False


def megabytes(process: int) -> float:
    """The memory that a process takes; nan where that cannot be known."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS:"))
    except (OSError, StopIteration):
        asked = ["ps", "-o", "rss=", "-p", str(process)]
        kilobytes = subprocess.run(asked, capture_output=True, text=True).stdout.strip() if which("ps") else ""
    return int(kilobytes) * 1024 / 1e6 if kilobytes.isdigit() else float("nan")


def _look(workers: Sequence[Worker], bounds: Bounds, started: Callable[[], None]) -> None:
    """Start again what is in trouble, and say so to `started`."""
    for worker in workers:
        if not (problem := worker.trouble(bounds)):
            worker.failed *= not worker.well
            continue
        worker.failed += 1
        if worker.failed >= MOST:
            raise InputError(f"expected the worker on port {worker.port} to start, found that it {problem}")
        print_note(f"the worker on port {worker.port} {problem}; started again")
        worker.end()
        worker.start()
        started()
    time.sleep(LOOK)


def _refuse_taken(ports: Sequence[int]) -> None:
    for port in ports:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
            except OSError as error:
                raise InputError(
                    f"expected a port that can be listened at, found: {error.strerror}", f"port {port}"
                ) from None


@contextlib.contextmanager
def ended_by_a_signal() -> Iterator[None]:
    """SIGTERM, and the end of the terminal, end it as Ctrl-C does, and that is no error: no process is left behind."""

    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {kind: signal.getsignal(kind) for kind in kinds}
    heard = [kind for kind in kinds if before[kind] not in (signal.SIG_IGN, None)]  # nohup keeps it from SIGHUP
    for kind in heard:
        signal.signal(kind, ended)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for kind in heard:
            signal.signal(kind, before[kind])
