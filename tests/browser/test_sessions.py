"""Several people on one server, and one with bad luck: nobody sees another's files, and each ends on a valid page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from people_support import Person, open_boxes
from playwright.sync_api import Browser, Page, expect

from browser_support import free_port, rerun, running_app, settled, visit, watch
from ui.server import browser_store

Open = Callable[..., Page]
RHO = ".st-key-understandability-rho input[type=range]"
CONNECTED = """() => document.querySelector('[data-testid="stApp"]').dataset.testConnectionState === 'CONNECTED'"""


@pytest.fixture
def people(open_page: Open) -> tuple[Person, Person]:
    return Person(open_page(), "anna", 0), Person(open_page(), "bert", 1)


def place(page: Page) -> str:
    """Return the part of the address after the host."""
    return "/" + page.url.split("/", 3)[3]


def correct(page: Page) -> None:
    """On the page Collection, reverse the good end of the last aspect."""
    page.get_by_text("The full description: collection.toml").click()
    area = page.get_by_label("collection.toml")
    before, _, after = area.input_value().rpartition('good = "high"')
    area.fill(f'{before}good = "low"{after}')
    with rerun(page):
        area.press("Control+Enter")
    with rerun(page):
        page.get_by_role("button", name="Read again", exact=True).click()


def is_all_there(page: Page) -> None:
    """Check that Anna's files, her correction and her kept view are all there."""
    expect(page.get_by_text("3 systems · 4 topics").first).to_be_visible()
    assert 'good = "low"' in page.get_by_label("collection.toml").input_value()
    open_boxes(page)
    expect(page.get_by_role("button", name="Download 1 view")).to_be_visible()


def test_a_reload_loses_nothing_and_a_link_gives_nothing_away(people: tuple[Person, Person]) -> None:
    anna, bert = people
    visit(anna.page, "/collection")
    anna.upload()
    correct(anna.page)
    open_boxes(anna.page)
    with rerun(anna.page):
        anna.page.get_by_role("button", name="Keep this view").click()
    anna.page.reload()
    is_all_there(settled(anna.page))
    other = anna.page.context.new_page()
    watch(other, anna.page.url.split("/collection")[0])
    is_all_there(visit(other, place(anna.page)))
    assert "data=your+files" in anna.page.url
    visit(bert.page, place(anna.page))
    assert b"anna-" not in b"".join(bert.received)
    expect(bert.page.get_by_text("Open the same files again")).to_be_visible()
    expect(bert.page.get_by_text("They were:")).to_have_count(0)
    expect(bert.page.get_by_text("needs the files of this link, which are not open here")).to_be_visible()
    number_is_in_no_text_and_no_address(anna)


def number_is_in_no_text_and_no_address(anna: Person) -> None:
    """The server recognises her browser by this number."""
    cookie = next(cookie["value"] for cookie in anna.page.context.cookies() if cookie["name"] == browser_store.COOKIE)
    number = browser_store._unmasked(cookie)
    assert number is not None
    everything = b"".join(anna.received) + anna.page.content().encode() + anna.page.url.encode()
    for secret in (number.hex(), hashlib.sha256(number).hexdigest(), *cookie.split("|")[1:3]):
        assert secret.encode() not in everything


@pytest.mark.slow
def test_a_tab_survives_a_restart_of_the_server(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with running_app(tmp_path / "first.log", port=port) as address:
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        left_open, page = context.new_page(), context.new_page()
        watch(page, address)
        watch(left_open, address)
        visit(left_open, "/understandability?understandability.rho=0.5")
        anna = Person(page, "anna", 0)
        visit(page, "/collection")
        anna.upload()
    with running_app(tmp_path / "second.log", port=port):
        goes_on(left_open)
        visit(page, place(page))
        expect(page.get_by_text("They were: qrels.txt, qread.txt, anna-run0.run")).to_be_visible()
        expect(page.get_by_text("needs the files of this link, which are not open here")).to_be_visible()
        with rerun(page):
            page.locator("[class*=st-key-same-files] input[type=file]").set_input_files(anna.picked())  # type: ignore[arg-type]
        with rerun(page):
            page.get_by_role("button", name="Open them again").click()
        expect(page.get_by_text("3 systems · 4 topics").first).to_be_visible()
        expect(page.get_by_text("made with data other than")).to_have_count(0)
        context.close()


def goes_on(page: Page) -> None:
    """Use a tab that was open when its server ended, on a new server."""
    page.wait_for_function(CONNECTED)  # the page stays as it was until something is moved
    rho = page.locator(RHO).first
    with rerun(page):
        rho.press("ArrowRight")
    # Streamlit tells a new session nothing of the move: the page is what its address says.
    expect(rho).to_have_value("0.5")
    with rerun(page):
        rho.press("ArrowRight")
    assert "understandability.rho=0.51" in page.evaluate("location.href")
    expect(page.get_by_role("heading", name="Does readability change who wins?")).to_be_visible()
