"""Views of this subject, which tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

MARKED = [f"101:bike-gear-cable:{one}" for one in ("mark:300:500", "erase:400:420", "entry:300")]
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("focused_retrieval", {"task": "focused", "look": "The document", "rank": "2"}),
    ("focused_retrieval", {"task": "relevant in context", "beta": "2", "look": "The document"}),
    ("focused_retrieval", {"doubt": "all", "task": "best in context", "A": "1", "look": "Official table"}),
    ("focused_retrieval", {"task": "best in context", "nearness": "by a screen (Eq. 9)", "n": "500"}),
    ("guided_path", {"step": "Passages", "assessor": "true", "A": "0.5", "edits": MARKED}),
]
SAMPLES: dict[str, str] = {"focused_retrieval": "focused sample"}  # by page, if not the default
