"""Figures and sentences use short names of systems; hovers, tables and exports use full names."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app_support import SAMPLE, open_app, snapshot
from ui.address import families

SYSTEMS = {  # files of the sample, and what their figures call them
    "bm25_base": "zebra",
    "bm25_prox": "okapi",
    "expert_large": "lemur",
    "plain_fog": "galago",
    "dense_base": "bison",
    "dense_large": "heron",
}
SENTENCES = ("title", "header", "markdown", "info", "warning")
PAGES: list[tuple[str, dict[str, object]]] = [
    *((page, dict[str, object]()) for page in ("home", "moved", "aspect_weights", "correlations", "sensitivity")),
    ("aspect_weights", {"look": "Ranks"}),
    *((page, dict[str, object]()) for page in ("discriminative_power", "leaderboard", "rules", "top_documents")),
    ("sensitivity", {"look": "Along one parameter"}),
    ("toma", {"look": "Ranks"}),
    ("topic", {"look": "What if?"}),
    ("understandability", {"look": "Ranks"}),
    ("labels", {"look": "Ranking"}),
    ("moved", {"system": "team_run.okapi.v9"}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write six systems of the sample under names that begin and end alike."""
    folder = tmp_path_factory.mktemp("names") / "long"
    (folder / "runs").mkdir(parents=True)
    for file, word in SYSTEMS.items():
        shutil.copy(SAMPLE / "runs" / f"{file}.run.gz", folder / "runs" / f"team_run.{word}.v9.run.gz")
    for name in ("qrels.txt", "qrels.llm.txt", "qread.txt"):
        shutil.copy(SAMPLE / name, folder / name)
    return folder


@pytest.fixture
def long_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the app on these systems."""
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])


def texts_of(figure: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that a figure shows without a hover: legend, marks, ticks, annotations."""
    legend = figure["layout"].get("showlegend", True)
    for trace in figure["data"]:
        yield str(trace.get("name", "")) if trace.get("showlegend", legend) else ""
        yield str(trace.get("text", "")) if "text" in str(trace.get("mode", "")) else ""
        hidden = figure["layout"].get(f"{trace.get('yaxis', 'y')}".replace("y", "yaxis", 1), {})
        if trace["type"] == "bar" and trace.get("orientation") == "h" and hidden.get("showticklabels", True):
            yield str(trace["y"])
    for name, part in figure["layout"].items():
        if name.startswith(("xaxis", "yaxis")):
            yield str(part.get("ticktext", "")) + str(part.get("title", ""))
    yield " ".join(str(note.get("text", "")) for note in figure["layout"].get("annotations", ()))


def page_texts(app: AppTest) -> Iterator[str]:
    for kind in SENTENCES:
        yield from (str(one.value) for one in getattr(app, kind) if "<style" not in str(one.value))
    yield from (str(metric.label) for metric in app.metric)
    for figure in snapshot(app)["figures"]:
        yield from texts_of(json.loads(figure))


@pytest.mark.slow
@pytest.mark.usefixtures("long_names")
@pytest.mark.parametrize(("page", "link"), PAGES, ids=lambda one: one if isinstance(one, str) else str(one.values()))
def test_sentences_and_figures_have_short_names(page: str, link: dict[str, object]) -> None:
    app = open_app(page, **link)
    assert not app.exception
    found = [text for text in page_texts(app) if "team_run" in text.replace("\\", "") or ".v9" in text]
    assert found == []


@pytest.mark.usefixtures("long_names")
def test_a_live_slider_shows_short_names_at_every_position() -> None:
    app = open_app("understandability")
    path = next(one for one in app.session_state["paths offered"] if one.key == "understandability.rho")
    there = path.sheet_at(0)
    assert there is not None
    assert any("okapi" in text or "lemur" in text or "heron" in text for text in there["texts"].values())
    assert not any("team" in text for text in there["texts"].values())


@pytest.mark.usefixtures("long_names")
def test_visitors_with_other_display_names_get_their_own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def path() -> object:
        app = open_app("understandability")
        return next(one for one in app.session_state["paths offered"] if one.key == "understandability.rho")

    held = path()
    assert path() is held
    monkeypatch.setattr(families, "all_short", dict)
    assert path() is not held
