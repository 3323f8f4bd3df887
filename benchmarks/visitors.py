"""The cost of one visitor to another: response times of a slider while another visitor's most expensive link runs."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from benchmarks.data import Place
from benchmarks.sessions import Person, moved, served
from benchmarks.tables import Table, number
from benchmarks.timing import say, share_below
from ui.address import places

MOVES = 60
WARM_UP = 10
PACE = 0.5  # seconds between an answer and the next move
BEGUN = 5  # seconds until the other's work has begun, and until it has ended after its tab is closed
HEADING = ("", "alone ms", "95 % ms", "beside ms", "95 % ms", "times", "times 95 %", "signs of life")
GAINS = ", ".join(f"{grade}: {grade}" for grade in range(120))
MANY_TESTS = [("discriminative_power.measures", f"RBP(rho={rho / 100:g})") for rho in range(50, 74)]
# The largest jobs that are allowed, by page; each runs until its visitor leaves.
LINKS = {
    "Tune, 100 settings of a measure with 120 gains": (
        "sensitivity",
        [
            ("sensitivity.look", "Along one parameter"),
            ("sensitivity.measure", f"nDCG(gains={{{GAINS}}})"),
            ("sensitivity.path", "gains[7]"),
        ],
    ),
    "Tune, 102 x 52 settings of EPRUM": (
        "sensitivity",
        [
            ("sensitivity.look", "Map of two"),
            ("sensitivity.measure", "EPRUM"),
            ("sensitivity.fineness", "fine"),
        ],
    ),
    "Discriminative power, 24 measures, 100,000 resamples": (
        "discriminative_power",
        [*MANY_TESTS, ("discriminative_power.resamples", "100,000")],
    ),
    "40 measures in one": (
        "discriminative_power",
        [("discriminative_power.measures", f"CAM([{', '.join(['PRUM'] * 40)}])")],
    ),
}


def link(page: str, said: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the path of the page that a link opens, and the query of the link."""
    place, texts, _ = places.now(page, parse_qs(urlencode(said)))
    return place, urlencode(texts, doseq=True)


@dataclass
class Visitor(Person):
    """A visitor who opens a link and waits."""

    seen: list[str] = field(default_factory=list)

    async def visit(self, page: str) -> None:
        """Open a page and receive messages until cancelled; `seen` lists the texts of progress bars and errors."""
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        await self.connect()
        await self.ask(page=page)
        while True:
            element = ForwardMsg.FromString(await self.socket.recv()).delta.new_element
            kind = element.WhichOneof("type")
            if kind == "progress":
                self.seen.append(element.progress.text)
            elif kind in ("alert", "exception"):
                self.seen.append(str(getattr(element, kind))[:200])


def run(place: Place) -> Iterator[Table]:
    """Yield a table of the times of moves, alone and while each link runs."""
    random.seed(20)
    os.environ["EVALCORE_LIMITS"] = "ask=none"  # as if the other visitor had always consented
    with served(place.folder) as (address, server):
        yield asyncio.run(_beside(address, server, place))


async def _beside(address: str, server: int, place: Place) -> Table:
    person = Person(address)
    await person.open()
    await moved([person], server, PACE, WARM_UP, "")
    rows = [await _compared(person, server, name, *link) for name, link in LINKS.items()]
    return Table(f"A slider beside the link of another visitor, {place.description}", HEADING, rows)


async def _compared(person: Person, server: int, name: str, page: str, said: list[tuple[str, str]]) -> list[str]:
    """Return a row of the table: times of moves alone, and while the link's work runs."""
    say(f"visitors: {name}")
    alone = await _took(person, server)
    place, query = link(page, said)
    other = Visitor(person.address, query=query)
    visit = asyncio.create_task(other.visit(place))
    await asyncio.sleep(BEGUN)
    beside, bars = await _took(person, server), len(other.seen)
    visit.cancel()
    await other.socket.close()
    await asyncio.sleep(BEGUN)
    (median, most), (slow_median, slow_most) = (
        [share_below(one, share) for share in (0.5, 0.95)] for one in (alone, beside)
    )
    shown = (median, most, slow_median, slow_most, slow_median / median, slow_most / most)
    return [name, *map(number, shown), str(bars)]


async def _took(person: Person, server: int) -> list[float]:
    """Return the milliseconds of each of the person's moves."""
    await moved([person], server, PACE, MOVES, "")
    return person.took
