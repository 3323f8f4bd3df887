"""Captions: what a page puts under a figure, and what a person wrote there."""

from __future__ import annotations

import pytest
import streamlit as st

from ui.screen.items import Finding
from ui.server import kept
from ui.stage import captions


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session without a browser."""
    state: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(kept, "browser", lambda: None)


def test_the_finding_is_a_paragraph_of_its_own_or_else_what_the_figure_is() -> None:
    assert captions.composed(Finding(), "Scores", "Collection: Health.") == "Scores\nCollection: Health."
    assert captions.composed(Finding(["a", "b"]), "Scores", "").splitlines() == ["a · b", "Scores"]


def test_a_written_caption_is_kept_until_it_is_empty_or_the_default() -> None:
    for left in ("", " \n", "The page's"):
        captions.write("/x", "scatter", " Mine   is\n this ", "The page's")
        assert captions.written("/x", "scatter") == "Mine is\nthis"
        assert captions.written("/y", "scatter") == captions.written("/x", "bump") == ""
        captions.write("/x", "scatter", left, "The page's")
        assert captions.written("/x", "scatter") == ""


def test_the_oldest_captions_go_first() -> None:
    for at in range(captions.MOST + 1):
        captions.write(f"/{at}", "scatter", "Mine", "")
    assert captions.written("/0", "scatter") == ""
    assert captions.written("/1", "scatter") == "Mine"
