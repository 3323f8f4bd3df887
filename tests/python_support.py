"""Running the code that a page offers."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app_support import ROOT


def snippet(app: AppTest) -> str:
    """The last code block that opens a collection."""
    found: str = next(block.value for block in reversed(app.code) if "ec.load(" in block.value)
    return found


def run(code: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(code, names)
    return names
