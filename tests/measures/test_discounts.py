from __future__ import annotations

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.measures.parts.discounts import Discount, Flat, Geometric, Logarithmic, Reciprocal
from evalcore.notation.values import Value


@pytest.mark.parametrize(
    ("discount", "weights", "latex"),
    [
        (Geometric(rho=0.5), [1, 0.5, 0.25], "0.5^{k - 1}"),
        (Logarithmic(), [1, 1 / np.log2(3), 0.5], r"\frac{1}{\log_2\left(1 + k\right)}"),
        (Reciprocal(), [1, 1 / 2, 1 / 3], r"\frac{1}{k}"),
        (Flat(), [1, 1, 1], "1"),
    ],
)
def test_weights_and_formula(discount, weights, latex):
    np.testing.assert_allclose(discount.of(3), weights)
    assert discount.latex() == latex
    assert discount.mass(3) == pytest.approx(sum(weights))
    assert discount.of(0).shape == (0,)


@pytest.mark.parametrize("cls", [cls for cls in Value.registry.values() if issubclass(cls, Discount)])
def test_every_discount_begins_at_one_and_never_rises(cls):
    weights = cls().of(50)
    assert weights[0] == 1
    assert (np.diff(weights) <= 0).all()


def test_the_total_weight_of_all_ranks():
    assert Geometric(rho=0.75).mass(None) == 4
    assert Geometric(rho=0.75).mass(None) == pytest.approx(Geometric(rho=0.75).mass(1000))
    assert Geometric(rho=0.75).latex_per_mass() == "1 - 0.75"
    with pytest.raises(InputError, match=r"^Logarithmic: expected a cut-off"):
        Logarithmic().mass(None)


@pytest.mark.parametrize("rho", [0, 1, -0.5, 2])
def test_rho_lies_inside_the_unit_interval(rho):
    with pytest.raises(InputError, match=rf"Geometric\(rho=...\): expected a number in \(0, 1\), found {rho}"):
        Geometric(rho=rho)
