"""Its views that tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

TOWN = "t01 resident parking permit for a second car"
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("navigation", {"rank": "2", "doubt": "all"}),
    ("navigation", {"look": "Gain by rank", "going": "follow links", "stop": "0.5", "rank": "3"}),
    ("navigation", {"look": "To a gain level", "recall": "0.4", "ideal": "effort", "interpolation": "linear"}),
    ("navigation", {"look": "ep by gain-recall", "going": "scroll in the page"}),
    ("navigation", {"look": "Ideal lists", "click": "2"}),
    ("navigation", {"look": "Length of walks"}),
    ("navigation", {"look": "Exact or not"}),
    ("navigation", {"look": "The paper's example"}),
    ("guided_path", {"step": "9 Links", "edits": ["6.1:next", "6.1:next", "6.1:follow:d3"], "click": "0.5"}),
    ("guided_path", {"step": "9 Links", "topic": TOWN, "edits": [f"t01:hub_distil:{one}" for one in ("next",) * 3]}),
]
SAMPLES: dict[str, str] = {"navigation": "navigation sample"}  # which one a page opens on, where that is another
