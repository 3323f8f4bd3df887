"""Certain and equal results on small graphs: the same as for chains solved in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from navigation.small_graphs import graph, linked, score_on, site
from scipy import sparse

from evalcore.measures import Both, Browse, Effort, MAep, Walk
from evalcore.navigation.certainty import certain, leading_to
from evalcore.navigation.chains import hitting
from evalcore.navigation.ideals import expected_effort, gain_list, greedy_list
from evalcore.navigation.topic_graphs import TopicGraph, topic_graphs, traverse

Exact = list[list[Fraction]]
END = {("d0", "end"): 0.35, ("d0", "d1"): 0.65, ("d1", "end"): 0.3, ("d1", "d0"): 0.7}


def solved(matrix: Exact, right: Exact) -> Exact:
    """Solve matrix x = right, by elimination in fractions."""
    rows = [left + side for left, side in zip(matrix, right, strict=True)]
    count = len(rows)
    for at in range(count):
        pivot = next(row for row in range(at, count) if rows[row][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(count):
            if other != at:
                rows[other] = [a - rows[other][at] * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[count:] for row in rows]


def less_identity(Q: Exact) -> Exact:
    return [[(i == j) - value for j, value in enumerate(row)] for i, row in enumerate(Q)]


def exact_hitting(Q: Exact, target: int) -> list[Fraction]:
    """Return the probabilities of ever reaching a target: 0 if impossible, else h = Q h with 1 at the target."""
    count, leading = len(Q), {target}
    while grown := {j for j in range(count) for c in leading if Q[j][c]} - leading:
        leading |= grown
    own = [j for j in sorted(leading) if j != target]
    inside = [[Q[j][c] for c in own] for j in own]
    found = dict(zip(own, solved(less_identity(inside), [[Q[j][target]] for j in own]), strict=True)) if own else {}
    return [Fraction(1) if j == target else found[j][0] if j in found else Fraction(0) for j in range(count)]


def ends(Q: Exact) -> bool:
    """Return True if every walk ends, because a component at which users may stop is reachable from everywhere."""
    leading = {j for j, row in enumerate(Q) if sum(row) < 1}
    while grown := {j for j, row in enumerate(Q) if any(row[c] for c in leading)} - leading:
        leading |= grown
    return len(leading) == len(Q)


def shares(links: dict[tuple[int, int], int], count: int) -> Exact:
    """Return Q as fractions, from hundredths."""
    return [[Fraction(links.get((j, c), 0), 100) for c in range(count)] for j in range(count)]


def random_links(dice: random.Random, count: int) -> dict[tuple[int, int], int]:
    """Make random links in hundredths; at about half of the components nobody stops."""
    found: dict[tuple[int, int], int] = {}
    for j in range(count):
        others = dice.sample([c for c in range(count) if c != j], dice.randint(0, count - 1))
        borders = sorted(dice.sample(range(1, 100), max(len(others) - 1, 0)))
        parts = [b - a for a, b in zip([0, *borders], [*borders, 100], strict=True)]
        last = len(others) - 1 if dice.random() < 0.5 else len(others)
        found |= {(j, c): part for c, part in list(zip(others, parts, strict=False))[:last]}
    return found


def random_graphs(graphs: int, seed: int) -> Iterator[tuple[dict[tuple[int, int], int], Exact]]:
    dice = random.Random(seed)
    while graphs:
        count = dice.randint(2, 7)
        links = random_links(dice, count)
        if ends(Q := shares(links, count)):
            graphs -= 1
            yield links, Q


def floats(Q: Exact) -> sparse.csr_array:
    return sparse.csr_array(np.array(Q, dtype=float))


@pytest.mark.parametrize(
    ("measure", "score"),
    [("ECG(cutoff=1)", 1.0), ("EffortTo(level=1)", 1.0), ("PRUM(units=1)", 1.0), ("gr(cutoff=1)", 1.0)],
)
def test_a_component_that_everybody_reaches_has_probability_1(measure, score):
    """From d0 and d1, users go to the other one or to the end, and never stop before that."""
    collection = linked({"end": 1}, {"s": ["d0"]}, END)
    assert score_on(measure, collection) == score


def test_probabilities_of_0_and_1_are_exact_on_random_graphs():
    """Probabilities are 0 or 1 exactly if the fractions are."""
    seen = {"certain": 0, "impossible": 0, "between": 0}
    for _, Q in random_graphs(300, seed=4):
        found = hitting(floats(Q), np.arange(len(Q))).toarray()
        exact = np.array([exact_hitting(Q, target) for target in range(len(Q))], dtype=object).T
        np.testing.assert_array_equal(found == 1, exact == 1)
        np.testing.assert_array_equal(found == 0, exact == 0)
        np.testing.assert_allclose(found, exact.astype(float), atol=1e-12)
        np.fill_diagonal(exact, Fraction(1, 2))
        seen["certain"] += int((exact == 1).sum())
        seen["impossible"] += int((exact == 0).sum())
        seen["between"] += int(((exact > 0) & (exact < 1)).sum())
    assert min(seen.values()) > 200, seen


def test_large_graphs_are_certain_exactly_if_small_ones_are(monkeypatch):
    """Probabilities are the same to within 1e-11, because every part is solved sparsely, and certain ones are equal."""
    certainly = 0
    for _, Q in random_graphs(100, seed=6):
        small = hitting(floats(Q), np.arange(len(Q))).toarray()
        with monkeypatch.context() as patch:
            patch.setattr("evalcore.navigation.chains.DENSE", 0)
            large = hitting(floats(Q), np.arange(len(Q))).toarray()
        np.testing.assert_array_equal(large == 1, small == 1)
        np.testing.assert_allclose(large, small, atol=1e-11)
        certainly += int((small == 1).sum()) - len(Q)
    assert certainly > 50


def test_a_component_on_every_path_cannot_be_avoided():
    """Two paths lead from 0 to 3, and from 3 users go to 4 or stop."""
    Q = np.zeros((5, 5))
    Q[0, [1, 2]], Q[1, 3], Q[2, 3], Q[3, 4] = 0.5, 1, 1, 0.9
    assert certain(sparse.csr_array(Q), np.array([4, 3])).toarray().tolist() == [[0, 1], [0, 1], [0, 1], [0, 1], [1, 0]]


def test_a_long_chain_without_stops_ends_for_certain():
    """From each of 2,000 components 0.35 and 0.65 lead to the next two: only the last one is certain to be reached."""
    count = 2000
    at = np.arange(count - 2)
    ends_of = np.concatenate([at, at, [count - 2]]), np.concatenate([at + 1, at + 2, [count - 1]])
    chances = np.concatenate([np.full(count - 2, 0.35), np.full(count - 2, 0.65), [1.0]])
    Q = sparse.csr_array((chances, ends_of), shape=(count, count))
    found = hitting(Q, np.array([count - 1, count // 2]))
    assert (found[:, [0]].toarray() == 1).all()
    assert ((found[:, [1]].toarray() == 1).ravel().nonzero()[0] == [count // 2]).all()


def test_components_from_which_a_target_can_be_reached():
    Q = sparse.csr_array(np.array([[0, 1e-300, 0], [0, 0, 0], [0.5, 0, 0]]))
    assert leading_to(Q, np.array([1])).ravel().tolist() == [True, True, True]
    assert hitting(Q, np.array([1, 2])).toarray()[:, 0].min() > 0
    assert hitting(Q, np.array([1, 2])).toarray()[:, 1].tolist() == [0, 0, 1]


def test_probabilities_that_sum_to_one_leave_nothing():
    """0.1 + 0.2 + 0.7 is 0.9999999999999999, but nobody follows the link without a probability, and nobody stops."""
    links = {(0, 1): 0.1, (0, 2): 0.2, (0, 3): 0.7, (0, 4): np.nan, (1, 5): 1.0, (2, 5): 1.0, (3, 5): 1.0}
    reach = Walk().reach(site(links, 6), np.array([4, 5]), np.zeros(6)).chance.toarray()
    assert reach[0].tolist() == [0, 1]


def test_a_link_that_nobody_follows_is_no_way_out():
    """0 and 1 lead to each other; a way out with probability 0 does not end the walk."""
    links = {(0, 1): 1.0, (1, 0): 1.0, (0, 2): 0.0, (2, 0): 0.5}
    with pytest.raises(ValueError, match="expected walks that end"):
        Walk().reach(site(links, 3), np.array([0]), np.zeros(3))


@pytest.mark.parametrize("first", [1.0, 1 - 1e-9])
def test_two_ways_of_going_on_are_certain_if_one_is(first):
    """1 - 1e-18 is rounded to 1, and 1 + 1/3 - 1/3 may differ from 1."""
    navigation = site({(0, 1): first, (0, 2): 1 / 3}, 3)
    targets, reading = np.array([1, 2]), np.zeros(3)
    chance = Both((Browse(), Browse())).reach(navigation, targets, reading).chance.toarray()
    assert (chance[0, 0] == 1) == (first == 1)
    assert chance[0, 1] == pytest.approx(5 / 9)


@given(st.lists(st.sampled_from([0.5, 0.9, 0.999999, 1.0]), min_size=1, max_size=80))
def test_many_small_probabilities_do_not_add_up_to_certainty(chances):
    """1 - 0.000001^6 is rounded to 1, but the level may never be reached unless one of the probabilities is 1."""
    count = len(chances)
    topic = graph({(1 + at, 0): chance for at, chance in enumerate(chances)}, [1.0], [1.0] * (count + 1), [])
    way = traverse(topic, np.arange(1, count + 1))
    found = expected_effort(way, np.array([1.0]))[0]
    assert np.isfinite(found) == (1.0 in chances)


@given(chances=st.lists(st.sampled_from([0.25, 0.9, 1.0]), min_size=1, max_size=24), level=st.integers(1, 24))
def test_the_normal_approximation_is_exact_for_certain_gains(chances, level):
    """All gains are 1; all, some or no users reach the level."""
    hub = len(chances)
    topic = graph({(hub, at): chance for at, chance in enumerate(chances)}, [1.0] * hub, [1.0] * (hub + 1), [])
    way = traverse(topic, np.array([hub]))
    found = expected_effort(way, np.array([float(level)]), "normal")[0]
    assert np.isfinite(found) == (sum(chance == 1 for chance in chances) >= level)


def test_components_with_equal_costs_keep_the_order_of_assessment():
    """All components are the same number of clicks away, and all cost 10/3."""
    links = dict.fromkeys([("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")], np.nan)
    collection = linked({"a": 1, "b": 1, "c": 1}, {"s": ["a"]}, links)
    users = MAep(navigation=Walk(stop=0.3), effort=Effort(click=1)).users
    (topic,) = topic_graphs(collection, users)
    assert topic.consulting[:3].tolist() == pytest.approx([10 / 3] * 3)
    assert collection.navigation is not None
    assert collection.navigation.components.ids[gain_list(topic)].tolist() == ["a", "b", "c"]


def test_the_greedy_list_takes_the_first_of_equal_components():
    """For an effort of 3, each hub shows 0.1 + 0.2 or 0.3 of a gain of 1, which is equal."""
    chances = {(2, 0): 0.1 + 0.2, (3, 0): 0.3, (2, 1): 0.3, (3, 1): 0.1 + 0.2}
    topic = graph(chances, [1.0, 1.0], [10.0, 10.0, 3.0, 3.0], [])
    assert greedy_list(topic).tolist()[0] == 2
    turned = TopicGraph(topic.gains, topic.target, topic.reach[[0, 1, 3, 2, 4]], topic.consulting, ())
    assert greedy_list(turned).tolist()[0] == 2
