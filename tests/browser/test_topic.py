"""The place Compare as a person sees it: from the matrix to the topics of a system, and a ranking that is edited."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, settled

RANKS = "document.querySelector('.st-key-pairbump .js-plotly-plot')"
LINK = "/compare?compare.view=correlations&correlations.test=P%4010&correlations.reference=AP"
EDITED = (
    "/compare?compare.view=topic&topic.look=What+if%3F"
    "&topic.topic=q03&topic.system=bm25_base&topic.measure=RBP(rho%3D0.8)"
)


def settings_of(page: Page) -> dict[str, list[str]]:
    found = parse_qs(urlsplit(page.url).query)
    return {key.removeprefix("topic."): texts for key, texts in found.items() if key.startswith("topic.")}


def test_a_click_on_a_system_that_moved_opens_its_topics_and_back_leads_to_the_matrix(tab: Page) -> None:
    page = afresh(tab, LINK)
    page.locator(".st-key-pairbump").scroll_into_view_if_needed()
    system, x, y = page.evaluate(
        f"""() => {{
            const box = {RANKS}, at = box.getBoundingClientRect(), {{xaxis, yaxis}} = box._fullLayout;
            const line = box.data.find(one => one.customdata && one.x && one.x[0] !== null);
            const shown = box._fullData.find(one => one.uid === line.uid) ?? box._fullData[box.data.indexOf(line)];
            const place = [xaxis._offset + xaxis.c2p(shown.x[0]), yaxis._offset + yaxis.c2p(shown.y[0])];
            return [line.customdata[0][0], at.x + place[0], at.y + place[1]];
        }}"""
    )
    page.mouse.move(x, y)
    page.wait_for_function(f"() => {RANKS}._hoverdata?.length")  # a person clicks what is seen to be under the mouse
    with rerun(page):
        page.mouse.click(x, y)
    there = parse_qs(urlsplit(page.url).query)
    assert (there["compare.view"], there["moved.x"], there["moved.y"]) == (["moved"], ["AP"], ["P@10"])
    assert there["moved.system"] == [system]
    expect(page.get_by_text("Who moved, and why?")).to_be_visible()
    with rerun(page):
        page.go_back()
    assert "moved.system" not in page.url
    expect(page.locator(".st-key-matrix")).to_be_visible()


@pytest.mark.slow
def test_a_ranking_is_edited_by_keys_and_mouse_and_back_takes_it_back(tab: Page) -> None:
    page = afresh(tab, EDITED)
    rows = page.locator(".ranking tbody tr")
    name = rows.nth(4).locator(".document").inner_text()
    with rerun(page):
        rows.nth(4).focus()
        page.keyboard.press("Alt+ArrowUp")
        page.keyboard.press("Alt+ArrowUp")  # before the first is answered
    page.wait_for_function("() => location.search.includes('4%3A3')")
    settled(page)
    assert settings_of(page)["edits"] == ["move:q03:bm25_base:5:4", "move:q03:bm25_base:4:3"]
    moved = rows.nth(2)
    expect(moved.locator(".document")).to_have_text(name)
    expect(moved.locator(".rank")).to_contain_text("was 5")
    expect(moved).to_be_focused()
    with rerun(page):
        page.get_by_role("button", name="Undo", exact=True).click()
    expect(rows.nth(3).locator(".document")).to_have_text(name)
    judged = page.locator(".ranking td select").first
    other = "0" if judged.input_value() != "0" else "1"
    with rerun(page):
        judged.select_option(other)
    assert settings_of(page)["edits"][-1].endswith(f":{other}")
    assert len(settings_of(page)["edits"]) == 2
    assert "undone" not in settings_of(page)
    expect(page.locator(".ranking td select.edited")).to_have_count(1)
    third = rows.nth(2).locator(".document").inner_text()
    with rerun(page):
        rows.nth(2).locator(".rank").drag_to(rows.nth(0).locator(".rank"))
    assert settings_of(page)["edits"][-1] == "move:q03:bm25_base:3:1"
    expect(rows.nth(0).locator(".document")).to_have_text(third)
    with rerun(page):
        page.go_back()
    assert len(settings_of(page)["edits"]) == 2
    expect(rows.nth(2).locator(".document")).to_have_text(third)
    with rerun(page):
        page.locator(".ranking .others").select_option(index=1)
    assert settings_of(page)["edits"][-1].startswith("insert:q03:bm25_base:")
    expect(rows.nth(0).locator(".rank")).to_contain_text("new")
