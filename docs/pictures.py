"""Take the README's pictures from the running app on its sample data: `python docs/pictures.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

from browser_support import CHROMIUM_FLAGS, find_chromium, running_app, settled, watch  # noqa: E402

SMOOTH = {"understandability.column": "fog", "understandability.model": "smooth", "understandability.threshold": "14"}
PICTURES = {
    "home": "/",
    "understandability": f"/understandability?{urlencode(SMOOTH)}",
    "aspect-weights": "/aspect_weights?aspect_weights.mean=MM",
    "correlations": "/correlations",
    "sensitivity": "/sensitivity",
    "topic": "/topic?topic.measure=uRBPgr",
    "focused-retrieval": "/focused_retrieval",
    "navigation": "/navigation",
}


def main() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as log, running_app(Path(log) / "app.log") as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        for name, path in PICTURES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            watch(page, address)
            page.goto(address + path)
            settled(page).screenshot(path=folder / f"{name}.png", animations="disabled")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
