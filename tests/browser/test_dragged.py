"""Drags of a slider's thumb, or of a thumb in a figure, show in the browser what the server later answers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from browser_support import SECONDS, afresh, rerun, two_frames

pytestmark = [pytest.mark.followed, pytest.mark.slow]

TEXTS = """() => [...document.querySelectorAll('[class*="st-key-sentence"]')]
    .map(one => one.innerText.trim().replace(/\\s+/g, ' '))"""
MARKS = """() => [...document.querySelectorAll('.plot .points path.point')].map(one => one.getAttribute('transform'))"""

WORDS = """() => [...document.querySelectorAll('.plot .textpoint text')].map(one => one.textContent)"""


def places(page: Page) -> list[float]:
    """Return the positions of all marks of all figures, in pixels."""
    return [float(match) for text in page.evaluate(MARKS) for match in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


@contextmanager
def held(page: Page, thumb: Locator, across: float, up: float = 0.0) -> Iterator[None]:
    """Drag a thumb once its whole path has arrived, and release it at the end of the block."""
    pending, answered = set[object](), list[str]()
    page.on("request", lambda one: pending.add(one) if "/path/" in one.url else None)
    page.on("requestfailed", lambda one: pending.discard(one))
    page.on("requestfinished", lambda one: pending.discard(one))
    page.on("response", lambda one: answered.append(one.headers.get("x-path", "")) if "/path/" in one.url else None)
    box = thumb.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    quiet = waited = 0
    while quiet < 8:
        assert waited < 20 * SECONDS, f"the path was {answered}"
        page.wait_for_timeout(50)
        quiet = quiet + 1 if not pending and "complete" in answered else 0
        waited += 1
    page.mouse.down()
    for share in (0.3, 0.6, 1):
        page.mouse.move(x + share * across, y + share * up)
    two_frames(page)
    while page.locator("body.between-places").count():  # texts there are those of the nearer computed position
        x += math.copysign(1, across)
        page.mouse.move(x + across, y + up)
        two_frames(page)
    yield
    page.mouse.up()


@pytest.mark.parametrize(
    ("address", "slider", "handle", "by"),
    [
        ("/aspect_weights?doubt=false", "aspect_weights-weights-relevance", ".handle.point", (70, 40)),
        ("/toma?doubt=false", "toma-positions-understandability-1", ".handle.x >> nth=1", (50, 0)),
    ],
)
def test_dragging_shows_the_same_as_the_server(
    tab: Page, address: str, slider: str, handle: str, by: tuple[float, float]
) -> None:
    page = afresh(tab, address)
    thumb = page.locator(f".st-key-{slider} input[type=range]").locator("xpath=../..")
    for one, (across, up) in ((thumb, (-40, 0)), (page.locator(handle), by)):
        before, entries = places(page), page.evaluate("history.length")
        with rerun(page), held(page, one, across, up):
            marks, texts, words = places(page), page.evaluate(TEXTS), page.evaluate(WORDS)
        assert marks != before
        assert texts
        assert marks == pytest.approx(places(page), abs=0.5)
        assert texts == page.evaluate(TEXTS)
        assert words == page.evaluate(WORDS)
        assert page.evaluate("history.length") == entries + 1
        assert len(parse_qs(urlsplit(page.url).query)) > 2
