"""P(cg[i] < gr) and results that follow from it: equal to an enumeration of all users."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from navigation.small_graphs import graph, graphs, reached, users

from evalcore.errors import InputError
from evalcore.navigation.cumulated_gain import StepCurve, below, distribution, method_for, news
from evalcore.navigation.ideals import expected_effort, ideal_curve, inverse_effort
from evalcore.navigation.topic_graphs import Traversal, lattice_step, traverse

WAYS = ["auto", "lattice", "enumeration"]
uneven = graphs(st.floats(0.1, 3))


def coins(count: int, chance: float = 0.5, gain: float = 1.0) -> Traversal:
    """Make one rank that shows each of `count` components with the same probability."""
    return traverse(
        graph({(count, c): chance for c in range(count)}, [gain] * count, [1.0] * (count + 1), [count]),
        np.array([count]),
    )


def levels_of(traversal: object) -> np.ndarray:
    total = traversal.total  # type: ignore[attr-defined]
    return np.array([0.3, 1.0, 0.5 * total, total, total + 1])


@pytest.mark.parametrize("way", WAYS)
@given(topic=graphs())
def test_the_probability_of_less_than_a_level_equals_enumeration(way, topic):
    traversal = traverse(topic, topic.lists[0])
    levels = levels_of(topic)
    found = below(traversal, levels, way)
    slow = np.zeros((len(topic.lists[0]), len(levels)))
    for chance, user in users(topic):
        slow += chance * (np.array(user.cg)[:, None] < levels - 1e-9)
    np.testing.assert_allclose(found, slow[traversal.rank - 1], atol=1e-12)


@given(st.one_of(graphs(), uneven))
def test_the_expected_gain_equals_enumeration(topic):
    traversal = traverse(topic, topic.lists[0])
    slow = np.zeros(len(topic.lists[0]))
    for chance, user in users(topic):
        slow += chance * np.array(user.cg)
    np.testing.assert_allclose(traversal.expected, slow[traversal.rank - 1], atol=1e-12)


@pytest.mark.parametrize("way", WAYS)
@given(topic=graphs())
def test_the_distribution_of_gain_equals_enumeration(way, topic):
    traversal = traverse(topic, topic.lists[0])
    sums, table = distribution(traversal, way)
    assert (np.diff(sums) > 0).all()
    for at, rank in enumerate(traversal.rank - 1):
        slow: dict[float, float] = {}
        for chance, user in users(topic):
            slow[float(user.cg[rank])] = slow.get(float(user.cg[rank]), 0.0) + chance
        np.testing.assert_allclose(table[at], [slow.get(float(gain), 0.0) for gain in sums], atol=1e-12)


@given(topic=st.one_of(graphs(), uneven))
def test_the_effort_to_a_level_equals_enumeration(topic):
    traversal = traverse(topic, topic.lists[0])
    levels = levels_of(topic)
    for level, effort, inverse in zip(
        levels, expected_effort(traversal, levels), inverse_effort(traversal, levels), strict=True
    ):
        slow, slow_inverse = 0.0, 0.0
        for chance, user in users(topic):
            at = reached(user, level)
            slow += chance * (np.inf if at is None else user.ce[at])
            slow_inverse += chance * (0.0 if at is None else 1 / user.ce[at])
        assert effort == pytest.approx(slow, abs=1e-12)
        assert inverse == pytest.approx(slow_inverse, abs=1e-12)


@pytest.mark.parametrize("way", WAYS)
@given(topic=graphs())
def test_the_worth_of_newly_seen_components_equals_enumeration(way, topic):
    """The worth is E[sum over c new at i of f(cg[i])], with f the ideal curve."""
    traversal, worth = traverse(topic, topic.lists[0]), ideal_curve(topic)
    slow = np.zeros(len(topic.lists[0]))
    for chance, user in users(topic):
        for at, (gain, new) in enumerate(zip(user.cg, user.news, strict=True)):
            slow[at] += chance * new * (float(worth.at(np.array(gain))) if new else 0.0)
    np.testing.assert_allclose(news([traversal], worth, way)[0], slow[traversal.rank - 1], atol=1e-12)


def test_the_exact_and_approximate_chances_of_fourteen_coins():
    """Erratum of section 6: the exact value, and the approximation with and without its correction."""
    way = coins(14)
    assert below(way, np.array([8.0]))[0, 0] == pytest.approx(0.60474, abs=1e-5)
    assert below(way, np.array([8.0]), "normal")[0, 0] == pytest.approx(0.60537, abs=1e-5)
    no_step = traverse(
        graph({(14, c): 0.5 for c in range(14)}, [1 + 1e-6 * np.pi * c for c in range(14)], [1.0] * 15, [14]),
        np.array([14]),
    )
    assert method_for(no_step) == "normal"
    assert below(no_step, np.array([8.0]))[0, 0] == pytest.approx(0.704, abs=1e-3)


@pytest.mark.parametrize("gain", [1.0, 0.25, 3.0])
def test_the_normal_approximation_is_close(gain):
    way = coins(40, 0.3, gain)
    levels = gain * np.arange(1, 41)
    assert np.abs(below(way, levels) - below(way, levels, "normal")).max() < 0.011


def test_many_coins_are_still_exact():
    """Sums of 400 binomial terms, by hand from the first."""
    way, tail = coins(400, 0.3), []
    term = 0.7**400
    for k in range(400):
        tail.append(term)
        term *= (400 - k) / (k + 1) * 0.3 / 0.7
    np.testing.assert_allclose(below(way, np.arange(1.0, 401))[0], np.cumsum(tail), atol=1e-12)


@pytest.mark.parametrize(
    ("gains", "step"),
    [
        ([1, 2, 3], 1.0),
        ([2, 4, 6], 2.0),
        ([0.1, 0.25, 0.3], 0.05),
        ([1 / 3, 2 / 3, 1], 1 / 3),
        ([1, np.pi], None),
        ([1, 1.0001], None),
        ([4096], 4096),
        ([], 1.0),
    ],
)
def test_the_common_step_of_gains_is_found(gains, step):
    found = lattice_step(np.array(gains, dtype=float))
    assert found == (None if step is None else pytest.approx(step))


def test_the_method_is_chosen_automatically_and_can_be_set():
    assert method_for(coins(3)) == "lattice"
    assert method_for(coins(3), "enumeration") == "enumeration"
    assert method_for(traverse(graph({}, [1.0], [1.0], [0]), np.array([0]))) == "certain"
    with pytest.raises(InputError, match="at most 16 uncertain components to enumerate, found 17"):
        method_for(coins(17), "enumeration")
    uneven = graph({(2, 0): 0.5, (2, 1): 0.5}, [1.0, np.pi], [1.0] * 3, [2])
    with pytest.raises(InputError, match="multiples of one step"):
        method_for(traverse(uneven, uneven.lists[0]), "lattice")


def test_the_ideal_curve_with_steps_and_with_lines():
    """Erratum of note 2: gains 3, 6, 2; the ideal list has 6 after one rank, 9 after two, 11 after three."""
    topic = graph({}, [3.0, 6.0, 2.0], [1.0] * 3, [0, 1, 2])
    steps, lines = ideal_curve(topic), ideal_curve(topic, interpolation="linear")
    assert steps.at(np.array([3.0, 6, 6.5, 9, 11, 11.5])).tolist() == [1, 1, 2, 2, 3, np.inf]
    assert lines.at(np.array([3.0, 6, 7.5, 9, 11, 11.5])).tolist() == [0.5, 1, 1.5, 2, 3, np.inf]
    assert StepCurve(np.zeros(0), np.zeros(0)).at(np.array([1.0])).tolist() == [np.inf]
