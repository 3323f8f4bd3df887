"""What the page Topic shows: a measure, some systems, one topic, and how deep their rankings are read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.direction import directed
from evalcore.meta import best_first
from ui.address.edits import Editing, Edits, undone_of
from ui.address.families import all_short
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure, scored_on_all, scores
from ui.computing.ranked import DEPTHS
from ui.screen.calls import Call, line
from ui.widgets.fields import Choice, Field, Many, Switch

RANKS, MAP, DIFFERENCE = "Rank by rank", "All topics and systems", "Difference of two measures"
WHAT_IF = "What if?"
MOST = 3


def _less(page: TopicSettings) -> Field:
    other = "nDCG@10" if page.measure.startswith("RBP") else "RBP(rho=0.8)"
    return of_measure(page.collection, "Minus", str(ec.parse(other)))


def _compared(page: TopicSettings) -> Field:
    try:
        best = best_first(scores(page.collection, page.measure).mean()).index[:2]
    except InputError:
        best = page.collection.systems[:2]
    return Many("Systems (two or three)", page.collection.systems, tuple(map(str, best)), most=MOST, called=all_short)


def _topic(page: TopicSettings) -> Field:
    try:
        frame = page.by_topic(page.measure)
    except InputError:
        return Choice("Topic", page.collection.topics)
    return Choice("Topic", by_difference(frame[list(page.compared)] if len(page.compared) > 1 else frame))


def _system(page: TopicSettings) -> Field:
    return Choice("System", page.collection.systems, page.compared[0] if page.compared else None, called=all_short)


def by_difference(frame: pd.DataFrame) -> list[str]:
    """Topics on which these systems are furthest apart, first: those where some scores are infinite and others not."""
    values = frame.to_numpy()
    finite, infinite = np.isfinite(values), np.isinf(values).sum(axis=1)
    apart = np.max(values, axis=1, where=finite, initial=-np.inf) - np.min(values, axis=1, where=finite, initial=np.inf)
    apart = np.where((infinite > 0) & (infinite < values.shape[1]), np.inf, np.maximum(apart, 0.0))
    return list(map(str, best_first(directed(pd.Series(apart, frame.index), "high")).index))


@dataclass(frozen=True)
class TopicSettings(Editing, Settings, page="topic"):
    """What is looked at."""

    measure: str = setting(lambda page: of_measure(page.collection))
    look: str = setting(Choice("Show", (RANKS, MAP, DIFFERENCE, WHAT_IF)))
    both: bool = setting(Switch("By a second measure too", help="What the systems score by it, and the difference"))
    less: str = setting(_less)
    compared: tuple[str, ...] = setting(_compared)
    topic: str = setting(_topic)
    depth: int = setting(Choice("Down to rank", DEPTHS, 20))
    system: str = setting(_system)
    edits: tuple[str, ...] = setting(lambda page: Edits("Edits", page.collection, page.look == WHAT_IF))
    undone: int = setting(lambda page: undone_of(page.edits))

    def by_topic(self, measure: str) -> pd.DataFrame:
        """Topics x systems, of every topic."""
        frame: pd.DataFrame = scored_on_all("", measure, self.collection).value
        return frame

    def on_topic(self, name: str, measure: str) -> Call[pd.Series]:
        """The scores of all systems on the topic."""
        scores = scored_on_all("", measure, self.collection)
        return line(name, scores.it.T[self.topic])

    def of_cell(self, cell: str) -> dict[str, Any]:
        """What a cell of a map opens: its topic and system rank by rank, by both measures where the map is of both."""
        every = product(self.collection.topics, self.collection.systems)
        topic, system = next(pair for pair in every if " | ".join(pair) == cell)
        others = [other for other in self.compared if other != system]
        both = self.both or self.look == DIFFERENCE
        return {"look": RANKS, "both": both, "compared": (system, *others)[:2], "topic": topic}

    def open_cell(self, cells: list[str]) -> None:
        """A clicked cell of a map is one step: Back leads to the map."""
        if cells:
            self.change(**self.of_cell(cells[0]))
