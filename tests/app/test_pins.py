"""Pins: a setting kept under a name, and the change against it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from ui.data import pins

PIN = "patient = RBP(rho=0.95) | uRBPgr(rho=0.95)"


def metric_change(app: AppTest, label: str) -> str:
    change: str = next(metric.delta for metric in app.metric if metric.label == label)
    return change


def test_a_pin_reads_back():
    assert str(pins.read(PIN)) == PIN


@pytest.mark.parametrize("text", ["", "no measures", "= AP", "name =", "name = Nonsense(3)", "name = AP | "])
def test_what_is_no_pin_is_refused(text):
    with pytest.raises(ec.InputError):
        pins.read(text)


def test_a_link_with_a_pin_shows_the_change_of_tau():
    app = open_app(pins=PIN, baseline="patient")
    c = ec.load(SAMPLE)
    then = ec.tau(*(ec.evaluate(text, c).mean() for text in ("RBP(rho=0.95)", "uRBPgr(rho=0.95)")))
    now = ec.tau(*(ec.evaluate(text, c).mean() for text in ("RBP(rho=0.8)", "uRBPgr(rho=0.8)")))
    assert metric_change(app, "τ") == f"{now - then:+.3f}"
    assert not app.exception


def test_pinning_then_moving_compares_with_what_was_pinned():
    app = open_app()
    next(button for button in app.button if button.label == "Pin this setting").click().run()
    assert metric_change(app, "τ") == "+0.000"
    app.slider(key="understandability.rho").set_value(0.5).run()
    assert metric_change(app, "τ") != "+0.000"
    assert app.selectbox(key="baseline").value == "pin 1"


def test_of_more_pins_than_there_may_be_the_first_are_kept():
    app = open_app("pins", pins=[f"p{at} = AP" for at in range(pins.MOST + 1)])
    assert app.multiselect(key="pins").value == [f"p{at} = AP" for at in range(pins.MOST)]
    assert any(f"{pins.MOST} pins at most" in warning.value for warning in app.warning)


@pytest.mark.parametrize("page", ["aspect_weights", "toma", "measures"])
def test_a_pin_of_other_measures_does_not_break_a_page(page):
    app = open_app(page, pins=PIN, baseline="patient")
    assert not app.exception


def test_while_there_are_none_an_example_is_a_click_away():
    app = open_app("pins")
    next(button for button in app.button if button.label == "Pin an example").click().run()
    assert not app.exception
    assert not app.warning
    c = ec.load(SAMPLE)
    tau = ec.tau(*(ec.evaluate(f"RBP(rho={rho})", c).mean() for rho in (0.5, 0.95)))
    assert app.dataframe[0].value.loc["patient", "τ"] == pytest.approx(tau)
    assert app.selectbox(key="baseline").value == "impatient"


def test_several_pins_side_by_side():
    app = open_app("pins", pins=[PIN, "deep = RBP(rho=0.99)", "graded = nDCG@10"], against="deep")
    assert not app.exception
    c = ec.load(SAMPLE)
    texts = {"patient": "uRBPgr(rho=0.95)", "deep": "RBP(rho=0.99)", "graded": "nDCG@10"}
    means = {name: ec.evaluate(text, c).mean() for name, text in texts.items()}
    agreement, side_by_side = app.dataframe[0].value, app.dataframe[1].value
    assert list(agreement) == ["τ", "τ_AP", "first"]
    each = ("rank", "share first", "rank from", "rank to")
    assert list(side_by_side) == [*texts, *(f"{what} by {name}" for name in texts for what in each)]
    for name, one in means.items():
        assert agreement.loc[name, "τ"] == pytest.approx(ec.tau(means["deep"], one))
        assert agreement.loc[name, "τ_AP"] == pytest.approx(ec.tau_ap(one, means["deep"]))
        assert agreement.loc[name, "first"] == one.idxmax()
        assert side_by_side[name].to_dict() == pytest.approx(one.to_dict())
        assert side_by_side[f"rank by {name}"].to_dict() == ec.ranks(one).to_dict()
    assert side_by_side["rank by patient"].is_monotonic_increasing


def test_a_pin_that_does_not_fit_the_collection_is_reported_and_left_out():
    app = open_app("pins", pins=['odd = AP(aspect="colour")', "deep = RBP(rho=0.99)"])
    assert not app.exception
    assert any("odd does not fit this collection" in warning.value for warning in app.warning)
    assert list(app.dataframe[0].value.index) == ["deep"]


def test_a_measure_is_kept_from_the_page_itself():
    app = open_app("pins", keep="nDCG@5")
    next(button for button in app.button if button.label == "Pin this setting").click().run()
    assert app.multiselect(key="pins").value == ["pin 1 = nDCG@5"]
    assert list(app.dataframe[0].value.index) == ["pin 1"]
