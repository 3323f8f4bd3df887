"""Ideal lists: by gain, and greedy."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from navigation.small_graphs import graph, graphs, reached, users

from evalcore.common.arrays import IntArray
from evalcore.navigation.ideals import expected_effort, gain_list, greedy_list
from evalcore.navigation.topic_graphs import TopicGraph, traverse


def effort_of(topic: TopicGraph, order: object, level: float) -> float:
    return float(expected_effort(traverse(topic, np.asarray(order, dtype=int)), np.array([level]))[0])


def test_of_components_with_equal_gain_the_cheaper_comes_first():
    topic = graph({}, [2.0, 3.0, 2.0, 3.0], [1.0, 2.0, 0.5, 1.0], [])
    assert gain_list(topic).tolist() == [3, 1, 2, 0]


@given(graphs())
def test_both_ideal_lists_reach_all_gain_and_list_nothing_twice(topic):
    for order in (gain_list(topic), greedy_list(topic)):
        assert len(set(order.tolist())) == len(order)
        assert np.isfinite(effort_of(topic, order, topic.total))
        assert set(order.tolist()) <= set(candidates(topic).tolist())


@given(topic=graphs(), share=st.floats(0.1, 1))
def test_the_effort_of_every_order_equals_enumeration_of_its_users(topic, share):
    """Every order of the candidates is compared by enumerating its users, if there are few candidates."""
    level, choice = share * topic.total, candidates(topic)
    assume(len(choice) <= 4)
    for order in permutations(choice.tolist()):
        listed = TopicGraph(topic.gains, topic.target, topic.reach, topic.consulting, (np.array(order, dtype=int),))
        slow = 0.0
        for chance, user in users(listed):
            at = reached(user, level)
            slow += chance * (np.inf if at is None else user.ce[at])
        assert effort_of(topic, order, level) == pytest.approx(slow)


def candidates(topic: TopicGraph) -> IntArray:
    """Return the components that lead to one with a gain, or have one."""
    return np.flatnonzero(np.diff(topic.reach.indptr))


def test_the_greedy_list_can_be_cheaper_than_the_list_by_gain():
    """To reach level 3, the best component costs 2, but two others, which a cheap hub shows together, cost 1."""
    topic = graph({(3, 1): 1.0, (3, 2): 1.0}, [3.0, 2.0, 2.0], [2.0, 1.0, 1.0, 1.0], [])
    assert effort_of(topic, gain_list(topic), 3.0) == 2.0
    assert effort_of(topic, greedy_list(topic), 3.0) == 1.0
