"""Figures as files: ui/widgets/save.js."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from browser_support import visit

MENU = "Save for a paper or a slide"
DARK = ("#12161c", "rgb(18, 22, 28)", "#e8ecf1", "rgb(232, 236, 241)")
INK = "rgb(14, 22, 32)"


def saved(page: Page, size: str, form: str, folder: Path, figure: str = "scatter") -> Path:
    """Save a figure on the screen by keys alone; return the file."""
    page.locator(f".st-key-{figure} [data-title='{MENU}']").focus()
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
    # Upright and, for the finding, bold, each with its file in it.
    assert (slide.count(b"/FontFile2"), slide.count(b"/Type1")) == (2, 0)
    if drawn := shutil.which("pdftotext"):
        run = subprocess.run([drawn, slide_file, "-"], capture_output=True, text=True)
        assert "uRBPgr(rho=0.5)" in run.stdout
    page.keyboard.press("Escape")  # the menu is gone: it leaves the stage
    expect(page.locator("body.presenting")).to_have_count(0)


def test_bold_numbers_are_drawn_in_a_bold_cut(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """In the past, bold numbers were regular glyphs with an outline, which smears in print."""
    page = visit(open_page(), "/compare")
    content = saved(page, "One column, 85 mm", "PDF", tmp_path, "matrix").read_bytes()
    assert (content.count(b"/FontFile2"), content.count(b"/Type1")) == (2, 0)
