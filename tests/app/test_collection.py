"""The page Data, run without a browser."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from odd_support import LABELLED, open_shape

import evalcore as ec
from app_support import SAMPLE, metric, open_app


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
    """The page on the sample and on odd collections."""
    open_shape(request.param, tmp_path, monkeypatch)
    app = open_app("collection")
    assert not app.exception
    return app


def test_notes_are_counted_and_listed_by_urgency(shown):
    notes = shown.session_state["open collection"].report.notes
    counts = Counter(note.kind for note in notes)
    ordered = [kind for kind in ("warning", "dropped", "repaired", "inferred") if kind in counts]
    summary = ", ".join(f"{counts[kind]} {kind}{'s' * (kind == 'warning' and counts[kind] > 1)}" for kind in ordered)
    assert any(f"Notes: {summary or 'none'}. Content" in caption.value for caption in shown.caption)
    listed = [frame.value for frame in shown.dataframe if set(frame.value.get("kind", [])) & set(ordered)]
    if notes:
        assert listed[0]["kind"].tolist() == [kind for kind in ordered for _ in range(counts[kind])]
        assert sorted(listed[0]["where"]) == sorted(note.where for note in notes)


def test_scores_of_other_tools_beside_the_runs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder)
    scores = ec.evaluate("AP", ec.load(SAMPLE))["bm25_base"]
    (folder / "runs" / "bm25_base.run.eval").write_text("".join(f"map \t{t}\t{v:.4f}\n" for t, v in scores.items()))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    texts = [one.value for one in open_app("collection").markdown]
    assert any(text.startswith("All 40 values of 1 measure in") for text in texts)
