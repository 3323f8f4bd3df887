"""All topics and systems as a map: of the scores by a measure, or of their difference to another."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from evalcore import figures
from evalcore.notation.reading import reading_name
from ui.address import families
from ui.computing.measures import scored
from ui.screen.calls import Call, call
from ui.screen.items import Figure, Item, Table, Text
from ui.screen.text import measure_name
from ui.topic.controls import TopicSettings


def scores_of_all(page: TopicSettings) -> Iterator[Item]:
    """The scores of every system on every topic."""
    scores = scored("scores", page.measure, page.collection)
    yield Text(
        f"{measure_name(page.measure)} of every system on every topic. Click a cell to see what made it so.", "note"
    )
    yield topic_map(page, "map", scores, "{scores}", f"{page.measure} by topic and system")
    yield Table(scores, "scores by topic", height=300)


def difference(page: TopicSettings) -> Iterator[Item]:
    """What one measure gives each system on each topic, less what the other gives it."""
    both = (scored("", measure, page.collection) for measure in (page.measure, page.less))
    gap = call("gap", "{x} - {y}", **dict(zip("xy", both, strict=True)))
    words = f"{measure_name(page.measure)} less {measure_name(page.less)}"
    yield Text(f"{words}; blue: the first is higher, red: the second. Click a cell to see why.", "note")
    alt = f"{reading_name(page.measure)} less {reading_name(page.less)} by topic and system"
    yield topic_map(page, "gap map", gap, "{scores}, difference=True", alt)
    yield Table(gap, "difference by topic", height=300)


def topic_map(page: TopicSettings, key: str, scores: Call[pd.DataFrame], arguments: str, alt: str) -> Figure:
    """A map whose cells open their topic rank by rank."""
    figure = families.figure(figures.topic_map, arguments, page.collection, scores=scores)
    return Figure(figure, key, alt, page.open_cell, ("points",))
