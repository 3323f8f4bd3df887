"""The first screen of every place shows its headline and figure, on a laptop, a tablet and a phone, for any data."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Page

from browser_support import move_on, running_app, settled, visit
from places_support import with_systems
from ui.address.places import PLACES
from ui.data.open_collection import BOARD_NAME, SAMPLE_NAME

pytestmark = pytest.mark.slow

SIZES = [(1440, 900), (820, 1180), (390, 844)]
SEEN = 300  # pixels of a figure, from its top, that are on the first screen, or all of a lower one
MOST_WORDS = 120
WITHOUT_FINDING = {"learn", "data"}
FIGURES = ".js-plotly-plot, [data-testid=stDataFrame]"
APART = f"{FIGURES}, table, style, [data-testid=stIconMaterial]"  # names and numbers, and what is not read
BOXES = """([headline, figures]) => {
    const main = document.querySelector('[data-testid=stMain]');
    const first = (what) => [...main.querySelectorAll(what)].find((one) => one.checkVisibility() && one.clientHeight);
    const box = (one) => one && (({ top, bottom }) => ({ top, bottom }))(one.getBoundingClientRect());
    const alerts = main.querySelectorAll('.stAlert').length;
    return { finding: box(first(headline)), figure: box(first(figures)), alerts };
}"""
WORDS = """apart => {
    const main = document.querySelector('[data-testid=stMain]'), texts = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement: of, textContent } = walker.currentNode, range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const { top, width, height } = range.getBoundingClientRect();
        if (of.closest(apart) || !width || !height || top > innerHeight - 8) continue;
        if (of.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) texts.push(textContent);
    }
    return texts.join(" ");
}"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of an app on one aspect with many systems, and on only the labels of two judges."""
    folder = tmp_path_factory.mktemp("kinds")
    many = with_systems(folder / "many", 143)
    for path in (*many.glob("*.*"), many / "documents"):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "qrels.txt":
            path.unlink()
    for at, run in enumerate(sorted((many / "runs").iterdir())):
        run.rename(run.with_name(f"team{at % 12}_run{at}.run.gz"))
    rng, judges = np.random.default_rng(1), folder / "judges"
    judges.mkdir()
    for name in ("qrels.txt", "qrels.llm.txt"):
        rows = [f"{topic} 0 d{topic}-{at} {rng.integers(3)}\n" for topic in range(1, 9) for at in range(20)]
        (judges / name).write_text("".join(rows))
    with running_app(folder / "app.log", [many, judges], followed=False) as address:
        yield address


@pytest.fixture(scope="module")
def tab(app: str, keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open(address=app), "/glossary")


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("passages", "links")])
@pytest.mark.parametrize("data", [SAMPLE_NAME, BOARD_NAME, "many", "judges"])
def test_the_first_screen_shows_the_finding_and_the_figure(tab: Page, data: str, place: str) -> None:
    move_on(tab, f"/{place}?data={data.replace(' ', '+')}")
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        shown = settled(tab).evaluate(BOXES, ['[class*="st-key-sentence-headline"] p', FIGURES])
        assert shown["alerts"] == 0
        assert shown["finding"] or place in WITHOUT_FINDING
        assert not shown["finding"] or shown["finding"]["bottom"] <= height
        assert min(shown["figure"]["bottom"], shown["figure"]["top"] + SEEN) <= height, (width, shown)


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("passages", "links")])
def test_the_first_screen_has_few_words(tab: Page, place: str) -> None:
    tab.set_viewport_size({"width": 1440, "height": 900})
    move_on(tab, f"/{place}")
    words = re.findall(r"(?<![\w.])[A-Za-z][a-z'’-]*(?![\w.@(])", tab.evaluate(WORDS, APART))
    assert len(words) <= MOST_WORDS, (len(words), words)
