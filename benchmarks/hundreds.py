"""Hundreds of systems: a move of a slider with 40, 300 and 425 of them, and how long the page takes to open."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

from benchmarks import synthetic
from benchmarks.data import Place
from benchmarks.slider import PAGE, chromium, moved, new_page, press, served, settle
from benchmarks.tables import Table, number
from benchmarks.timing import say, share_below

MOVES = 20
WARM_UP = 3
SIZES = {"40 x 66": (40, 66), "300 x 66": (300, 66), "425 x 50": (425, 50)}  # systems x topics
DEPTH = 200  # nearly all that is assessed stands above it
HEADING = ("systems x topics", "median ms", "95 % ms", "longest ms", "ratio to 40")
MARKS = """() => document.querySelector('.js-plotly-plot .scatterlayer .point') !== null"""
# What no page of Streamlit can undercut: a chart of one mark, with Streamlit's own way to draw it.
BARE = """\
import plotly.graph_objects as go
import streamlit as st

st.plotly_chart(go.Figure(go.Scatter(x=[0], y=[0], mode="markers")))
"""
DONE = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
    && document.querySelector('.js-plotly-plot .plot-container')"""
VIEWS = {  # of which pictures are taken
    "scatter": PAGE,
    "ranks": f"{PAGE}?understandability.look=Ranking",
    "sensitivity": "/sensitivity",
}


def run(place: Place) -> Iterator[Table]:
    """Moves by key, taken in turns on invented collections of three sizes, and the first visit of each."""
    folders = {name: folder(place.scratch, name) for name in SIZES}
    opened = {name: _opened(files) for name, files in folders.items()}
    yield _opening_table(opened, _bare(place.scratch))
    yield _moves_table(_moves(folders))
    if place.pictures:
        _draw(folders, place.pictures)


def folder(scratch: Path, name: str) -> Path:
    """Files of a collection of one of the sizes, written where they are not there yet."""
    systems, topics = SIZES[name]
    into = scratch / f"hundreds-{systems}"
    return into if into.exists() else synthetic.write(into, systems, topics, DEPTH, teams=True)


def _opened(files: Path) -> dict[str, float]:
    """Seconds from the address to a painted scatter: of a new server without a cache, with one, and once more."""
    taken = {}
    for label in ("read from files", "from the cache"):
        with served(files, files.parent) as address, chromium() as browser:
            taken[label] = _visited(browser, address)
            again = _visited(browser, address)
    return {**taken, "the next visit": again}


def _page(browser: Any, theme: Literal["light", "dark"] = "light") -> Any:
    page = new_page(browser, theme)
    page.set_default_timeout(180_000)  # 425 files are read
    return page


def _bare(scratch: Path) -> float:
    """Seconds to the mark of a page that is nothing else, from a server that has shown it before."""
    from browser_support import running_app

    script = scratch / "bare.py"
    script.write_text(BARE)
    with running_app(scratch / "bare.log", script=script) as address, chromium() as browser:
        _visited(browser, address, "/")
        return _visited(browser, address, "/")


def _visited(browser: Any, address: str, path: str = PAGE) -> float:
    """Seconds from the address to the first marks, in a browser that has nothing of it; no request is looked into."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(180_000)  # 425 files are read
    start = time.perf_counter()
    page.goto(address + path)
    page.wait_for_function(MARKS)
    taken = time.perf_counter() - start
    page.wait_for_function(DONE)
    page.close()
    return taken


def _opening_table(opened: dict[str, dict[str, float]], bare: float) -> Table:
    rows = [[name, *(number(seconds) for seconds in taken.values())] for name, taken in opened.items()]
    rows.append(["a page with nothing but a chart of one mark", "", "", number(bare)])
    labels = [f"{label} s" for label in next(iter(opened.values()))]
    remarks = ("From the address to the first marks of the scatter; the server runs, and has read nothing.",)
    return Table("Opening Understandability", ("systems x topics", *labels), rows, remarks)


def _moves(folders: dict[str, Path]) -> dict[str, list[dict[str, float]]]:
    """The moments of each move, the collections by turns."""
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in folders}
    with ExitStack() as stack:
        servers = {name: stack.enter_context(served(folder, folder.parent)) for name, folder in folders.items()}
        browser = stack.enter_context(chromium())
        pages = {name: _page(browser) for name in folders}
        for name, page in pages.items():
            page.goto(servers[name] + PAGE)
            settle(page)
        for at in range(-WARM_UP, MOVES):
            for name, page in pages.items():
                say(f"hundreds, {name}, move {at + 1} of {MOVES}")
                page.bring_to_front()
                taken[name].append(moved(page, "keydown", press, at))
    say("")
    return {name: moments[WARM_UP:] for name, moments in taken.items()}


def _moves_table(taken: dict[str, list[dict[str, float]]]) -> Table:
    rows = []
    for label, begin, end in (
        ("key to painted scatter", "start", "drawn"),
        ("sent to scatter received", "sent", "got"),
        ("received to painted", "got", "drawn"),
    ):
        spans = {name: [moment[end] - moment[begin] for moment in moments] for name, moments in taken.items()}
        few = share_below(next(iter(spans.values())), 0.5)
        rows += [
            [f"{name}, {label}", *_spread(span), number(share_below(span, 0.5) / few)] for name, span in spans.items()
        ]
    remarks = (f"{MOVES} arrow keys each, by turns; every system is a team of its own.",)
    return Table("A move with hundreds of systems", HEADING, rows, remarks)


def _spread(milliseconds: Sequence[float]) -> list[str]:
    return [number(one) for one in (share_below(milliseconds, 0.5), share_below(milliseconds, 0.95), max(milliseconds))]


def _draw(folders: dict[str, Path], into: Path) -> None:
    """Pictures of the figures with many systems, light and dark."""
    into.mkdir(parents=True, exist_ok=True)
    for name, folder in folders.items():
        with served(folder, folder.parent) as address, chromium() as browser:
            for view, path in VIEWS.items():
                for theme in ("light", "dark"):
                    say(f"hundreds, picture of {view}, {name}, {theme}")
                    page = _page(browser, theme)
                    page.goto(address + path)
                    page.wait_for_function(DONE)
                    page.wait_for_timeout(500)
                    page.screenshot(path=into / f"{view}-{name.split()[0]}-{theme}.png", full_page=True)
                    page.close()
    say("")
