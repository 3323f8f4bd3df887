"""The page Topic as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, settled

MAP = "document.querySelector('.st-key-gap_map .js-plotly-plot, .st-key-gap-map .js-plotly-plot')"
LINK = "/topic?topic.look=Difference+of+two+measures&topic.measure=AP&topic.less=P%4010"
EDITED = "/topic?topic.look=What+if%3F&topic.topic=q03&topic.system=bm25_base&topic.measure=RBP(rho%3D0.8)"


def settings_of(page: Page) -> dict[str, list[str]]:
    found = parse_qs(urlsplit(page.url).query)
    return {key.removeprefix("topic."): texts for key, texts in found.items() if key.startswith("topic.")}


def test_a_click_in_a_map_opens_its_cell_under_both_measures_and_back_leads_to_the_map(tab: Page) -> None:
    page = afresh(tab, LINK)
    topic, system, x, y = page.evaluate(
        f"""() => {{
            const box = {MAP}, at = box.getBoundingClientRect(), {{xaxis, yaxis}} = box._fullLayout;
            const [topic, system] = box.data[0].customdata[2][9][0].split(" | ");
            return [topic, system, at.x + xaxis._offset + xaxis.c2p(9), at.y + yaxis._offset + yaxis.c2p(2)];
        }}"""
    )
    page.mouse.move(x, y)
    page.wait_for_function(f"() => {MAP}._hoverdata?.length")  # a person clicks what is seen to be under the mouse
    with rerun(page):
        page.mouse.click(x, y)
    assert settings_of(page)["topic"] == [topic]
    assert settings_of(page)["compared"][0] == system
    assert settings_of(page)["less"] == ["P@10"]
    assert settings_of(page)["both"] == ["true"]
    with rerun(page):
        page.go_back()
    assert settings_of(page) == {"look": ["Difference of two measures"], "measure": ["AP"], "less": ["P@10"]}
    expect(page.get_by_text("blue: the first is higher")).to_be_visible()


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
        page.get_by_role("button", name="Undo").click()
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
