from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError
from evalcore.measures import TOMA, Measure, evaluate, nDCG, parse, suggestions
from evalcore.sensitivity import parameter_of, parameters_of, with_path, written_out
from evalcore.structures.documents import Scale

Ends = Any  # value, low, high, levels


def ends(text: str, collection: ec.Collection) -> dict[str, Ends]:
    return {one.path: (one.value, one.low, one.high, one.levels) for one in parameters_of(text, collection)}


def test_ends_come_from_the_declared_range(few):
    assert ends("RBP(rho=0.5)", few)["rho"] == (0.5, 0.01, 0.99, ())
    assert ends("uRBPgr", few)["gains[1]"] == (0.4, 0, 1, ())
    assert ends("TOMA(nDCG, weights=GeometricWeights)", few)["weights.factor"] == (2, 1.5, 10, ())


def test_a_border_between_grades_has_the_upper_grades_as_levels(few):
    assert ends("RBP", few)["rel"] == (1, 1, 2, (1, 2))
    assert ends("uRBP", few)["threshold"] == (2, 1, 3, (1, 2, 3))  # None: the upper half of 0 to 3
    assert ends("CAM(AP)", few)["base.rel"] == (1, 1, 3, (1, 2, 3))  # read on both aspects
    assert ends("GainDiscount(gain=Step(at=2))", few)["gain.at"] == (2, 1, 2, (1, 2))


def test_a_border_on_a_signal_lies_between_its_values(few):
    labels = few.assessments.frame().set_index("document")[["relevance"]].assign(fog=np.linspace(5, 20, 12))
    labels.iloc[3, 1] = np.nan
    signals = [Scale("fog", kind="signal", good="low")]
    readable = small_collection(labels, {"s": list(labels.index)}, signals)
    assert ends("uRBP1(threshold=9)", readable)["threshold"] == (9, 5, 20, ())
    assert ends("uRBP2(threshold=9)", readable)["threshold"] == (9, 5, 20, ())
    product = ends('Product(AP, gains={"relevance": Share, "fog": Step(at=9)})', readable)
    assert product['gains["fog"].at'] == (9, 5, 20, ())
    assert product['exponents["fog"]'] == (1, 0, 4, ())
    assert "base.rel" not in product  # the base of a product is given its gains


def test_a_smooth_border_may_lie_between_grades(few):
    assert ends('uRBP2(aspect="understandability", threshold=1)', few)["threshold"] == (1, 0, 3, ())
    assert ends('uRBP2(aspect="understandability", threshold=1)', few)["rel"] == (1, 1, 2, (1, 2))


def test_weights_go_from_0_to_four_times_the_largest(few):
    assert ends("CAM(nDCG)", few)["weights[0]"] == (1, 0, 4, ())
    assert ends("MM(nDCG, weights=[0.25, 0.75])", few)["weights[0]"] == (0.25, 0, 3, ())


def test_a_cutoff_goes_down_to_the_longest_ranking(few):
    assert ends("nDCG", few)["cutoff"] == (None, 1, 8, (1, 2, 3, 4, 5, 6, 7, 8))
    assert ends("P@3", few)["cutoff"] == (3, 1, 8, (1, 2, 3, 4, 5, 6, 7, 8))
    assert parameter_of("P@10", "cutoff", few).high == 10  # where it stands now


@pytest.mark.parametrize("embedding", ["equal ranges", "equal steps"])
def test_positions_written_out_are_the_same_measure_on_scales_of_any_length(embedding):
    table = pd.DataFrame({"a": [0, 1, 1, 2], "b": [9, 0, 4, 5], "c": [3, 14, 1, 7]}, index=list("wxyz"))
    scales = [Scale(name, grades=tuple(range(count))) for name, count in (("a", 3), ("b", 10), ("c", 15))]
    orders = {"".join(order): list(order) for order in permutations("wxyz")}
    collection = small_collection(table, orders, scales)
    measure = TOMA(nDCG(), aspects=("a", "b", "c"), embedding=embedding)
    written = written_out(measure, collection)
    pd.testing.assert_frame_equal(evaluate(written, collection), evaluate(measure, collection))
    offered = [one.path for one in parameters_of(measure, collection) if one.path.startswith("embedding")]
    assert offered == [f'embedding["a"][{place}]' for place in range(3)]  # ten labels and more are not moved singly


def test_positions_and_class_weights_stay_in_order(few):
    found = ends('TOMA(nDCG, aspects=["relevance", "credibility"], embedding={"credibility": [0, 1, 5]})', few)
    assert found['embedding["relevance"][1]'] == (1, 0.5, 1.5, ())
    assert found['embedding["credibility"][2]'] == (5, 3, 7, ())
    classes = 'TOMA(nDCG, aspects=["relevance"], weights=CustomWeights(weights=[0, 2, 3]))'
    assert ends(classes, few)["weights.weights[0]"] == (0, 0, 1, ())
    assert ends(classes, few)["weights.weights[1]"] == (2, 1, 2.5, ())


def test_the_highest_grade_goes_up_from_that_of_the_scale(few):
    assert ends("ERR", few)["max_rel"] == (2, 2, 4, ())
    assert ends("ERR(max_rel=9)", few)["max_rel"] == (9, 2, 9, ())


def test_a_number_without_any_end_cannot_be_offered_but_followed(few):
    labels = pd.DataFrame({"relevance": [1.0]}, index=["a"])
    collection = small_collection(labels, {"s": ["a"]})
    assert "rel" not in ends("RBP", collection)
    assert parameter_of("RBP", "rel", collection).levels == (1,)
    with pytest.raises(InputError, match=r"expected a parameter \(rho, rel, cutoff\), found 'phi'"):
        parameter_of("RBP", "phi", few)


def test_writing_out_changes_no_score(few):
    assert len(suggestions(few)) > 3
    for listed in suggestions(few).values():
        for measure in listed:
            pd.testing.assert_frame_equal(ec.evaluate(written_out(measure, few), few), ec.evaluate(measure, few))


@pytest.mark.slow
def test_every_end_of_every_suggested_measure_is_a_measure(few):
    for listed in suggestions(few).values():
        for measure in listed:
            _scores_at_both_ends(measure, few)


@pytest.mark.parametrize("text", [
    "Q", "Compat",
    'TOMA(AP, aspects=["relevance"], distance=Minkowski, weights=CustomWeights(weights=[0, 1, 2]))',
])  # fmt: skip
def test_every_end_of_others_too(text, few):
    _scores_at_both_ends(parse(text), few)


def _scores_at_both_ends(measure: Measure, collection: ec.Collection) -> None:
    full = written_out(measure, collection)
    for one in parameters_of(measure, collection):
        for value in (one.low, one.high):
            assert np.isfinite(ec.evaluate(with_path(full, one.path, value), collection).to_numpy()).all()


def test_narrower_ends(few):
    rel = parameter_of("CAM(AP)", "base.rel", few)
    assert rel.within(1.5, 9).levels == (2, 3)
    with pytest.raises(InputError, match=r"base.rel: expected values of 1 to 3, found 5 to 9"):
        rel.within(5, 9)
    assert parameter_of("RBP", "rho", few).within(0.2, 0.4).values(3) == [0.2, 0.3, 0.4]


def test_a_weight_is_called_by_what_it_weighs(few):
    names = {one.path: one.reading for one in parameters_of("CAM(RBP(rho=0.8))", few)}
    assert names["weights[1]"] == "weight of understandability"
    assert names["base.rho"] == "base.ρ"
    parts = {
        one.path: one.reading for one in parameters_of("CAM([nDCG, RBP(rho=0.5, aspect='understandability')])", few)
    }
    assert parts["weights[1]"] == "weight of RBP, ρ = .5, aspect = understandability"
