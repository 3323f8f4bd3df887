"""The page Measures, run without a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from odd_support import write
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import open_app, shown_items
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
    """The measure that the page shows, as text."""
    found: str = next(block.value for block in app.code if block.value.startswith("GainDiscount"))
    return found


@pytest.mark.parametrize("known", KNOWN)
def test_every_known_measure_is_the_sum_of_its_parts(known: str) -> None:
    app = open_page(start=known)
    assert not app.exception
    assert "The two are one measure" in text(app)
    assert app.selectbox(key="measures.start").value == known
    assert app.selectbox(key="measures.other").value == known


def test_any_known_measure_that_is_such_a_sum_can_be_started_from() -> None:
    assert sorted(open_page().selectbox(key="measures.start").options) == sorted(map(reading_name, KNOWN))


def test_another_part_makes_another_measure(sample: ec.Collection) -> None:
    app = open_page(start="nDCG", gain="Exponential")
    assert "The two are one measure" not in text(app)
    assert app.selectbox(key="measures.start").value == "your own"
    x, y = (ec.evaluate(one, sample).mean() for one in ("nDCG", 'nDCG(dcg="exp-log2")'))
    assert f"Kendall's tau_b {ec.tau(x, y):.3f}; τ_AP with reference nDCG: {ec.tau_ap(y, x):.3f}." in text(app)


def test_parts_that_make_a_known_measure_are_called_so() -> None:
    assert open_page(start="nDCG", normaliser="Unnormalised").selectbox(key="measures.start").value == "DCG"


def test_starting_anew_sets_all_parts() -> None:
    app = open_page(gain="Exponential", cutoff="7", discount="Geometric(rho=0.3)")
    app.selectbox(key="measures.start").set_value("P@10").run()
    assert built(app) == "GainDiscount(gain=Positive, discount=Flat, normaliser=Mass)@10"
    assert "The two are one measure" in text(app)


def test_the_same_means_on_other_topics_are_not_one_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "odd", "nothing relevant")
    (folder / "qrels.txt").write_text("1 0 a 1\n2 0 b 1\n")
    for system in ("one", "two", "three", "four"):
        (folder / "runs" / f"{system}.run").write_text("1 Q0 a 1 9 s\n1 Q0 b 2 8 s\n2 Q0 a 1 9 s\n2 Q0 c 2 8 s\n")
    (folder / "qread.txt").write_text("1 0 b 1\n2 0 a 1\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_page(start="P@10", other='P(aspect="understandability")@10')  # one relevant document a topic, at rank 1
    assert not app.exception
    assert "The two are one measure" not in text(app)


def test_parameters_of_the_parts_are_set(sample: ec.Collection) -> None:
    app = open_page(start="nDCG")
    app.selectbox(key="measures.discount").set_value("Geometric").run()
    app.slider(key="measures.discount.rho").set_value(0.3).run()
    app.selectbox(key="measures.gain").set_value("Table").run()
    app.slider(key="measures.gain.gains.1").set_value(0.9).run()
    expected = "GainDiscount(gain=Table(gains=[0, 0.9, 1]), discount=Geometric(rho=0.3), normaliser=Ideal)"
    assert built(app) == expected
    x, y = (ec.evaluate(one, sample).mean() for one in ("nDCG", expected))
    assert f"Kendall's tau_b {ec.tau(x, y):.3f}" in text(app)


@pytest.mark.parametrize(
    ("gain", "message", "kept"),
    [
        ("Step(at=7)", "as at one of 1, 2", "Step(at=1)"),
        ("Table(gains=[0, 1])", "as gains 3 numbers", "Table(gains=[0, 0.5, 1])"),
        ("Probability(max=1)", "as max a number from 2 to 100", "Probability"),
    ],
)
def test_of_a_gain_whose_parameter_does_not_fit_its_kind_is_kept(gain: str, message: str, kept: str) -> None:
    app = open_page(gain=gain)
    assert message in app.warning[0].value.replace("\\", "")
    assert f"gain={kept}," in built(app)


def test_parts_that_make_no_measure_are_explained_in_place() -> None:
    app = open_page(discount="Flat", normaliser="Mass")
    assert not app.exception
    assert "expected a cut-off" in app.error[0].value.replace("\\", "")
    assert app.slider(key="measures.cutoff").value == 0


@pytest.mark.parametrize("other", ["AP", "ERR@20", "TOMA(nDCG)", "CAM(nDCG)", "uRBP1(threshold=12)", "NLRE"])
def test_any_measure_may_stand_beside(other: str) -> None:
    app = open_page(other=other)
    assert not app.exception
    assert not app.error


@dataclass(frozen=True)
class _Late(Gain, abstract=True):
    """The grade, this many times."""

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
    app = open_page(start="DCG")
    app.selectbox(key="measures.gain").set_value("_Late").run()
    slider = app.slider(key="measures.gain.times")
    assert (slider.min, slider.max, slider.step, slider.value) == (1, 5, 0.5, 2)
    assert slider.help == "How many times the grade"
    slider.set_value(3.0).run()
    assert "gain=_Late(times=3)" in built(app)
    assert "Kendall's tau_b 1.000" in text(app)


@pytest.mark.parametrize("curve", ["C, goes on", "W, attention", "L, last"])
def test_curves_of_both_readers_stand_beside_the_gain(curve: str) -> None:
    app = open_page(curve=curve, other="INST")
    assert not app.exception
    _, curves = next(one for one in shown_items(app) if one[0].endswith("by rank"))
    assert [line.name for line in curves.data] == ["the measure built here", "INST"]


def test_numbers_of_both_readers_stand_below_their_curves(sample: ec.Collection) -> None:
    app = open_page(curve="W, attention", other="INST")
    table = next(frame.value for frame in app.dataframe if "total utility" in frame.value)
    expected = ec.user_model("INST").means(sample).mean()
    assert table.T["INST"].to_dict() == pytest.approx(expected.to_dict())
    assert table.loc["the measure built here", "depth"] == pytest.approx(5)  # 1 / (1 - 0.8)


def test_one_depth_sets_both_measures(sample: ec.Collection) -> None:
    app = open_page(start="RBP(rho=0.5)", other="INSQ", depth="5")
    assert not app.exception
    assert built(app) == "GainDiscount(gain=Positive, discount=Geometric(rho=0.8), normaliser=Mass(all_ranks=True))"
    assert "5.0 ranks by the measure built here and 5.0 ranks by INSQ" in text(app)
    x, y = (ec.evaluate(one, sample).mean() for one in ("RBP(rho=0.8)", ec.at_depth("INSQ", 5)))
    assert f"Kendall's tau_b {ec.tau(x, y):.3f}" in text(app)


def test_how_alike_two_measures_are_at_every_depth_of_their_readers(sample: ec.Collection) -> None:
    """The map is of the measures as they are, wherever the slider of the depth stands."""
    app = open_page(curve="τ by depths", other="INSQ", depth="5")
    assert not app.exception
    assert not app.error
    _, figure = next(one for one in shown_items(app) if "every pair of expected depths" in one[0])
    as_it_is = "GainDiscount(gain=Positive, discount=Geometric(rho=0.8), normaliser=Mass(all_ranks=True))"
    taus = ec.depth_taus(as_it_is, "INSQ", [5], sample)
    at = list(figure.data[0].x).index("5")
    assert np.array(figure.data[0].z, dtype=float)[at, at] == pytest.approx(taus.iloc[0, 0])


def test_a_measure_without_a_reader_has_no_depths() -> None:
    app = open_page(curve="τ by depths", other="Bpref")
    assert any("has no reader whose depth could be set" in info.value for info in app.info)
