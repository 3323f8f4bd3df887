"""Pages on labels that cover only some of the topics, and on aspects without one called relevance."""

from __future__ import annotations

from pathlib import Path

import pytest
from python_support import snippet

from app_support import an_app, go_to, shown_items

TOPICS = [f"q{at}" for at in range(1, 9)]
LISTS = {"one": "abcdef", "two": "fedcba", "three": "cxyabz", "four": "acebdf"}
COMPARING = (
    "home",
    "understandability",
    "aspect_weights",
    "toma",
    "sensitivity",
    "correlations",
    "discriminative_power",
)


def written(folder: Path, aspects: dict[str, range]) -> Path:
    """Write a collection in which each aspect is labelled on some of the topics."""
    (folder / "runs").mkdir(parents=True)
    toml = ""
    for number, (name, topics) in enumerate(aspects.items()):
        rows = [(TOPICS[t], d, (t + at + number) % 3) for t in topics for at, d in enumerate("abcdef")]
        (folder / f"{name}.txt").write_text("".join(f"{t} 0 {d} {grade}\n" for t, d, grade in rows))
        toml += f"[aspects.{name}]\nfile = '{name}.txt'\ngrades = [0, 1, 2]\n"
    (folder / "collection.toml").write_text(f"title = 'partly'\nruns = 'runs/*'\n{toml}")
    for system, documents in LISTS.items():
        rows = [(t, d, at) for t in TOPICS for at, d in enumerate(documents, start=1)]
        (folder / "runs" / system).write_text("".join(f"{t} Q0 {d} {at} {9 - at} {system}\n" for t, d, at in rows))
    return folder


@pytest.mark.slow
def test_pages_state_the_topics_that_all_measures_share(tmp_path, monkeypatch):
    aspects = {"relevance": range(6), "understandability": range(2, 8)}
    folder = written(tmp_path / "c", aspects)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = an_app(120)
    app.run()
    go_to(app, "claim").run()
    assert any(
        "4 to 6 of 8 topics have the labels that the measures read" in text.value
        for text in [*app.markdown, *app.caption]
    )
    for page in COMPARING:
        go_to(app, page).run()
        assert not app.exception, page
        assert not app.error, page
        assert any("Over 4 of 8 topics" in caption.value for caption in app.caption), page
        assert shown_items(app), page
        if page != "home":
            assert "ec.covered_topics(c, " in snippet(app), page
