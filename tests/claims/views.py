"""Views of this subject, which tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

from app_support import CLAIM_SPECS

CLAIMED = {"specs": CLAIM_SPECS}
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("claim", CLAIMED),
    ("claim", {**CLAIMED, "form": "A is among the first", "k": "2", "effect": "rank", "stretch": "2 to 5"}),
    ("claim", {**CLAIMED, "form": "an order of systems", "stretch": "1 to 1", "left_out": ["measure: AP"]}),
    ("guided_path", {"step": "Claim", "own": "true"}),
]
SAMPLES: dict[str, str] = {}  # the sample on which a page opens, if it is not the default one
