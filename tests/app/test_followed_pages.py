"""Sliders that are followed: what a browser shows along a path is what the server says at each place."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from app_support import address_of, figure_keys, go_by, open_app, shown_items
from evalcore.figures import path as figure_paths
from evalcore.notation.values import Value
from ui.server.limits import AppLimits
from ui.shell import live
from ui.stage import paths

# Page, its link, the slider, and what it is moved to.
MOVED: list[tuple[str, dict[str, Any], str, float]] = [
    ("guided_path", {"step": "1 Reader"}, "rho", 0.5),
    ("guided_path", {"step": "6 Correlation"}, "place", 2),
    ("guided_path", {"step": "8 Labels"}, "level", 0.3),
    ("discriminative_power", {"measures": ["AP", "RBP", "nDCG"], "resamples": "1,000"}, "alpha", 0.1),
    ("measures", {}, "discount.rho", 0.5),
    ("correlations", {"vary": "RBP(rho=0.8)"}, "at", 0.5),
    ("sensitivity", {"measure": "RBP(rho=0.8)"}, "at", 0.3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "link", "name", "value"), MOVED)
def test_the_path_of_a_slider_is_what_the_page_shows_there(
    page: str, link: dict[str, Any], name: str, value: float
) -> None:
    app = open_app(page, **link)
    path = path_of(app, f"{page}.{name}")
    here = next(one.value for one in (*app.slider, *app.select_slider) if one.key == f"{page}.{name}")
    sheets = [at_place(path, float(at)) for at in (here, value)]
    followed = {key: figure for key, figure in figures(app).items() if key in sheets[0]["figures"]}
    move(app, f"{page}.{name}", value)
    assert not app.exception
    assert {text.strip() for text in sheets[1]["texts"].values()} <= texts_of(app)
    changes = {key: differing([sheet["figures"][key] for sheet in sheets]) for key in followed}
    assert any(changes.values())
    for key, figure in followed.items():
        for keys, (_, now) in changes[key]:
            put(figure, keys, now)
        assert differing([figure, figures(app)[key]]) == []


def differing(values: list[Any]) -> list[tuple[Any, list[Any]]]:
    """Where figures differ in what is seen."""
    return figure_paths._differing((), values, figure_paths.UNSEEN)


def path_of(app: AppTest, key: str) -> paths.Path:
    """The path that was offered for a slider."""
    offered: list[paths.Path] = app.session_state["paths offered"]
    return next(path for path in offered if path.key == key)


def at_place(path: paths.Path, value: float) -> dict[str, Any]:
    """What is shown at one place of a path."""
    known = dict(zip(path.places, path.values, strict=True))  # of a slider in steps, places are numbered
    values = [known[value] if isinstance(known.get(value), Value) else value]
    seen = paths.Path(path.key, [0], values, path.draw, path.address, path.session).seen_at(0)
    assert seen is not None
    return seen.followed()


def move(app: AppTest, key: str, value: float) -> None:
    control = next(one for one in (*app.slider, *app.select_slider) if one.key == key)
    if type(control).__name__ == "SelectSlider":
        go_by(app, {**address_of(app), key: [f"{value:g}"]})
        app.run()
    else:
        control.set_value(type(control.min)(value)).run()


def texts_of(app: AppTest) -> set[str]:
    """The texts of the page, and its numbers as a path has them."""
    texts = {str(one.value).strip() for one in (*app.markdown, *app.caption)}
    return texts | {f"{metric.value}\n{metric.delta or ''}".strip() for metric in app.metric}


def figures(app: AppTest) -> dict[str, dict[str, Any]]:
    """The figures of the page by their keys."""
    drawn = [one for _, one in shown_items(app) if isinstance(one, go.Figure)]
    return {
        key: {"data": [trace.to_plotly_json() for trace in figure.data], "layout": figure.layout.to_plotly_json()}
        for key, figure in zip(figure_keys(app), drawn, strict=True)
    }


def put(figure: dict[str, Any], keys: figure_paths.Keys, value: Any) -> None:
    part: Any = figure
    for key in keys[:-1]:
        part = part.setdefault(key, {}) if isinstance(part, dict) else part[key]
    part[keys[-1]] = value


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
        texts[answers] = at_place(path_of(app, "guided_path.rho"), 0.5)["texts"].values()
    (answer,) = set(texts["shown"]) - set(texts["hidden"])
    assert "of the weight" in answer
