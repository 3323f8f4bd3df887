"""Models of navigation, effort and gain: values by hand, by loops and by simulated walkers; errors for bad graphs."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from measures.small import numbers
from navigation.small_graphs import linked, score_on, site
from navigation.walkers import draw_walkers, mean_and_error

import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import Both, Browse, Effort, GivenGain, ReadOn, Scroll, Specificity, Stay, Walk, ep
from evalcore.navigation.links import Components, Worths
from evalcore.navigation.topic_graphs import topic_graphs, traverse

NAN = math.nan
SITE = {(0, 1): NAN, (0, 2): NAN, (1, 2): NAN, (2, 0): NAN}


def placed(*spans: tuple[int, float, float], efforts: float = NAN) -> Components:
    """Make components from (document, offset, size)."""
    document, offset, size = (np.array(column, dtype=float) for column in zip(*spans, strict=True))
    names = np.array([f"c{at}" for at in range(len(spans))], dtype=object)
    return Components(names, document.astype(int), offset, size, np.full(len(spans), efforts))


def reach(model, navigation, targets=None, reading=None):
    count = len(navigation.components)
    targets = np.arange(count) if targets is None else np.array(targets)
    reading = np.zeros(count) if reading is None else np.array(reading, dtype=float)
    return model.reach(navigation, targets, reading)


def chances(model, navigation, targets=None) -> np.ndarray:
    table: np.ndarray = reach(model, navigation, targets).chance.toarray()
    return table


def test_users_who_stay_see_only_the_result():
    assert chances(Stay(), site(SITE, 3)).tolist() == np.eye(3).tolist()


def test_browse_uses_the_given_probabilities():
    found = reach(Browse(), site({(0, 1): 0.9, (0, 2): 0.8, (1, 2): 0.5}, 3), reading=[1, 10, 100])
    assert found.chance.toarray() == pytest.approx(np.array([[1, 0.9, 0.8], [0, 1, 0.5], [0, 0, 1]]))
    assert found.reading == pytest.approx([1 + 9 + 80, 10 + 50, 100])
    assert found.clicks == pytest.approx([1.7, 0.5, 0])


def test_browse_needs_probabilities():
    with pytest.raises(InputError, match=r"links.csv line 2: expected a probability for every link"):
        reach(Browse(), site({(0, 1): 0.9, (0, 2): NAN}, 3))


def test_walk_shares_links_equally_and_stops_half_of_the_time():
    """From 0, users go to 1 and 2 with 1/4 each; from 1 to 2 with 1/2; 2 is a dead end."""
    found = reach(Walk(), site({(0, 1): NAN, (0, 2): NAN, (1, 2): NAN}, 3), reading=[1, 10, 100])
    assert found.chance.toarray() == pytest.approx(np.array([[1, 0.25, 0.25 + 0.125], [0, 1, 0.5], [0, 0, 1]]))
    assert found.reading == pytest.approx([1 + 2.5 + 37.5, 10 + 50, 100])
    assert found.clicks == pytest.approx([0.5 + 0.125, 0.5, 0])


def test_walk_reads_a_page_again_at_every_visit():
    found = reach(Walk(), site({(0, 1): 0.5, (1, 0): 0.5}, 2), reading=[1, 1])
    assert found.chance.toarray() == pytest.approx(np.array([[1, 0.5], [0.5, 1]]))
    assert found.reading == pytest.approx([2, 2])
    assert found.clicks == pytest.approx([1, 1])


def test_walk_accepts_given_probabilities_or_a_stopping_probability():
    graph = site({(0, 1): 0.6, (0, 2): 0.2, (3, 2): 0.0}, 4)
    assert chances(Walk(), graph)[0].tolist() == pytest.approx([1, 0.6, 0.2, 0])
    assert chances(Walk(stop=0.5), graph)[0].tolist() == pytest.approx([1, 0.375, 0.125, 0])
    assert chances(Walk(stop=1), graph).tolist() == np.eye(4).tolist()
    assert chances(Walk(stop=0.5), graph)[3].tolist() == [0, 0, 0, 1]
    mixed = site({(0, 1): 0.6, (0, 2): NAN}, 3)
    assert chances(Walk(), mixed)[0].tolist() == pytest.approx([1, 0.6, 0.2])
    assert chances(Walk(stop=0.5), mixed)[0].tolist() == pytest.approx([1, 0.3, 0.2])


@pytest.mark.parametrize(
    ("links", "model", "problem"),
    [
        ({(0, 1): 0.7, (0, 2): 0.5}, Walk(), r"links.csv line 2: .* sum to at most 1, found 1.2; use Browse"),
        (
            {(0, 1): 1.0, (1, 0): 1.0},
            Walk(),
            r"links.csv line 2: .* cycle that users never leave: c0 -> c1 -> c0; set stop",
        ),
        ({(2, 0): 0.5, (0, 1): 1.0, (1, 0): 1.0}, Walk(), "a cycle that users never leave: c0 -> c1 -> c0"),
        (SITE, Walk(stop=0), r"a cycle that users never leave \(stop = 0\): c0 -> c1 -> c2 -> c0"),
        (SITE, Scroll(), r"Scroll: expected components with an offset and a size, found none; Walk needs links only"),
        (SITE, ReadOn(), r"ReadOn: expected components with an offset and a size"),
    ],
)
def test_graphs_that_cannot_be_walked_are_refused_with_the_reason(links, model, problem):
    with pytest.raises(InputError, match=problem):
        reach(model, site(links, 3))


@pytest.mark.parametrize("theta", [0.002, 0.01])
def test_scrolling_is_less_likely_at_larger_distances(theta):
    components = placed((0, 0, 100), (0, 100, 50), (0, 400, 10), (1, 0, 10), (0, 0, 500))
    found = chances(Scroll(theta=theta), site({}, 5, components))

    def near(distance: float) -> float:
        return 1 / (1 + math.exp(theta * distance))

    assert found[0].tolist() == pytest.approx([1, 0.5, near(300), 0, 0.5])
    assert found[2].tolist() == pytest.approx([near(300), near(250), 1, 0, 0.5])
    assert found[3].tolist() == [0, 0, 0, 1, 0]
    assert np.array_equal(found, found.T)


def test_scroll_sees_the_result_itself_for_certain():
    """Erratum of section 5.2: the printed formula would give 1/2."""
    assert chances(Scroll(), site({}, 1, placed((0, 0, 9)))).tolist() == [[1.0]]


def test_scrolling_costs_the_reading_of_what_is_seen():
    components = placed((0, 0, 100), (0, 100, 50))
    assert reach(Scroll(theta=1), site({}, 2, components), [0], [10, 4]).reading.tolist() == [10 + 2, 4 + 5]


def test_read_on_until_patience_runs_out():
    """200-300 and 700-800 are relevant. From 0 on, 200-300 is found; then 400 characters without relevance follow."""
    components = placed((0, 0, 200), (0, 200, 100), (0, 300, 400), (0, 700, 100), (0, 800, 50), (1, 0, 50))
    graph = site({}, 6, components)
    patient = reach(ReadOn(tolerance=401), graph, [1, 3], [1, 2, 4, 8, 16, 32])
    assert patient.chance.toarray().tolist() == [[1, 1], [1, 1], [0, 1], [0, 1], [0, 0], [0, 0]]
    assert patient.reading.tolist() == [31, 30, 28, 24, 16, 32]
    hasty = reach(ReadOn(tolerance=400), graph, [1, 3])
    assert hasty.chance.toarray().tolist() == [[1, 0], [1, 0], [0, 0], [0, 1], [0, 0], [0, 0]]
    assert chances(ReadOn(tolerance=0), graph, [1, 3])[0].tolist() == [0, 0]


def test_scrolling_and_browsing_are_independent():
    graph = site({(0, 1): 0.4}, 3, placed((0, 0, 9), (0, 9, 9), (0, 500, 1)))
    both = reach(Both((Walk(), Scroll(theta=1))), graph, reading=[1, 1, 1])
    assert both.chance.toarray()[0].tolist() == pytest.approx([1, 1 - 0.6 * 0.5, 1 / (1 + math.exp(482))])
    assert both.reading == pytest.approx([1 + 0.4 + 0.5, 1.5, 1])
    assert both.clicks == pytest.approx([0.4, 0, 0])
    assert Both((ReadOn(), Walk())).topical
    assert not Both().topical


@given(numbers(0, 5), numbers(0, 5), numbers(0, 5), numbers(1, 50))
def test_effort_is_a_weighted_sum(rank, character, second, speed):
    components = placed((0, 0, 100), (0, 100, 250), efforts=7)
    effort = Effort(rank=rank, character=character, second=second, speed=speed, given=2)
    slow = [character * size + second * size / speed + 14 for size in (100, 250)]
    assert effort.of_reading(components).tolist() == pytest.approx(slow)


@pytest.mark.parametrize(("rank", "click", "second"), [(3, 2, 1), (1, 0, 0), (1, 5, 0), (2, 1, 0.5)])
def test_effort_of_a_rank_includes_browsing(rank, click, second):
    """After a result of 100 characters, half of the users read one of 60: a rank, 1/2 click, 130 characters at 20/s."""
    components = Components(
        np.array(["a", "b"], dtype=object),
        np.array([0, 1]),
        np.zeros(2),
        np.array([100.0, 60]),
        np.full(2, NAN),
    )
    collection = linked({"b": 1}, {"s": ["a", "b"]}, {("a", "b"): 0.5}, components)
    measure = ep(effort=Effort(rank=rank, click=click, second=second), level=1)
    (topic,) = topic_graphs(collection, measure.users)
    a, b = rank + click / 2 + 6.5 * second, rank + 3 * second
    assert topic.consulting.tolist() == pytest.approx([a, b, rank])
    assert traverse(topic, topic.lists[0]).cost.tolist() == pytest.approx([a, a + b])


@pytest.mark.parametrize(
    ("effort", "problem"),
    [
        ("Effort(rank=-1)", r"expected a number in \[0, inf\), found -1"),
        ("Effort(speed=0)", r"expected a number in \(0, inf\), found 0"),
    ],
)
def test_invalid_efforts_are_refused(effort, problem):
    with pytest.raises(InputError, match=problem):
        ec.parse(f"ep(effort={effort})")


def test_users_for_whom_nothing_costs_anything_score_nothing():
    free = ec.parse("ep(effort=Effort(rank=0))")
    with pytest.raises(InputError, match="at least one weight above 0"):
        ec.evaluate(free, linked({"b": 1}, {"s": ["a", "b"]}, {("a", "b"): 0.5}))
    with pytest.raises(InputError, match="at least one weight above 0"):
        free.of([1])


def test_unknown_sizes_are_refused_if_reading_costs_effort():
    collection = linked({"b": 1}, {"s": ["a", "b"]}, {("a", "b"): 0.5})
    with pytest.raises(InputError, match=r"a size for every component, found none for 'b' and 1 other; .*size="):
        ec.evaluate("ep(effort=Effort(second=1))", collection)
    assert score_on("ep(effort=Effort(second=1, size=100))", collection) > 0
    with pytest.raises(InputError, match="an effort for every component"):
        ec.evaluate("ep(effort=Effort(given=1))", collection)
    with pytest.raises(InputError, match="components with sizes or efforts, found a collection without either"):
        ec.parse("ep(effort=Effort(second=1))").of([1])


def test_a_rank_that_costs_nothing_is_refused():
    collection = linked({"b": 1}, {"s": ["b"]}, {("b", "a"): 0.5})
    with pytest.raises(InputError, match="expected an effort above 0 for the first rank with a component, found 0"):
        ec.evaluate("ep(effort=Effort(rank=0, click=1))", linked({"b": 1}, {"s": ["b"]}, {("a", "b"): 0.5}))
    assert score_on("ep(effort=Effort(rank=0, click=1))", collection) == 1.0


def test_gains_may_come_with_the_components():
    worths = Worths(np.zeros(3, dtype=int), np.arange(3), np.array([10.0, 0, NAN]), np.array([2.0, NAN, 5]))
    graph = site({}, 3, placed((0, 0, 40), (0, 40, 60), (0, 100, 8)))
    graph = type(graph)(graph.components, graph.links, graph.runs, graph.pool, worths)
    assert Specificity().of(graph)[:2].tolist() == [0.25, 0.0]
    assert GivenGain().of(graph)[[0, 2]].tolist() == [2, 5]


def test_missing_gains_are_refused():
    collection = linked({"b": 1}, {"s": ["b"]}, {})
    with pytest.raises(InputError, match="Specificity: expected a table of components with this gain, found none"):
        ec.evaluate("ep(gain=Specificity)", collection)
    with pytest.raises(InputError, match="GivenGain: expected a collection with a table of components"):
        ec.parse("ep(gain=GivenGain)").of([1])


def test_simulated_walkers_agree_with_the_expected_gain_and_effort():
    """Expectations do not depend on which components are seen together, so E[cg] and E[ce] hold for real walkers."""
    random = np.random.default_rng(11)
    names = [f"p{at}" for at in range(12)]
    ends = {(names[a], names[b]) for a, b in random.integers(0, 12, (30, 2)) if a != b}
    links = {pair: float(random.uniform(0.05, 0.2)) for pair in sorted(ends)}
    grades = {name: float(grade) for name, grade in zip(names[:6], [1, 2, 1, 3, 1, 2], strict=True)}
    ranking = ["p7", "p8", "p0", "p9", "p10", "p3"]
    collection = linked(grades, {"s": ranking}, links)
    effort, walk = Effort(rank=2, click=0.5), Walk()
    (topic,) = topic_graphs(collection, ep(navigation=walk, effort=effort).users)
    assert collection.navigation
    crowd = draw_walkers(collection.navigation, walk, effort, topic, topic.lists[0], 30_000, seed=5)
    cost = np.cumsum(topic.consulting[topic.lists[0]])
    for rank in range(len(ranking)):
        mean, error = mean_and_error(crowd.cg[:, rank])
        assert abs(mean - traverse(topic, topic.lists[0], rank + 1).expected[-1]) < 4 * error + 1e-12
        mean, error = mean_and_error(crowd.ce[:, rank])
        assert abs(mean - cost[rank]) < 4 * error


@pytest.mark.parametrize("alpha", [0.0, 1.5, 3.0])
def test_walks_with_a_given_law_of_lengths_equal_a_backward_recursion(alpha):
    """P(seen from j with t components seen) is computed from the longest walk backwards."""
    links = {(0, 1): 0.5, (0, 2): 0.25, (1, 0): 0.4, (1, 2): 0.1, (2, 1): 1.0, (2, 3): 1.0}
    left = [sum(share for (a, _), share in links.items() if a == at) for at in range(4)]
    weights = [t**-alpha for t in range(1, 51)]

    def goes_on(t):
        return sum(weights[t:]) / sum(weights[t - 1 :])

    later = np.zeros((4, 4))  # for users who have seen one component more
    for t in range(50, 0, -1):
        now = np.eye(4)
        for a, goal in product(range(4), range(4)):
            if a != goal:
                ways = ((b, share / left[a]) for (begin, b), share in links.items() if begin == a)
                now[a, goal] = goes_on(t) * sum(share * later[b, goal] for b, share in ways)
        later = now
    np.testing.assert_allclose(chances(Walk(alpha=alpha), site(links, 4)), later, atol=1e-12)


def test_a_law_of_lengths_determines_the_length_and_cost_of_walks():
    """On a ring every page has one link, so the law alone decides the length of a walk."""
    ring = site({(0, 1): 0.5, (1, 2): 0.2, (2, 0): 0.9}, 3)
    walk, law = Walk(alpha=1.5), np.arange(1, 51) ** -1.5
    law /= law.sum()
    np.testing.assert_allclose(walk.trails(ring, np.ones(3), 50), law, atol=1e-12)
    found = reach(walk, ring, reading=[1, 1, 1])
    length = float(law @ np.arange(1, 51))
    np.testing.assert_allclose(found.reading, length)
    np.testing.assert_allclose(found.clicks, length - 1)
    assert str(walk) == "Walk(alpha=1.5)"
