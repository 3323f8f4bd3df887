"""The guided path by mouse, keys and finger; and what a finger does elsewhere, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from app_support import QUICK
from browser_support import Finger, afresh, middle, move_on, rerun, visit
from ui.guided_path import LESSONS

pytestmark = pytest.mark.followed

PHONE = {"width": 375, "height": 667}
NEXT = "Next"
# Pages of which a figure stands below a slider as they open
TOUCHED = ["", "understandability", "measures", "sensitivity", "navigation"]  # those of which a finger moves it, too
WITH_SLIDERS = [
    *TOUCHED,
    "aspect_weights",
    "correlations",
    "discriminative_power",
    "guided_path?guided_path.step=1+Reader",
    "guided_path?guided_path.step=9+Links",
    "focused_retrieval?focused_retrieval.task=best+in+context",
]
FINGER = 44  # pixels that are large enough for one
FEW_SPECIFICATIONS = f"claim?{urlencode(QUICK['claim'])}"


@pytest.fixture(scope="module")
def phone(keep_open: Callable[..., Page]) -> Page:
    """The app on a small phone, kept from test to test."""
    return visit(keep_open(**PHONE, touch=True), "/guided_path")


@pytest.fixture(scope="module")
def desktop(keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open(), "/papers")


def sliders(page: Page) -> list[Locator]:
    return [one for one in page.get_by_test_id("stMain").get_by_test_id("stSlider").all() if one.is_visible()]


def slide(page: Page, slider: Locator) -> None:
    """Move a slider by a finger; while it is down, slider and figure are in the window, neither over the other."""
    slider.evaluate("one => one.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(100)
    thumb = slider.get_by_test_id("stSliderThumbValue").locator("..")
    x, y = middle(thumb)
    by = 40 if x < PHONE["width"] / 2 else -40
    finger, before = Finger(page), slider.locator("input").input_value()
    finger.down(x, y)
    finger.draw((x, y), (x + by, y))
    assert slider.locator("input").input_value() != before
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


def touch(page: Page, target: Locator) -> None:
    target.scroll_into_view_if_needed()
    target.tap()


def press(page: Page, target: Locator) -> None:
    target.focus()
    page.keyboard.press("Enter")


def click(page: Page, target: Locator) -> None:
    target.click()


def key(page: Page, slider: Locator) -> None:
    thumb = slider.locator("input")
    lowest = float(thumb.input_value()) <= float(thumb.get_attribute("min") or 0)
    with rerun(page):
        thumb.press("ArrowRight" if lowest else "ArrowLeft")


def drag(page: Page, slider: Locator) -> None:
    slider.scroll_into_view_if_needed()
    x, y = middle(slider.get_by_test_id("stSliderThumbValue").locator(".."))
    track = slider.bounding_box()
    assert track
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + (60 if x < track["x"] + track["width"] / 2 else -60), y, steps=3)
    with rerun(page):
        page.mouse.up()


def walk(page: Page, choose: Callable[[Page, Locator], None], move: Callable[[Page, Locator], None]) -> None:
    """The whole path: at each step move its first slider, open the answer, go on."""
    for at, lesson in enumerate(LESSONS, start=1):
        expect(page.get_by_role("heading", name=lesson.title)).to_be_visible()
        for slider in sliders(page)[:1]:
            move(page, slider)
        choose(page, page.locator(f".st-key-answer{at} summary"))
        expect(page.locator(f".st-key-answer{at} [data-testid=stMarkdownContainer] p").last).to_be_visible()
        assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"), (
            lesson.name
        )
        onward = page.get_by_role("button", name=NEXT, exact=True)
        if at == len(LESSONS):
            expect(onward).to_be_disabled()
            break
        with rerun(page):
            choose(page, onward)


def test_a_finger_walks_the_path_and_sees_each_slider_with_its_figure(phone: Page) -> None:
    walk(phone, touch, slide)


def in_turn(*ways: Callable[[Page, Locator], None]) -> Callable[[Page, Locator], None]:
    """A way of doing something that is each of those, one after the other."""
    turns = cycle(ways)
    return lambda page, target: next(turns)(page, target)


def key_and_drag(page: Page, slider: Locator) -> None:
    key(page, slider)
    drag(page, slider)


def test_keys_and_a_mouse_walk_the_path(desktop: Page) -> None:
    page = afresh(desktop, f"/guided_path?guided_path.step={LESSONS[0].name}")
    walk(page, in_turn(press, click, click, press), key_and_drag)


@pytest.fixture(scope="module")
def opened(phone: Page, request: pytest.FixtureRequest) -> Page:
    """A page of the app on the phone, opened once for the tests of its first slider."""
    return move_on(phone, f"/{request.param}")


@pytest.mark.parametrize("opened", [*TOUCHED, "toma"], indirect=True)
def test_a_slider_and_its_figure_are_seen_together(opened: Page) -> None:
    slide(opened, sliders(opened)[0])
    opened.get_by_role("heading").first.dispatch_event("pointerdown")
    expect(opened.locator(".docked")).to_have_count(0)


TOGETHER = """() => {
    const share = ({ top, bottom }) => (Math.min(bottom, innerHeight) - Math.max(top, 0)) / Math.min(bottom - top, 300);
    const seen = (one) => one.clientWidth && share(one.getBoundingClientRect()) > 0.99;
    return ['[data-testid=stSlider]', '.plot'].every((one) => [...document.querySelectorAll(one)].some(seen)); }"""


@pytest.mark.parametrize("opened", WITH_SLIDERS, indirect=True)
def test_a_slider_stays_while_its_figure_is_in_view(opened: Page) -> None:
    main = opened.get_by_test_id("stMain")
    figures = sliders(opened)[0].locator("xpath=following::*[contains(@class, 'js-plotly-plot')]")
    figures.nth(1 if "/understandability" in opened.url else 0).evaluate("one => one.scrollIntoView({block: 'end'})")
    opened.wait_for_function(TOGETHER)
    stuck = main.evaluate("one => one.scrollHeight")
    main.evaluate("one => one.scrollTo(0, 0)")
    expect(opened.locator("[data-stuck]")).to_have_count(0)
    assert main.evaluate("one => one.scrollHeight") == stuck


@pytest.mark.parametrize(
    ("path", "figure"), [("understandability", "scatter"), (FEW_SPECIFICATIONS, "specification-curve")]
)
def test_over_the_page_comes_the_figure_that_answers_its_question(phone: Page, path: str, figure: str) -> None:
    move_on(phone, f"/{path}")
    phone.locator(f".st-key-{figure} .main-svg").first.wait_for()
    with rerun(phone):
        sliders(phone)[0].locator("input").first.press("ArrowRight")
    expect(phone.locator(f".st-key-{figure} .docked")).to_be_visible()
    phone.get_by_role("heading").first.dispatch_event("pointerdown")


def test_what_a_page_found_stands_over_its_controls(phone: Page) -> None:
    move_on(phone, "/understandability")
    headline, slider = phone.locator('[class*="st-key-sentence-headline"]').first, sliders(phone)[0]
    assert headline.evaluate("one => one.getBoundingClientRect().bottom") <= slider.evaluate(
        "one => one.getBoundingClientRect().top"
    )


def test_a_finger_drags_a_row_by_its_grip_and_scrolls_at_the_edge(phone: Page) -> None:
    move_on(phone, "/topic?topic.look=What+if%3F&topic.topic=q03&topic.system=bm25_base&topic.measure=RBP(rho%3D0.8)")
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
    visit(phone, "/understandability?present=true")
    title = phone.locator(".stage-title span")
    expect(title).to_have_text("Figure 1 of 3")
    finger, left, right = Finger(phone), (60.0, 350.0), (300.0, 360.0)
    for start, end, now in ((right, left, "Figure 2 of 3"), (left, right, "Figure 1 of 3")):
        finger.down(*start)
        finger.draw(start, end)
        finger.up()
        expect(title).to_have_text(now)
    finger.down(200, 300)
    finger.draw((200, 300), (210, 420))  # along, not across
    finger.up()
    expect(title).to_have_text("Figure 1 of 3")
