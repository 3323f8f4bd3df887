"""Fixtures of the tests that look at the app as a person does; what they use is in tests/browser_support.py.

A test takes `page` (the app on its sample data, a desktop window, light) or `open_page` for anything else. At
its end it fails if a page printed an error to its console or asked another host for anything.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from browser_support import CHROMIUM_FLAGS, SECONDS, Browsers, Profiles, find_chromium, running_app, visit, watch

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    path = find_chromium()
    if path is None and os.environ.get("CI") == "true":
        pytest.fail("no Chromium found, and CI must look at the app in one; see .ci/browser")
    if path is None:
        pytest.skip("no Chromium found; install one, or run: playwright install chromium")
    return path


# It ends with the last test here: while playwright runs, no other in the same thread could use asyncio.run.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=SECONDS * 1000)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    """One that has seen nothing; all that a context of it is served and compiles ends with the context."""
    browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def profiles() -> Iterator[Profiles]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Profiles(Path(folder))


@pytest.fixture(scope="package")
def browsers(playwright: Playwright, chromium: str, profiles: Profiles) -> Iterator[Browsers]:
    with contextlib.closing(Browsers(playwright, chromium, profiles)) as browsers:
        yield browsers


@pytest.fixture(scope="package")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path | None, bool], str]]:
    """The address of the app on a folder of data (None: sample data), in which sliders are followed or not.

    Each is started once.
    """
    with contextlib.ExitStack() as apps:

        @cache
        def started(data: Path | None, followed: bool) -> str:
            log = tmp_path_factory.mktemp("app") / "app.log"
            return apps.enter_context(running_app(log, data, followed=followed))

        yield started


@pytest.fixture(scope="module")
def address_of(
    request: pytest.FixtureRequest, started: Callable[[Path | None, bool], str]
) -> Callable[[Path | None], str]:
    """The address of the app on a folder of data (None: sample data); sliders are followed where the file says so."""
    followed = request.node.get_closest_marker("followed") is not None

    def address_of(data: Path | None = None) -> str:
        return started(data, followed)

    return address_of


Opening = Callable[[], contextlib.AbstractContextManager[Callable[..., Page]]]


@pytest.fixture(scope="module")
def opening(browsers: Browsers, address_of: Callable[[Path | None], str]) -> Opening:
    @contextlib.contextmanager
    def opening() -> Iterator[Callable[..., Page]]:
        watches = []
        with contextlib.ExitStack() as opened:

            def open_page(
                data: Path | None = None,
                dark: bool = False,
                width: int = 1280,
                height: int = 900,
                address: str | None = None,
                touch: bool = False,
            ) -> Page:
                address = address or address_of(data)
                page = opened.enter_context(browsers.page(address, touch))
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme="dark" if dark else "light")
                watches.append(watch(page, address))
                return page

            yield open_page
        assert [complaint for seen in watches for complaint in seen.complaints] == []

    return opening


@pytest.fixture
def open_page(opening: Opening) -> Iterator[Callable[..., Page]]:
    """Make a page: `open_page(data=folder, dark=True, width=390, height=844)`; then `visit(page)`."""
    with opening() as open_page:
        yield open_page


@pytest.fixture(scope="module")
def keep_open(opening: Opening) -> Iterator[Callable[..., Page]]:
    """Like `open_page`, for a page that the tests of a file share: loading the app takes longer than what they do."""
    with opening() as open_page:
        yield open_page


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    """The app on its sample data, one visit for the tests of a file: `afresh(tab, "/path")`."""
    return visit(keep_open(), "/papers")


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """The app on its sample data, not yet opened: `visit(page, "/path")`."""
    return open_page()
