"""Two measures at every depth of their readers."""

from __future__ import annotations

import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.errors import InputError


@pytest.fixture(scope="module")
def collection():
    return ec.load(SAMPLE)


def test_each_pair_is_the_tau_of_both_measures_at_its_depths(collection):
    taus = ec.depth_taus("RBP", "P", [2, 5, 10], collection)
    x, y = (ec.evaluate(text, collection).mean() for text in ("RBP(rho=0.5)", "P@10"))
    assert taus.loc[2, 10] == pytest.approx(ec.tau(x, y))
    assert taus.shape == (3, 3)


def test_a_measure_without_a_reader_is_refused(collection):
    with pytest.raises(InputError, match="a measure with a user model"):
        ec.depth_taus("RBP", "Bpref", [5], collection)
