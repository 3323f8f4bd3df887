"""Measures of navigation on an invented graph and runs as large as a track's, against a plain loop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import evalcore as ec
from benchmarks.data import Place
from benchmarks.tables import Table, number
from benchmarks.timing import cpu_seconds
from evalcore.measures import Measure
from evalcore.navigation.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.navigation.topic_graphs import topic_graphs
from evalcore.structures.documents import Assessments, Scale

SEED = 2007
SYSTEMS, TOPICS, RANKS = 40, 50, 1000
COMPONENTS, CONTEXT = 20_000, 20  # pages, and other pages that each one reaches
CANDIDATES, RELEVANT, ASSESSED = 143, 80, 240  # contexts per topic; relevant pages; assessed pages
MEASURES = (
    "ECG@100",
    "gr@1000",
    "ep(recall=0.1)",
    "ep",
    "InverseEffort(level=20)",
    "PRUM",
    "MAep",
    'ep(ideal="effort")',
)
LOOPED = 2  # rankings (of 2,000) that the loop scores; its total time is extrapolated


def run(place: Place) -> Iterator[Table]:
    """Yield a table of times: the reach of users, every measure on all systems, and ep also with the loop."""
    collection = invented()
    users = ec.parse("ep").users  # type: ignore[attr-defined]
    reach = cpu_seconds(lambda: topic_graphs(collection, users))
    rows = [["who reaches what, by Walk, for all topics", number(reach), "", "", ""]]
    for text in MEASURES:
        measure = ec.parse(text)
        own = cpu_seconds(partial(measure.scores_on, collection))
        rows.append([text, number(own), *(_looped(measure, collection, own) if text == "ep" else ["", "", ""])])
    heading = ("measure", "evalcore CPU s", "plain loop CPU s", "ratio", "largest difference")
    uncertain = int(
        np.mean([len(np.unique(graph.reach[graph.lists[0]].indices)) for graph in topic_graphs(collection, users)])
    )
    remarks = (
        f"{SYSTEMS} systems x {TOPICS} topics x {RANKS} ranks; {COMPONENTS:,} pages in contexts of {CONTEXT} that all "
        f"link to each other, {RELEVANT} of a topic worth 1 or 2; a list shows some {uncertain} of these; seed {SEED}.",
        "Every P(cg < gr) is exact, on the lattice of gains, at every rank that may show something new.",
        f"The loop scores {LOOPED} of {SYSTEMS * TOPICS:,} lists; its time is extrapolated to all of them.",
    )
    yield Table("Navigation", heading, rows, remarks)


def invented() -> Any:
    """Return a collection: a graph of contexts without links between them, and rankings of pages from a few of them."""
    rng = np.random.default_rng(SEED)
    size = CONTEXT + 1
    contexts = COMPONENTS // size
    count = contexts * size
    source = np.repeat(np.arange(count), CONTEXT)
    other = np.tile(np.arange(CONTEXT), count)
    target = source // size * size + other + (other >= source % size)
    ids: Any = np.array([f"c{at}" for at in range(count)], dtype=object)
    links = Links(source, target, np.full(len(source), np.nan), np.zeros(len(source), dtype=int))
    chosen = [rng.choice(contexts, CANDIDATES, replace=False) for _ in range(TOPICS)]
    pages = [(one[:, None] * size + np.arange(size)).ravel() for one in chosen]
    pool = np.concatenate([np.sort(rng.choice(page, ASSESSED, replace=False)) for page in pages])
    grades = np.where(np.arange(len(pool)) % ASSESSED < RELEVANT, rng.integers(1, 3, len(pool)), 0).astype(float)
    topics = tuple(f"t{at}" for at in range(TOPICS))
    scale = Scale("relevance", grades=(0.0, 1.0, 2.0))
    assessments = Assessments(
        topics, np.repeat(np.arange(TOPICS), ASSESSED), ids[pool], {"relevance": grades}, {"relevance": scale}
    )
    lists = [rng.permutation(pages[topic])[:RANKS] for _ in range(SYSTEMS) for topic in range(TOPICS)]
    systems = tuple(f"s{at}" for at in range(SYSTEMS))
    runs = ComponentRuns(systems, TOPICS, np.arange(len(lists) + 1) * RANKS, np.concatenate(lists))
    navigation = Navigation(Components.plain(ids), links, runs, pool, Worths.none())
    rankings = SimpleNamespace(systems=systems)
    return _Collection(assessments, rankings, navigation, topics)


class _Collection:
    """Minimal collection for these measures."""

    def __init__(
        self, assessments: Assessments, rankings: Any, navigation: Navigation, topics: tuple[str, ...]
    ) -> None:
        self.assessments, self.rankings, self.navigation, self.topics = assessments, rankings, navigation, topics


def _looped(measure: Measure, collection: Any, own: float) -> list[str]:
    begun = time.process_time()
    slow = [_slow_ep(collection, 0, topic) for topic in range(LOOPED)]
    looped = (time.process_time() - begun) / LOOPED * SYSTEMS * TOPICS
    scores = measure.scores_on(collection)[0, :LOOPED]
    return [number(looped), f"{looped / own:,.0f}", f"{np.abs(scores - slow).max():.0e}"]


def _slow_ep(collection: Any, system: int, topic: int) -> float:
    """Return ep at half of all gain, with dicts and loops, from given probabilities of reaching components."""
    graph = topic_graphs(collection, ec.parse("ep").users)[topic]  # type: ignore[attr-defined]
    level, gains = graph.total / 2, graph.gains.tolist()
    ideal = int(np.argmax(np.cumsum(sorted(gains, reverse=True)) >= level))
    unseen, before, inverse = [1.0] * len(gains), 1.0, 0.0
    for rank, page in enumerate(graph.lists[system], start=1):
        row = graph.reach[[page]]
        if not row.nnz:
            continue
        for place, chance in zip(row.indices.tolist(), row.data.tolist(), strict=True):
            unseen[place] *= 1 - chance
        short = _below(level, gains, unseen)
        inverse += (before - short) / rank
        before = short
    return _ideal_effort(graph, level, ideal) * inverse


def _ideal_effort(graph: Any, level: float, last: int) -> float:
    """Return the expected ranks needed for a gain of `level` in the ideal list: by gain, up to position `last`."""
    order = graph.target[np.argsort(-graph.gains, kind="stable")]
    unseen, effort = [1.0] * len(graph.gains), 1.0
    for page in order[: last + 1].tolist():
        row = graph.reach[[page]]
        for place, chance in zip(row.indices.tolist(), row.data.tolist(), strict=True):
            unseen[place] *= 1 - chance
        effort += _below(level, graph.gains.tolist(), unseen)
    return effort


def _below(level: float, gains: list[float], unseen: list[float]) -> float:
    """Return P(cg < level) from gains and probabilities of staying unseen, adding one component after the other."""
    chances = {0.0: 1.0}
    for gain, missed in zip(gains, unseen, strict=True):
        if missed == 1:
            continue
        after: dict[float, float] = {}
        for total, chance in chances.items():
            after[total] = after.get(total, 0.0) + missed * chance
            if total + gain < level and missed < 1:
                after[total + gain] = after.get(total + gain, 0.0) + (1 - missed) * chance
        chances = after
    return sum(chances.values())
