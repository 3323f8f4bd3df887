"""Touch on a phone: sliders beside their figures, rows of a table, the stage."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser_support import Finger, middle, move_on, rerun, two_frames, visit

pytestmark = [pytest.mark.followed, pytest.mark.slow]

PHONE = {"width": 375, "height": 667}
# Pages with a figure below a slider as they open
TOUCHED = ["", "understandability", "measures", "sensitivity", "navigation"]  # whose figures a finger moves, too
FINGER = 44  # pixels that are large enough for one


@pytest.fixture(scope="module")
def phone(keep_open: Callable[..., Page]) -> Page:
    """Open the app on a small phone, once for all tests."""
    return visit(keep_open(**PHONE, touch=True), "/guided_path")


def sliders(page: Page) -> list[Locator]:
    return [one for one in page.get_by_test_id("stMain").get_by_test_id("stSlider").all() if one.is_visible()]


def slide(page: Page, slider: Locator) -> None:
    """Move a slider by finger; meanwhile slider and figure must be visible, and neither may cover the other."""
    slider.evaluate("one => one.scrollIntoView({block: 'center'})")
    two_frames(page)
    thumb = slider.get_by_test_id("stSliderThumbValue").first.locator("..")
    x, y = middle(thumb)
    by = 40 if x < PHONE["width"] / 2 else -40
    finger, before = Finger(page), slider.locator("input").first.input_value()
    finger.down(x, y)
    finger.draw((x, y), (x + by, y))
    assert slider.locator("input").first.input_value() != before
    page.wait_for_function(
        "() => [...document.querySelectorAll('.plot')].some(one => one._fullLayout?.height === one.clientHeight)"
    )
    shown = page.evaluate(
        """slider => [...document.querySelectorAll('.plot')].filter(one => one.clientWidth).map(one => {
        const { top, bottom, left, right } = one.getBoundingClientRect(), at = slider.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
            && (bottom <= at.top || top >= at.bottom); })""",
        slider.element_handle(),
    )
    assert any(shown), page.url
    with rerun(page):
        finger.up()


@pytest.fixture(scope="module")
def opened(phone: Page, request: pytest.FixtureRequest) -> Page:
    """Open a page of the app on the phone, once for the tests of its first slider."""
    return move_on(phone, f"/{request.param}")


# With these every place that opens with a slider: Home, Tune, Compare, Claim, Learn, Links, Passages.
@pytest.mark.parametrize("opened", [*TOUCHED, "toma", "claim", "guided_path", "focused_retrieval"], indirect=True)
def test_a_slider_and_its_figure_are_seen_together(opened: Page) -> None:
    slide(opened, sliders(opened)[0])
    opened.get_by_role("heading").first.dispatch_event("pointerdown")
    expect(opened.locator(".docked")).to_have_count(0)


@pytest.mark.parametrize("opened", ["leaderboard", "labels", "collection"], indirect=True)
def test_rank_labels_and_data_open_without_a_slider(opened: Page) -> None:
    assert sliders(opened) == []


def test_a_finger_drags_a_row_by_its_grip_and_scrolls_at_the_edge(phone: Page) -> None:
    move_on(
        phone,
        "/compare?compare.view=topic&topic.look=What+if%3F&topic.topic=q03&topic.system=bm25_base&topic.measure=RBP(rho%3D0.8)",
    )
    table, rows = phone.locator(".ranking"), phone.locator(".ranking tbody tr")
    table.evaluate("one => one.scrollIntoView({block: 'center'})")
    sizes = table.locator("button, select, .grip").evaluate_all(
        "all => Math.min(...all.flatMap(one => [one.offsetWidth, one.offsetHeight]))"
    )
    assert sizes >= FINGER
    finger, first = Finger(phone), rows.first.locator(".document").inner_text()
    start, end = middle(rows.nth(0).locator(".grip")), middle(rows.nth(2).locator(".grip"))
    finger.down(*start)
    finger.draw(start, end)
    with rerun(phone):
        finger.up()
    expect(rows.nth(2).locator(".document")).to_have_text(first)
    box = table.bounding_box()
    assert box
    start, end = middle(rows.nth(0).locator(".grip")), (start[0], min(box["y"] + box["height"], PHONE["height"]) - 10)
    finger.down(*start)
    finger.draw(start, end)
    phone.wait_for_function("() => document.querySelector('.ranking').scrollTop > 100")
    with rerun(phone):
        finger.up()
    places = phone.evaluate("() => new URLSearchParams(location.search).getAll('topic.edits')")
    assert places[0].endswith(":1:3")
    assert int(places[1].rpartition(":")[2]) > 10


def test_a_finger_drawn_across_the_stage_leads_on_and_back(phone: Page) -> None:
    visit(phone, "/measures?present=true")  # which has two figures
    title = phone.locator(".stage-title span")
    expect(title).to_have_text("Figure 1 of 2")
    finger, left, right = Finger(phone), (60.0, 350.0), (300.0, 360.0)
    for start, end, now in ((right, left, "Figure 2 of 2"), (left, right, "Figure 1 of 2")):
        finger.down(*start)
        finger.draw(start, end)
        finger.up()
        expect(title).to_have_text(now)
    finger.down(200, 300)
    finger.draw((200, 300), (210, 420))  # along, not across
    finger.up()
    expect(title).to_have_text("Figure 1 of 2")
