"""Captions: what a page puts under a figure."""

from __future__ import annotations

from ui.screen.items import Finding
from ui.shell.present import composed


def test_the_finding_is_a_paragraph_of_its_own_or_else_what_the_figure_is() -> None:
    assert composed(Finding(), "Scores", "Collection: Health.") == "Scores\nCollection: Health."
    assert composed(Finding(["a", "b"]), "Scores", "").splitlines() == ["a · b", "Scores"]
