"""The page Discriminative power as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun

pytestmark = pytest.mark.slow

PAGE = "discriminative_power"


def opened(**link: str) -> str:
    return f"/{PAGE}?{urlencode({f'{PAGE}.{key}': value for key, value in link.items()})}"


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_cell_clicked_is_the_pair_below(tab: Page) -> None:
    page = afresh(tab, opened(look="All pairs", resamples="1,000", measures="AP"))
    area = page.locator(".st-key-matrix .nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box
    with rerun(page):
        page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    assert link(page)[f"{PAGE}.a"] != link(page)[f"{PAGE}.b"]
    assert f"{PAGE}.look" not in link(page)  # back to what it is without a choice
    expect(page.get_by_text(f"{link(page)[f'{PAGE}.a'][0]} is better on")).to_be_visible()
