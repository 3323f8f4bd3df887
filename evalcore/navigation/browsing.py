"""A walk chosen step by step: a person consults results, follows links, goes back and stops.

Steps are strings: "next" consults the next result, "follow:ID" follows a link to a page, "back" closes
the open page, "stop" ends the walk. Consulting a result costs a rank and the reading of its page, following a link
costs a click and the reading of its page, and going back is free. A page adds its gain when it is first seen. Shapes:
N steps, R ranks of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError
from evalcore.navigation.ideals import gain_list, ideal_curve
from evalcore.navigation.links import Navigation
from evalcore.navigation.models import Browse, Walk
from evalcore.navigation.topic_graphs import TopicGraph, UserModel, traverse
from evalcore.navigation.walk_tables import list_of, need_navigation

NEXT, BACK, STOP, FOLLOW = "next", "back", "stop", "follow:"


@dataclass(frozen=True, eq=False)
class HandWalk:
    """A person's walk: documents seen, effort and gain after each step."""

    steps: tuple[str, ...]  # (N,)
    page: tuple[str, ...]  # (N + 1,) open page at the start and after each step; "" for the list
    effort: FloatArray  # (N + 1,) ce
    gain: FloatArray  # (N + 1,) cg
    seen: tuple[str, ...]  # pages in the order of their first visit
    ways: tuple[tuple[str, float], ...]  # links of the open page and their probabilities
    depth: int  # number of nested open pages: 1 is a result, 0 the list
    rank: int  # results consulted
    ended: bool
    results: tuple[str, ...]  # (R,) the list; "" for a repeated or unknown component
    total: float  # the gain of seeing everything
    ideal_effort: float  # E[ce_ideal[cg]], the ideal list's effort to the gain reached; 0 without gain

    @property
    def recall(self) -> float:
        """Gain-recall gr = cg / total; 0 if the total is 0."""
        return float(self.gain[-1]) / self.total if self.total else 0.0

    @property
    def precision(self) -> float:
        """Effort-precision ep = E[ce_ideal[cg]] / ce at the gain reached (Eq. 6); 0 before the first gain."""
        return self.ideal_effort / float(self.effort[-1]) if self.ideal_effort else 0.0


@dataclass(frozen=True)
class _Place:
    """A person's state: results consulted, the stack of open pages, effort and documents seen."""

    rank: int = 0
    trail: tuple[int, ...] = ()
    effort: float = 0.0
    seen: tuple[int, ...] = ()
    ended: bool = False


def hand_walk(collection: Any, users: UserModel, topic: str, system: str, steps: Sequence[str]) -> HandWalk:
    """Take these steps through a system's ranking for a topic and return the walk.

    `users` defines costs, gains and next steps. Raises InputError for an impossible step, and for users who do not
    follow links.

    >>> from evalcore.measures import Browse, ep
    >>> from evalcore.navigation.paper_example import SYSTEM, example
    >>> walk = hand_walk(example(), ep(navigation=Browse()).users, "topic", SYSTEM, ["next", "follow:d3"])
    >>> walk.effort.tolist(), walk.gain.tolist(), walk.precision
    ([0.0, 1.0, 1.0], [0.0, 0.0, 1.0], 1.0)
    """
    around = _Around.of(collection, users, topic, system)
    places = [_Place()]
    for step in steps:
        places.append(around.after(places[-1], step))
    return around.walk(tuple(steps), places)


def longest_walk(
    collection: Any, users: UserModel, topic: str, system: str, steps: Sequence[str]
) -> tuple[tuple[str, ...], str]:
    """Return the steps before the first impossible step, and the error message ("" if all steps are possible)."""
    around, place = _Around.of(collection, users, topic, system), _Place()
    for count, step in enumerate(steps):
        try:
            place = around.after(place, step)
        except InputError as error:
            return tuple(steps[:count]), error.problem
    return tuple(steps), ""


def gain_by_effort(collection: Any, users: UserModel, topic: str, system: str) -> dict[str, pd.DataFrame]:
    """Return a dict of two frames: the expected effort (ce) and gain (E[cg]) of a model's users, by rank from 0 on.

    The columns are "effort" and "gain". The frame "list" is for the system's ranking, "ideal" for all components with
    gain, in decreasing order of gain.
    """
    graph, ranking = list_of(collection, users, topic, system)
    return {"list": _curve(graph, ranking), "ideal": _curve(graph, gain_list(graph))}


def without_links(collection: Any, users: UserModel, topic: str, system: str) -> pd.DataFrame:
    """Return a frame of effort and gain by rank, from 0 on, of a user who reads all results and follows no links.

    >>> from evalcore.measures import Browse, ep
    >>> from evalcore.navigation.paper_example import SYSTEM, example
    >>> without_links(example(), ep(navigation=Browse()).users, "topic", SYSTEM)["gain"].tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    around = _Around.of(collection, users, topic, system)
    ranking, listed = around.ranking, around.ranking >= 0  # -1 costs a rank and shows nothing
    cost = users.effort.rank + np.where(listed, around.reading[ranking], 0.0)
    worth = np.where(listed, around.gain[ranking], 0.0)
    effort, gain = (np.append(0.0, np.cumsum(values)) for values in (cost, worth))
    return pd.DataFrame({"effort": effort, "gain": gain}).rename_axis("rank")


def effort_to(curve: pd.DataFrame, gain: float) -> float:
    """Return the effort of the first rank with at least this gain; infinite if the list never reaches it.

    >>> effort_to(pd.DataFrame({"effort": [0.0, 1.0, 2.0], "gain": [0.0, 0.4, 0.58]}), 0.5)
    2.0
    """
    enough = np.flatnonzero(curve["gain"].to_numpy() > gain - 1e-9)
    return float(curve["effort"].iloc[enough[0]]) if len(enough) else float("inf")


def gain_at(curve: pd.DataFrame, effort: float) -> float:
    """Return E[cg] of users who spend at most this effort: E[cg] at the last rank that they can afford.

    >>> gain_at(pd.DataFrame({"effort": [0.0, 1.0, 2.0], "gain": [0.0, 0.4, 0.58]}), 1.5)
    0.4
    """
    return float(curve["gain"].iloc[int(np.searchsorted(curve["effort"], effort + 1e-9, side="right")) - 1])


def _curve(graph: TopicGraph, ranking: IntArray) -> pd.DataFrame:
    way = traverse(graph, ranking)
    gained = np.append(0.0, way.expected)[np.searchsorted(way.rank, np.arange(len(ranking) + 1), side="right")]
    effort = np.append(0.0, np.cumsum(graph.consulting[ranking]))
    return pd.DataFrame({"effort": effort, "gain": gained}).rename_axis("rank")


@dataclass(frozen=True, eq=False)
class _Around:
    """A ranking and the graph of its topic, with the gain and the reading cost of every component."""

    users: UserModel
    navigation: Navigation
    graph: TopicGraph
    ranking: IntArray
    gain: FloatArray  # (C,)
    reading: FloatArray  # (C,)
    code: dict[str, int]

    @classmethod
    def of(cls, collection: Any, users: UserModel, topic: str, system: str) -> _Around:
        navigation = need_navigation(collection)
        graph, ranking = list_of(collection, users, topic, system)
        components = navigation.components
        gain = np.zeros(len(components))
        gain[graph.target] = graph.gains
        code = {str(id): at for at, id in enumerate(components.ids)}
        return cls(users, navigation, graph, ranking, gain, users.effort.of_reading(components), code)

    def after(self, place: _Place, step: str) -> _Place:
        """Return the state after a step. Raises InputError for an impossible step."""
        if place.ended:
            raise InputError("expected no step after stop", step)
        if step == NEXT and place.rank < len(self.ranking):
            return self._seeing(replace(place, rank=place.rank + 1, trail=()), int(self.ranking[place.rank]), True)
        if step.startswith(FOLLOW) and place.trail:
            target = self.code.get(step.removeprefix(FOLLOW), -1)
            if target in dict(self.ways(place.trail[-1])):
                return self._seeing(place, target, False)
        if step == BACK and place.trail:
            return replace(place, trail=place.trail[:-1])
        if step == STOP:
            return replace(place, trail=(), ended=True)
        raise InputError("expected next (until the list ends), follow:ID of a link, back (from a page) or stop", step)

    def _seeing(self, place: _Place, page: int, result: bool) -> _Place:
        cost = self.users.effort.rank if result else self.users.effort.click
        if page < 0:  # repeated or unknown: costs a rank and shows nothing
            return replace(place, effort=place.effort + cost)
        return replace(
            place,
            trail=(*place.trail, page),
            effort=place.effort + cost + float(self.reading[page]),
            seen=place.seen if page in place.seen else (*place.seen, page),
        )

    def ways(self, page: int) -> list[tuple[int, float]]:
        """Return the pages to which a page links, as (code, probability) pairs, most likely first.

        Raises InputError for users who do not follow links.
        """
        model, links = self.users.navigation, self.navigation.links
        if isinstance(model, Walk):
            row = model.transitions(self.navigation)[[page]]
            pairs = zip(row.indices.tolist(), row.data.tolist(), strict=True)
        elif isinstance(model, Browse):
            own = links.source == page
            pairs = zip(links.target[own].tolist(), links.probability[own].tolist(), strict=True)
        else:
            raise InputError(f"expected users who follow links, found {model}")
        return sorted(((target, chance) for target, chance in pairs if chance > 0), key=lambda way: -way[1])

    def walk(self, steps: tuple[str, ...], places: Sequence[_Place]) -> HandWalk:
        """Return the walk through these states, with ids in place of codes."""
        ids, last = self.navigation.components.ids, places[-1]
        gain = np.array([self.gain[list(place.seen)].sum() for place in places])
        ideal = ideal_curve(self.graph).at(gain[-1:])[0] if gain[-1] > 0 else 0.0
        return HandWalk(
            steps=steps,
            page=tuple(str(ids[place.trail[-1]]) if place.trail else "" for place in places),
            effort=np.array([place.effort for place in places]),
            gain=gain,
            seen=tuple(str(ids[page]) for page in last.seen),
            ways=tuple((str(ids[page]), chance) for page, chance in self.ways(last.trail[-1])) if last.trail else (),
            depth=len(last.trail),
            rank=last.rank,
            ended=last.ended,
            results=tuple(str(ids[page]) if page >= 0 else "" for page in self.ranking.tolist()),
            total=self.graph.total,
            ideal_effort=float(ideal),
        )
