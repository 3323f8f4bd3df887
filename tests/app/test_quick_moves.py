"""Two moves of a slider before the first is answered: neither is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException

from app_support import address_of, go_by, open_app
from evalcore.data import Collection
from ui.data import open_collection
from ui.widgets.callback import callback


def test_an_interrupted_callback_runs_again_before_the_newer_run() -> None:
    newer, calls = [RerunException(RerunData()), RerunException(RerunData())], []

    @callback
    def move(what: str) -> None:
        calls.append(what)
        if len(calls) <= len(newer):
            raise newer[len(calls) - 1]

    with pytest.raises(RerunException) as raised:
        move("rho")
    assert calls == ["rho"] * 3
    assert raised.value is newer[-1]


def test_a_move_with_an_outdated_address_undoes_nothing() -> None:
    app = open_app("understandability", cutoff="20")
    before = address_of(app)
    app.slider(key="understandability.rho").set_value(0.9).run()
    go_by(app, before)  # before it has heard of the address that the last run wrote
    app.button_group(key="doubt").set_value("false").run()
    go_by(app, before)  # before it has heard of the address that the last run wrote
    app.slider(key="understandability.cutoff").set_value(30).run()
    assert [app.slider(key=f"understandability.{name}").value for name in ("rho", "cutoff")] == [0.9, 30]
    address = address_of(app)
    assert (address["understandability.rho"], address["understandability.cutoff"]) == (["0.9"], ["30"])
    assert "doubt" in address


def test_going_back_in_the_browser_is_followed() -> None:
    app = open_app("understandability", cutoff="20")
    before = address_of(app)
    app.slider(key="understandability.rho").set_value(0.9).run()
    app.run()
    go_by(app, before)  # before it has heard of the address that the last run wrote
    app.run()
    assert app.slider(key="understandability.rho").value == 0.8


def test_a_link_to_the_previous_address_works() -> None:
    app = open_app("moved", x="RBP(rho=0.8)", y="P@5")
    before = address_of(app)
    app.selectbox(key="moved.system").set_value(app.selectbox(key="moved.system").options[1]).run()
    assert address_of(app) != before
    go_by(app, before)  # before it has heard of the address that the last run wrote
    app.run()  # by a link of the page to itself: no control was moved
    assert address_of(app) == before


def test_choosing_a_collection_survives_an_interrupted_run(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app("understandability")
    opened, ended = open_collection._opened, list[str]()

    def ended_once(name: str, places: dict[str, Path]) -> Collection:
        if not ended:
            ended.append(name)
            st.stop()
        return opened(name, places)

    monkeypatch.setattr(open_collection, "_opened", ended_once)
    other = app.selectbox(key="data").options[1]
    app.selectbox(key="data").set_value(other).run()
    assert ended == [other]
    app.run()
    assert address_of(app)["data"] == [other]


def test_a_default_that_follows_a_moved_slider_follows_two_quick_moves_too() -> None:
    app = open_app("understandability", rho="0.5")
    other = app.selectbox(key="understandability.other")
    before = other.value
    app.slider(key="understandability.rho").set_value(0.6).run()
    assert app.selectbox(key="understandability.other").value != before
    app.slider(key="understandability.rho").set_value(0.7)
    other.set_value(before)  # the browser still has this, as nobody told it of the first move's default
    app.run()
    assert app.selectbox(key="understandability.other").value == "RBP(rho=0.7)"
    assert "understandability.other" not in address_of(app)


def test_the_previous_default_can_be_chosen() -> None:
    app = open_app("understandability", rho="0.5")
    before = app.selectbox(key="understandability.other").value
    app.slider(key="understandability.rho").set_value(0.6).run()
    app.selectbox(key="understandability.other").set_value(before).run()
    assert app.selectbox(key="understandability.other").value == before
    assert address_of(app)["understandability.other"] == [before]


def test_an_option_stays_chosen_if_a_browser_that_lost_it_reports_none() -> None:
    app = open_app("classroom")
    title = app.title[0].value
    app.button_group(key="learn.view").set_value(None).run()
    assert app.title[0].value == title
    assert app.button_group(key="learn.view").value == "classroom"
