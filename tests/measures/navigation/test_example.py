"""Section 6.1 line by line: what the library computes is what `evalcore.reference` calls right."""

from __future__ import annotations

import pytest

import evalcore as ec
from evalcore.measures.navigation.cumulated import below
from evalcore.measures.navigation.scenes import journey, scenes
from evalcore.reference.browsing_example import LINES, example


@pytest.mark.parametrize("line", [line for line in LINES if line.measure], ids=lambda line: line.what)
def test_each_line(line):
    score = float(ec.evaluate(line.measure, example()).iloc[0, 0])
    assert [score] * len(line.right) == pytest.approx(list(line.right), abs=1e-12)


def test_chances_of_less_than_gain_1():
    collection = example()
    (scene,) = scenes(collection, ec.parse("ep(navigation=Browse)").users)
    line = next(line for line in LINES if not line.measure)
    assert below(journey(scene, scene.lists[0]), [1.0]).ravel().tolist() == pytest.approx(list(line.right))


def test_what_is_printed_and_not_right_is_remarked():
    assert all(line.remark for line in LINES if line.printed != line.right)
