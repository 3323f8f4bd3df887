"""Measures by the names that papers give them."""

from __future__ import annotations

import pytest

import evalcore as ec
from evalcore.measures import Measure
from evalcore.notation.paper_names import NAMES
from evalcore.notation.values import Value


def test_each_name_is_of_a_measure(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(str(name)):
            assert issubclass(Value.registry[NAMES[name]], Measure)
            assert ec.parse(name) == ec.parse(NAMES[name])


def test_parameters_and_cutoffs_stay() -> None:
    assert str(ec.parse("α-nDCG(alpha=0.3)@5")) == "alphanDCG(alpha=0.3)@5"
    assert str(ec.parse("P-IA@5")) == "IA(P@5)"


@pytest.mark.parametrize("text", ["x-IA", "D#-", "A-B", "AP-IA-IA", "P-"])
def test_what_is_no_name_is_refused_as_it_stands(text: str) -> None:
    with pytest.raises(ec.InputError):
        ec.parse(text)
