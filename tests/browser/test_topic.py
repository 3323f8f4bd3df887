"""The page Topic as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from browser_support import rerun, visit

MAP = "document.querySelector('.st-key-gap_map .js-plotly-plot, .st-key-gap-map .js-plotly-plot')"
LINK = "/topic?topic.look=Difference+of+two+measures&topic.measure=AP&topic.less=P%4010"


def said(page: Page) -> dict[str, list[str]]:
    found = parse_qs(urlsplit(page.url).query)
    return {key.removeprefix("topic."): texts for key, texts in found.items() if key.startswith("topic.")}


def test_a_click_in_a_map_opens_its_cell_under_both_measures_and_back_leads_to_the_map(page: Page) -> None:
    visit(page, LINK)
    topic, system, x, y = page.evaluate(
        f"""() => {{
            const box = {MAP}, at = box.getBoundingClientRect(), {{xaxis, yaxis}} = box._fullLayout;
            const [topic, system] = box.data[0].customdata[2][9][0].split(" | ");
            return [topic, system, at.x + xaxis._offset + xaxis.c2p(9), at.y + yaxis._offset + yaxis.c2p(2)];
        }}"""
    )
    with rerun(page):
        page.mouse.move(x, y)
        page.mouse.click(x, y)
    assert said(page)["topic"] == [topic]
    assert said(page)["compared"][0] == system
    assert said(page)["less"] == ["P@10"]
    assert said(page)["both"] == ["true"]
    with rerun(page):
        page.go_back()
    assert said(page) == {"look": ["Difference of two measures"], "measure": ["AP"], "less": ["P@10"]}
    expect(page.get_by_text("blue: the first is higher")).to_be_visible()
