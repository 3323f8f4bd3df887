"""A page that runs separately, and a view drawn from a cache, show the same as a complete first run."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import pytest
from streamlit.testing.v1 import AppTest

from app_support import QUICK, address_of, alone, fresh, open_app, press, shown_items, snapshot
from ui.screen.items import Screen
from ui.server.limits import AppLimits
from ui.stage import screen_cache
from ui.stage.screen_cache import Kept

VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("home", {}),
    ("understandability", {"rho": "0.7", "look": "Ranks"}),
    ("aspect_weights", {}),
    ("toma", {}),
    ("sensitivity", {}),
    ("correlations", {"look": "Scatter"}),
    ("discriminative_power", {"alpha": "0.1"}),
    ("leaderboard", {}),
    ("labels", {}),
    ("measures", {}),
    ("focused_retrieval", {}),
    ("navigation", {}),
    ("guided_path", {}),
]


def link_of(page: str, own: dict[str, Any]) -> dict[str, Any]:
    quick = {key.partition(".")[2]: text for key, text in QUICK.get(page, {}).items()}
    return {**quick, **own}


@pytest.mark.parametrize(("page", "link"), VIEWS, ids=[page for page, _ in VIEWS])
def test_a_view_that_was_seen_before_shows_the_same(page: str, link: dict[str, Any]) -> None:
    app = open_app(page, **link_of(page, link))
    first, items = snapshot(app), shown_items(app)
    assert not app.exception
    again = snapshot(app.run())
    assert again == first
    address = address_of(app)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen_cache, "MOST", 0)
        assert snapshot(fresh(page, address)) == first
    assert [about for about, _ in shown_items(app)] == [about for about, _ in items]


@pytest.mark.parametrize("page", ["understandability", "aspect_weights", "toma", "correlations", "guided_path"])
def test_a_page_that_runs_alone_shows_what_the_whole_app_would(page: str) -> None:
    app = open_app(page, **link_of(page, {"model": "step"} if page == "understandability" else {}))
    sliders = [slider for slider in app.main.slider if slider.key]
    assert sliders
    for slider in sliders[:2]:
        with alone(app):
            app.slider(key=str(slider.key)).set_value(slider.min if slider.value != slider.min else slider.max).run()
        assert not app.exception
        assert snapshot(app) == snapshot(fresh(page, address_of(app)))
        app.run()


def test_parts_drawn_alone_are_known_to_the_report() -> None:
    app = open_app("understandability", cutoff="20")
    with alone(app):
        app.slider(key="understandability.rho").set_value(0.62).run()
    address = address_of(app)
    assert address["understandability.rho"] == ["0.62"]
    assert "rho=0.62" in " ".join(code.value for code in app.code)  # Python, and the citation
    app.run()
    with alone(app):
        app.slider(key="understandability.rho").set_value(0.7).run()
    app.run()
    before = address_of(app)
    press(app, "Keep this view")
    assert "0.7" in app.session_state["kept report"].sections[0].link
    assert address_of(app) == before


def test_a_shared_control_reruns_the_whole_app() -> None:
    app = open_app("understandability")
    system = app.multiselect(key="systems").options[0]
    with alone(app):
        app.multiselect(key="systems").set_value([system]).run()
    assert not app.exception
    assert address_of(app)["systems"] == [system]
    assert [link for link in links(app) if f"systems={system}" in link]


def links(app: AppTest) -> list[str]:
    return [str(link.proto.query_string) for link in app.get("page_link")]


def test_the_menus_link_to_the_page_has_its_present_settings() -> None:
    app = open_app("understandability")
    with alone(app):
        app.slider(key="understandability.rho").set_value(0.62).run()
    assert any("understandability.rho=0.62" in link for link in links(app))


def kept_of(count: int, size: int) -> Kept:
    kept = Kept()
    for at in range(count):
        kept.get(at, "data", Screen, lambda: True, size)
    return kept


def test_a_session_keeps_no_more_than_its_limit() -> None:
    assert len(kept_of(200, 0)._screens) == screen_cache.MOST
    large = kept_of(200, screen_cache.ROOM // 4)
    assert list(large._screens) == [196, 197, 198, 199]
    assert list(kept_of(3, screen_cache.ROOM * 2)._screens) == [2]


def test_the_screen_seen_longest_ago_is_dropped_first() -> None:
    kept = kept_of(screen_cache.MOST, 0)
    first = kept.get(0, "data", lambda: pytest.fail("drawn"), lambda: True, 0)
    assert isinstance(first, Screen)
    kept.get("more", "data", Screen, lambda: True, 0)
    assert 0 in kept._screens
    assert 1 not in kept._screens


def test_a_screen_is_dropped_with_its_data_and_never_stored_incomplete() -> None:
    kept = kept_of(3, 8)
    kept.get("held up", "data", Screen, lambda: False, 8)
    assert list(kept._screens) == [0, 1, 2]
    kept.get(1, "other data", Screen, lambda: True, 8)
    assert list(kept._screens) == [1]


def test_sessions_share_one_limit_and_the_one_absent_longest_loses_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen_cache, "_SESSIONS", WeakSet())
    monkeypatch.setattr(screen_cache, "LIMITS", AppLimits().changed("screens=20"))
    sessions = [kept_of(7, 1_000_000) for _ in range(4)]
    assert [len(kept._screens) for kept in sessions] == [0, 6, 7, 7]
    assert sum(kept.size for kept in sessions) == 20_000_000
