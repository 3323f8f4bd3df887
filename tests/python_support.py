"""Running the code that a page offers."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT

LOADED = cache(ec.load)  # the same few collections, by all lines


def snippet(app: AppTest) -> str:
    """The last code block that opens a collection."""
    found: str = next(block.value for block in reversed(app.code) if "ec.load(" in block.value)
    return found


def run(code: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run code in the checkout, and return what it names."""
    names: dict[str, Any] = {}
    with monkeypatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(ec, "load", LOADED)
        exec(code, names)
    return names
