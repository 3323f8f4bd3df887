"""The page Measures, run without a browser."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import metric, open_app
from evalcore.data import Scale
from evalcore.measures.parts.gains import Gain
from evalcore.notation.display_names import reading_name
from evalcore.notation.formula import Formula
from evalcore.notation.values import Range, Value, parameter

KNOWN = ["RBP(rho=0.8)", "GradedRBP(rho=0.8)", "DCG", "nDCG", "P@10", "ERRlike", "nDCGb"]


def open_page(**link: object) -> AppTest:
    return open_app("measures", **link)


def text(app: AppTest) -> str:
    return "\n".join(str(one.value) for one in (*app.markdown, *app.caption)).replace("\\", "").replace("**", "")


def built(app: AppTest) -> str:
    """Return the measure on the page, as text."""
    found: str = next(block.value for block in app.code if block.value.startswith("GainDiscount"))
    return found


@pytest.mark.parametrize("known", KNOWN)
def test_every_known_measure_is_the_sum_of_its_parts(known: str) -> None:
    app = open_page(start=known, look="Scatter", other=known)
    assert not app.exception
    assert metric(app, "τ") == "1.000"
    assert app.selectbox(key="measures.start").value == known
    own, alone = scores(app, built(app)), scores(app, known)
    assert own.to_dict() == pytest.approx(alone.to_dict())


def scores(app: AppTest, name: str) -> pd.Series:
    """Return the mean scores under a measure, as in the table."""
    table = next(one.value for one in app.dataframe if f"rank by {name}" in one.value)
    return table[name]


@pytest.mark.parametrize("known", KNOWN)
def test_a_built_measure_is_compared_with_another_one(known: str) -> None:
    assert open_page(start=known, look="Scatter").selectbox(key="measures.other").value != known


def test_any_known_sum_of_gains_and_discounts_can_be_the_starting_point() -> None:
    assert sorted(open_page().selectbox(key="measures.start").options) == sorted(map(reading_name, KNOWN))


def test_another_part_makes_another_measure(sample: ec.Collection) -> None:
    app = open_page(start="nDCG", gain="Exponential", look="Scatter", other="nDCG")
    assert app.selectbox(key="measures.start").value == "your own"
    x, y = (ec.evaluate(one, sample).mean() for one in ("nDCG", 'nDCG(dcg="exp-log2")'))
    assert (metric(app, "τ"), metric(app, "τ_AP")) == (f"{ec.tau(x, y):.3f}", f"{ec.tau_ap(y, x):.3f}")


def test_parts_that_equal_a_known_measure_show_its_name() -> None:
    assert open_page(start="nDCG", normaliser="Unnormalised").selectbox(key="measures.start").value == "DCG"


def test_a_new_starting_point_sets_all_parts() -> None:
    app = open_page(gain="Exponential", cutoff="7", discount="Geometric(rho=0.3)")
    app.selectbox(key="measures.start").set_value("P@10").run()
    assert built(app) == "GainDiscount(gain=Positive, discount=Flat, normaliser=Mass)@10"


def test_parameters_of_the_parts_are_set(sample: ec.Collection) -> None:
    app = open_page(start="nDCG", other="nDCG")
    app.selectbox(key="measures.discount").set_value("Geometric").run()
    app.slider(key="measures.discount.rho").set_value(0.3).run()
    app.selectbox(key="measures.gain").set_value("Table").run()
    app.slider(key="measures.gain.gains.1").set_value(0.9).run()
    expected = "GainDiscount(gain=Table(gains=[0, 0.9, 1]), discount=Geometric(rho=0.3), normaliser=Ideal)"
    assert built(app) == expected
    x, y = (ec.evaluate(one, sample).mean() for one in ("nDCG", expected))
    assert metric(app, "τ") == f"{ec.tau(x, y):.3f}"


@pytest.mark.parametrize(
    ("gain", "message", "kept"),
    [
        ("Step(at=7)", "as at one of 1, 2", "Step(at=1)"),
        ("Table(gains=[0, 1])", "as gains 3 numbers", "Table(gains=[0, 0.5, 1])"),
        ("Probability(max=1)", "as max a number from 2 to 100", "Probability"),
    ],
)
def test_a_parameter_is_kept_if_the_new_gain_has_it_too(gain: str, message: str, kept: str) -> None:
    app = open_page(gain=gain)
    assert message in app.warning[0].value.replace("\\", "")
    assert f"gain={kept}," in built(app)


def test_parts_that_do_not_fit_together_are_explained_in_place() -> None:
    app = open_page(discount="Flat", normaliser="Mass")
    assert not app.exception
    assert "expected a cut-off" in app.error[0].value.replace("\\", "")
    assert app.slider(key="measures.cutoff").value == 0


@pytest.mark.parametrize("other", ["AP", "ERR@20", "TOMA(nDCG)", "CAM(nDCG)", "uRBP1(threshold=12)"])
def test_any_measure_can_be_compared(other: str) -> None:
    app = open_page(other=other, look="Scatter")
    assert not app.exception
    assert not app.error


@dataclass(frozen=True)
class _Late(Gain, abstract=True):
    """Gain equal to the grade multiplied by `times`."""

    times: float = parameter(2.0, "how many times the grade", within=Range(1, 5, step=0.5))

    def formula(self, scale: Scale) -> Formula:
        return Formula("x * times")

    def _constants(self, scale: Scale) -> dict[str, float]:
        return {"times": self.times}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Value.registry, "_Late", _Late)


@pytest.mark.usefixtures("registered")
def test_a_new_gain_is_offered_with_its_parameters() -> None:
    app = open_page(start="DCG", other="DCG")
    app.selectbox(key="measures.gain").set_value("_Late").run()
    slider = app.slider(key="measures.gain.times")
    assert (slider.min, slider.max, slider.step, slider.value) == (1, 5, 0.5, 2)
    assert slider.help == "How many times the grade"
    slider.set_value(3.0).run()
    assert "gain=_Late(times=3)" in built(app)
    assert metric(app, "τ") == "1.000"
