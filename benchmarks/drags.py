"""Drags of a slider in Chromium: the delay from the thumb to the marks, and the load on the server.

Every drag consists of many mouse moves, and after each of them the marks lag behind for a moment. On release the server
answers. Its answer is timed with paths (figures drawn in advance at many values of a slider) and without, so that their
cost shows within the same run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import slider
from benchmarks.data import Place
from benchmarks.sessions import HEADING as SESSIONS_HEADING
from benchmarks.sessions import moved, opened, served
from benchmarks.slider import HEADING, INPUT, PAGE, THUMB, TRACK, row
from benchmarks.tables import Table
from benchmarks.timing import say

DRAGS = 30
STEPS = 25  # mouse moves in a drag
MANY = (425, 50)  # systems and topics, as in a large track
PEOPLE, MOVES, PACE = 50, 8, 2.0
# Milliseconds from each move of the thumb to the frame after the marks followed, and times of all frames.
PROBE = """() => {
    const [box, input] = [document.querySelector('.st-key-scatter .plot'), document.querySelector('INPUT')];
    const bench = window.drags = {late: [], frames: [], drawn: []};
    let [since, last] = [];
    new MutationObserver(() => { since ??= performance.now(); }).observe(
        input.closest('[role=group]'), {subtree: true, attributes: true, attributeFilter: ['style']});
    addEventListener('pointerup', event => { bench.released = event.timeStamp; bench.dragging = false; }, true);
    addEventListener('pointerdown', () => { bench.dragging = true; }, {capture: true});
    box.addEventListener('drawn', () => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (bench.released) bench.drawn.push(performance.now() - bench.released);
        bench.released = undefined;
    })));
    new MutationObserver(() => {
        const begun = since;
        since = undefined;
        if (begun && bench.dragging) requestAnimationFrame(() => bench.late.push(performance.now() - begun));
    }).observe(box, {subtree: true, attributes: true, attributeFilter: ['transform']});
    const frame = now => {
        if (bench.dragging && last) bench.frames.push(now - last);
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}""".replace("INPUT", INPUT)


def run(place: Place) -> Iterator[Table]:
    """Yield tables of drags on real runs, on a large invented track, and by a whole class of students."""
    folders = {place.description: place.folder, f"{MANY[0]} invented systems, {MANY[1]} topics": _many(place)}
    for name, folder in folders.items():
        yield from _dragged(place, folder, name)
    yield _class(place)


def _many(place: Place) -> Path:
    """Return the folder of an invented collection as large as a track, which is written only once."""
    from benchmarks import synthetic

    return synthetic.write(place.scratch / "track", *MANY)


def _dragged(place: Place, folder: Path, name: str) -> Iterator[Table]:
    with _page(place, folder) as page:
        asked: list[Any] = []
        page.on("requestfinished", lambda request: asked.append(request))
        _settle(page)
        page.mouse.move(*_thumb(page))
        page.wait_for_selector(".st-key-understandability-rho[data-path=complete]", timeout=300_000)
        paths = [one.sizes()["responseBodySize"] for one in asked if "/path/" in one.url]
        took = [one.timing["responseEnd"] for one in asked if "/path/" in one.url]
        page.evaluate(PROBE)
        during = _drags(page)
        drags: Mapping[str, list[float]] = page.evaluate("window.drags")
        rows = [row("thumb moved to marks moved", drags["late"]), row("between two frames", drags["frames"])]
        rows.append(row("release to painted", drags["drawn"]))
        page.route("**/path/**", lambda route: route.abort())
        page.evaluate("() => { window.drags.drawn = []; window.drags.late = []; }")
        page.reload()
        _settle(page)
        page.evaluate(PROBE)
        _drags(page)
        rows.append(row("release to painted, without a path", page.evaluate("window.drags.drawn")))
    frames = 1000 * len(drags["frames"]) / sum(drags["frames"])
    remarks = (
        f"{DRAGS} drags of {STEPS} moves of the mouse; {frames:.0f} frames a second; {during} requests while dragging.",
        f"The path of rho: {paths[-1] / 1000:.0f} KB; {len(paths)} requests until the page had all paths that it "
        f"needs, {sum(took) / 1000:.1f} s in all, {max(took):.0f} ms the longest.",
    )
    yield Table(f"Dragging rho, {name}", HEADING, rows, remarks)


@contextmanager
def _page(place: Place, folder: Path) -> Iterator[Any]:
    with slider.served(folder, place.scratch) as address, slider.chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address + PAGE)
        yield page


def _settle(page: Any) -> None:
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
        " && document.querySelector('.st-key-scatter .js-plotly-plot')?._fullData"
    )
    page.wait_for_timeout(700)


def _thumb(page: Any) -> tuple[float, float]:
    box = page.locator(THUMB).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _drags(page: Any) -> int:
    """Drag the thumb back and forth; return the number of requests made meanwhile."""
    during: list[str] = []
    held = False
    page.on("request", lambda request: during.append(request.url) if held else None)
    for at in range(DRAGS):
        say(f"drags: {at + 1} of {DRAGS}")
        x, y = _thumb(page)
        track = page.locator(TRACK).bounding_box()
        target = track["x"] + track["width"] * (0.3 + 0.005 * at if at % 2 else 0.8 - 0.005 * at)
        page.mouse.move(x, y)
        page.mouse.down()
        held = True
        for step in range(1, STEPS + 1):
            page.mouse.move(x + (target - x) * step / STEPS, y)
            page.wait_for_timeout(16)
        held = False
        page.mouse.up()
        page.wait_for_function("() => window.drags.released === undefined")
        _settle(page)
    say("")
    return len(during)


# --- a class ----------------------------------------------------------------------------------------------------------


def _class(place: Place) -> Table:
    with served(place.folder) as (address, server):
        return asyncio.run(_paced(address, server, place))


async def _paced(address: str, server: int, place: Place) -> Table:
    rows = []
    for label, views, drags in (
        ("they release a slider", False, False),
        ("they drag it, all on one view", False, True),
        ("they release it, each on a view of their own", True, False),
        ("they drag it, each on a view of their own", True, True),
    ):
        say(f"drags: {PEOPLE} people, {label}")
        people = await opened(address, PEOPLE, views)
        for person in people:
            person.drags = drags
        rows.append(await moved(people, server, PACE, MOVES, label))
        for person in people:
            await person.socket.close()
    remarks = ("People who drag request the path of rho once, before; it is the same at every position of rho.",)
    return Table(f"{PEOPLE} people, {PACE:g} s to think, {place.description}", SESSIONS_HEADING, rows, remarks)
