"""A class at one process of the app and at several behind nginx (`evalcore serve`): moves per second, memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

from benchmarks.data import Place
from benchmarks.sessions import HEADING, LONGEST, MOVES, PEOPLE, moved, opened
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say
from evalcore.cli.workers import megabytes

WORKERS = (1, 2)
PACE = 2.0  # seconds between the answer and the next move, on average
PORT = 8640


def run(place: Place) -> Iterator[Table]:
    """The same moves for each number of workers."""
    rows, memory = [], []
    for count in WORKERS:
        random.seed(22)
        with served(place.folder, count) as (address, servers):
            row, taken = asyncio.run(_class(address, servers, count))
        rows.append(row)
        memory.append((f"{count}", ", ".join(number(one) for one in taken), f"{os.getloadavg()[0]:.1f}"))
    yield Table(f"{PEOPLE} people move a slider, {PACE:g} s to think, {place.description}", HEADING, rows)
    yield Table("Memory after their moves", ("workers", "MB of each", "load of the machine at the end"), memory)


@contextlib.contextmanager
def served(data: Path, count: int) -> Iterator[tuple[str, list[int]]]:
    """The app on the data, by so many workers; its address and their processes."""
    command = [sys.executable, "-m", "evalcore", "serve", "--workers", str(count), "--port", str(PORT)]
    server = subprocess.Popen([*command, "--data", str(data)], cwd=ROOT, stdout=subprocess.DEVNULL)
    address, end = f"http://127.0.0.1:{PORT}", time.monotonic() + LONGEST
    try:
        while server.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                urlopen(address, timeout=5).close()
                children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
                yield address, sorted(map(int, children))[:count]  # nginx was started last
                return
            time.sleep(0.2)
        raise RuntimeError("evalcore serve did not start")
    finally:
        server.terminate()
        server.wait()


async def _class(address: str, servers: list[int], count: int) -> tuple[list[str], list[float]]:
    say(f"workers: {PEOPLE} people at {count}")
    people = await opened(address, PEOPLE)
    row = await moved(people, servers, PACE, MOVES, f"{count} worker{'s' if count > 1 else ''}")
    taken = [megabytes(server) for server in servers]
    for person in people:
        await person.socket.close()
    return row, taken
