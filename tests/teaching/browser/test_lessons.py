"""The lessons as files, opened on a phone with the network off."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_support import SETTLED, SHOWN, opened, until
from playwright.sync_api import Browser

from browser_support import barriers
from evalcore.cli import main
from evalcore.figures.path import MOST_BYTES
from ui.teaching.guided_path.lessons import LESSONS


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    assert main(["lessons", "-o", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_every_lesson_moves_its_figure_on_a_phone_without_a_request(browser: Browser, lessons: Path) -> None:
    with opened(browser, lessons / "1.html", 375, 812) as page:
        for at, lesson in enumerate(LESSONS, start=1):
            file = lessons / f"{at}.html"
            assert file.stat().st_size < MOST_BYTES
            if at > 1:
                page.goto(file.as_uri())
            assert lesson.title in page.locator("h1").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") == 375, lesson.name
            before = page.evaluate(SHOWN)
            thumb = page.locator(".thumb input >> visible=true")
            thumb.press("End" if thumb.input_value() == "0" else "Home")
            until(page, SETTLED)
            assert page.evaluate(SHOWN) != before, lesson.name
            page.get_by_text("Answer", exact=True).click()
            assert barriers(page) == [], lesson.name
