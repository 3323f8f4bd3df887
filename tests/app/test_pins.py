"""Pins: a setting kept under a name, and the change against it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from ui import pins

PIN = "patient = RBP(rho=0.95) | uRBPgr(rho=0.95)"


def metric_change(app: AppTest, label: str) -> str:
    change: str = next(one.delta for one in app.metric if one.label == label)
    return change


def test_a_pin_reads_back():
    assert str(pins.read(PIN)) == PIN


@pytest.mark.parametrize("text", ["", "no measures", "= AP", "name =", "name = Nonsense(3)", "name = AP | "])
def test_what_is_no_pin_is_refused(text):
    with pytest.raises(ec.DataError):
        pins.read(text)


def test_places_won_since_the_baseline():
    c = ec.load(SAMPLE)
    now, then = (ec.evaluate(text, c).mean() for text in ("RBP(rho=0.8)", "P@10"))
    changes = pins.rank_changes(now, then)
    expected = ec.rank_changes(then, now)["change"]
    assert changes.to_dict() == expected.to_dict()


def test_a_link_with_a_pin_shows_the_change_of_tau():
    app = open_app(pins=PIN, baseline="patient")
    c = ec.load(SAMPLE)
    then = ec.tau(*(ec.evaluate(text, c).mean() for text in ("RBP(rho=0.95)", "uRBPgr(rho=0.95)")))
    now = ec.tau(*(ec.evaluate(text, c).mean() for text in ("RBP(rho=0.8)", "uRBPgr(rho=0.8)")))
    assert metric_change(app, "τ") == f"{now - then:+.3f}"
    assert not app.exception


def test_pinning_then_moving_compares_with_what_was_pinned():
    app = open_app()
    next(one for one in app.button if one.label == "Pin this setting").click().run()
    assert metric_change(app, "τ") == "+0.000"
    app.slider(key="rho").set_value(0.5).run()
    assert metric_change(app, "τ") != "+0.000"
    assert app.selectbox(key="baseline").value == "pin 1"


def test_a_pin_that_is_no_pin_is_left_out_with_a_message():
    app = open_app(pins="broken = Nonsense(1)")
    assert any("A pin is left out" in one.value for one in app.warning)
    assert not app.exception


@pytest.mark.parametrize("page", ["aspect_weights", "toma", "measures"])
def test_a_pin_of_other_measures_does_not_break_a_page(page):
    app = open_app(page, pins=PIN, baseline="patient")
    assert not app.exception


def test_the_page_of_pins_says_what_to_do_while_there_are_none():
    app = open_app("pins")
    assert any("Nothing is pinned yet" in one.value for one in app.info)


def test_several_pins_side_by_side():
    app = open_app("pins", pins=[PIN, "deep = RBP(rho=0.99)", "graded = nDCG@10"], against="deep")
    assert not app.exception
    table = app.dataframe[0].value
    c = ec.load(SAMPLE)
    means = {text: ec.evaluate(text, c).mean() for text in ("uRBPgr(rho=0.95)", "RBP(rho=0.99)")}
    assert table.loc["deep", "τ"] == 1
    assert table.loc["patient", "τ"] == pytest.approx(ec.tau(*means.values()))
