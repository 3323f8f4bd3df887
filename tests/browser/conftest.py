"""Fixtures of the tests that look at the app as a person does; what they use is in tests/browser_support.py.

A test takes `page` (the app on its sample data, a desktop window, light) or `open_page` for anything else. At
its end it fails if a page printed an error to its console or asked another host for anything.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from browser_support import CHROMIUM_FLAGS, SECONDS, find_chromium, running_app, visit, watch

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


# One browser for each file: while playwright runs, no test in the same thread could use asyncio.run.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path | None], str]]:
    """The address of the app on a folder of data (None: sample data); each folder's app is started once."""
    addresses: dict[Path | None, str] = {}
    with contextlib.ExitStack() as apps:

        def address_of(data: Path | None = None) -> str:
            if data not in addresses:
                log = tmp_path_factory.mktemp("app") / "app.log"
                addresses[data] = apps.enter_context(running_app(log, data))
            return addresses[data]

        yield address_of


def _opening(browser: Browser, address_of: Callable[[Path | None], str]) -> Iterator[Callable[..., Page]]:
    watches = []
    with contextlib.ExitStack() as contexts:

        def open_page(
            data: Path | None = None,
            dark: bool = False,
            width: int = 1280,
            height: int = 900,
            address: str | None = None,
            touch: bool = False,
        ) -> Page:
            address = address or address_of(data)
            context = browser.new_context(
                base_url=address,
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
                accept_downloads=True,
                has_touch=touch,
                is_mobile=touch,
            )
            contexts.callback(context.close)
            context.set_default_timeout(SECONDS * 1000)
            page = context.new_page()
            watches.append(watch(page, address))
            return page

        yield open_page
    assert [complaint for seen in watches for complaint in seen.complaints] == []


@pytest.fixture
def open_page(browser: Browser, address_of: Callable[[Path | None], str]) -> Iterator[Callable[..., Page]]:
    """Make a page: `open_page(data=folder, dark=True, width=390, height=844)`; then `visit(page)`."""
    yield from _opening(browser, address_of)


@pytest.fixture(scope="module")
def keep_open(browser: Browser, address_of: Callable[[Path | None], str]) -> Iterator[Callable[..., Page]]:
    """Like `open_page`, for a page that the tests of a file share: loading the app takes longer than what they do."""
    yield from _opening(browser, address_of)


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    """The app on its sample data, one visit for the tests of a file: `afresh(tab, "/path")`."""
    return visit(keep_open(), "/papers")


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """The app on its sample data, not yet opened: `visit(page, "/path")`."""
    return open_page()
