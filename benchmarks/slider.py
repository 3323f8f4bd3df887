"""Time from releasing a slider to the redrawn scatter in Chromium, and the app's share of that time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.data import Place
from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, in_child, say, share_below

MOVES = 30
WARM_UP = 3
PAGE = "/understandability"
HEADING = ("", "median ms", "95 % ms", "longest ms")
PARTS = (
    ("release to painted", "start", "drawn"),
    ("    release to value sent (the slider's own delay)", "start", "sent"),
    ("    value sent to scatter received (server and network)", "sent", "got"),
    ("    scatter received to painted (browser)", "got", "drawn"),
)

# Installed before the page's own scripts. `move` holds the times of one move, in ms of the page's clock.
PROBE = r"""(() => {
    const bench = window.bench = {move: null};
    const scatterId = /\$\$ID-[0-9a-f]+-scatter/;
    const text = data => new TextDecoder('latin1').decode(data);
    const mark = name => { if (bench.move && bench.move[name] === undefined) bench.move[name] = performance.now(); };

    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', event => {
                if (bench.move?.sent !== undefined && scatterId.test(text(event.data))) mark('got');
            });
        }
        send(data) {
            if (bench.move && bench.move.start !== undefined) mark('sent');
            super.send(data);
        }
    };

    // Where the marks stand on the screen; null while the figure is being rebuilt.
    const marks = bench.marks = () => {
        const points = document.querySelectorAll('.st-key-scatter .js-plotly-plot .scatterlayer .point');
        return points.length ? [...points].map(point => point.getAttribute('transform')).join() : null;
    };
    const look = () => {
        const move = bench.move;
        if (!move || move.start === undefined || move.seen) return;
        const now = marks();
        if (now === null) mark('gone');
        if (now === null || now === move.before) return;
        move.seen = true;
        requestAnimationFrame(() => requestAnimationFrame(() => mark('drawn')));
    };
    const begin = event => { if (bench.move && bench.move.start === undefined) bench.move.start = event.timeStamp; };
    bench.arm = kind => {
        bench.move = {before: marks()};
        window.addEventListener(kind, begin, {capture: true, once: true});
    };
    addEventListener('DOMContentLoaded', () =>
        new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true}));
})()"""
IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.dataset.testScriptState === 'notRunning' && bench.marks() !== null;
}"""
STILL = """async () => {
    const before = bench.marks();
    await new Promise(done => setTimeout(done, 300));
    return before !== null && before === bench.marks();
}"""
INPUT = ".st-key-understandability-rho input[type=range]"  # receives the keys
THUMB = ".st-key-understandability-rho div:has(> [data-testid=stSliderThumbValue])"  # receives the mouse
TRACK = ".st-key-understandability-rho [role=group]"


def run(place: Place) -> Iterator[Table]:
    """Yield tables of a person's wait, by keyboard and by mouse, and of the server's share of it."""
    with _opened(place) as page:
        keyboard = _moves(page, "keydown", press)
        yield _browser_table(f"Slider by keyboard ({MOVES} arrow keys), {place.description}", keyboard)
        mouse = _moves(page, "pointerup", _drag)
        yield _browser_table(f"Slider by mouse ({MOVES} drags, from release), {place.description}", mouse)
    yield _share_table(in_child("slider:share", str(place.folder), once=True).result)


def _browser_table(title: str, moves: Sequence[Mapping[str, float]]) -> Table:
    rows = [row(label, [move[end] - move[begin] for move in moves]) for label, begin, end in PARTS]
    gone = [move["drawn"] - move["gone"] for move in moves if "gone" in move]
    remarks = (
        "From the event in the page to the second animation frame after the marks had moved.",
        f"The figure was away in {len(gone)} of {len(moves)} moves, for up to {max(gone, default=0):.0f} ms.",
    )
    return Table(title, HEADING, rows, remarks)


def row(label: str, milliseconds: Sequence[float]) -> list[str]:
    """Return a row of a table: the label, and the median, the 95th percentile and the maximum in milliseconds."""
    shown = (share_below(milliseconds, 0.5), share_below(milliseconds, 0.95), max(milliseconds))
    return [label, *(number(value) for value in shown)]


# --- the browser ------------------------------------------------------------------------------------------------------


@contextmanager
def _opened(place: Place) -> Iterator[Any]:
    """Yield the page "Readability", opened in Chromium with the files of the place."""
    with served(place.folder, place.scratch) as address, chromium() as browser:
        page = new_page(browser)
        page.goto(address + PAGE)
        settle(page)
        yield page


def served(folder: Path, scratch: Path) -> AbstractContextManager[str]:
    """Return a context that runs the app on a folder and yields its address."""
    sys.path.insert(0, str(ROOT / "tests"))
    from browser_support import running_app

    return running_app(scratch / "app.log", folder)


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a headless browser, and close it afterwards."""
    from playwright.sync_api import sync_playwright

    from browser_support import CHROMIUM_FLAGS, find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


def new_page(browser: Any) -> Any:
    """Return a page that records the times of a move."""
    from browser_support import SECONDS

    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(SECONDS * 1000)
    page.add_init_script(PROBE)
    # Only the server's answer is timed here; benchmarks/drags.py times marks that follow the thumb before it.
    page.route("**/path/**", lambda route: route.abort())
    return page


def settle(page: Any) -> None:
    """Wait until no script runs and the marks of the figure no longer move."""
    page.wait_for_function(IDLE)
    page.wait_for_function(STILL)  # what the page does after a run must not overlap with the next move


def _moves(page: Any, event: str, move: Callable[[Any, int], None]) -> list[dict[str, float]]:
    taken = []
    for at in range(-WARM_UP, MOVES):
        say(f"slider, {event} {at + 1} of {MOVES}")
        taken.append(moved(page, event, move, at))
    say("")
    return taken[WARM_UP:]


def moved(page: Any, event: str, move: Callable[[Any, int], None], at: int) -> dict[str, float]:
    """Move the slider once; return the times of the move by name, after the page has settled."""
    page.evaluate("kind => bench.arm(kind)", event)
    move(page, at)
    moments = _finished(page, at)
    settle(page)
    return moments


def _finished(page: Any, at: int) -> dict[str, float]:
    """Wait for the end of a move, and return its times by name. Raises RuntimeError if the scatter is not redrawn."""
    from playwright.sync_api import TimeoutError as TooLate

    try:
        page.wait_for_function("() => bench.move.drawn !== undefined && bench.move.got !== undefined")
    except TooLate:
        seen = page.evaluate("() => ({...bench.move, before: undefined, input: document.activeElement?.outerHTML})")
        raise RuntimeError(f"move {at} at {page.url} did not redraw the scatter; what was seen of it: {seen}") from None
    moments: dict[str, float] = page.evaluate("() => bench.move")
    return moments


def press(page: Any, at: int) -> None:
    """Press the left arrow once, always to a new value, because repeated figures are sent only by reference."""
    page.locator(INPUT).focus()
    page.keyboard.press("ArrowLeft")


def _drag(page: Any, at: int) -> None:
    """Drag the thumb to the other half of the track, each time to a new value, and release it."""
    thumb, track = page.locator(THUMB).bounding_box(), page.locator(TRACK).bounding_box()
    share = 0.3 + 0.01 * at if at % 2 else 0.7 - 0.01 * at
    y = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * share, y, steps=5)
    page.mouse.up()


# --- the app's own part, in a separate process and without a browser --------------------------------------------------


def _share_table(share: dict[str, list[float]]) -> Table:
    rows = [row(label, values) for label, values in share.items()]
    remarks = (
        f"AppTest, {MOVES} values of rho. The script starts with its first call of Streamlit, set_page_config.",
        "Compiled pages are kept between runs, as a server does.",
    )
    return Table("The app's own share", HEADING, rows, remarks)


def share(folder: str) -> Callable[[], dict[str, list[float]]]:
    """Return a job that maps labels to milliseconds, one number per value of the slider.

    They are the times from the start of the script to its figure and to its end, and for serialising the figure.
    """
    app = _app(folder)
    moments = _watched()

    def work() -> dict[str, list[float]]:
        times: dict[str, list[float]] = {
            "script start to figure handed over": [],
            "the same, CPU": [],
            "handing it over (serialising it)": [],
            "script start to script end": [],
        }
        for value in _values():
            app.slider(key="understandability.rho").set_value(value).run()
            assert not app.exception, app.exception
            start, handed, returned, end = (moments[name] for name in ("start", "handed", "returned", "end"))
            spans = (handed[0] - start[0], handed[1] - start[1], returned[0] - handed[0], end[0] - start[0])
            for values, span in zip(times.values(), spans, strict=True):
                values.append(span * 1e3)
        return {label: values[WARM_UP:] for label, values in times.items()}

    return work


def _values() -> list[float]:
    return [round(0.79 - 0.01 * at, 2) for at in range(WARM_UP + MOVES)]


def _app(folder: str) -> Any:
    """Return the app on a folder in AppTest, at the page "Readability", with pages compiled once, as on a server."""
    import streamlit.testing.v1.local_script_runner as runner
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import AppTest

    sys.argv = ["app.py", "--data", folder]
    kept = ScriptCache()
    runner.ScriptCache = lambda: kept  # type: ignore[assignment,misc]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.run()
    app.query_params["tune.view"] = "understandability"
    return app.switch_page("pages/tune.py").run()


def _watched() -> dict[str, tuple[float, float]]:
    """Return a dictionary that each run of the script fills with moments, by name.

    A moment is (wall seconds, CPU seconds of the thread).
    """
    import streamlit as st
    from streamlit.testing.v1.local_script_runner import LocalScriptRunner

    from ui.stage import show

    moments: dict[str, tuple[float, float]] = {}
    configure, draw, finish = st.set_page_config, vars(show)["plot"], LocalScriptRunner._on_script_finished

    def note(name: str) -> None:
        moments[name] = time.perf_counter(), time.thread_time()

    def set_page_config(*given: Any, **named: Any) -> None:
        note("start")
        configure(*given, **named)

    def plot(figure: Any, key: str, *rest: Any) -> None:
        if key == "scatter":
            note("handed")
        draw(figure, key, *rest)
        if key == "scatter":
            note("returned")

    def finished(*given: Any, **named: Any) -> None:
        note("end")
        finish(*given, **named)

    st.set_page_config = set_page_config  # type: ignore[assignment]
    vars(show)["plot"] = plot
    LocalScriptRunner._on_script_finished = finished  # type: ignore[method-assign]
    return moments
