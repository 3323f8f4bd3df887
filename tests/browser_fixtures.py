"""Fixtures of the tests that use the app in a browser; their tools are in tests/browser_support.py.

A test uses `page` (the app on its sample data, in a desktop window, in light mode) or `open_page` for anything else. At
its end, it fails if a page logged an error or requested anything from another host.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # tests that need no browser do without playwright
    from playwright.sync_api import Browser, Page, Playwright

    from browser_support import Browsers

    Opening = Callable[[], contextlib.AbstractContextManager[Callable[..., Page]]]

_running = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End playwright before the first test without a browser: no other test in its thread could use asyncio.run."""
    if not item.get_closest_marker("browser"):
        _running.close()


@pytest.fixture(scope="session")
def running() -> Iterator[contextlib.ExitStack]:
    """Yield the stack of everything that runs until the last browser test: playwright, browsers, servers."""
    with _running:
        yield _running


@pytest.fixture(scope="session")
def chromium() -> str:
    from browser_support import find_chromium

    path = find_chromium()
    if path is None and os.environ.get("CI") == "true":
        pytest.fail("no Chromium found, and CI must look at the app in one; see .ci/browser")
    if path is None:
        pytest.skip("no Chromium found; install one, or run: playwright install chromium")
    return path


@pytest.fixture(scope="session")
def playwright(running: contextlib.ExitStack) -> Playwright:
    from playwright.sync_api import expect, sync_playwright

    from browser_support import SECONDS

    expect.set_options(timeout=SECONDS * 1000)
    return running.enter_context(sync_playwright())


@pytest.fixture(scope="session")
def browser(running: contextlib.ExitStack, playwright: Playwright, chromium: str) -> Browser:
    """Return a browser without history; everything that it caches for a context ends with the context."""
    from browser_support import CHROMIUM_FLAGS

    return running.enter_context(playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS))


@pytest.fixture(scope="session")
def browsers(running: contextlib.ExitStack, playwright: Playwright, chromium: str) -> Browsers:
    from browser_support import Browsers, Profiles

    profiles = Profiles(Path(running.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))))
    return running.enter_context(contextlib.closing(Browsers(playwright, chromium, profiles)))


@pytest.fixture(scope="session")
def started(
    running: contextlib.ExitStack, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path | None, bool], str]:
    """Return a function that gives the app's address on a folder (None: sample data), with or without paths of sliders.

    Each app is started only once.
    """
    from browser_support import running_app

    @cache
    def started(data: Path | None, followed: bool) -> str:
        log = tmp_path_factory.mktemp("app") / "app.log"
        return running.enter_context(running_app(log, data, followed=followed))

    return started


@pytest.fixture(scope="module")
def address_of(
    request: pytest.FixtureRequest, started: Callable[[Path | None, bool], str]
) -> Callable[[Path | None], str]:
    """Return a function that gives the app's address on a folder (None: sample data); test files may ask for paths."""
    followed = request.node.get_closest_marker("followed") is not None

    def address_of(data: Path | None = None) -> str:
        return started(data, followed)

    return address_of


@pytest.fixture(scope="module")
def opening(browsers: Browsers, address_of: Callable[[Path | None], str]) -> Opening:
    from browser_support import watch

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
    """Yield a function that makes a page: `open_page(data=folder, dark=True, width=390, height=844)`."""
    with opening() as open_page:
        yield open_page


@pytest.fixture(scope="module")
def keep_open(opening: Opening) -> Iterator[Callable[..., Page]]:
    """As `open_page`, but for all tests of a file, because loading the app takes longer than these tests."""
    with opening() as open_page:
        yield open_page


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    """Open the app on its sample data, once for all tests of a file: `afresh(tab, "/path")`."""
    from browser_support import visit

    return visit(keep_open(), "/papers")


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """Return a page for the app on its sample data, not yet opened: `visit(page, "/path")`."""
    return open_page()
