"""Its views that tests/views_support.py adds to those of the core."""

from __future__ import annotations

from typing import Any

VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("papers", {"exhibit": "Zuccon 2016: Table 1"}),
    ("papers", {"exhibit": "Maistro et al. 2021: Table 3, AP"}),
    ("worked_examples", {}),
    ("worked_examples", {"one": "MM", "edits": ["move:topic:ranking:2:1"]}),
    ("worked_examples", {"one": "INST"}),
    ("worked_examples", {"one": "NuggetRecall"}),
    ("worked_examples", {"one": "FOG, SMOG and Flesch-Kincaid"}),
    (
        "worked_examples",
        {
            "written": "document relevance\na 0\nb -\nc 1",
            "measures": ["RBP(rho=0.5)", "AP"],
            "edits": ["move:topic:ranking:3:1", "regrade:topic:a:relevance:1"],
        },
    ),
    ("exercises", {}),
    ("guided_path", {"step": "Precision", "edits": ["move:topic:ranking:6:2"]}),
    ("guided_path", {"step": "Gain", "gain": "2^grade − 1", "cutoff": "6"}),
    ("guided_path", {"step": "Chance", "own": "true", "how": "chance alone", "draws": "40"}),
    ("guided_path", {"step": "Reader", "own": "true"}),
    ("guided_path", {"step": "Aspects", "own": "true"}),
    ("guided_path", {"step": "Thresholds", "own": "true"}),
    ("guided_path", {"step": "Combining", "own": "true"}),
    ("guided_path", {"step": "Ideal", "own": "true", "measure": "CAM", "divided": "true"}),
    ("guided_path", {"step": "Correlation", "own": "true", "event": "tie", "place": "2"}),
]
SAMPLES: dict[str, str] = {}  # which one a page opens on, where that is another
