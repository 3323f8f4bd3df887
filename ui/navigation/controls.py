"""Which users are meant: how they walk on from a result, and what that costs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.data import Collection
from evalcore.data.components import Navigation
from evalcore.data.structures import Integers
from evalcore.measures import Both, Effort, MAep, ReadOn, Scroll, Stay, Walk
from evalcore.measures.navigation.models import NavigationModel
from ui.controls import choose, choose_many, slider

DEPTH = 15  # ranks that can be walked down
LINKS, GIVEN, SCROLLING, BOTH, READING, NOT_AT_ALL = (
    "follow links",
    "follow links, as the list says",
    "scroll in the page",
    "follow links and scroll",
    "read on until bored (T2I)",
    "not at all",
)
GOING_HELP = (
    "Follow links: a walk that stops after each page with some probability. As the list says: with the probabilities "
    "of the edge list. Scroll: the nearer in the same page, the likelier. Read on: until too much irrelevant text has "
    "passed (tolerance to irrelevance)."
)
MEAN = "mean over topics"


@dataclass(frozen=True)
class View:
    """What the controls say."""

    collection: Collection
    navigation: Navigation
    measure: MAep
    topic: str
    system: str
    rank: int
    selected: list[str]

    @property
    def baseline(self) -> MAep:
        """The same users, but they see results only."""
        return self.measure.with_(navigation=Stay())


def controls(collection: Collection, navigation: Navigation) -> View:
    across = st.columns(2)
    with across[0]:
        system = choose("System", "walker", collection.systems, shown_first(collection))
    with across[1]:
        topic = choose("Topic", "walktopic", collection.topics, names=str)
    model = users(navigation)
    deepest = min(DEPTH, len(ranking_of(navigation, collection, system, topic)))
    rank = int(slider("Walked down to rank", "walked", 0, max(deepest, 1), min(1, deepest), 1))
    effort = efforts(navigation)
    measure = MAep(navigation=model, effort=effort)
    selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
    return View(collection, navigation, measure, topic, system, min(rank, deepest), selected)


def shown_first(collection: Collection) -> str:
    """A system with a taste for hubs where there is one, as in the sample."""
    return next((name for name in collection.systems if name.startswith("hub")), collection.systems[0])


def ranking_of(navigation: Navigation, collection: Collection, system: str, topic: str) -> Integers:
    return navigation.runs.ranking(collection.systems.index(system), collection.topics.index(topic))


def users(navigation: Navigation) -> NavigationModel:
    """How users go on from a result, of the ways that the graph allows."""
    ways = [NOT_AT_ALL]
    if navigation.has_places:
        ways = [SCROLLING, READING, *ways]
    if len(navigation.links):
        given = not np.isnan(navigation.links.probability).all()
        ways = [LINKS, *([GIVEN] if given else []), *([BOTH] if navigation.has_places else []), *ways]
    way = choose("From a result, users", "going", ways, help=GOING_HELP)
    stop = theta = 0.0
    if way in (LINKS, BOTH):
        help = "Probability of stopping after each page; the rest is shared by its links"
        stop = slider("Stopping probability", "stop", 0.05, 1.0, 0.3, 0.05, help=help)
    if way in (SCROLLING, BOTH):
        help = "1 / (1 + e^(θ · d)), d characters away; a result itself is seen for certain"
        theta = slider("θ: interest lost per character", "theta", 0.0, 0.05, 0.005, 0.001, help=help, format="%.3f")
    if way == READING:
        tolerance = slider("Patience, in characters", "patience", 0.0, 3000.0, 500.0, 50.0)
        return ReadOn(tolerance=tolerance)
    models: dict[str, NavigationModel] = {
        LINKS: Walk(stop=stop),
        GIVEN: Walk(),
        SCROLLING: Scroll(theta=theta),
        BOTH: Both((Walk(stop=stop), Scroll(theta=theta))),
        NOT_AT_ALL: Stay(),
    }
    return models[way]


def efforts(navigation: Navigation) -> Effort:
    """What a rank, a click and a second of reading cost."""
    with st.popover("What costs effort", width="stretch", icon=":material/timer:"):
        rank = slider("A rank consulted", "erank", 0.0, 20.0, 1.0, 0.5)
        click = slider("A link followed", "eclick", 0.0, 20.0, 0.0, 0.5)
        second = 0.0
        if bool(np.isfinite(navigation.components.size).all()):
            second = slider("A second of reading", "esecond", 0.0, 5.0, 0.0, 0.1, help="At 20 characters a second")
        if not rank + second:
            st.caption("A result that costs nothing has no effort-precision: a rank costs 1.")
            rank = 1.0
    return Effort(rank=rank, click=click, second=second)
