"""Sixty hostile sessions beside twenty honest ones: response times of a slider, and whose files survive.

Measurements with and without the hostile sessions alternate. The hostile sessions run in a separate process. Each
repeats one of the tricks below, as different visitors from one address.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from benchmarks.data import Place
from benchmarks.sessions import Person, moved, served
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say, share_below
from benchmarks.visitors import LINKS

HONEST, WITH_FILES, HOSTILE = 20, 5, 60
MOVES, PACE = 6, 6.0  # moves of each honest person, and seconds between an answer and the next move
TURNS = 2
PAUSE = 1.0  # seconds between tricks of a hostile session
HELD = 10.0  # seconds that a hostile session keeps a connection open
OWN = "annas-own"
POWERS = "TOMA(distance=Minkowski(order=20000000))"
HEADING = ("", "alone ms", "95 % ms", "beside ms", "95 % ms", "times", "errors", "files lost")


def run(place: Place) -> Iterator[Table]:
    """Time moves with and without the crowd, alternately; then check that everybody's files still exist."""
    random.seed(56)
    with served(place.folder) as (address, server):
        sys.path.insert(0, str(ROOT / "tests"))
        owners = [_owner(address) for _ in range(WITH_FILES)]
        rows = asyncio.run(_measured(address, server, owners))
        yield Table(f"{HOSTILE} hostile sessions beside {HONEST} honest ones, {place.description}", HEADING, rows)


async def _measured(address: str, server: int, owners: list[Any]) -> list[list[str]]:
    people = [Person(address) for _ in range(HONEST)]
    for person in people:
        await person.open()
    await moved(people, server, PACE, 1, "")
    rows = []
    for turn in range(TURNS):
        say(f"crowd: turn {turn + 1}, alone")
        alone, errors = await _took(people, server)
        say(f"crowd: turn {turn + 1}, beside")
        crowd = subprocess.Popen([sys.executable, "-m", "benchmarks.crowd", address], cwd=ROOT)
        try:
            await asyncio.sleep(HELD)
            beside, more = await _took(people, server)
        finally:
            crowd.kill()
            crowd.wait()
        await asyncio.sleep(HELD)
        lost = await asyncio.to_thread(lambda: sum(not _has_files(owner) for owner in owners))
        medians = [share_below(took, share) for took in (alone, beside) for share in (0.5, 0.95)]
        shown = map(number, (*medians, medians[2] / medians[0]))
        rows.append([f"turn {turn + 1}", *shown, str(errors + more), str(lost)])
    return rows


async def _took(people: list[Person], server: int) -> tuple[list[float], int]:
    """Return the milliseconds of all moves, and the number of failed moves."""
    await moved(people, server, PACE, MOVES, "")
    return [one for person in people for one in person.took], sum(len(person.errors) for person in people)


def _owner(address: str) -> Any:
    """Return a person who has opened files."""
    from protocol_support import FILES, Visitor

    return Visitor(address).run().upload(((f"{OWN}.run", FILES[0][1]), *FILES[1:]))


def _has_files(owner: Any) -> bool:
    from protocol_support import Visitor

    again = Visitor(owner.address, owner.cookie)
    found = OWN in again.run(data="your files").seen()
    again.close()
    return found


# --- hostile sessions -------------------------------------------------------------------------------------------------


def words(address: str) -> None:
    """Request slider paths with invented words."""
    with suppress(URLError):
        for _ in range(20):
            urlopen(f"{address}/path/{random.getrandbits(128):032x}", timeout=HELD).close()


def cookies(address: str) -> None:
    """Open small files that are large when unpacked, from a new browser."""
    from protocol_support import FILES, Visitor

    many = b"".join(b"1 Q0 d%d %d %d x\n" % (at, at, -at) for at in range(1, 2000))
    visitor = Visitor(address)
    visitor.run().upload((*FILES, ("many.run", many)))
    visitor.close()


def stalls(address: str) -> None:
    """Begin an upload and stop sending."""
    head = b"PUT /_stcore/upload_file/s/f HTTP/1.1\r\nHost: %s\r\nContent-Length: 400000000\r\n\r\nx"
    _hold(address, head % urlsplit(address).netloc.encode())


def half(address: str) -> None:
    """Begin a request and never finish it."""
    _hold(address, b"GET / HT")


def links(address: str) -> None:
    """Open the most expensive links, and leave."""
    from protocol_support import Visitor

    page, said = random.choice(list(LINKS.values()))
    visitor = Visitor(address)
    visitor.ask(page, (), **dict(said))
    time.sleep(HELD)
    visitor.close()


def powers(address: str) -> None:
    """Open a link with absurdly large numbers."""
    from protocol_support import Visitor

    visitor = Visitor(address)
    visitor.run("correlations", (), **{"correlations.measures": POWERS})
    visitor.close()


def messages(address: str) -> None:
    """Send random messages."""
    from fuzz.messages import sent

    sent(address, random.Random(), 50)


TRICKS: tuple[Callable[[str], None], ...] = (words, cookies, stalls, half, links, powers, messages)


def _hold(address: str, begun: bytes) -> None:
    parts = urlsplit(address)
    with closing(socket.create_connection((str(parts.hostname), int(parts.port or 80)), HELD)) as line:
        line.sendall(begun)
        with suppress(TimeoutError):
            line.recv(1000)


def _again_and_again(address: str, trick: Callable[[str], None]) -> None:
    while True:
        with suppress(Exception):  # whatever the server answers
            trick(address)
        time.sleep(PAUSE)


def main(address: str) -> None:
    """Act as sixty hostile sessions until the process is ended."""
    sys.path.insert(0, str(ROOT / "tests"))
    os.nice(5)
    everyone = [
        threading.Thread(target=_again_and_again, args=(address, TRICKS[at % len(TRICKS)])) for at in range(HOSTILE)
    ]
    for one in everyone:
        one.start()


if __name__ == "__main__":
    main(sys.argv[1])
