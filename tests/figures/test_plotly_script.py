"""plotly.js as pages and files have it; that it draws as the whole does is in tests/browser/test_plotly_inside.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from evalcore.figures import plotly_script


def test_it_is_of_the_version_of_the_package_and_a_third_as_long() -> None:
    script = plotly_script.text()
    assert f"v{get_plotlyjs_version()}\n" in script[:200]
    assert len(script) < len(get_plotlyjs()) / 3


def test_with_another_version_of_the_package_it_is_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "plotly.min.js"
    other.write_text("/**\n* plotly.js v9.9.9\n*/\n")
    monkeypatch.setattr(plotly_script, "WHOLE", other)
    assert plotly_script.path.__wrapped__() == other
