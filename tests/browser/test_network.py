"""A bad network: a slow line, an upload that is given up, people who connect and then read nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect

from browser_support import rerun, settled, visit, watch

pytestmark = [pytest.mark.followed, pytest.mark.slow]

Address = Callable[[Path | None], str]
RHO = ".st-key-understandability-rho input[type=range]"
HURRIED: Any = {"max_size": None, "max_queue": 1, "close_timeout": 0.1}
UPLOADER = ".st-key-upload_files, .st-key-upload-files"


@contextlib.contextmanager
def slow(page: Page, *, down: int, up: int, latency: int = 300) -> Iterator[None]:
    """A line of so many bytes a second each way, and so many milliseconds."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    at_will = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    limited = at_will | {"latency": latency, "downloadThroughput": down, "uploadThroughput": up}
    session.send("Network.emulateNetworkConditions", limited)
    try:
        yield
    finally:
        session.send("Network.emulateNetworkConditions", at_will)


def test_on_a_slow_line_the_last_move_wins(page: Page, open_page: Callable[..., Page]) -> None:
    visit(page, "/understandability?understandability.rho=0.5")
    with slow(page, down=100_000, up=20_000):
        for _ in range(6):
            page.locator(RHO).first.press("ArrowRight", delay=100)
        page.wait_for_function("() => location.search.includes('rho=0.56')")  # some moves arrive together, some do not
    settled(page)
    opened = visit(open_page(), "/understandability?understandability.rho=0.56")
    figures = [one.get_by_test_id("stMetricValue").all_inner_texts() for one in (page, opened)]
    assert figures[0] == figures[1]


def test_an_upload_given_up_leaves_all_as_it_was(browser: Browser, address_of: Address) -> None:
    # A page of its own, as Streamlit writes the cancelled request to the console.
    page = browser.new_page(base_url=address_of(None))
    watch(page, address_of(None))
    visit(page)
    page.evaluate("() => document.querySelectorAll('details:not([open]) > summary').forEach(one => one.click())")
    uploader = page.locator(UPLOADER)
    with slow(page, down=200_000, up=20_000):
        large = {"name": "large.run", "mimeType": "text/plain", "buffer": b"1 Q0 d 1 1 s\n" * 200_000}
        uploader.locator("input[type=file]").set_input_files(large)  # type: ignore[arg-type]
        uploader.get_by_role("button", name="Cancel upload of large.run").click()
    settled(page)
    expect(uploader.get_by_text("large.run")).to_have_count(0)
    expect(page.get_by_text("Open now: Consumer health (synthetic)")).to_be_visible()
    page.close()


def test_who_reads_nothing_holds_up_nobody(page: Page, address_of: Address) -> None:
    url = address_of(None).replace("http", "ws") + "/_stcore/stream"
    asked = BackMsg()
    asked.rerun_script.page_name = "understandability"
    with contextlib.ExitStack() as stack:
        for _ in range(5):
            silent = stack.enter_context(connect(url, **HURRIED, subprotocols=["streamlit"]))  # type: ignore[list-item]
            for _ in range(20):
                silent.send(asked.SerializeToString())
        visit(page, "/understandability?understandability.rho=0.5")
        with rerun(page):
            page.locator(RHO).first.press("ArrowRight")
        assert "rho=0.51" in page.url
    with rerun(page):
        page.locator(RHO).first.press("ArrowRight")
    assert "rho=0.52" in page.url
