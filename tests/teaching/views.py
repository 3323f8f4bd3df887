"""Its views that tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("papers", {"exhibit": "Zuccon 2016: Table 1"}),
    ("papers", {"exhibit": "Maistro et al. 2021: Table 3, AP"}),
    ("worked_examples", {}),
    (
        "worked_examples",
        {"inner": "NDCG", "halved": "true", "labels": "a clear order", "ranking": "d2, d1", "score": "MM"},
    ),
    ("worked_examples", {"example": "Each measure", "one": "INST"}),
    ("worked_examples", {"example": "Each measure", "one": "NuggetRecall"}),
    ("worked_examples", {"example": "Your own", "edits": ["move:topic:ranking:4:1", "regrade:topic:d3:relevance:2"]}),
    ("exercises", {}),
    ("guided_path", {"step": "Reader", "own": "true"}),
    ("guided_path", {"step": "Aspects", "own": "true"}),
    ("guided_path", {"step": "Thresholds", "own": "true"}),
    ("guided_path", {"step": "Combining", "own": "true"}),
    ("guided_path", {"step": "Ideal", "own": "true", "measure": "CAM", "divided": "true"}),
    ("guided_path", {"step": "Correlation", "own": "true", "event": "tie", "place": "2"}),
]
SAMPLES: dict[str, str] = {}  # which one a page opens on, where that is another
