"""Figures as files: ui/widgets/save.js."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser_support import barriers, rerun, visit

MENU = "Save for a paper or a slide"
DARK = ("#12161c", "rgb(18, 22, 28)", "#e8ecf1", "rgb(232, 236, 241)")
INK = "rgb(14, 22, 32)"


def saved(page: Page, size: str, form: str, folder: Path) -> Path:
    """The figure on the screen, saved by keys alone."""
    page.locator(f".st-key-scatter [data-title='{MENU}']").focus()
    page.keyboard.press("Enter")
    choice = page.get_by_role("dialog", name="Save figure").get_by_role("button", name=f"{size}, as {form}")
    choice.focus()
    with page.expect_download() as download:
        page.keyboard.press("Space")
    expect(choice).to_have_count(0)
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_a_figure_of_the_dark_theme_leaves_in_light_colours_for_its_place(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit(open_page(dark=True), "/understandability?understandability.rho=0.5&present=true")
    column = saved(page, "One column, 85 mm", "SVG", tmp_path)
    assert re.fullmatch(r"scatter-[0-9a-f]{4}-column\.svg", column.name)
    text = column.read_text()
    assert INK in text
    assert not [colour for colour in DARK if colour in text]
    assert float(re.findall(r'width="([\d.]+)in"', text)[0]) == round(85 / 25.4, 4)
    sizes = {float(size) for size in re.findall(r"font-size: ([\d.]+)px", text)}
    assert min(sizes) * 72 / 96 * 8 / 9 >= 7  # points on paper

    slide_file = saved(page, "Slide, 16 : 9", "PDF", tmp_path)
    slide = slide_file.read_bytes()
    assert slide.startswith(b"%PDF")
    assert re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", slide) == [(b"960.", b"540.")]
    # One font, with its file in it.
    assert (slide.count(b"/FontFile2"), slide.count(b"/Type1")) == (1, 0)
    if drawn := shutil.which("pdftotext"):
        run = subprocess.run([drawn, slide_file, "-"], capture_output=True, text=True)
        assert "uRBPgr(rho=0.5)" in run.stdout
    page.keyboard.press("Escape")  # the menu is gone: it leaves the stage
    expect(page.locator("body.presenting")).to_have_count(0)


def dialog(page: Page) -> Locator:
    page.locator(f".st-key-scatter [data-title='{MENU}']").focus()
    page.keyboard.press("Enter")
    return page.get_by_role("dialog", name="Save figure")


def lines(page: Page, file: Path) -> list[str]:
    """The lines of the caption of an SVG, of which none leaves the figure, nor meets another or the drawing."""
    text = file.read_text()
    page.set_content(text)
    found: list[list[float]] = page.locator("text.caption").evaluate_all(
        "all => all.map(one => one.getBBox()).map(({ x, y, width, height }) => [x, x + width, y, y + height])"
    )
    _, _, width, height = map(float, re.findall(r'viewBox="([^"]+)"', text)[0].split())
    for (left, right, _, bottom), (_, _, below, _) in pairwise([*found, [0.0, 0.0, height, height]]):
        assert left >= 0
        assert right <= width
        assert bottom <= below + 2  # the leading of their type is in a box
    drawn = page.locator("svg text:not(.caption)").evaluate_all(
        "all => all.filter(one => one.getBBox().width).map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(drawn) <= page.locator("text.caption").first.bounding_box()["y"] + 2  # type: ignore[index]
    return page.locator("text.caption").all_text_contents()


@pytest.mark.slow
def test_a_caption_is_edited_before_it_is_saved_and_stands_on_stage_then(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page, reader = visit(open_page(width=820, height=1180), "/understandability"), open_page()
    box = dialog(page).get_by_label("Caption", exact=True)
    assert barriers(page, within=".save-menu") == []
    box.fill("Readers decide.\nOurs")
    with page.expect_download() as download, rerun(page):
        page.get_by_role("button", name="Slide, 16 : 9, as SVG").click()
    download.value.save_as(tmp_path / "own.svg")
    assert lines(reader, tmp_path / "own.svg") == ["Readers decide.", "Ours"]
    visit(page, "/understandability?present=true")
    expect(page.locator(".stage-title strong")).to_have_text("Readers decide.")
    expect(page.locator(".stage-caption > span")).to_have_text("Ours")
    with rerun(page):
        dialog(page).get_by_label("Caption", exact=True).fill("")
        page.keyboard.press("Escape")
    expect(page.locator(".stage-title strong")).to_contain_text("First by RBP")
