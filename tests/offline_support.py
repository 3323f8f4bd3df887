"""HTML files opened in a browser without a network, for tests of reports and of lessons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from browser_support import SECONDS

SETTLED = "() => ![...document.querySelectorAll('.plotly-graph-div')].some((one) => one.unsettled || one.drawing)"
SHOWN = """() => [[...document.querySelectorAll('.words')].map((one) => one.textContent).join(),
    JSON.stringify([...document.querySelectorAll('.plotly-graph-div')].map((one) => [one.data, one.layout.shapes]))]"""


@contextmanager
def opened(browser: Browser, file: Path, width: int = 1280, height: int = 720) -> Iterator[Page]:
    """Show a file in a browser without a network; it must request nothing outside its folder, and log no error."""
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on(
        "request", lambda asked: None if asked.url.startswith(("file:", "data:", "blob:")) else wrong.append(asked.url)
    )
    page.goto(file.as_uri())
    yield page
    context.close()
    assert wrong == []


def until(page: Page, script: str) -> None:
    """Wait until a condition holds, for pages that may not evaluate text as code."""
    for _ in range(int(SECONDS * 20)):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"expected {script}")
