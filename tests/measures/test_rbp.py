from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections

from evalcore.errors import InputError
from evalcore.measures import RBP, GradedRBP, parse

cutoffs = st.none() | st.integers(1, 9)


def test_rbp_by_hand():
    assert RBP(rho=0.5).of([1, 0, 1]) == 0.625
    assert RBP(rho=0.5, cutoff=2).of([1, 0, 1]) == 0.5
    assert RBP(rho=0.5, rel=2).of([1, 2]) == 0.25
    assert RBP(rho=0.5).of([None, 1]) == 0.25
    assert RBP(rho=0.5).of([]) == 0


def test_the_formula_of_rbp():
    assert RBP(rho=0.8).latex() == (
        r"\mathrm{RBP} = (1 - 0.8) \sum_{k=1}^{K} 0.8^{k - 1} \cdot \left[\, \mathrm{relevance}_k > 0 \,\right]"
    )


def test_the_name_of_the_parameter_in_ir_measures_is_read():
    assert parse("RBP(p=0.5)") == RBP(rho=0.5)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"rho": 1}, r"^RBP\(rho=...\): expected a number in \(0, 1\), found 1"),
        ({"rho": "high"}, r'^RBP\(rho=...\): expected a number in \(0, 1\), found "high"'),
        ({"rho": None}, r"^RBP\(rho=...\): expected a number, found 'None'"),
        ({"cutoff": 0}, r"^RBP\(cutoff=...\): expected a number in \[1, 1e\+06\], found 0"),
        ({"cutoff": 2.5}, r"^RBP\(cutoff=...\): expected a whole number or None, found '2.5'"),
        ({"rel": float("nan")}, r"^RBP\(rel=...\): expected a number or None, found 'nan'"),
        ({"aspect": 3}, r"^RBP\(aspect=...\): expected a string, found '3'"),
    ],
)
def test_invalid_parameters_are_refused(given_, message):
    with pytest.raises(InputError, match=message):
        RBP(**given_)


def test_an_unknown_aspect_names_those_there_are():
    small = Small(({"d": {"relevance": 1.0}},), ((("d",),),))
    with pytest.raises(InputError, match=r"\(relevance\), found 'usefulness'"):
        small.scores(RBP(aspect="usefulness"))


@given(collections())
def test_graded_rbp_is_the_equivalent_gain_discount(small):
    same = parse("GainDiscount(gain=Share, discount=Geometric(rho=0.5), normaliser=Mass(all_ranks=True))")
    np.testing.assert_allclose(small.scores(GradedRBP(rho=0.5)), small.scores(same), atol=1e-12)
