"""Paths of sliders: computed in the background, equal to the page after the slider's release."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import plotly.graph_objects as go
import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.errors import InputError
from evalcore.figures.path import coarse_to_fine
from ui.screen.drawing_ahead import elsewhere
from ui.screen.items import Figure, Headline, Screen
from ui.stage import paths


def offered(app: AppTest) -> list[paths.Path]:
    found: list[paths.Path] = app.session_state["paths offered"]
    return found


def test_a_path_is_computed_from_coarse_to_fine_and_completed_with_confidence() -> None:
    asked = []

    def draw(value: int) -> list[Screen]:
        asked.append(value)
        there = elsewhere()
        assert there is not None
        there.lacks_doubt = value % 2 == 1 and not there.doubt
        return []

    path = paths.Path("rho", range(6), range(6), draw, {})
    path.go_on(5)
    assert asked == [0, 5, 2, 1, 3, 4, 5, 1, 3]
    assert path.complete


def test_adding_confidence_does_not_redraw_a_figure() -> None:
    made = []

    def draw(value: int) -> list[Screen]:
        there = elsewhere()
        assert there is not None
        there.lacks_doubt = not there.doubt
        figure = Figure(lambda: made.append(value) or go.Figure(), "a figure", "")  # type: ignore[func-returns-value]
        return [Screen((figure, Headline(f"sure of {value}" if there.doubt else "")))]

    path = paths.Path("rho", range(6), range(6), draw, {})
    path.go_on(5)
    assert sorted(made) == [0, 1, 2, 3, 4, 5]
    assert b"sure of 3" in path.packed()


def test_for_a_class_a_path_has_only_as_many_values_as_smooth_motion_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "a_class_works", lambda: True)
    path = paths.Path("rho", range(60), range(60), lambda value: [], {})
    path.go_on(5)
    assert sorted(path.seen)[:: paths.SMOOTH - 1] == [0, 59]
    assert len(path.seen) == paths.SMOOTH


@pytest.mark.parametrize("count", [2, 3, 7, 50, 101])
def test_every_value_is_drawn_once(count: int) -> None:
    assert sorted(coarse_to_fine(count)) == list(range(count))


def test_a_value_without_a_screen_is_left_out() -> None:
    def draw(value: int) -> list[Screen]:
        if value == 2:
            raise InputError("expected another value, found 2")
        return []

    path = paths.Path("rho", range(6), range(6), draw, {})
    path.go_on(5)
    assert path.sheet_at(2) is None
    assert b"[0, 1, 3, 4, 5]" in path.packed()


def test_a_path_that_is_too_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = iter(range(10_000))
    monkeypatch.setattr("time.thread_time", lambda: float(next(worked)))
    path = paths.Path("rho", range(60), range(60), lambda value: [], {})
    while not path.complete:
        path.go_on(0.5)
    assert path.dear


def test_visitors_of_the_same_view_share_a_path() -> None:
    words = [path_words(open_app(rho=rho, model="smooth", threshold="2")) for rho in ("0.5", "0.7", "0.5")]
    assert words[0] == words[2]
    rho, threshold = "understandability.rho", "understandability.threshold"
    assert words[0][rho] == words[1][rho]  # a path along rho does not depend on the present rho
    assert words[0][threshold] != words[1][threshold]


def test_a_path_ends_with_the_pages_that_show_it() -> None:
    word, path = paths.offer(paths.Path("rho", [1, 2], [1, 2], lambda value: [], {}), "a view of this test")
    assert asked_for(word).status_code == 200
    del path
    gc.collect()
    assert asked_for(word).status_code == 204
    assert asked_for("no such word").status_code == 204


def path_words(app: AppTest) -> dict[str, str]:
    """Map each slider to the word of its path."""
    return {path.key: next(word for word, one in paths._OFFERED.items() if one is path) for path in offered(app)}


def asked_for(word: str) -> Any:
    return paths.answered(word)


def test_five_active_visitors_stop_computing_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = {f"person {at}" for at in range(paths.CLASS)}
    monkeypatch.setattr(paths, "is_open", here.__contains__)
    monkeypatch.setattr(paths, "_DRAWN", {})
    for session in sorted(here)[1:]:
        paths.drawn(session)
        paths.drawn(session)
    assert not paths.a_class_works()
    paths.drawn("person 0")
    assert paths.a_class_works()
    ahead = Request({"type": "http", "query_string": b"ahead", "path_params": {"word": "a word"}})
    assert asyncio.run(paths.answer(ahead)).headers["X-Path"] == "later"
    here.remove("person 3")  # a browser was closed
    assert not paths.a_class_works()
