"""A slider is followed while it moves: what is shown under the hand is what the server answers on release."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser_support import move_on, rerun, visit

pytestmark = pytest.mark.followed

# Page, the key of the slider, the key of a figure that follows it, how far the thumb is dragged.
DRAGGED = [
    ("guided_path?guided_path.step=3 Thresholds", "guided_path-threshold", "path-thresholds", -40),
    ("measures", "measures-discount-rho", "discount", -40),
    (
        "discriminative_power?discriminative_power.resamples=1%2C000&discriminative_power.measures=AP&discriminative_power.measures=RBP",
        "discriminative_power-alpha",
        "asl",
        60,
    ),
    (
        "correlations?doubt=false&correlations.measures=AP&correlations.measures=RBP(rho%3D0.8)&correlations.vary=RBP(rho%3D0.8)",
        "correlations-at",
        "matrix",
        -60,
    ),
    ("sensitivity?sensitivity.measure=RBP(rho%3D0.8)", "sensitivity-at", "trajectories", -60),
]
# Where everything in a figure is, what is written in it, how its cells are coloured; and what is said on the page.
SEEN = """figure => {
    const box = document.querySelector(`.st-key-${figure} .plot`);
    const main = document.querySelector('[data-testid=stMain]');
    const drawn = '.scatterlayer path, .annotation-text, .shapelayer path, .textpoint text, .xtick text';
    const rectangles = of => [...box.querySelectorAll(of)].map(e => e.getBoundingClientRect());
    const places = rectangles(drawn).filter(r => r.width + r.height);
    const valueOf = e => e.querySelector('[data-testid=stMetricValue]') ?? e;
    const words = e => e.querySelector('.live-text') ?? e.querySelector('[data-testid=stMarkdownContainer]') ?? e;
    const bare = e => words(e).textContent.replace(/\\s+/g, '');
    return {
        places: places.flatMap(r => [r.x, r.y, r.width, r.height]),
        bars: rectangles('.barlayer path').map(r => r.height),
        words: [...box.querySelectorAll('text')].map(e => e.textContent),
        cells: [...box.querySelectorAll('.heatmaplayer image')].map(e => e.href.baseVal),
        texts: [...main.querySelectorAll('[class*=st-key-sentence]')].map(e => bare(valueOf(e))),
    };
}"""

THUMB = """e => {
    const { x, y, width, height } = e.parentElement.parentElement.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


def at_rest(page: Page, figure: str) -> dict[str, Any]:
    """What is seen of a figure once it has caught up with the thumb: what is drawn anew is drawn half of the time."""
    seen: list[dict[str, Any]] = [page.evaluate(SEEN, figure)]
    while len(seen) < 5 or any(one != seen[-1] for one in seen[-5:]):
        assert len(seen) < 60, "it does not come to rest"
        page.wait_for_timeout(250)
        seen.append(page.evaluate(SEEN, figure))
    return seen[-1]


def test_what_is_dragged_is_what_the_server_answers(page: Page) -> None:
    for at, (path, key, figure, far) in enumerate(DRAGGED):
        (move_on if at else visit)(page, f"/{path}")
        thumb = page.locator(f".st-key-{key} input[type=range]").first
        before, (x, y) = page.evaluate(SEEN, figure), thumb.evaluate(THUMB)
        page.mouse.move(x, y)
        page.wait_for_selector(f".st-key-{key}[data-path=complete]")
        with rerun(page):
            page.mouse.down()
            for step in range(1, 11):
                page.mouse.move(x + far * step / 10, y)
            dragged = at_rest(page, figure)
            page.mouse.up()
        expect(page.locator(".live-text")).to_have_count(0)
        answered = page.evaluate(SEEN, figure)
        assert dragged != before, path
        assert dragged["texts"], path
        for kind, found in dragged.items():
            near = pytest.approx(answered[kind], abs=1.5) if kind in ("places", "bars") else answered[kind]
            assert found == near, (path, kind)
