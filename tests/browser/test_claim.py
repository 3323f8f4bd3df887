"""The page Claim as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from app_support import QUICK
from browser_support import afresh, rerun

pytestmark = pytest.mark.slow

FEW = f"/claim?{urlencode(QUICK['claim'])}"
CURVE = ".st-key-specification-curve"


def stretch(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("claim.stretch", [])


def test_a_point_clicked_is_put_in_words_and_a_box_shows_what_is_behind_it(tab: Page) -> None:
    page = afresh(tab, FEW)
    place = page.locator(f"{CURVE} .scatterlayer .points path").first.bounding_box()
    assert place
    with rerun(page):
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    (numbers,) = stretch(page)
    first, _, last = numbers.partition(" to ")
    assert first == last
    expect(page.get_by_text(f"Number {first} of 8")).to_be_visible()
    page.locator(f"{CURVE} [data-val=select]").click()
    area = page.locator(f"{CURVE} .nsewdrag").first.bounding_box()
    assert area
    page.mouse.move(area["x"] + 2, area["y"] + 2)
    page.mouse.down()
    with rerun(page):
        page.mouse.move(area["x"] + 0.4 * area["width"], area["y"] + area["height"] - 2, steps=4)
        page.mouse.up()
    (numbers,) = stretch(page)
    assert numbers.startswith("1 to ")
    expect(page.get_by_text(f"Which options are behind numbers {numbers}")).to_be_visible()
