"""Section 6.1 line by line: the library computes the values that `evalcore.reference` gives as right."""

from __future__ import annotations

import numpy as np
import pytest
from navigation.small_graphs import score_on, users_of

from evalcore.navigation.cumulated_gain import below
from evalcore.navigation.paper_example import computed_lines, example, lines
from evalcore.navigation.topic_graphs import topic_graphs, traverse


@pytest.mark.parametrize("line", [line for line in lines() if line.measure], ids=lambda line: line.what)
def test_each_line_of_section_6_1_is_computed(line):
    score = score_on(line.measure, example())
    assert [score] * len(line.right) == pytest.approx(list(line.right), abs=1e-12)


def test_the_probability_of_a_gain_below_1_in_section_6_1():
    collection = example()
    (graph,) = topic_graphs(collection, users_of("ep(navigation=Browse)"))
    line = next(line for line in lines() if not line.measure)
    assert below(traverse(graph, graph.lists[0]), np.array([1.0])).ravel().tolist() == pytest.approx(list(line.right))


def test_printed_values_that_are_wrong_have_a_remark():
    assert all(line.remark for line in lines() if line.printed != line.right)


@pytest.mark.parametrize(("first", "second"), [(0.4, 0.3), (0.75, 0.1), (0.0, 1.0), (1.0, 0.5)])
def test_other_shares_of_users_equal_a_count_of_users(first, second):
    """Each line is counted over users who see d3 at the first, second or third rank."""
    at_rank = [first, (1 - first) * second, (1 - first) * (1 - second)]
    inverse = sum(share / rank for rank, share in enumerate(at_rank, start=1))
    effort = sum(share * rank for rank, share in enumerate(at_rank, start=1))
    found = {line.what: (line.right, score) for line, score in computed_lines(first, second)}
    for rank in (1, 2, 3):
        assert found[f"d3 is seen after rank {rank}"][1] == pytest.approx(sum(at_rank[:rank]))
    assert found["expected inverse effort"][1] == pytest.approx(inverse)
    assert found["expected effort"][1] == pytest.approx(effort)
    assert found["effort-precision"][1] == pytest.approx(inverse)
    for right, score in found.values():
        assert score is None or list(right) == pytest.approx([score] * len(right))
