"""Views of this subject, which tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

LOOKS = ("Agreement", "Ranking", "Few human labels", "Pool and noise", "Grades and depth")
VIEWS: list[tuple[str, dict[str, Any]]] = [
    *(("labels", {"look": look}) for look in LOOKS),
    ("labels", {"look": "Agreement", "agreement_cell": "1 0"}),
    ("labels", {"look": "Ranking", "ranking_k": "5"}),
    ("labels", {"look": "Pool and noise", "pool_take": "Depth"}),
    ("labels", {"look": "Pool and noise", "pool_take": "Wrong labels"}),
    ("guided_path", {"step": "Labels", "own": "true", "errors": "into a neighbouring grade", "level": "0.3"}),
    ("guided_path", {"step": "Assessor", "own": "true"}),
]
SAMPLES: dict[str, str] = {}  # the sample on which a page opens, if it is not the default one
