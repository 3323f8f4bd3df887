"""The user model of a measure: curves, numbers, and the parameter that gives a depth."""

from __future__ import annotations

import numpy as np
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.errors import InputError
from evalcore.measures import Measure
from evalcore.measures.cwl.user_models import NUMBERS, has_user_model
from evalcore.notation.values import Value

MEASURES = [cls() for cls in Value.registry.values() if issubclass(cls, Measure) and "evalcore" in cls.__module__]
WITH_READERS = [one for one in MEASURES if has_user_model(one)]


@pytest.fixture(scope="module")
def collection():
    return ec.restrict(ec.load(SAMPLE), topics=ec.load(SAMPLE).topics[:4])


def test_measures_with_a_user_model_are_known():
    names = {type(one).__name__ for one in WITH_READERS}
    assert {"RBP", "P", "nDCG", "DCG", "RR", "AP", "ERR", "INST", "TOMA", "Product", "uRBP"} < names
    assert not {"Bpref", "infAP", "CAM", "MM", "Rprec", "R", "iP", "ep"} & names


def test_the_curves_of_a_user_model_are_distributions(subtests):
    """C, W and L of every user model lie between 0 and 1; W sums to 1, and L to 1 if all readers stop somewhere."""
    for measure in WITH_READERS:
        with subtests.test(str(measure)):
            lists = [[1, 0, None, 2]] * len(measure.columns)
            reading = ec.user_model(measure, horizon=30).of(*lists)
            for curve in (reading.continuation, reading.weight, reading.last):
                assert curve.shape == (30,)
                assert ((curve >= 0) & (curve <= 1 + 1e-12)).all()
            assert reading.weight.sum() == pytest.approx(1)
            assert reading.depth == pytest.approx(1 / reading.weight[0])
            assert reading.last.sum() <= 1 + 1e-12


def test_total_utility_is_the_gain_found_before_stopping():
    """Readers of P@3 read three ranks for certain, and find two useful documents there."""
    reading = ec.user_model("P@3").of([1, 1, 0, 1])
    assert (reading.utility, reading.total_utility, reading.total_cost) == (pytest.approx(2 / 3), 2, 3)


def test_user_models_read_the_labels_of_a_source():
    model = ec.user_model('RBP(rho=0.5, source="umbrela")')
    assert model.source == "umbrela"


def test_numbers_of_user_models_are_frames(collection):
    numbers = ec.user_model("RBP").numbers(collection, residual=True)
    assert tuple(numbers) == NUMBERS
    assert numbers["utility"].shape == (4, 32)
    np.testing.assert_allclose(numbers["utility"], ec.residual("RBP", collection), atol=1e-9)


def test_curves_are_means_over_rankings(collection):
    curves = ec.user_model("RR").curves(collection, ranks=5)
    numbers = ec.user_model("RR").numbers(collection)
    assert list(curves) == ["continuation", "weight", "last"]
    assert curves["weight"].iloc[0] == pytest.approx((1 / numbers["depth"]).to_numpy().mean())
    assert ec.user_model("P@3").curves(collection, 4)["continuation"].tolist() == [1, 1, 0, 0]


NO_READER = {
    "Bpref": "a measure with a user model",
    "CAM(nDCG)": "a measure with a user model",
    "P(judged_only=True)@5": "judged_only=True",
}


@pytest.mark.parametrize(("text", "problem"), NO_READER.items())
def test_measures_without_a_user_model_are_refused(text, problem):
    with pytest.raises(InputError, match=problem):
        ec.user_model(text)
