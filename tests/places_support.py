"""Figures of every page, with any number of systems, and a browser page that draws them at the size of a place."""

from __future__ import annotations

import base64
import gzip
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import plotly
from playwright.sync_api import Page
from plotly.io import to_json
from views_support import SAMPLES

from app_support import ROOT, SAMPLE, SHARED, fresh
from evalcore.figures.scripts import joined
from ui.address.places import keys_of
from ui.screen.items import Figure

PLACES = ("column", "columns", "slide", "stage", "large stage", "phone", "hand", "tablet")
TEAMS = ("UniversityOfSomewhere", "KISTI", "Laboratoire_Informatique_Appliquee", "team9")
WAYS = ("monot5-large-reranked", "docT5query", "pseudo_relevance_feedback", "x")
DEPTH = 60  # of the rankings
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
FONT = ROOT / "ui" / "server" / "saving" / "SourceSans3-Regular.ttf"


def with_systems(folder: Path, count: int) -> Path:
    """Write the sample with `count` systems: its own systems with randomly changed scores, under long names."""
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("runs"))
    (folder / "runs").mkdir()
    runs, rng = sorted((SAMPLE / "runs").iterdir()), np.random.default_rng(count)
    for at in range(count):
        stem = runs[at % len(runs)].name.partition(".")[0]
        name = f"{TEAMS[at % len(TEAMS)]}_{stem}_{WAYS[at // len(TEAMS) % len(WAYS)]}_{at:03d}"
        lines = _shaken(gzip.decompress(runs[at % len(runs)].read_bytes()).decode(), name, rng)
        (folder / "runs" / f"{name}.run.gz").write_bytes(gzip.compress("\n".join(lines).encode() + b"\n", 1))
    return folder


def _shaken(run: str, name: str, rng: np.random.Generator) -> Iterator[str]:
    topics: dict[str, list[tuple[float, str]]] = {}
    for line in run.splitlines():
        topic, _, document, _, given, _ = line.split()
        topics.setdefault(topic, []).append((float(given) * float(np.exp(rng.normal(0, 0.3))), document))
    for topic, scored in topics.items():
        for rank, (score, document) in enumerate(sorted(scored, reverse=True)[:DEPTH], 1):
            yield f"{topic} Q0 {document} {rank} {score:.5f} {name}"


@dataclass(frozen=True)
class Shown:
    """A figure of a page as the browser receives it."""

    page: str
    settings: str
    key: str
    text: str


def shown_figures(views: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[Shown]:
    """Yield the figures of some views, each once."""
    seen = set()
    for page, link in views:
        address = {key if key in SHARED else f"{keys_of(page)}.{key}": texts for key, texts in link.items()}
        app = fresh(page, {**({"data": SAMPLES[page]} if page in SAMPLES else {}), **address})
        assert not app.exception
        for _, item in app.session_state["on the screen"]:
            text = to_json(item.spec().to_dict(), validate=False) if isinstance(item, Figure) else ""
            if text and text not in seen:
                seen.add(text)
                yield Shown(page, ", ".join(map(str, link.values()))[:60], item.key, text)


def open_places(page: Page) -> Page:
    """Open a page with plotly.js and our script, which draws figures at the size of a place and checks their texts."""
    font = base64.b64encode(FONT.read_bytes()).decode()
    page.set_content(
        f"<style>@font-face {{ font-family: 'Source Sans'; src: url(data:font/ttf;base64,{font}) }}</style>"
    )
    page.add_script_tag(path=PLOTLY)
    page.add_script_tag(type="module", content=joined(Path(__file__).parent / "browser" / "places.js"))
    page.wait_for_function("() => 'wrongIn' in window && document.fonts.load('12px \"Source Sans\"')")
    return page


def wrong_in(page: Page, figure: Shown, place: str) -> dict[str, Any]:
    """Report the faults of a figure at a place: texts that are cut, overlap or are too small, and omitted parts."""
    found: dict[str, Any] = page.evaluate(
        "([figure, place]) => wrongIn(figure, place)", [json.loads(figure.text), place]
    )
    return found
