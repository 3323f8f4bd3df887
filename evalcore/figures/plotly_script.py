"""plotly.js for the app and for written files, with only the kinds of trace that figures use: a third of the whole."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import plotly

WHOLE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
DRAWN = Path(__file__).parent / "drawing" / "plotly-cartesian.min.js"  # see the README.md beside it
_VERSION = re.compile(rb"^\* plotly\.js .*?(v[\d.]+)$", re.MULTILINE)


@cache
def path() -> Path:
    """Return the path of the reduced script, or of the full one if the installed plotly.js has a different version."""
    return DRAWN if _version(DRAWN) == _version(WHOLE) else WHOLE


def text() -> str:
    """Return the text of the script.

    >>> "plotly.js" in text()[:100]
    True
    """
    return path().read_text(encoding="utf-8")


def _version(script: Path) -> bytes | None:
    with script.open("rb") as lines:
        match = _VERSION.search(lines.read(200))
    return match and match[1]
