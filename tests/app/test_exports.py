"""What is offered as a file says what was drawn at random, so that it can be made again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import plotly.graph_objects as go
import pytest

from app_support import open_app
from ui.screen.items import Figure
from ui.stage import report, show

DRAWN = {
    "discriminative power": ("discriminative_power", {"resamples": "1,000", "seed": "7"}),
    "pair": ("discriminative_power", {"resamples": "1,000", "seed": "7", "look": "One pair"}),
    "correlations": ("understandability", {"look": "Correlation"}),
    "pairs": ("correlations", {"look": "All pairs", "intervals": "true"}),
    "systems over settings": ("sensitivity", {"look": "Any number", "count": "200", "seed": "7"}),
    "importance": ("sensitivity", {"look": "Any number", "count": "200", "seed": "7"}),
    "walkers": ("navigation", {"data": "navigation sample", "look": "Exact or not"}),
}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Callable[[], bytes]]:
    """The files that a page offers, by kind and name."""
    files: dict[tuple[str, str], Callable[[], bytes]] = {}
    monkeypatch.setattr(show, "_download", lambda kind, name, content: files.update({(kind, name): content}))
    return files


@pytest.mark.parametrize("table", DRAWN)
def test_files_with_random_steps_say_the_seed(table: str, offered: dict[tuple[str, str], Callable[[], bytes]]) -> None:
    page, link = DRAWN[table]
    assert not open_app(page, **link).exception
    seed = link.get("seed", "0")
    rows = list(csv.DictReader(io.StringIO(offered["CSV", table]().decode())))
    assert {row["seed"] for row in rows} == {seed}
    assert f"seed {seed}" in offered["LaTeX", table]().decode().splitlines()[0]


@pytest.mark.parametrize(
    ("on_select", "modes", "offered"),
    [
        (None, ("points", "box", "lasso"), set()),
        (print, ("points",), set()),
        (print, ("points", "box"), {"select2d"}),
        (print, ("points", "box", "lasso"), {"select2d", "lasso2d"}),
    ],
)
def test_a_figure_has_buttons_for_what_can_be_selected(on_select, modes, offered, monkeypatch) -> None:
    configs = []
    report.begin("a page")
    monkeypatch.setattr(show, "plot", lambda figure, key, alt, name, config, on_select: configs.append(config))
    show.put(Figure(go.Figure(), "key", "alt", on_select=on_select, modes=modes))
    hidden = set(configs[0]["modeBarButtonsToRemove"])
    assert {"select2d", "lasso2d"} - hidden == offered
    assert {"toImage", "autoScale2d"} <= hidden  # pictures are saved by buttons of our own
