"""Section 6.1 line by line: what the library computes is what `evalcore.reference` calls right."""

from __future__ import annotations

import numpy as np
import pytest
from navigation.small_graphs import score_on, users_of

from evalcore.navigation.cumulated import below
from evalcore.navigation.example import LINES, example
from evalcore.navigation.topic_graphs import topic_graphs, traverse


@pytest.mark.parametrize("line", [line for line in LINES if line.measure], ids=lambda line: line.what)
def test_each_line(line):
    score = score_on(line.measure, example())
    assert [score] * len(line.right) == pytest.approx(list(line.right), abs=1e-12)


def test_chances_of_less_than_gain_1():
    collection = example()
    (graph,) = topic_graphs(collection, users_of("ep(navigation=Browse)"))
    line = next(line for line in LINES if not line.measure)
    assert below(traverse(graph, graph.lists[0]), np.array([1.0])).ravel().tolist() == pytest.approx(list(line.right))


def test_what_is_printed_and_not_right_is_remarked():
    assert all(line.remark for line in LINES if line.printed != line.right)
