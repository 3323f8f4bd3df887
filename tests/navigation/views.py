"""Views of this subject, which tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

TOWN = "t01 resident parking permit for a second car"
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("navigation", {"rank": "2", "doubt": "all"}),
    ("navigation", {"going": "follow links", "stop": "0.5", "rank": "3", "click": "2"}),
    ("navigation", {"recall": "0.4", "ideal": "effort", "interpolation": "linear"}),
    ("navigation", {"look": "All systems", "going": "scroll in the page", "of": "t06"}),
    ("navigation", {"going": "follow links, rarely far", "alpha": "2"}),
    ("guided_path", {"step": "Links", "edits": ["6.1:next", "6.1:next", "6.1:follow:d3"], "click": "0.5"}),
    ("guided_path", {"step": "Links", "topic": TOWN, "edits": [f"t01:hub_distil:{one}" for one in ("next",) * 3]}),
]
SAMPLES: dict[str, str] = {"navigation": "navigation sample"}  # by page, if not the default one
