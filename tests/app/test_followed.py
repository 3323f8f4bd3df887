"""What a slider shows while it moves is what the page shows where it is let go."""

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
from ui.server.limits import AppLimits
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


POWER = {"measures": ["AP", "RBP", "nDCG"], "resamples": "1,000"}
TOP = {"look": "Ranking", "ranking_look": "At the top"}
SLIDERS: list[tuple[str, str, dict[str, Any]]] = [
    ("aspect_weights", "weights.relevance", {}),
    ("aspect_weights", DRAGGED, {}),
    ("aspect_weights", DRAGGED, {"aspects": ["relevance", "understandability"], "mean": "MM"}),
    ("toma", "positions.relevance 1", {"look": "Order"}),
    ("toma", "positions.understandability 2", {"look": "Partial order"}),
    ("toma", "importance.relevance", {"look": "Systems"}),
    ("toma", "distance.order", {"look": "What changed", "distance": "Minkowski(order=3)"}),
    ("understandability", "rho", {}),
    ("understandability", "threshold", {"model": "smooth", "look": "τ by setting"}),
    ("home", "rho", {}),
    ("labels", "noise_level", {"look": "Noise"}),
    ("labels", "combined_share", {"look": "Few human labels"}),
    ("labels", "ranking_k", TOP),
    ("leaderboard", "by.prior", {"by": "BradleyTerry(prior=0.1)"}),
    ("guided_path", "rho", {"step": "1 Reader"}),
    ("guided_path", "place", {"step": "6 Correlation"}),
    ("guided_path", "level", {"step": "8 Labels"}),
    ("discriminative_power", "alpha", POWER),
    ("measures", "discount.rho", {}),
    ("correlations", "at", {"vary": "RBP(rho=0.8)"}),
    ("sensitivity", "at", {"measure": "RBP(rho=0.8)"}),
]


@pytest.mark.parametrize(
    ("page", "key", "link"), [pytest.param(*row, marks=[pytest.mark.slow] * (at > 6)) for at, row in enumerate(SLIDERS)]
)
def test_a_path_shows_what_the_page_shows_there(page: str, key: str, link: dict[str, Any]) -> None:
    app = open_app(page, doubt="false", **link)
    settings, name, path = thumbs(app)[key if key == DRAGGED else f"{page}.{key}"]
    at = len(path.values) * 2 // 5
    place = path.seen_at(at)
    assert place is not None
    sheet = place.followed()
    assert sheet["figures"]
    there = {**address_of(app), **settings.with_(**{name: path.values[at]}).address()}
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


def path_of(app: AppTest, key: str) -> Path:
    """The path that was offered for a slider."""
    offered: list[Path] = app.session_state["paths offered"]
    return next(path for path in offered if path.key == key)


def test_a_slider_that_no_part_follows_is_known_to_answer_on_release() -> None:
    app = open_app("discriminative_power", measures=["AP", "RBP"], resamples="1,000")
    followed, released = (path_of(app, f"discriminative_power.{name}") for name in ("alpha", "seed"))
    assert (followed.dear, released.dear) == (False, True)


def test_where_paths_may_take_no_time_every_slider_is_known_to_answer_on_release(
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


def test_a_path_does_not_tell_an_answer_that_its_page_hides() -> None:
    texts = {}
    for answers in ("shown", "hidden"):
        app = open_app("guided_path", step="1 Reader", answers=answers)
        path = path_of(app, "guided_path.rho")
        place = path.seen_at(list(path.values).index(0.5))
        assert place is not None
        texts[answers] = place.followed()["texts"].values()
    (answer,) = set(texts["shown"]) - set(texts["hidden"])
    assert "of the weight" in answer
