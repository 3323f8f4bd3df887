"""Its views that tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("leaderboard", {"by": "BradleyTerry(prior=0.1)", "measure": "AP"}),
    ("leaderboard", {"find": "bm25", "measures": ["P@10", "uRBP"]}),
    ("rules", {"gaps": "Fixed()"}),
]
SAMPLES: dict[str, str] = {}  # which one a page opens on, where that is another
