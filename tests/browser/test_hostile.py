"""Hostile names on every page: they are shown as text, no script runs, and no request goes to another host.

See tests/hostile.py for the names. If a marker appears without the characters before it, these were interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hostile import MARKED, SYSTEMS, hostile_documents, hostile_links, hostile_passages
from playwright.sync_api import Browser, Dialog, Page

from browser_support import SECONDS, Watch, move_on, open_folds, open_report, rerun, running_app, settled, visit, watch
from evalcore.cli import main

pytestmark = pytest.mark.slow

FOLDERS = {"documents": "<b>Mz01x<b>", "passages": "[Mz02x](javascript:window.hacked=11)", "links": "$x^{Mz03x}$"}
MARKED_HERE = {**MARKED, "Mz01x": "<b>", "Mz02x": "[", "Mz03x": "$x^{"}
# Other beginnings of a marker: when a sentence quotes a name, and when a figure calls systems by their team.
ALSO = {"\u202e": ("\\u202e",), "a@evil.example ": ("a@evil ",)}
BEFORE = {marker: [before, *ALSO.get(before, ())] for marker, before in MARKED_HERE.items()}
LEAST = {"home": 5, "focused_retrieval": 5, "navigation": 5}  # hostile strings that a page must show
# Views behind a list of choices, which the test does not open by itself.
LINKS = {
    "topic": [{"topic.look": "What if?"}],
}
OF_COLLECTION = {
    "documents": ["home", "understandability", "correlations", "labels", "leaderboard", "topic", "collection"],
    "passages": ["focused_retrieval"],
    "links": ["navigation"],
}
CASES = [(kind, stem) for kind, stems in OF_COLLECTION.items() for stem in stems]

# Every marker that the page shows, and each that shows without its beginning. Also traces of interpreted text.
LOOK = r"""(marked) => {
    const seen = new Set(), wrong = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const inline = 'a, b, i, em, strong, del, code, sup, sub, mark, tspan, span, mrow, mi, mtext, annotation';
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest('script, style')) continue;
        for (const [marker] of node.data.matchAll(/M[a-z]\d\dx/g)) {
            seen.add(marker);
            let block = node.parentElement;
            while (block.parentElement && block.matches(inline)) block = block.parentElement;
            const text = block.textContent.replaceAll('\u2060', '');
            if (!marked[marker].some(before => text.includes(before + marker)))
                wrong.push(`${marker} without ${marked[marker]}: ${block.textContent.slice(0, 160)}`);
        }
    }
    for (const area of document.querySelectorAll('input, textarea'))
        for (const [marker] of area.value.matchAll(/M[a-z]\d\dx/g)) seen.add(marker);
    const made = 'img[src="x"], [src*="evil"], [href*="evil"], [href^="javascript"], svg[onload], iframe[srcdoc*="Mk"]';
    // A link between pages may hold a name, encoded: it leads to this app.
    const ours = one => one.matches('a[data-testid=stPageLink-NavLink]') && new URL(one.href).origin === origin;
    for (const one of document.querySelectorAll(made)) if (!ours(one)) wrong.push(one.outerHTML.slice(0, 200));
    for (const one of document.querySelectorAll('.katex')) {
        const text = one.textContent;
        if (/M[a-z]\d\dx/.test(text) && !one.closest('[data-testid="stMarkdownContainer"]')) wrong.push(text);
    }
    if (window.hacked !== undefined) wrong.push(`script ran: ${window.hacked}`);
    return [[...seen], wrong];
}"""
# Tables are painted; their text for screen readers is written a moment later.
READABLE = """() => [...document.querySelectorAll('[data-testid="stDataFrame"] canvas[data-testid="data-grid-canvas"]')]
    .every(one => !one.checkVisibility() || one.clientWidth < 50 || one.querySelector('td'))"""
DIRECTIONS = "\u202e\u2066\u200f"  # marks that turn the direction of what follows
# Texts that plotly shows with the mouse over a mark, of each figure and some of its traces, if it was drawn anew or
# is seen for the first time.
HOVER = r"""async () => {
    const texts = [], known = (window.known ??= new WeakMap());
    const figures = [...document.querySelectorAll('.js-plotly-plot')].filter(one =>
        one._fullLayout?.xaxis && one.checkVisibility() && known.get(one) !== one._fullData);
    const places = figures.map(one => {
        known.set(one, one._fullData);
        const last = one._fullData.length - 1;
        return [...new Set([0, Math.floor(last / 2), last])];
    });
    for (let turn = 0; places.some(one => one.length > turn); turn++) {
        const over = [];
        for (const [number, figure] of figures.entries()) {
            const at = places[number][turn];
            if (at === undefined) continue;
            const pointNumber = figure._fullData[at].type === 'heatmap' ? [0, 0] : 0;
            try { Plotly.Fx.hover(figure, [{curveNumber: at, pointNumber}]); } catch { continue; }
            over.push(figure);
        }
        await new Promise(done => setTimeout(done, 70)); // plotly answers no faster, each figure by itself
        for (const figure of over)
            texts.push(...[...figure.querySelectorAll('.hoverlayer text')].map(one => one.textContent));
    }
    for (const figure of figures) Plotly.Fx.unhover(figure);
    return texts;
}"""

# Each figure as an SVG file; what in it another program would run or ask for, and its texts.
AS_SVG = r"""async () => {
    const texts = [], wrong = [];
    for (const figure of [...document.querySelectorAll('.js-plotly-plot')].filter(one => one._fullLayout)) {
        const address = await Plotly.toImage(figure, {format: 'svg', width: 900, height: 600});
        const text = decodeURIComponent(address.slice(address.indexOf(',') + 1));
        const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
        const active = svg.querySelectorAll('parsererror, script, foreignObject, iframe, img');
        for (const one of active) wrong.push(one.outerHTML);
        for (const one of svg.querySelectorAll('*')) for (const {name, value} of one.attributes)
            if (/^on/.test(name) || /javascript:|evil/.test(value)) wrong.push(`${name}=${value}`);
        texts.push(svg.documentElement.textContent);
    }
    return [texts.join(), wrong];
}"""


@dataclass
class Opened:
    """The page of all tests, its requests and errors, the dialogs that scripts opened, and the folder of the data."""

    page: Page
    watch: Watch
    dialogs: list[str]
    folder: Path


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    base = tmp_path_factory.mktemp("hostile")
    makers = {"documents": hostile_documents, "passages": hostile_passages, "links": hostile_links}
    folders = [make(base / FOLDERS[kind]) for kind, make in makers.items()]
    with running_app(base / "app.log", folders, followed=False) as address:
        context = browser.new_context(
            base_url=address, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
        )
        context.set_default_timeout(SECONDS * 1000)
        page = context.new_page()
        found = Opened(page, watch(page, address), [], base)
        page.on("dialog", lambda dialog: _dismiss(dialog, found.dialogs))
        yield found
        context.close()


def _dismiss(dialog: Dialog, seen: list[str]) -> None:
    seen.append(dialog.message)
    dialog.dismiss()


@pytest.mark.parametrize(("kind", "stem"), CASES, ids=[f"{stem}-{kind}" for kind, stem in CASES])
def test_names_are_shown_as_text(opened: Opened, kind: str, stem: str) -> None:
    seen: set[str] = set()
    wrong: list[str] = []
    chosen: set[tuple[str, int]] = set()
    for link in [{}, *(LINKS.get(stem, []) if kind == "documents" else [])]:
        go(opened.page, kind, stem, **link)
        for _ in _views(opened.page, chosen):
            markers, found = opened.page.evaluate(LOOK, BEFORE)
            hovers = opened.page.evaluate(HOVER)
            seen |= {*markers, *re.findall(r"M[a-z]\d\dx", " ".join(hovers))}
            wrong += [*found, *(f"hover: {text[:160]}" for text in hovers if not _whole(text))]
    complaints = [opened.watch.complaints.pop(0) for _ in list(opened.watch.complaints)]
    assert [*dict.fromkeys(wrong), *complaints, *opened.dialogs] == []
    hrefs: list[str] = opened.page.locator("a[href]").evaluate_all("all => all.map(one => one.href)")
    assert not [href for href in [*hrefs, opened.page.url] if str(opened.folder) in href]
    least = LEAST.get(stem, 10)
    assert len(seen) >= least, f"hostile names seen: {sorted(seen)}"
    print(f"{stem} on {kind}: {len(seen)} hostile strings shown as text")


def go(page: Page, kind: str, stem: str, **settings: str) -> Page:
    """Go to a page on one of the folders; without loading the app again, unless the page shows a file."""
    path = f"/{stem.replace('home', '')}?{urlencode({'data': FOLDERS[kind], **settings})}"
    return (move_on if page.url.startswith("http") else visit)(page, path)


def _views(page: Page, chosen: set[tuple[str, int]]) -> Iterator[None]:
    """Open all expanders, then yield on every tab and for each option of each row of buttons.

    `chosen` contains the options that were already visited.
    """
    open_folds(page)
    page.wait_for_function(READABLE)
    yield
    for tab in page.get_by_role("tab").all():
        tab.click()
        settled(page)
        page.wait_for_function(READABLE)
        yield
    # The strip of a place leads to other pages, which are cases of their own.
    rows = page.locator(
        '[data-testid="stMain"] [data-testid="stElementContainer"]:not([class*="-view"]) [data-testid="stButtonGroup"]'
    )
    for row in range(rows.count()):
        choices = rows.nth(row).get_by_role("radio")
        for choice in range(choices.count()):
            if rows.count() <= row or (known := (rows.nth(row).inner_text(), choice)) in chosen:
                continue
            chosen.add(known)
            if choices.nth(choice).is_enabled() and not choices.nth(choice).is_checked():
                with rerun(page):
                    choices.nth(choice).click()
                page.wait_for_function(READABLE)
                yield


def _whole(text: str) -> bool:
    return all(before[-1:] + marker in text for marker, before in MARKED_HERE.items() if before and marker in text)


def test_a_report_of_the_app_runs_nothing_whatever_documents_and_names_say(opened: Opened, tmp_path: Path) -> None:
    page, kept = opened.page, (("documents", "topic"), ("passages", "focused_retrieval"), ("documents", "collection"))
    for kind, stem in kept:
        open_folds(go(page, kind, stem))
        open_report(page)  # a page that is still drawn may have closed it again
        with rerun(page):
            page.get_by_role("button", name="Keep this view").click()
    with rerun(page):
        note = page.get_by_label("Note").first
        note.fill(f"{DIRECTIONS}</script><script>window.hacked=12//**b** {'x' * 100_000}")
        note.press("Control+Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Download {len(kept)} views").click()
    download.value.save_as(tmp_path / "report.html")
    del opened.watch.complaints[:]
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_function("() => [...document.querySelectorAll('.js-plotly-plot')].every(one => one._fullLayout)")
    markers, wrong = page.evaluate(LOOK, BEFORE)
    asked = [
        complaint for complaint in opened.watch.complaints if not complaint.startswith("request to another host: file:")
    ]
    del opened.watch.complaints[:]
    assert [wrong, asked, opened.dialogs] == [[], [], []]
    assert len(markers) > len(SYSTEMS)
    assert DIRECTIONS in page.locator("p.note").first.inner_text()


def test_slides_and_saved_figures_run_no_script(opened: Opened, tmp_path: Path) -> None:
    """Slides written by the command `report`, and each figure as the SVG that a browser makes of it."""
    command = ["report", str(opened.folder / FOLDERS["documents"]), "-m", "RBP, P@5", "--stage", "--no-cache"]
    assert main([*command, "--title", SYSTEMS[1], "-o", str(tmp_path / "slides.html")]) == 0
    page = opened.page
    page.goto((tmp_path / "slides.html").as_uri())
    page.wait_for_function("() => [...document.querySelectorAll('.js-plotly-plot')].some(one => one._fullLayout)")
    markers, wrong = page.evaluate(LOOK, BEFORE)
    texts, in_files = page.evaluate(AS_SVG)
    page.keyboard.press("ArrowRight")
    markers_of_next, found = page.evaluate(LOOK, BEFORE)
    wrong_there = [one for one in found if "…//M" not in one]  # a name whose middle has no room on a slide
    opened.watch.complaints[:] = [one for one in opened.watch.complaints if "another host: file:" not in one]
    assert [wrong, wrong_there, in_files, opened.watch.complaints, opened.dialogs] == [[], [], [], [], []]
    assert re.search(r"Mk\d\dx", texts)
    assert len({*markers, *markers_of_next}) > len(SYSTEMS) // 2
