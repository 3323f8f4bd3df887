"""The plane of two aspects: tuples where they lie, their classes, and lines of equal distance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ui.screen.items import Figure, Item, Text
from ui.screen.text import markdown
from ui.toma.embedding import Embedded
from ui.toma.view import TomaView
from ui.widgets import handles

EXACT = 1e-9  # steps


def plane(view: TomaView) -> Iterator[Item]:
    offered = handles.offered([*lines(view, "x", view.aspects[0]), *lines(view, "y", view.aspects[1])])
    x, y = (aspect.name for aspect in view.aspects[:2])
    alt = f"Tuples of {x} and {y} where they lie, their classes beside them; see Order for both"
    yield Figure(view.plane, "plane", alt, layout=offered)
    if len(view.aspects) > 2:
        places = zip(view.aspects[2:], view.asked.held_places, strict=True)
        at = ", ".join(f"{markdown(aspect.name)} “{markdown(aspect.labels[place])}”" for aspect, place in places)
        yield Text(f"Classes and lines are drawn for {at}; the size of a mark counts documents with any.", "note")


def lines(view: TomaView, axis: str, aspect: Embedded) -> list[dict[str, Any]]:
    """The lines of an aspect's labels, each of which can be dragged from one neighbour to the other."""
    if aspect.bent:
        return []
    places, step = view.positions[aspect.name], view.asked.stride
    ends = [0.0, *places, 2 * view.asked.unit]
    between = [
        (step * math.ceil(low / step - EXACT), step * math.floor(high / step + EXACT))
        for low, high in zip(ends[:-2], ends[2:], strict=True)
    ]
    return [
        handles.line(view.asked.key_of_position(part), axis, at, room, step, f"Drag “{label}”")
        for part, label, at, room in zip(aspect.parts, aspect.labels, places, between, strict=True)
    ]
