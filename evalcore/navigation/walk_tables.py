"""Tables of navigation: users' walks down one list, effort-precision by gain-recall, and lengths of walks.

Shapes: R ranks of a list, V components shown, L levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pd, special
from evalcore.common.short_forms import shown
from evalcore.drawing import figures
from evalcore.errors import InputError
from evalcore.navigation.effort_precision import MAep, ep
from evalcore.navigation.links import Links, Navigation
from evalcore.navigation.models import NavigationModel, ReadOn, Scroll, Walk
from evalcore.navigation.topic_graphs import TopicGraph, UserModel, topic_graphs, traverse
from evalcore.navigation.worth import Effort

STANDARD_LEVELS = tuple(level / 10 for level in range(1, 11))


@shown
@dataclass(frozen=True, eq=False)
class Walkthrough:
    """One list of a system, and what its users have seen after each rank, including components without gain."""

    components: pd.DataFrame  # V rows by id: gain, rank (NaN if not returned), size, document
    seen: FloatArray  # (R + 1, V) P(c in S_i), 0 at i = 0
    step: FloatArray  # (R, V) P(i ~> c) of the result at each rank
    links: IntArray  # (E, 2) linked pairs of the components shown
    expected: FloatArray  # (R + 1,) E[cg[i]]
    effort: FloatArray  # (R + 1,) ce[i]
    total: float

    def figure(self, **options: Any) -> Any:
        """Draw the walk down the list."""
        return figures().walk_down(self, **{"rank": 1, **options})


def walkthrough(
    collection: Any, users: UserModel, topic: str, system: str, depth: int = 15, most: int = 80
) -> Walkthrough:
    """Return the components that the users of one list have seen after each rank.

    They are the results down to a depth, the components with a gain, and components that the results link to (or that
    are in the same document, if users scroll). If there are more than `most`, the linked ones that the fewest
    users see are left out. Raises InputError for a collection without links or positions.
    """
    navigation = need_navigation(collection)
    graph = topic_graphs(collection, users)[collection.topics.index(topic)]
    ranking = navigation.runs.ranking(collection.systems.index(system), collection.topics.index(topic))[:depth]
    chance = _chances(navigation, users.navigation, users.effort, ranking, graph.target)
    seen = np.vstack([np.zeros(chance.shape[1]), 1 - np.cumprod(1 - chance, axis=0)])
    shown = _shown(navigation, users.navigation, ranking[ranking >= 0], graph.target, seen[-1], most)
    way = [traverse(graph, ranking, rank) for rank in range(1, len(ranking) + 1)]
    return Walkthrough(
        components=_described(navigation, graph, ranking, shown),
        seen=seen[:, shown],
        step=chance[:, shown],
        links=_links_among(navigation, users.navigation, shown),
        expected=np.append(0.0, [step.expected[-1] if len(step.rank) else 0.0 for step in way]),
        effort=np.append(0.0, np.cumsum(graph.consulting[ranking])),
        total=graph.total,
    )


def need_navigation(collection: Any) -> Navigation:
    """Return the navigation data of a collection. Raises InputError if it has none."""
    navigation: Navigation | None = getattr(collection, "navigation", None)
    if navigation is None:
        raise InputError("expected a collection with links or a table of components, found one without")
    return navigation


def _chances(
    navigation: Navigation, model: NavigationModel, effort: Effort, ranking: IntArray, targets: IntArray
) -> FloatArray:
    """Return the (R, C) probabilities P(i ~> c) from the result at each rank to every component."""
    reading = effort.of_reading(navigation.components)
    everyone = np.arange(len(navigation.components))
    if model.topical:
        table = np.zeros((len(ranking), len(everyone)))
        table[:, targets] = _rows(model.reach(navigation, targets, reading).chance.toarray(), ranking)
        table[np.flatnonzero(ranking >= 0), ranking[ranking >= 0]] = 1.0
        return table
    return _rows(model.reach(navigation, everyone, reading).chance, ranking)


def _rows(chance: Any, ranking: IntArray) -> FloatArray:
    """Return the rows of a matrix for the components of a list, in its order; zeros for -1."""
    chances = chance[np.maximum(ranking, 0)]
    table = chances if isinstance(chances, np.ndarray) else chances.toarray()
    return np.asarray(table * (ranking >= 0)[:, None])


def _shown(
    navigation: Navigation, model: NavigationModel, results: IntArray, targets: IntArray, seen: FloatArray, most: int
) -> IntArray:
    """Return the components to show: results and targets, then the linked ones most often seen, up to `most` in all."""
    links, document = _followed(navigation, model), navigation.components.document
    near = links.target[np.isin(links.source, results)]
    if _scrolls(model):
        own = document[results]
        near = np.append(near, np.flatnonzero(np.isin(document, own[own >= 0])))
    first = np.union1d(results, targets)
    others = np.setdiff1d(near, first)
    room = max(most - len(first), 0)
    return np.union1d(first, others[np.argsort(-seen[others], kind="stable")[:room]])


def _followed(navigation: Navigation, model: NavigationModel) -> Links:
    """Return the links to show: all of them, or none if users only scroll."""
    walks = any(isinstance(one, Walk) for one in getattr(model, "models", (model,)))
    return Links.none() if _scrolls(model) and not walks else navigation.links


def _scrolls(model: NavigationModel) -> bool:
    return any(isinstance(navigation, Scroll | ReadOn) for navigation in getattr(model, "models", (model,)))


def _described(navigation: Navigation, graph: TopicGraph, ranking: IntArray, shown: IntArray) -> pd.DataFrame:
    components = navigation.components
    gain, rank = np.zeros(len(components)), np.full(len(components), np.nan)
    gain[graph.target] = graph.gains
    places = np.flatnonzero(ranking >= 0)
    rank[ranking[places]] = places + 1
    columns = {"gain": gain, "rank": rank, "size": components.size, "document": components.document}
    return pd.DataFrame(columns, index=pd.Index(components.ids, name="component", dtype=object)).iloc[shown]


def _links_among(navigation: Navigation, model: NavigationModel, shown: IntArray) -> IntArray:
    """Return linked pairs of shown components, each once; if users scroll, also neighbours in a document."""
    links = _followed(navigation, model)
    place = np.full(len(navigation.components), -1)
    place[shown] = np.arange(len(shown))
    ends = np.column_stack([place[links.source], place[links.target]])
    if _scrolls(model):
        ends = np.vstack([ends, _following(navigation, shown)])
    return np.unique(np.sort(ends[(ends >= 0).all(axis=1)], axis=1), axis=0).reshape(-1, 2)


def _following(navigation: Navigation, shown: IntArray) -> IntArray:
    """Return pairs of components that follow each other in one document."""
    document, offset = navigation.components.document[shown], navigation.components.offset[shown]
    order = np.lexsort((offset, document))
    same = (document[order][1:] == document[order][:-1]) & (document[order][1:] >= 0)
    return np.column_stack([order[:-1][same], order[1:][same]])


def list_of(collection: Any, users: UserModel, topic: str, system: str) -> tuple[TopicGraph, IntArray]:
    """Return the graph of a topic and a system's list. Raises InputError for a collection without navigation data."""
    need_navigation(collection)
    graph = topic_graphs(collection, users)[collection.topics.index(topic)]
    return graph, graph.lists[collection.systems.index(system)]


def precision_curves(
    measure: ep | MAep, collection: Any, levels: tuple[float, ...] = STANDARD_LEVELS, topic: str | None = None
) -> pd.DataFrame:
    """Return effort-precision, gain-recall levels x systems: means over topics or, with `topic`, for this topic."""
    rows = {}
    for level in levels:
        one = ep(
            measure.navigation, measure.aspect, measure.effort, measure.gain, recall=level,
            method=measure.method, ideal=measure.ideal, interpolation=measure.interpolation,
        )  # fmt: skip
        scores, rankings = one.scores_on(collection), collection.rankings
        rows[level] = rankings.topic_means(scores) if topic is None else scores[:, collection.topics.index(topic)]
    index = pd.Index(list(rows), name="gain-recall")
    return pd.DataFrame(
        list(rows.values()), index=index, columns=pd.Index(collection.systems, name="system", dtype=object)
    )


def trail_table(walk: Walk, collection: Any, longest: int = 20) -> pd.DataFrame:
    """Return the distribution of the lengths of walks, beside t^(-3/2) / zeta(3/2), which Huberman et al. observed.

    There is a row for each number t of components. Walks begin at returned components, weighted by how often each is
    returned.
    """
    navigation = need_navigation(collection)
    returned = navigation.runs.component[navigation.runs.component >= 0]
    starts = np.bincount(returned, minlength=len(navigation.components)).astype(float)
    length = np.arange(1, longest + 1)
    columns = {"walk": walk.trails(navigation, starts, longest), "t^(-3/2)": length**-1.5 / special.zeta(1.5)}
    return pd.DataFrame(columns, index=pd.Index(length, name="components"))
