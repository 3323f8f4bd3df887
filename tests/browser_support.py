"""Tools of the browser tests: the app as a process, a Chromium browser, and waiting until a page has settled.

`python tests/browser_support.py` prints the path of the Chromium that the tests would use, or fails.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import (
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    WebSocket,
    sync_playwright,
)
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from evalcore.common.own_process import end

ROOT = Path(__file__).parents[1]
SCREENSHOTS = ROOT / "screenshots"
AXE = ROOT / "tests" / "axe" / "axe.min.js"
SECONDS = 60.0  # the longest that anything here may take, on a busy machine

CHROMIUM_FLAGS = [
    "--no-sandbox",  # root in a container cannot have one; only our own pages are opened
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Otherwise a listener to a page's console, such as playwright, has plotly.js parsed again to find where it is.
    "--js-flags=--no-enable-lazy-source-positions",
]


# --- a browser --------------------------------------------------------------------------------------------------------


def find_chromium() -> str | None:
    """Return the path of Chromium or Chrome: on PATH, of macOS, or playwright's; None if there is none."""
    # The first has no windows to draw around a page, and opens one a second sooner.
    names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    mac = [f"/Applications/{app}.app/Contents/MacOS/{app}" for app in ("Google Chrome", "Chromium")]
    installed = [*filter(None, map(shutil.which, names)), *filter(os.path.exists, mac)]
    if installed:
        return installed[0]
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


class Profiles:
    """Folders for browsers' data, empty except for files and compiled code in the cache of an earlier browser.

    With these an app opens in half the time, as it does for a person on every visit but the first.
    """

    CACHES = ("Cache", "Code Cache")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left: dict[str, list[Path]] = {}

    @contextlib.contextmanager
    def new(self, address: str) -> Iterator[Path]:
        """Yield a folder for one browser that visits this server."""
        profile, left = Path(mkdtemp(dir=self._folder)), self._left.setdefault(address, [])
        (profile / "Default").mkdir()
        if left:
            before = left.pop()
            for name in self.CACHES:
                with contextlib.suppress(FileNotFoundError):
                    (before / "Default" / name).rename(profile / "Default" / name)
            shutil.rmtree(before, ignore_errors=True)
        yield profile
        left.append(profile)


class Browsers:
    """Browsers that are reused: each new page gets a browser without cookies, and loads as fast as on a second visit.

    A page opens in the process of the previous page, so that the app is already compiled and its font measured.
    """

    def __init__(self, playwright: Playwright, chromium: str, profiles: Profiles) -> None:
        self._playwright, self._chromium, self._profiles = playwright, chromium, profiles
        self._idle: dict[tuple[str, bool], list[BrowserContext]] = {}
        self._launched = contextlib.ExitStack()

    @contextlib.contextmanager
    def page(self, address: str, touch: bool) -> Iterator[Page]:
        """Yield a page in its own browser, for a mouse or a finger; afterwards remove what the app stored there."""
        idle = self._idle.setdefault((address, touch), [])
        context = idle.pop() if idle else self._launch(address, touch)
        with context.expect_page() as opened:
            context.pages[0].evaluate("() => { open('about:blank').opener = null }")
        yield opened.value
        _forget(context, address)
        idle.append(context)

    def _launch(self, address: str, touch: bool) -> BrowserContext:
        context = self._playwright.chromium.launch_persistent_context(
            self._launched.enter_context(self._profiles.new(address)),
            executable_path=self._chromium,
            args=CHROMIUM_FLAGS,
            base_url=address,
            viewport={"width": 1280, "height": 900},
            reduced_motion="reduce",
            accept_downloads=True,
            has_touch=touch,
            is_mobile=touch,
        )
        self._launched.callback(context.close)
        context.set_default_timeout(SECONDS * 1000)
        # The page that a browser begins with stays, and asks the server for nothing: it keeps the process.
        context.pages[0].route("**", lambda route: route.fulfill(body=""))
        context.pages[0].goto(address)
        return context

    def close(self) -> None:
        self._launched.close()


def _forget(context: BrowserContext, address: str) -> None:
    """Close all pages but the first, and remove everything that they stored or set in their browser."""
    first, *others = context.pages
    for page in others:
        page.close()
    context.set_offline(False)
    context.clear_cookies()
    session = context.new_cdp_session(first)
    session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
    session.detach()


# --- the app ----------------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@contextlib.contextmanager
def running_app(
    log: Path,
    data: Path | Sequence[Path] | None = None,
    script: Path = ROOT / "app.py",
    port: int = 0,
    framed_by: Sequence[str] = (),
    followed: bool = True,
) -> Iterator[str]:
    """Run the app on a port (by default a free one), on the sample data or on folders; yield its address.

    `framed_by`: other origins whose pages may frame it. `followed`: whether the paths of sliders are computed.
    """
    port = port or free_port()
    options = {"address": "127.0.0.1", "port": port}
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.{name}={value}" for name, value in options.items()]
    folders = [data] if isinstance(data, Path) else data or []
    command += ["--", *(part for folder in folders for part in ("--data", str(folder)))]
    command += [part for origin in framed_by for part in ("--framed-by", origin)]
    limits = [os.environ.get("EVALCORE_LIMITS", ""), "" if followed else "path=0"]
    env = {**os.environ, "EVALCORE_LIMITS": ",".join(filter(None, limits))}
    with log.open("wb") as out:
        app = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_healthy(app, address, log)
        yield address
    finally:
        end([app])


def _wait_until_healthy(app: subprocess.Popen[bytes], address: str, log: Path) -> None:
    end = time.monotonic() + SECONDS
    while app.poll() is None and time.monotonic() < end:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=5).close()
            return
        time.sleep(0.05)
    state = "did not answer" if app.poll() is None else f"ended with {app.returncode}"
    raise AssertionError(f"the app {state}; it said:\n{log.read_text()}")


# --- what a page does -------------------------------------------------------------------------------------------------


class Watch:
    """Watch the requests of one page to its server and to others, and its errors.

    Runs of the script are counted on the page's web socket: the moment between a click and the first sign of
    a run has no trace in the page, so waiting for the running indicator to go could end before the run began.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.host = urlsplit(address).netloc
        self.asked = 0  # runs that the page asked for
        self.busy = True  # a run that was asked for is still to end; opening the page asks for the first
        self.started = False
        self.clocks: set[str] = set()  # parts that run by the clock: the server passes over a tick that comes too late
        self.complaints: list[str] = []
        page.on("websocket", self._on_socket)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught in the page: {error}"))
        page.on("request", self._on_request)

    def _on_socket(self, socket: WebSocket) -> None:
        self._check_host(socket.url)
        self.busy, self.started = True, False
        socket.on("framesent", self._on_sent)
        socket.on("framereceived", self._on_received)

    def _on_sent(self, frame: bytes | str) -> None:
        message = BackMsg.FromString(frame) if isinstance(frame, bytes) else BackMsg()
        if message.WhichOneof("type") != "rerun_script":
            return
        if message.rerun_script.is_auto_rerun:
            self.clocks.add(message.rerun_script.fragment_id)
            return
        self.asked += 1
        self.busy, self.started = True, False

    def _on_received(self, frame: bytes | str) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        kind = message.WhichOneof("type")
        if kind == "new_session":
            parts = set(message.metadata.run.fragment_ids)
            self.started |= not parts or not parts <= self.clocks
        elif kind == "script_finished" and self.started:
            self.busy = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _on_console(self, message: ConsoleMessage) -> None:
        # Opened at /page, Streamlit's own front end first looks for its server below that path.
        searching = message.location.get("url", "").endswith(("/_stcore/health", "/_stcore/host-config"))
        cut = "ERR_INTERNET_DISCONNECTED" in message.text  # by the test
        if message.type == "error" and not searching and not cut:
            self.complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_request(self, request: Request) -> None:
        self._check_host(request.url)

    def _check_host(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self.host:
            self.complaints.append(f"request to another host: {url}")


_watches: dict[Page, Watch] = {}


def watch(page: Page, address: str) -> Watch:
    """Begin to watch a page before it is opened; needed by `settled` and `rerun`."""
    _watches[page] = Watch(page, address)
    return _watches[page]


_PENDING = "[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]"

# The app is connected and idle, nothing is stale or about to be drawn, every plotly figure is there, and two
# frames have passed.
_DRAWN = """pending => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const figures = [...document.querySelectorAll('.js-plotly-plot')];
    done(!!app && app.dataset.testConnectionState === 'CONNECTED'
        && app.dataset.testScriptState === 'notRunning'
        && ![...document.querySelectorAll(pending)].some(e => e.checkVisibility())
        && figures.every(f => f.querySelector('.main-svg')));
})))"""


# The parts of this that do not hold.
_STATE = """pending => JSON.stringify({
    ...document.querySelector('[data-testid="stApp"]')?.dataset,
    pending: [...document.querySelectorAll(pending)].filter(e => e.checkVisibility()).map(e => e.dataset.testid),
    undrawn: [...document.querySelectorAll('.js-plotly-plot')].filter(f => !f.querySelector('.main-svg')).length,
})"""


def settled(page: Page) -> Page:
    """Wait until the script has ended and the page shows the result; fail on an exception in the app."""
    _wait(page, lambda: not _watches[page].busy and page.evaluate(_DRAWN, _PENDING) and not _watches[page].busy)
    exceptions = page.locator('[data-testid="stException"]').all_inner_texts()
    assert exceptions == [], f"the app shows an exception at {page.url}"
    return page


@contextlib.contextmanager
def rerun(page: Page) -> Iterator[None]:
    """Wait for the run that the block causes: `with rerun(page): page.get_by_label("rho").press("ArrowRight")`.

    A slider reports its value a moment after its move; `settled` alone would return before that.
    """
    before = _watches[page].asked
    yield
    _wait(page, lambda: _watches[page].asked > before)
    settled(page)


def two_frames(page: Page) -> None:
    """Wait until the page has drawn all changes, however long a frame takes."""
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def _wait(page: Page, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            seen = _watches[page]
            state = f"busy {seen.busy}, started {seen.started}, asked {seen.asked}, {page.evaluate(_STATE, _PENDING)}"
            raise AssertionError(f"{page.url} did not settle within {SECONDS:.0f} s: {state}")
        page.wait_for_timeout(25)  # lets the page's events in


def visit(page: Page, path: str = "/") -> Page:
    """Open a page of the app (`/sensitivity?sensitivity.measure=AP`), in its place, and wait until it has settled."""
    page.goto(in_its_place(path))
    return settled(page)


def in_its_place(path: str) -> str:
    """Return the address of a page in the app; tests name pages by their own names."""
    from ui.address.places import PAGES, PLACES, to_page  # not at the top: this file is also run by itself

    parts = urlsplit(path)
    stem = parts.path.strip("/")
    if stem not in PAGES or stem in PLACES:
        return path
    query = "&".join(filter(None, (urlencode(to_page(stem), doseq=True), parts.query)))
    return f"/{PAGES[stem].place}?{query}".rstrip("?")


def move_on(page: Page, path: str) -> Page:
    """Go to a path without loading the app again, which takes a second, as Back and Forward do."""
    with rerun(page):
        page.evaluate(
            "path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
            in_its_place(path),
        )
    return page


def afresh(page: Page, path: str) -> Page:
    """Go to a path in a visit that tests share, by way of another page, which resets what was drawn or opened.

    Settings remain during the visit, so the path must name those that matter.
    """
    if not page.url.endswith("learn.view=papers"):
        move_on(page, "/papers")
    return move_on(page, path)


def open_report(page: Page) -> None:
    """Open the box of kept views; a page that is still being drawn may close it again."""
    for _ in range(int(SECONDS)):
        if page.get_by_role("button", name="Keep this view").is_visible():
            return
        page.get_by_test_id("stSidebar").get_by_text("Kept", exact=True).click()
        page.wait_for_timeout(1000)
    raise AssertionError("the box stays closed")


def screenshot(page: Page, name: str, dark: bool = False) -> None:
    """Save the settled page as screenshots/NAME.png, in full height, if the tests are asked for screenshots."""
    settled(page)
    if not os.environ.get("EVALCORE_PICTURES"):
        return
    window = page.viewport_size or {"width": 1280, "height": 900}
    height = page.locator('[data-testid="stMain"]').evaluate("main => main.scrollHeight")  # the part that scrolls
    page.set_viewport_size({"width": window["width"], "height": max(height, window["height"])})
    if dark:
        page.emulate_media(color_scheme="dark")
    settled(page)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", animations="disabled")
    page.set_viewport_size(window)
    if dark:
        page.emulate_media(color_scheme="light")


# --- a hand -----------------------------------------------------------------------------------------------------------


class Finger:
    """One finger on a page, equally fast on a busy machine, because its events contain their times."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.screen: CDPSession = page.context.new_cdp_session(page)
        self.now = 0.0

    def _tell(self, kind: str, *points: tuple[float, float]) -> None:
        self.now = time.time() if kind == "touchStart" else self.now + 0.02
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points], "timestamp": self.now}
        self.screen.send("Input.dispatchTouchEvent", event)

    def down(self, x: float, y: float) -> None:
        self._tell("touchStart", (x, y))

    def draw(self, start: tuple[float, float], end: tuple[float, float], steps: int = 4) -> None:
        for at in range(1, steps + 1):
            x, y = (a + (b - a) * at / steps for a, b in zip(start, end, strict=True))
            self._tell("touchMove", (x, y))
            self.page.wait_for_timeout(20)

    def up(self) -> None:
        self._tell("touchEnd")


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- barriers ---------------------------------------------------------------------------------------------------------

# The rules of axe-core that a theme decides: the others need no second look in the other theme.
OF_COLOURS = ("color-contrast", "link-in-text-block")
_BARRIERS = """async ([rules, within]) => {
    const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
    const { violations } = await axe.run(within ?? document, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, failureSummary }) =>
        `${id}: ${target.join(' ')}\\n${html.slice(0, 200)}\\n${failureSummary}`));
}"""


def barriers(page: Page, rules: Sequence[str] | None = None, within: str | None = None) -> list[str]:
    """List the accessibility barriers that axe-core finds (by all its rules, or some): rule, element, and remedy.

    `within`: a selector of the parts to check.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_BARRIERS, [rules, within])
    return found


def open_folds(page: Page) -> Page:
    """Open every expander, on the page and in the sidebar, again if the page redraws an open one."""
    closed = "() => document.querySelectorAll('details:not([open]) > summary')"

    def all_open() -> bool:
        page.evaluate(f"({closed})().forEach(one => one.click())")
        settled(page)
        return bool(page.evaluate(f"({closed})().length === 0"))

    _wait(page, all_open)
    return page


def open_in_turn(page: Page) -> Iterator[Page]:
    """Yield the page with each of its menus open in turn, except the menus of the navigation."""
    for one in page.locator('[data-testid="stMain"] [data-testid="stPopoverButton"]:not(.st-key-menu *)').all():
        if one.is_visible():
            one.click()
            page.get_by_test_id("stPopoverBody").wait_for()
            yield settled(page)
            page.keyboard.press("Escape")
            page.get_by_test_id("stPopoverBody").wait_for(state="detached")


if __name__ == "__main__":
    found = find_chromium()
    print(found or "", end="\n" if found else "")
    sys.exit(found is None)
