"""Captions below the figures of a page."""

from __future__ import annotations

from ui.screen.items import Finding
from ui.shell.present import composed


def test_a_caption_begins_with_the_finding_or_the_description() -> None:
    assert composed(Finding(), "Scores", "Collection: Health.") == "Scores\nCollection: Health."
    assert composed(Finding(["a", "b"]), "Scores", "").splitlines() == ["a · b", "Scores"]
