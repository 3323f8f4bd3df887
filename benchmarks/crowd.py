"""Sixty hostile sessions beside twenty honest ones: response times of a slider, and the files that survive.

Every honest move is to a value that nobody has seen before, so that it is computed. Moves are timed
without and with the hostile sessions in turn. First every honest visitor has a separate address, then all of them
share one, as behind one router; finally the hostile sessions, which have one address, share it too. The hostile
sessions run in a separate process. Each repeats one of the tricks below, every time as a new visitor. A second table
counts the answers to each trick, which shows whether it was tried at all, and what stopped it.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from typing import IO, Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from benchmarks.data import Place
from benchmarks.sessions import Person, moved, served
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say, share_below
from benchmarks.visitors import LINKS, link
from evalcore.limits import most

HONEST, WITH_FILES, HOSTILE = 20, 5, 60
MOVES, PACE = 6, 6.0  # of each honest person, and seconds between an answer and the next move
PAUSE = 1.0  # seconds between two tricks of a hostile session
HELD = 10.0  # seconds for which it keeps a connection open
STALLED = 40.0  # seconds for which it keeps an upload open without sending more
NEVER_TWICE = 9  # digits of a value of the slider
OWN = "annas-own"
HERE, THERE, FILES_FROM = "192.0.2.1", "192.0.2.2", "192.0.2.3"  # addresses of examples (RFC 5737)
APART = [f"198.51.100.{at}" for at in range(1, HONEST + 1)]
TURNS = {
    "honest ones at 20 addresses": (APART, THERE),
    "honest ones at one address": ([HERE] * HONEST, THERE),
    "all at the same address": ([HERE] * HONEST, HERE),
}
POWERS = "TOMA(distance=Minkowski(order=20000000))"
HEADING = ("60 hostile sessions", "alone ms", "95 % ms", "beside ms", "95 % ms", "times", "errors", "files lost")


def run(place: Place) -> Iterator[Table]:
    """Yield two tables: times of moves without and with the crowd, and files lost; then the answers to the tricks."""
    random.seed(56)
    os.environ["EVALCORE_LIMITS"] = "ask=none"  # as if hostile visitors had agreed to each question
    with served(place.folder) as (address, server), tempfile.TemporaryFile("w+") as answers:
        sys.path.insert(0, str(ROOT / "tests"))
        owners = [_owner(address) for _ in range(WITH_FILES)]
        rows = asyncio.run(_measured(address, server, owners, answers))
        yield Table(f"{HOSTILE} hostile sessions beside {HONEST} honest ones, {place.description}", HEADING, rows)
        answers.seek(0)
        yield Table("Tricks of the hostile sessions", ("trick", "answer", "times"), _counted(answers))


async def _measured(address: str, server: int, owners: list[Any], answers: IO[str]) -> list[list[str]]:
    rows = []
    for where, (homes, network) in TURNS.items():
        people = [Person(address, network=home, digits=NEVER_TWICE) for home in homes]
        for person in people:
            await person.open()
        await moved(people, server, PACE, 1, "")
        say(f"crowd: {where}, alone")
        alone, errors = await _took(people, server)
        say(f"crowd: {where}, beside")
        command = [sys.executable, "-m", "benchmarks.crowd", address, network]
        crowd = subprocess.Popen(command, cwd=ROOT, stdout=answers)
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
        rows.append([where, *shown, str(errors + more), str(lost)])
        for person in people:
            await person.socket.close()
    return rows


async def _took(people: list[Person], server: int) -> tuple[list[float], int]:
    """Return the milliseconds of every move by these people, and the number of errors."""
    await moved(people, server, PACE, MOVES, "")
    return [one for person in people for one in person.took], sum(len(person.errors) for person in people)


def _counted(lines: Iterable[str]) -> list[list[str]]:
    """Return the rows of a table: trick, answer, and how often the trick got it; most frequent answers first."""
    # The crowd is killed in mid-sentence, so its last line may be cut.
    found = Counter(tuple(line.rstrip("\n").split("\t")) for line in lines if line.count("\t") == 1)
    return [[*said, str(count)] for said, count in sorted(found.items(), key=lambda one: (one[0][0], -one[1]))]


def _owner(address: str) -> Any:
    """Return a visitor who has uploaded and opened files."""
    from protocol_support import FILES, Visitor

    return Visitor(address, network=FILES_FROM).run().upload(((f"{OWN}.run", FILES[0][1]), *FILES[1:]))


def _has_files(owner: Any) -> bool:
    from protocol_support import Visitor

    again = Visitor(owner.address, owner.cookie, network=FILES_FROM)
    found = OWN in again.run(data="your files").seen()
    again.close()
    return found


# --- the hostile ones: each returns the answer that it got ------------------------------------------------------------


def words(address: str, network: str) -> str:
    """Request figures for sliders, by made-up tokens; return the state that the server reports for the last token."""
    for _ in range(20):
        with urlopen(f"{address}/path/{random.getrandbits(128):032x}", timeout=HELD) as answer:
            state = answer.headers["X-Path"]
    return str(state)


def powers(address: str, network: str) -> str:
    """Open a link to measures with absurdly large powers; return "refused in words" or "not refused"."""
    with _visitor(address, network) as visitor:
        visitor.run("correlations", (), **{"correlations.measures": POWERS})
        return "refused in words" if "use Chebyshev" in visitor.seen() else "not refused"


def patterns(address: str, network: str) -> str:
    """Open a small archive whose description repeats one pattern; return "opened", "not opened" or the refusal."""
    named = ", ".join(['"*.run"'] * (most("toml_characters") // len('"*.run", ') - 10))
    described = f'runs = [{named}]\n[aspects.relevance]\nfile = "qrels.txt"\n'
    files = {"collection.toml": described.encode(), "qrels.txt": b"1 0 a 1\n"}
    runs = {f"{at}.run": b"1 Q0 a 1 3 r\n" for at in range(300)}
    return _opens(address, network, _zipped(files | runs))


def cookies(address: str, network: str) -> str:
    """Open small files that are large once unpacked, as a new visitor; return "opened", "not opened" or the refusal."""
    from protocol_support import FILES

    judged = b"".join(b"1 0 %s%d 1\n" % (b"x" * 400, at) for at in range(20_000))
    return _opens(address, network, _zipped({**dict(FILES), "more.txt": judged}))


def bodies(address: str, network: str) -> str:
    """Keep thirty uploads open in one tab, together larger than a tab may upload; return how many were refused."""
    with _visitor(address, network) as visitor, ExitStack() as lines:
        begun = [lines.enter_context(_uploading(visitor, 40_000_000, b"x" * 2_000_000)) for _ in range(30)]
        time.sleep(HELD)
        refused = sum(b" 413 " in _answer(line, 0.1) for line in begun)
        return f"{refused} of 30 refused"


def stalls(address: str, network: str) -> str:
    """Begin an upload and never send the rest; return the first line of the server's answer, or "none"."""
    with _visitor(address, network) as visitor, _uploading(visitor, 400_000_000, b"x") as line:
        return _answer(line, STALLED).split(b"\r\n")[0].decode() or "none"


def half(address: str, network: str) -> str:
    """Begin a request and never finish it; return the first line of the server's answer, or "none"."""
    with _connected(address) as line:
        line.sendall(b"GET / HT")
        return _answer(line, STALLED).split(b"\r\n")[0].decode() or "none"


def links(address: str, network: str) -> str:
    """Open one of the heaviest links, watch for a while, and leave; return how far it was computed, in words."""
    with _visitor(address, network) as visitor:
        place, visitor.query = link(*random.choice(list(LINKS.values())))
        visitor.ask(place)
        until, shown = time.monotonic() + HELD, 0
        for message in visitor.received():
            shown += message.delta.new_element.WhichOneof("type") == "progress"
            if time.monotonic() > until or message.WhichOneof("type") == "script_finished":
                return "computed" if shown else "showed no progress"
    return "ended"


def messages(address: str, network: str) -> str:
    """Send messages at random; return how many were sent, in words."""
    from fuzz.messages import sent

    return f"{sent(address, random.Random(), 50, network=network)} sent"


Trick = Callable[[str, str], str]
TRICKS: tuple[Trick, ...] = (words, powers, patterns, cookies, bodies, stalls, half, links, messages)


def _visitor(address: str, network: str) -> Any:
    from protocol_support import Visitor

    return closing(Visitor(address, network=network).run())


def _zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _opens(address: str, network: str, content: bytes) -> str:
    """Upload an archive and open it; return "opened", "not opened" or the text of the refusal."""
    with _visitor(address, network) as visitor:
        alerts = [delta.new_element.alert.body for delta in visitor.offer((("all.zip", content),)).deltas()]
        if any(alerts):
            return str(next(filter(None, alerts)))
        return "opened" if "your+files" in visitor.wait().query else "not opened"


def _connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((str(parts.hostname), int(parts.port or 80)), HELD)


def _uploading(visitor: Any, size: int, begun: bytes) -> socket.socket:
    """Begin an upload in a tab, as its page would; return the open connection."""
    head = (
        f"PUT {urlsplit(visitor.urls('f').upload_url).path} HTTP/1.1\r\nHost: {urlsplit(visitor.address).netloc}\r\n"
        f"Cookie: {visitor.cookies}\r\nX-Xsrftoken: {visitor.cookie}\r\nContent-Length: {size}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
        '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    )
    line = _connected(visitor.address)
    with suppress(OSError):  # it may be refused before all is sent
        line.sendall(head.encode() + begun)
    return line


def _answer(line: socket.socket, seconds: float) -> bytes:
    """Return the beginning of the server's answer; b"" if none comes in time."""
    line.settimeout(seconds)
    try:
        return line.recv(1000)
    except OSError:
        return b""


def _again_and_again(address: str, network: str, trick: Trick) -> None:
    while True:
        try:
            answer = trick(address, network)
        except Exception as error:  # whatever the server does to it
            answer = type(error).__name__
        print(trick.__name__, answer, sep="\t", flush=True)
        time.sleep(PAUSE)


def main(address: str, network: str) -> None:
    """Start sixty hostile sessions, which repeat their tricks until the process is ended."""
    sys.path.insert(0, str(ROOT / "tests"))
    os.nice(5)
    for at in range(HOSTILE):
        trick = TRICKS[at % len(TRICKS)]
        threading.Thread(target=_again_and_again, args=(address, network, trick)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
