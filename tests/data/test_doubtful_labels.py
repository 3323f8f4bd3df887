"""Labels that may mean "cannot judge"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.doubtful_labels import RARE, doubtful_label


def labels(**counts: int) -> np.ndarray:
    """So many of each label: labels(_0=3, _9=1)."""
    return np.repeat([float(name[1:]) for name in counts], list(counts.values()))


@pytest.mark.parametrize("top", [9, 99])
def test_a_code_far_above_the_scale(top: int):
    found = doubtful_label(labels(_0=9, _1=5, _2=3, **{f"_{top}": 3}))
    assert found == (top, "stands far above the others, 0 to 2")


def test_what_stands_at_twice_the_range_above_is_no_code():
    assert doubtful_label(labels(_0=9, _1=5, _3=3)) is None
    assert doubtful_label(labels(_0=9, _1=5, _4=3)) is not None


def test_a_label_far_rarer_than_the_one_below_it():
    assert doubtful_label(labels(_0=90, _1=RARE * 2, _2=2)) == (2, "was given 2 times, 1 40 times")
    assert doubtful_label(labels(_0=90, _1=RARE * 2 - 1, _2=2)) is None


def test_a_code_that_a_track_documented():
    even = labels(_0=9, _1=9, _2=9, _3=9)
    found = doubtful_label(even, "qcred.CHS.2021.txt")
    assert found == (3.0, "means that in CLEF eHealth 2021, Consumer Health Search")
    assert doubtful_label(even, "qcred.2021.txt") is None
    assert doubtful_label(even) is None


def test_labels_below_0_are_not_judged_anyway():
    assert doubtful_label(labels(**{"_-9": 1, "_0": 3, "_1": 3, "_2": 3})) is None


@given(st.lists(st.integers(0, 1), max_size=30))
def test_of_two_labels_the_top_one_is_the_good_one(values):
    assert doubtful_label(np.array(values, dtype=float)) is None


def test_numbers_without_steps_have_no_code():
    assert doubtful_label(np.array([*range(40), 900.0])) is None
