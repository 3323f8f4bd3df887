"""The app's style sheets demand little of a browser."""

import re
from pathlib import Path

import pytest

UI = Path(__file__).parents[1] / "ui"
SHEETS = sorted(UI.rglob("*.css"))
# Paragraphs of one text, beside which nothing is added; on a phone, headlines that stand below a figure.
ALLOWED = ("p ~ p", ":has(.plot) ~ *")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.relative_to(UI).as_posix())
def test_nothing_is_told_by_what_comes_before_it(sheet: Path) -> None:
    """With a `~`, anything that Streamlit or plotly adds makes a browser look at all that follows, and all in that."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    selectors = re.findall(r"([^{};]+)\{", text)
    assert [one.strip() for one in selectors if "~" in one and not any(allowed in one for allowed in ALLOWED)] == []


def test_no_element_looks_for_a_transition_of_no_length() -> None:
    """With less motion, `transition-duration: 0s` of everything takes three times what `transition: none` does."""
    assert "transition-duration: 0s" not in (UI / "style.css").read_text()
