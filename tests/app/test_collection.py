"""The page Data, tested without a browser."""

from __future__ import annotations

from collections import Counter

import pytest
from odd_support import LABELLED, open_shape

from app_support import metric, open_app


def test_the_headline_counts_systems_topics_and_labels(sample):
    app = open_app("collection")
    systems = sample.report.systems
    assert metric(app, "systems") == f"{len(sample.systems)}"
    assert metric(app, "topics") == f"{len(sample.topics)}"
    assert metric(app, "assessed documents") == f"{sample.assessments.judged.sum():,}"
    assert metric(app, "lines read") == f"{systems['lines'].sum():,}"
    assert metric(app, "assessed @10") == f"{systems['assessed@10'].median():.0%}"
    assert metric(app, "assessed @100") == f"{systems['assessed@100'].median():.0%}"


@pytest.fixture(params=LABELLED)
def shown(request, tmp_path, monkeypatch):
    """Open the page on the sample and on odd collections."""
    open_shape(request.param, tmp_path, monkeypatch)
    app = open_app("collection")
    assert not app.exception
    return app


def test_notes_are_counted_and_listed_by_urgency(shown):
    notes = shown.session_state["open collection"].report.notes
    counts = Counter(note.kind for note in notes)
    ordered = [kind for kind in ("warning", "dropped", "repaired", "inferred") if kind in counts]
    summary = ", ".join(f"{counts[kind]} {kind}{'s' * (kind == 'warning' and counts[kind] > 1)}" for kind in ordered)
    assert any(f"Notes: {summary or 'none'}. Fingerprint" in caption.value for caption in shown.caption)
    listed = [frame.value for frame in shown.dataframe if set(frame.value.get("kind", [])) & set(ordered)]
    if notes:
        assert listed[0]["kind"].tolist() == [kind for kind in ordered for _ in range(counts[kind])]
        assert sorted(listed[0]["where"]) == sorted(note.where for note in notes)
