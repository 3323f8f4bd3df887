"""What a slider shows while it moves is what the page shows where it is let go: Aspect weights, TOMA."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app_support import address_of, figure_keys, fresh, open_app, shown_items
from evalcore.figures.path import UNSEEN
from ui.address.settings import Settings
from ui.aspect_weights.weighting import DRAGGED, Weighting
from ui.shell import live
from ui.stage.paths import Path


def thumbs(app: AppTest) -> dict[str, tuple[Settings, str, Path]]:
    """By the key of each slider: the settings that it moves, the name of the one, and its path."""
    followed = app.session_state["what follows sliders"]
    found = {slider.key: (one.page, name) for one in followed for name, slider in one.page.sliders()}
    return {path.key: (*found[path.key], path) for path in app.session_state["paths offered"]}


def texts_of(app: AppTest) -> set[str]:
    """All texts of a page, metrics as their value and change."""
    texts = {str(one.value) for kind in ("markdown", "caption") for one in getattr(app, kind)}
    return texts | {f"{metric.value}\n{metric.delta or ''}" for metric in app.metric}


def figures_of(app: AppTest) -> dict[str, Any]:
    drawn = [figure.to_plotly_json() for _, figure in shown_items(app) if hasattr(figure, "layout")]
    return dict(zip(figure_keys(app), drawn, strict=True))


def plain(value: Any) -> Any:
    if isinstance(value, dict) and "bdata" in value:
        return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist()
    return value.tolist() if isinstance(value, np.ndarray) else value


def within(part: Any, whole: Any) -> bool:
    """Whether a part of a figure, as far as it is seen, is as in the whole."""
    part, whole = plain(part), plain(whole)
    if isinstance(part, dict):
        hidden = UNSEEN | ({"text"} if "text" not in whole.get("mode", "text") else set())
        return all(within(value, whole[key]) for key, value in part.items() if key not in hidden)
    if isinstance(part, list | tuple) and part and isinstance(part[0], dict):
        return len(part) == len(whole) and all(map(within, part, whole))
    return repr(part) == repr(whole)


@pytest.mark.parametrize(
    ("page", "key", "link"),
    [
        ("aspect_weights", "aspect_weights.weights.relevance", {}),
        ("aspect_weights", DRAGGED, {}),
        ("aspect_weights", DRAGGED, {"aspects": ["relevance", "understandability"], "mean": "MM"}),
        ("toma", "toma.positions.relevance 1", {"look": "Order"}),
        ("toma", "toma.positions.understandability 2", {"look": "Partial order"}),
        ("toma", "toma.importance.relevance", {"look": "Systems"}),
        ("toma", "toma.distance.order", {"look": "What changed", "distance": "Minkowski(order=3)"}),
    ],
)
def test_a_path_shows_what_the_page_shows_there(page: str, key: str, link: dict[str, Any]) -> None:
    app = open_app(page, doubt="false", **link)
    settings, name, path = thumbs(app)[key]
    while len(path.seen) < 3:
        path.go_on(0.01)
    shown = max(path.seen, key=lambda at: -abs(at - 0.4 * len(path.values)))
    sheet = path.seen[shown]
    assert sheet
    assert sheet["figures"]
    there = {**address_of(app), **settings.with_(**{name: path.values[shown]}).address()}
    opened = fresh(page, there)
    drawn = figures_of(opened)
    assert [name for name, figure in sheet["figures"].items() if not within(figure, drawn[name])] == []
    assert set(sheet["texts"].values()) - texts_of(opened) == set()


def test_the_star_sets_the_weighting_where_it_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app("aspect_weights")
    changed: dict[str, Any] = {}
    monkeypatch.setattr(Weighting, "change", lambda _, **changes: changed.update(changes))
    live._move(app.session_state["what follows sliders"], DRAGGED, 2.2)
    assert changed == {"weights": (0.0, 0.1, 0.9)}
