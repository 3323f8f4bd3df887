"""A page of another origin frames the app: unless its origin is named, it shows nothing and its messages do not arrive.

One such page is on a port of this machine; the other has the origin of Streamlit's own hosts, whose messages Streamlit
accepts unless the app trusts no origin. The test itself answers all requests for these pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from protocol_support import Visitor

from browser_support import SECONDS, running_app

pytestmark = pytest.mark.slow

ORIGINS = ("http://127.0.0.1:9", "https://anybody.streamlit.app")
FRAMES = """<!doctype html><title>frames the app</title><iframe src="%s" width=1200 height=800></iframe><script>
const heard = [];
addEventListener('message', message => heard.push(message.data));
</script>"""
SAY = """() => [
    {type: 'SET_FILE_UPLOAD_CLIENT_CONFIG', prefix: location.origin + '/stolen', headers: {}},
    {type: 'CLEAR_CACHE'},
    {type: 'STOP_SCRIPT'},
].forEach(message => frames[0].postMessage({stCommVersion: 1, ...message}, '*'))"""
FOR_WHAT_IS_NOT_TO_COME = 1000  # ms


@dataclass
class Framing:
    """A page of another origin that frames an app, with the requests to it and its console."""

    page: Page
    origin: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, address: str) -> None:
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.route(f"{self.origin}/**", lambda route: self._answer(route, address))
        self.page.goto(self.origin)
        self.page.wait_for_function("() => frames.length === 1")

    def _answer(self, route: Route, address: str) -> None:
        self.asked.append(route.request.url.removeprefix(self.origin))
        anybody = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}
        route.fulfill(body=FRAMES % address, content_type="text/html", headers=anybody)

    def say(self) -> None:
        """Send the app the messages that Streamlit's hosts send."""
        self.page.evaluate(SAY)
        self.page.wait_for_timeout(FOR_WHAT_IS_NOT_TO_COME)


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(permissions=["local-network-access"]) as context:  # or the browser refuses the frame
        yield context


@pytest.fixture(params=ORIGINS)
def framing(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Framing]:
    context.clear_cookies()
    with context.new_page() as page:
        page.set_default_timeout(SECONDS * 1000)
        yield Framing(page, request.param)


@pytest.fixture(scope="module")
def naming_both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of an app that names both origins."""
    with running_app(tmp_path_factory.mktemp("framed") / "app.log", framed_by=ORIGINS, followed=False) as address:
        yield address


def test_other_pages_cannot_frame_the_app_or_get_messages(framing: Framing, address_of: Callable[[], str]) -> None:
    address = address_of()
    visitor = Visitor(address).run().upload()
    framing.open(address)
    assert framing.page.frames[1].locator("[data-testid=stApp]").count() == 0
    assert any("frame-ancestors" in complaint for complaint in framing.complaints), framing.complaints
    framing.say()
    assert (framing.page.evaluate("() => heard"), framing.asked) == ([], ["/"])
    visitor.close()
    assert has_its_files(Visitor(address, visitor.cookie))


def test_a_named_page_can_frame_the_app_but_not_control_it(framing: Framing, naming_both: str) -> None:
    visitor = Visitor(naming_both).run().upload()
    framing.open(naming_both)
    frame = framing.page.frame_locator("iframe")
    expect(frame.get_by_text("Open now: Consumer health (synthetic)")).to_be_visible()
    framing.say()
    frame.locator("summary").filter(has_text="Open your own files").click()
    file = {"name": "one.run", "mimeType": "text/plain", "buffer": b"1 Q0 a 1 3 r\n"}
    frame.locator("input[type=file]").first.set_input_files(file)  # type: ignore[arg-type]
    expect(frame.get_by_text("one.run")).to_be_visible()
    framing.page.wait_for_timeout(FOR_WHAT_IS_NOT_TO_COME)
    assert not [path for path in framing.asked if "stolen" in path]
    visitor.close()
    assert has_its_files(Visitor(naming_both, visitor.cookie))


def has_its_files(visitor: Visitor) -> bool:
    """Return True if a browser that comes back finds its uploads."""
    seen = visitor.run(data="your files").seen()
    visitor.close()
    return "Forget your files" in seen
