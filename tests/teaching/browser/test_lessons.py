"""The lessons as files, opened on a phone without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_support import SETTLED, SHOWN, opened, until
from playwright.sync_api import Browser, Page

from browser_support import barriers
from evalcore.cli import main
from evalcore.figures.path import MOST_BYTES
from ui.teaching.guided_path.lessons import LESSONS

ALL_SHOWN = f"() => [({SHOWN})(), document.querySelector('main').textContent]"


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    assert main(["lessons", "-o", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_every_lesson_is_played_to_its_end_on_a_phone_without_a_request(browser: Browser, lessons: Path) -> None:
    with opened(browser, lessons / "1.html", 375, 812) as page:
        for at, lesson in enumerate(LESSONS, start=1):
            file = lessons / f"{at}.html"
            assert file.stat().st_size < MOST_BYTES
            assert lesson.title in page.locator("h1").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") == 375, lesson.name
            chooser = page.locator(".thumbs select")
            sliders = page.locator(".thumbs select option").all_inner_texts() or [""]
            assert ("Moves" in sliders or "Steps" in sliders or "Marks" in sliders) == bool(lesson.play), lesson.name
            for label in sliders:
                if label:
                    chooser.select_option(label)
                plays(page, lesson.name)
            for folded in ("Answer", "Formulas", "For the teacher"):
                page.get_by_text(folded, exact=True).click()
            assert lesson.notes.splitlines()[0] in page.locator("details").last.inner_text()
            assert barriers(page) == [], lesson.name
            page.get_by_role("link", name="Next", exact=True).click()
        assert "Lesson 1: " in page.locator("h1").inner_text()


def plays(page: Page, name: str) -> None:
    """Move a slider through all its positions: each must differ from the previous one in a word or a figure."""
    thumb = page.locator(".thumb input >> visible=true")
    thumb.press("Home")
    until(page, SETTLED)
    shown = {str(page.evaluate(ALL_SHOWN))}
    places = int(thumb.get_attribute("max") or 0)
    for _ in range(places):
        thumb.press("ArrowRight")
    until(page, SETTLED)
    assert int(thumb.input_value()) == places, name
    shown.add(str(page.evaluate(ALL_SHOWN)))
    assert len(shown) == 2, name


@pytest.mark.slow
def test_a_lesson_prints_blank_and_with_answers(browser: Browser, lessons: Path) -> None:
    for at in (1, len(LESSONS)):
        with opened(browser, lessons / f"{at}.html") as page:
            page.add_init_script("window.print = () => {}")
            page.reload()
            page.emulate_media(media="print")
            for words, there in (("Print with answers", True), ("Print blank", False)):
                page.emulate_media(media="screen")
                page.get_by_role("button", name=words).click()
                page.emulate_media(media="print")
                assert page.locator("details .words").first.is_visible() == there
                assert page.get_by_role("button", name=words).is_visible() is False
            assert page.get_by_role("heading", level=2).first.is_visible()  # the question


@pytest.mark.slow
def test_a_lesson_of_the_course_prints_blank_and_with_its_key_and_its_slides_open(
    browser: Browser, lessons: Path
) -> None:
    for number in range(1, 9):
        with opened(browser, lessons / f"{len(LESSONS) + number}.html") as page:
            page.add_init_script("window.print = () => {}")
            page.reload()
            assert barriers(page) == []
            for words, there in (("Print with answers", True), ("Print blank", False)):
                page.emulate_media(media="screen")
                page.get_by_role("button", name=words).click()
                page.emulate_media(media="print")
                assert page.locator("details .words").first.is_visible() == there
                assert page.get_by_text("____").first.is_visible()
    with opened(browser, lessons / "slides-3.html") as page:
        assert page.locator("body.stage").count() == 1
        until(page, SETTLED)
    assert "Permission is hereby granted" in (lessons / "LICENSE.txt").read_text()
