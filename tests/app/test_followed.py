"""While a slider moves, the page shows the same as after its release."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from app_support import address_of, figure_keys, fresh, open_app, shown_items
from evalcore.figures import path as figure_paths
from ui.address.places import keys_of
from ui.address.settings import Settings
from ui.aspect_weights.weighting import DRAGGED, Weighting
from ui.server.limits import AppLimits
from ui.shell import live
from ui.stage.paths import Path


def thumbs(app: AppTest) -> dict[str, tuple[Settings, str, Path]]:
    """Map each slider's key to its settings, the name of the setting that it moves, and its path."""
    followed = app.session_state["what follows sliders"]
    found = {slider.key: (one.page, name) for one in followed for name, slider in one.page.sliders()}
    return {path.key: (*found[path.key], path) for path in app.session_state["paths offered"]}


def texts_of(app: AppTest) -> set[str]:
    """Return the texts of a page; a metric is its value and change."""
    texts = {str(one.value) for kind in ("markdown", "caption") for one in getattr(app, kind)}
    return texts | {f"{metric.value}\n{metric.delta or ''}" for metric in app.metric}


def figures_of(app: AppTest) -> dict[str, dict[str, Any]]:
    """Return the figures of a page, by key."""
    drawn = [one for _, one in shown_items(app) if isinstance(one, go.Figure)]
    return {
        key: {"data": [trace.to_plotly_json() for trace in figure.data], "layout": figure.layout.to_plotly_json()}
        for key, figure in zip(figure_keys(app), drawn, strict=True)
    }


def differing(figures: list[Any]) -> list[tuple[Any, list[Any]]]:
    """List the visible differences between figures, each with its place in the figure."""
    return figure_paths._differing((), figures, figure_paths.UNSEEN)


def put(figure: dict[str, Any], keys: figure_paths.Keys, value: Any) -> None:
    part: Any = figure
    for key in keys[:-1]:
        part = part.setdefault(key, {}) if isinstance(part, dict) else part[key]
    part[keys[-1]] = value


POWER = {"measures": ["AP", "RBP", "nDCG"], "resamples": "1,000"}
SLIDERS: list[tuple[str, str, dict[str, Any]]] = [
    ("aspect_weights", "weights.relevance", {}),
    ("aspect_weights", DRAGGED, {}),
    ("aspect_weights", DRAGGED, {"aspects": ["relevance", "understandability"], "mean": "MM"}),
    ("toma", "positions.relevance 1", {}),
    ("toma", "positions.understandability 2", {"look": "Scatter"}),
    ("toma", "importance.relevance", {"look": "Ranks"}),
    ("toma", "distance.order", {"distance": "Minkowski(order=3)"}),
    ("understandability", "rho", {}),
    ("understandability", "threshold", {"model": "smooth", "look": "u(k) and gains"}),
    ("aspect_weights", "weights.relevance", {"look": "Scatter", "aspects": ["relevance", "understandability"]}),
    ("home", "rho", {}),
    ("labels", "noise_level", {"look": "Pool and noise", "pool_take": "Wrong labels"}),
    ("labels", "ranking_k", {"look": "Ranking"}),
    ("labels", "combined_share", {"look": "Few human labels"}),
    ("topics_needed", "difference", {"measures": ["AP", "RBP"]}),
    ("top_documents", "depth", {"measures": ["AP", "RBP"]}),
    ("guided_path", "rho", {"step": "Reader"}),
    ("guided_path", "place", {"step": "Correlation"}),
    ("guided_path", "level", {"step": "Labels"}),
    ("discriminative_power", "alpha", POWER),
    ("measures", "discount.rho", {}),
    ("correlations", "at", {"vary": "RBP(rho=0.8)"}),
    ("sensitivity", "at", {"measure": "RBP(rho=0.8)", "look": "Along one parameter"}),
    ("sensitivity", "at", {"measure": "RBP(rho=0.8)"}),
]


@pytest.mark.parametrize(
    ("page", "key", "link"), [pytest.param(*row, marks=[pytest.mark.slow] * (at > 6)) for at, row in enumerate(SLIDERS)]
)
def test_a_path_shows_the_same_as_the_page_at_each_value(page: str, key: str, link: dict[str, Any]) -> None:
    app = open_app(page, doubt="false", **link)
    settings, name, path = thumbs(app)[key if key == DRAGGED else f"{keys_of(page)}.{key}"]
    places = [len(path.values) * share // 10 for share in (2, 6)]
    sheets = [sheet for sheet in map(path.sheet_at, places) if sheet]
    addresses = [settings.with_(**{name: path.values[at]}).address() for at in places]
    pages = [fresh(page, {**address_of(app), **address}) for address in addresses]
    before, after = map(figures_of, pages)
    changes = {key: differing([sheet["figures"][key] for sheet in sheets]) for key in sheets[0]["figures"]}
    assert any(changes.values())
    for key, changed in changes.items():
        for keys, (_, now) in changed:
            put(before[key], keys, now)
        assert differing([before[key], after[key]]) == [], key
    assert set(sheets[1]["texts"].values()) - texts_of(pages[1]) == set()


def test_dragging_the_star_sets_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app("aspect_weights")
    changed: dict[str, Any] = {}
    monkeypatch.setattr(Weighting, "change", lambda _, **changes: changed.update(changes))
    live._move(app.session_state["what follows sliders"], DRAGGED, 2.2)
    assert changed == {"weights": (0.0, 0.1, 0.9)}


def path_of(app: AppTest, key: str) -> Path:
    """Return the path that was offered for a slider."""
    offered: list[Path] = app.session_state["paths offered"]
    return next(path for path in offered if path.key == key)


def test_a_slider_without_live_parts_updates_on_release() -> None:
    app = open_app("discriminative_power", measures=["AP", "RBP"], resamples="1,000")
    followed, released = (path_of(app, f"discriminative_power.{name}") for name in ("alpha", "seed"))
    assert (followed.dear, released.dear) == (False, True)


def test_with_path_time_0_every_slider_updates_on_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(live, "LIMITS", AppLimits().changed("path=0"))
    monkeypatch.setattr(live, "_mount", lambda data, **rest: told.append(data))
    path = path_of(open_app("understandability"), "understandability.rho")
    assert told[-1]["sliders"]
    assert all(slider["dear"] for slider in told[-1]["sliders"])
    assert path.complete
    assert not path.seen


def test_a_path_does_not_reveal_a_hidden_answer() -> None:
    texts = {}
    for answers in ("shown", "hidden"):
        app = open_app("guided_path", step="Reader", answers=answers)
        path = path_of(app, "guided_path.rho")
        sheet = path.sheet_at(list(path.values).index(0.5))
        assert sheet is not None
        texts[answers] = sheet["texts"].values()
    (answer,) = set(texts["shown"]) - set(texts["hidden"])
    assert "of the weight" in answer
