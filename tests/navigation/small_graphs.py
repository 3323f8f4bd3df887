"""Small graphs and rankings for the tests of navigation, and enumeration of users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.small_collections import small_collection
from evalcore.navigation.effort_precision import Navigated
from evalcore.navigation.links import Components, Links, Navigation
from evalcore.navigation.small_navigation import small_navigation
from evalcore.navigation.topic_graphs import TopicGraph, UserModel


def linked(
    grades: dict[str, float],
    rankings: dict[str, Sequence[str]],
    links: dict[tuple[str, str], float],
    components: Components | None = None,
) -> Collection:
    """Make a collection of one topic with graded documents, rankings and links."""
    labels = pd.DataFrame({"relevance": list(grades.values())}, index=list(grades))
    return small_navigation(small_collection(labels, rankings), rankings, links, components)


def site(links: dict[tuple[int, int], float], count: int, components: Components | None = None) -> Navigation:
    """Make a graph of components 0, 1, 2, ...; nan is a link without a probability."""
    ends = np.array(list(links), dtype=int).reshape(-1, 2)
    lines = np.arange(1, len(links) + 1)
    edges = Links(ends[:, 0], ends[:, 1], np.array(list(links.values()), dtype=float), lines, "links.csv")
    names: Any = np.array([f"c{at}" for at in range(count)], dtype=object)
    bare: Any = None
    return Navigation(components or Components.plain(names), edges, bare, np.zeros(0, dtype=int), bare)


def graph(chances: dict[tuple[int, int], float], gains: Any, efforts: Any, ranking: Any) -> TopicGraph:
    """Make a topic with components 0 ... n - 1 that have a gain; `chances` are P(j ~> c), 1 for a result itself."""
    count, targets = len(efforts), np.arange(len(gains))
    table = np.zeros((count + 1, len(gains)))
    table[targets, targets] = 1.0
    for (result, target), chance in chances.items():
        table[result, target] = 1.0 if result == target else chance
    costs = np.append(np.asarray(efforts, dtype=float), 1.0)
    return TopicGraph(
        np.asarray(gains, dtype=float), targets, sparse.csr_array(table), costs, (np.asarray(ranking, dtype=int),)
    )


@st.composite
def graphs(draw: st.DrawFn, gains: st.SearchStrategy[float] | None = None) -> TopicGraph:
    """Draw up to 4 components with a gain and 3 hubs, a ranking of up to 6, and at most 8 uncertain events."""
    values = draw(st.lists(st.integers(1, 4).map(float) if gains is None else gains, min_size=1, max_size=4))
    count = len(values) + draw(st.integers(0, 3))
    ranking = draw(st.lists(st.integers(-1, count - 1), max_size=6, unique=True))
    probability = st.one_of(st.floats(0.01, 0.99), st.sampled_from([0.5, 1.0]))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, len(values) - 1))
    chances = draw(st.dictionaries(pairs, probability, max_size=8))
    efforts = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.25]), min_size=count, max_size=count))
    return graph(chances, values, efforts, ranking)


def users(graph: TopicGraph) -> Iterator[tuple[float, Any]]:
    """Yield every kind of user of the (first) ranking, with its probability.

    Each event "from rank j, the user sees c" happens or not, independently. A user has `cg` and `ce` at each rank,
    and `news`, the number of components newly seen there.
    """
    ranking = graph.lists[0]
    table = graph.reach.toarray()
    events = [(j, c, table[one, c]) for j, one in enumerate(ranking) for c in range(len(graph.gains)) if table[one, c]]
    for outcome in product((True, False), repeat=len(events)):
        chance = 1.0
        seen_at: dict[int, int] = {}
        for happens, (rank, target, probability) in zip(outcome, events, strict=True):
            chance *= probability if happens else 1 - probability
            if happens:
                seen_at[target] = min(rank, seen_at.get(target, rank))
        if chance:
            yield chance, _user(graph, seen_at)


def _user(graph: TopicGraph, seen_at: dict[int, int]) -> Any:
    ranks = range(len(graph.lists[0]))
    cg = [sum(graph.gains[c] for c, at in sorted(seen_at.items()) if at <= rank) for rank in ranks]
    ce = [sum(graph.consulting[one] for one in graph.lists[0][: rank + 1]) for rank in ranks]
    return SimpleNamespace(cg=cg, ce=ce, news=[sum(at == rank for at in seen_at.values()) for rank in ranks])


def score_on(text: str, collection: Collection) -> float:
    """Return the score of the first system on the first topic."""
    return float(ec.evaluate(text, collection).to_numpy()[0, 0])


def users_of(text: str) -> UserModel:
    """Return the user model of a measure."""
    measure = ec.parse(text)
    assert isinstance(measure, Navigated)
    return measure.users


def reached(user: Any, level: float) -> int | None:
    """Return the first rank at which the user has this gain; None if there is none."""
    return next((at for at, gain in enumerate(user.cg) if gain >= level - 1e-9), None)
