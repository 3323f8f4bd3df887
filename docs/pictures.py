"""Take the README's pictures from the app on its sample data: `python docs/pictures.py`.

One is a page; the other is animated: a slider under the mouse, and the scatter that follows it, in at most 2 MB.
"""

from __future__ import annotations

import io
import itertools
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))


from PIL import Image  # noqa: E402
from playwright.sync_api import FloatRect, Page, sync_playwright  # noqa: E402

from browser_support import CHROMIUM_FLAGS, find_chromium, running_app, settled, watch  # noqa: E402

SMOOTH = {"understandability.column": "fog", "understandability.model": "smooth", "understandability.threshold": "14"}
STILL = "understandability.png"
VIEW = f"/tune?{urlencode({'tune.view': 'understandability', **SMOOTH})}"
MOVING = "dragged.gif"
LARGEST = 2_000_000  # bytes
CLIP: FloatRect = {"x": 0, "y": 50, "width": 1100, "height": 715}  # title, slider, headline, scatter
SMALLER, COLOURS, PAUSE, HELD = 0.75, 96, 90, 900  # scale; colours; ms between frames and at both ends
THUMB = ".st-key-understandability-threshold div:has(> [data-testid=stSliderThumbValue])"
TRACK = ".st-key-understandability-threshold [role=group]"
WAY = [0.55, 0.15, 0.85]  # positions of the thumb, as shares of its track
STEPS = 14  # frames between two positions


def main() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as log, running_app(Path(log) / "app.log") as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        watch(page, address)
        page.goto(address + VIEW)
        settled(page).screenshot(path=folder / STILL, animations="disabled")
        page.close()
        page = browser.new_page(viewport={"width": 1100, "height": 780})
        watch(page, address)
        page.goto(address + VIEW)
        save_moving(frames(settled(page)), folder / MOVING)
        browser.close()


def frames(page: Page) -> list[Image.Image]:
    """Return pictures taken at each step of the thumb along its way, and back to the start."""
    page.get_by_test_id("stSidebar").hover()  # makes the button visible
    page.get_by_role("button", name="Collapse sidebar").click()
    page.locator(TRACK).hover()  # when the mouse comes near, the browser requests the slider's path
    page.wait_for_selector(".st-key-understandability-threshold[data-path=complete]")
    thumb, track = page.locator(THUMB).bounding_box(), page.locator(TRACK).bounding_box()
    assert thumb
    assert track
    start, y = (thumb["x"] + thumb["width"] / 2 - track["x"]) / track["width"], thumb["y"] + thumb["height"] / 2
    page.mouse.move(track["x"] + start * track["width"], y)
    page.mouse.down()
    taken: list[Image.Image] = []
    places = [start, *WAY, start]
    for one, next_one in itertools.pairwise(places):
        for step in range(STEPS):
            share = one + (next_one - one) * step / STEPS
            page.mouse.move(track["x"] + share * track["width"], y)
            page.wait_for_timeout(60)
            taken.append(Image.open(io.BytesIO(page.screenshot(clip=CLIP))).convert("RGB"))
    page.mouse.up()
    return taken


def save_moving(taken: list[Image.Image], file: Path) -> None:
    """Save frames as one GIF with a common palette. Raises SystemExit if it is larger than LARGEST bytes."""
    size = int(taken[0].width * SMALLER), int(taken[0].height * SMALLER)
    small = [one.resize(size, Image.Resampling.LANCZOS) for one in taken]
    palette = small[len(small) // 2].quantize(COLOURS)
    first, *rest = (one.quantize(palette=palette, dither=Image.Dither.NONE) for one in small)
    times = [HELD, *[PAUSE] * (len(rest) - 1), HELD]
    first.save(file, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    if file.stat().st_size > LARGEST:
        raise SystemExit(f"{file}: expected at most {LARGEST:,} bytes, found {file.stat().st_size:,}")


if __name__ == "__main__":
    main()
