"""Examples by hand: the library's score is what the sum with its numbers gives."""

from __future__ import annotations

import math

import pytest

import evalcore as ec
from evalcore.teaching.papers.by_hand import hand_examples

EXAMPLES = hand_examples()


def score(name: str) -> float:
    one = EXAMPLES[name]
    return float(ec.evaluate(one.measure, one.collection).to_numpy()[0, 0])


def test_the_score_is_the_sum(subtests):
    for name in EXAMPLES:
        with subtests.test(str(name)):
            text = " ".join(EXAMPLES[name].sum.split()).replace("^", "**")
            assert score(name) == pytest.approx(eval(text, {"log2": math.log2, "ln": math.log}), abs=1e-12)


def test_the_score_of_jarvelin_and_kekalainen_is_the_printed_one():
    """2002: of the ideal 11.83 at rank 10 the ranking has 9.61."""
    assert round(score("nDCGb"), 2) == round(9.61 / 11.83, 2)


def test_examples_stand_by_family():
    families = [one.family for one in EXAMPLES.values()]
    assert sorted(families, key=list(dict.fromkeys(families)).index) == families
