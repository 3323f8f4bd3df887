"""A bad network: a slow line, an aborted upload, clients that connect and then read nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect

from browser_support import SECONDS, rerun, settled, visit

pytestmark = [pytest.mark.followed, pytest.mark.slow]

Address = Callable[[Path | None], str]
RHO = ".st-key-understandability-rho input[type=range]"
HURRIED: Any = {"max_size": None, "max_queue": 1, "close_timeout": 0.1}


@contextlib.contextmanager
def slow(page: Page, *, down: int, up: int, latency: int = 300) -> Iterator[None]:
    """Limit the line to this many bytes per second in each direction, and delay it by some milliseconds."""
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
    numbers = opened.get_by_test_id("stMetricValue").all_inner_texts()
    assert numbers
    # The address is that of the last move before its numbers have come.
    expect(page.get_by_test_id("stMetricValue")).to_have_text(numbers, timeout=1000 * SECONDS)


def test_a_client_that_reads_nothing_delays_nobody(page: Page, address_of: Address) -> None:
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
