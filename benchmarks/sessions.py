"""Many people on one server: the cost of a slider move for each, and the memory that they use and release.

Clients speak Streamlit's protocol (protobuf over a web socket) and draw nothing; they share the machine with the
server.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from benchmarks.data import Place, plain
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say, share_below

PEOPLE = 50
MOVES = 12  # moves of each person, at each pace
PACES = (8.0, 4.0, 2.0)  # mean seconds between an answer and the next move
FORGOTTEN = 125  # seconds after which Streamlit drops a session whose browser has left
UPLOADED = 70  # files of about 4 MB
LONGEST = 120.0  # seconds to wait for an answer
PAGE, VIEW = "tune", "tune.view=understandability"
WORD = re.compile(rb'"key": ?"understandability\.rho", ?"word": ?"([0-9a-f]+)"')
SLIDER = re.compile(rb"\$\$ID-[0-9a-f]+-understandability\.rho(?![\w-])")
# True if all files have arrived and can be opened.
READY = """() => {
    const button = document.querySelector('[data-testid=stSidebar] [data-testid=stBaseButton-primary]');
    return button && !button.disabled && !document.querySelector('[role=progressbar]');
}"""
HEADING = ("", "median ms", "95 % ms", "longest ms", "moves per s", "errors", "CPU ms per move", "server cores")


def run(place: Place) -> Iterator[Table]:
    """Yield tables of the times of sliders, of the memory used, and of a large upload."""
    random.seed(20)
    with served(place.folder) as (address, server):
        yield from asyncio.run(_waves(address, server, place))
    with served(place.folder) as (address, server):
        yield _uploads(address, server, place)


@contextlib.contextmanager
def served(data: Path) -> Iterator[tuple[str, int]]:
    """Run the app on the data; yield its address and process id."""
    sys.path.insert(0, str(ROOT / "tests"))
    from browser_support import running_app

    log = Path(os.environ["EVALCORE_CACHE"]).parent / "sessions.log"
    with running_app(log, data) as address:
        yield address, int(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[-1])


def _megabytes(server: int) -> float:
    status = Path(f"/proc/{server}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1000


def _cpu(server: int) -> float:
    """Return the CPU seconds that the process has used."""
    fields = Path(f"/proc/{server}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Person:
    """A browser that draws nothing: a web socket, and the state of the page as received so far."""

    address: str
    socket: Any = None
    slider: str = ""
    page_hash: str = ""
    query: str = VIEW
    network: str = ""  # the address that a proxy names as the browser's
    digits: int = 2  # of a value of the slider; with 9, no value comes twice, so each move is computed
    drags: bool = False  # request the slider's path before each move, as when a mouse comes near
    word: str = ""  # word of that path...
    had: str = ""  # ...and word of the path already received
    took: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def open(self) -> None:
        await self.connect()
        await self.run_script(page=PAGE)
        if not self.slider:
            raise AssertionError(f"the page has no slider that looks like {SLIDER.pattern!r}")

    async def connect(self) -> None:
        from websockets.asyncio.client import connect

        url = self.address.replace("http", "ws") + "/_stcore/stream"
        self.socket = await connect(
            url,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"X-Forwarded-For": self.network} if self.network else {},
            max_size=None,
            open_timeout=LONGEST,
        )

    async def run_script(self, rho: float | None = None, page: str = "") -> None:
        await self.ask(rho, page)
        await asyncio.wait_for(self._finished(), LONGEST)

    async def ask(self, rho: float | None = None, page: str = "") -> None:
        """Request a run of the script, without waiting for it."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_name, state.page_script_hash = self.query, page, self.page_hash
        if rho is not None:
            widget = state.widget_states.widgets.add()
            widget.id = self.slider
            widget.double_array_value.data.append(rho)
        await self.socket.send(message.SerializeToString())

    async def _finished(self) -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        drawn = False
        while True:
            frame = await self.socket.recv()
            if not self.slider and (found := SLIDER.search(frame)):
                self.slider = found.group().decode()
            if found := WORD.search(frame):
                self.word = found.group(1).decode()
            message = ForwardMsg.FromString(frame)
            kind = message.WhichOneof("type")
            drawn = drawn or b"-scatter" in frame or kind == "ref_hash"  # a figure sent before is only referred to
            if kind == "navigation":
                self.page_hash = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.new_element.WhichOneof("type") in ("exception", "alert"):
                self.errors.append(str(message.delta.new_element)[:200])
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                if self.slider and not drawn:
                    self.errors.append("a run without a scatter")
                return

    async def move(self, count: int, pace: float) -> None:
        await asyncio.sleep(random.uniform(0, pace))
        for _ in range(count):
            begun = time.perf_counter()
            try:
                if self.drags and self.had != self.word:
                    self.had = self.word
                    await asyncio.to_thread(path_state, self.address, self.word)
                    begun = time.perf_counter()
                await self.run_script(round(random.uniform(0.3, 0.95), self.digits))
            except Exception as error:
                self.errors.append(repr(error))
                return
            self.took.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(random.uniform(0.5 * pace, 1.5 * pace))


def path_state(address: str, word: str) -> str:
    """Request a path (figures that are drawn in advance for a slider) until it is complete; return its final state."""
    state = "coarse"
    while state in ("begun", "coarse"):
        with urlopen(f"{address}/path/{word}", timeout=LONGEST) as answer:
            state = answer.headers["X-Path"]
            answer.read()
    return state


async def opened(address: str, count: int, views: bool = False) -> list[Person]:
    """Return people who have opened the page; all have the same view or, with `views`, each has a different one."""
    views_of = [f"{VIEW}&understandability.cutoff={at + 1}" if views else VIEW for at in range(count)]
    people = [Person(address, query=query) for query in views_of]
    for person in people:
        await person.open()
    return people


async def _leave(people: list[Person]) -> None:
    for person in people:
        await person.socket.close()


async def _waves(address: str, server: int, place: Place) -> list[Table]:
    say(f"sessions: {PEOPLE} people")
    first = await opened(address, 1)
    memory = [("server with the data open, 1 session", _megabytes(server))]
    people = await opened(address, PEOPLE)
    memory.append((f"{PEOPLE} sessions opened", _megabytes(server)))
    rows = [await _paced(people, server, pace) for pace in PACES]
    memory.append(("after all their moves", _megabytes(server)))
    await _leave(people)
    for wave in ("they left, and were forgotten", "other 50 came, moved, left, and were forgotten"):
        if wave.startswith("other"):
            others = await opened(address, PEOPLE)
            await _paced(others, server, PACES[-1])
            memory.append(("other 50 sessions, after their moves", _megabytes(server)))
            await _leave(others)
        await asyncio.sleep(FORGOTTEN)
        await _leave(await opened(address, 1))
        memory.append((wave, _megabytes(server)))
    await _leave(first)
    return [
        Table(f"{PEOPLE} people move a slider, {place.description}", HEADING, rows),
        Table("Memory of the server", ("", "MB"), [(label, number(found)) for label, found in memory]),
    ]


async def _paced(people: list[Person], server: int, pace: float) -> list[str]:
    return await moved(people, server, pace, MOVES, f"{pace:g} s to think")


async def moved(people: list[Person], server: int, pace: float, count: int, label: str) -> list[str]:
    """Let people move the slider; return a row: the times of the moves, errors, and the server's CPU time."""
    for person in people:
        person.took, person.errors = [], []
    before, begun = _cpu(server), time.perf_counter()
    await asyncio.gather(*(person.move(count, pace) for person in people))
    seconds, used = time.perf_counter() - begun, _cpu(server) - before
    took = [one for person in people for one in person.took]
    errors = [one for person in people for one in person.errors]
    for error in dict.fromkeys(errors):
        print(error, file=sys.stderr)
    shown = (share_below(took, 0.5), share_below(took, 0.95), max(took), len(took) / seconds)
    cpu = 1000 * used / max(len(took), 1), used / seconds
    return [label, *map(number, shown), str(len(errors)), *map(number, cpu)]


def _uploads(address: str, server: int, place: Place) -> Table:
    """Return a table of the upload of the runs as many files in Chromium, and of opening them."""
    from playwright.sync_api import sync_playwright

    from browser_support import CHROMIUM_FLAGS, find_chromium, rerun, visit, watch

    runs = sorted(plain(place, UPLOADED - 2).iterdir())
    files = [place.relevance, place.understandability, *runs]
    size = sum(path.stat().st_size for path in files) / 1e6
    say(f"sessions: an upload of {len(files)} files")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        watch(page, address)
        visit(page, address + "/understandability")
        before, begun = _megabytes(server), time.perf_counter()
        page.evaluate("() => document.querySelectorAll('details:not([open]) > summary').forEach(one => one.click())")
        button = page.locator('[data-testid="stSidebar"]').get_by_test_id("stBaseButton-primary")
        page.locator(".st-key-upload_files input[type=file], .st-key-upload-files input[type=file]").set_input_files(
            files
        )
        page.wait_for_function(READY, timeout=300_000)
        sent, held = time.perf_counter() - begun, _megabytes(server)
        with rerun(page):
            button.evaluate("one => one.click()")
        opened, after = time.perf_counter() - begun - sent, _megabytes(server)
        browser.close()
    peak = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{server}/status").read_text())[0]) / 1000
    rows = [
        ("sending the files", number(sent), number(held - before)),
        ("opening them", number(opened), number(after - before)),
        ("most at any moment", "", number(peak - before)),
    ]
    return Table(f"An upload of {len(files)} files, {size:.0f} MB", ("", "seconds", "MB more"), rows)
