"""Settings of the page Topic: a measure, some systems, one topic, the depth of the rankings, and edits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore import InputError
from evalcore.direction import directed
from evalcore.meta import best_first
from ui.address.edits import Editing, Edits, undone_of
from ui.address.families import all_short, rival
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure, scored_on_all, scores
from ui.computing.ranked import DEPTHS
from ui.screen.calls import Call, line
from ui.widgets.fields import Choice, Field, Many

RANKS, WHAT_IF = "Rank by rank", "What if?"
MOST = 3


def _compared(page: TopicSettings) -> Field:
    try:
        ranked = list(map(str, best_first(scores(page.collection, page.measure).mean()).index))
    except InputError:
        ranked = page.collection.systems
    pair = dict.fromkeys((ranked[0], rival(ranked)))
    return Many("Systems (two or three)", page.collection.systems, tuple(pair), most=MOST, called=all_short)


def _topic(page: TopicSettings) -> Field:
    try:
        frame = page.by_topic(page.measure)
    except InputError:
        return Choice("Topic", page.collection.topics)
    return Choice("Topic", by_difference(frame[list(page.compared)] if len(page.compared) > 1 else frame))


def _system(page: TopicSettings) -> Field:
    return Choice("System", page.collection.systems, page.compared[0] if page.compared else None, called=all_short)


def by_difference(frame: pd.DataFrame) -> list[str]:
    """Return the topics in descending order of the range of their scores.

    Topics on which some scores are infinite, but not all, come first.
    """
    values = frame.to_numpy()
    finite, infinite = np.isfinite(values), np.isinf(values).sum(axis=1)
    apart = np.max(values, axis=1, where=finite, initial=-np.inf) - np.min(values, axis=1, where=finite, initial=np.inf)
    apart = np.where((infinite > 0) & (infinite < values.shape[1]), np.inf, np.maximum(apart, 0.0))
    return list(map(str, best_first(directed(pd.Series(apart, frame.index), "high")).index))


@dataclass(frozen=True)
class TopicSettings(Editing, Settings, page="topic"):
    """Settings of the page: the measure, the view, the systems, the topic, the depth, and the edits."""

    measure: str = setting(lambda page: of_measure(page.collection))
    look: str = setting(Choice("Show", (RANKS, WHAT_IF), segmented=True))
    compared: tuple[str, ...] = setting(_compared)
    topic: str = setting(_topic)
    depth: int = setting(Choice("Down to rank", DEPTHS, 20))
    system: str = setting(_system)
    edits: tuple[str, ...] = setting(lambda page: Edits("Edits", page.collection, page.look == WHAT_IF))
    undone: int = setting(lambda page: undone_of(page.edits))

    def by_topic(self, measure: str) -> pd.DataFrame:
        """Return the scores under a measure, topics x systems, on all topics."""
        frame: pd.DataFrame = scored_on_all("", measure, self.collection).value
        return frame

    def on_topic(self, name: str, measure: str) -> Call[pd.Series]:
        """Return the call that selects all systems' scores on the chosen topic."""
        scores = scored_on_all("", measure, self.collection)
        return line(name, scores.it.T[self.topic])
