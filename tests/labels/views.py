"""Its views that tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

VIEWS: list[tuple[str, dict[str, Any]]] = [
    *(("labels", {"look": look}) for look in ("Agreement", "Ranking", "Few human labels", "Noise", "Pool")),
    ("labels", {"look": "Agreement", "agreement_view": "By topic"}),
    ("labels", {"look": "Ranking", "ranking_look": "At the top", "ranking_k": "5"}),
    ("labels", {"look": "Pool", "pool_take": "Share"}),
    ("guided_path", {"step": "8 Labels", "own": "true", "errors": "into a neighbouring grade", "level": "0.3"}),
    ("guided_path", {"step": "11 Assessor", "own": "true"}),
]
SAMPLES: dict[str, str] = {}  # which one a page opens on, where that is another
