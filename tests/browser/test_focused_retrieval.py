"""The page Focused retrieval as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, screenshot

LINK = "/focused_retrieval?data=focused+sample"


def test_the_text_is_marked_and_opens_at_the_part(tab: Page) -> None:
    page = afresh(tab, f"{LINK}&focused_retrieval.system=window_500&focused_retrieval.of=101&focused_retrieval.rank=2")
    now = page.locator(".passages .rank.now")
    expect(now).to_have_text("2")
    assert page.locator(".passages .marked").count() > 0
    page.locator(".passages").scroll_into_view_if_needed()
    box, mark = page.locator(".passages").bounding_box(), now.bounding_box()
    assert box
    assert mark
    assert box["y"] <= mark["y"] <= box["y"] + box["height"]
    screenshot(page, "focused_retrieval-text")


def test_stepping_and_clicking_keep_the_link(tab: Page) -> None:
    page = afresh(tab, f"{LINK}&focused_retrieval.rank=1&focused_retrieval.task=focused")
    with rerun(page):
        page.get_by_role("button", name="Next", exact=True).click()
    assert parse_qs(urlsplit(page.url).query)["focused_retrieval.rank"] == ["2"]
    with rerun(page):
        page.get_by_text("best in context", exact=True).click()
    assert parse_qs(urlsplit(page.url).query)["focused_retrieval.task"] == ["best in context"]
    expect(page.locator(".passages .entry.begun")).to_have_count(1)


def test_the_figure_and_its_controls_fit_on_one_screen(tab: Page) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    figures = {
        "focused": "Interpolated precision by recall",
        "relevant+in+context": "Generalised precision by document rank",
        "best+in+context": "MAgP (mean over topics) of every system",
    }
    for task, name in figures.items():
        page = afresh(tab, f"{LINK}&focused_retrieval.task={task}")
        box = page.get_by_role("img", name=name).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 800
