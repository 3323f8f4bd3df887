"""The plane of two aspects: tuples where they lie, their classes, and lines of equal distance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.arrays import FloatArray, IntArray
from evalcore.figures import plain
from evalcore.figures.toma import Curve, equal_distance
from evalcore.measures.labels import distinct, occurrences
from ui.toma.controls import MOST_TUPLES
from ui.toma.embedding import Embedded
from ui.toma.view import View
from ui.widgets import handles, show
from ui.widgets.text import markdown

MOST_LINES = 40  # of equal distance
BINS = 24
EXACT = 1e-9  # steps


def draw_plane(view: View) -> None:
    marks = few_marks(view) if math.prod(view.shape[:2]) <= MOST_TUPLES else many_marks(view)
    levels = np.unique(view.order.distances)[1:]
    if len(levels) > MOST_LINES or math.prod(view.shape[:2]) > MOST_TUPLES:
        levels = np.linspace(0, view.order.distances[0], 11)[1:]
    sides = [axis_of(view, one) for one in view.aspects[:2]]
    figure = figures.label_plane(marks, level_curves(view, levels), *sides)
    handles.give(figure, [*lines(view, "x", view.aspects[0]), *lines(view, "y", view.aspects[1])])
    x, y = (one.name for one in view.aspects[:2])
    show.figure(figure, "plane", f"Tuples of {x} and {y} where they lie, their classes beside them; see Order for both")
    if len(view.aspects) > 2:
        places = zip(view.aspects[2:], view.asked.held_places, strict=True)
        at = ", ".join(f"{markdown(one.name)} “{markdown(one.labels[place])}”" for one, place in places)
        st.caption(f"Classes and lines are drawn for {at}; the size of a mark counts documents with any.")


def lines(view: View, axis: str, one: Embedded) -> list[dict[str, Any]]:
    """The lines of an aspect's labels, each of which can be dragged from one neighbour to the other."""
    if one.bent:
        return []
    places, step = view.positions[one.name], view.asked.stride
    ends = [0.0, *places, 2 * view.asked.unit]
    between = [
        (step * math.ceil(low / step - EXACT), step * math.floor(high / step + EXACT))
        for low, high in zip(ends[:-2], ends[2:], strict=True)
    ]
    return [
        handles.line(view.asked.key_of_position(part), axis, at, room, step, f"Drag “{label}”")
        for part, label, at, room in zip(one.parts, one.labels, places, between, strict=True)
    ]


def axis_of(view: View, one: Embedded) -> tuple[str, list[float], list[str]]:
    """Title, positions and names of the ticks."""
    places = list(view.positions[one.name])
    if not one.bent:
        return one.name, places, one.labels
    chosen = sorted({round(share * one.last) for share in (0, 0.25, 0.5, 0.75, 1)})
    return one.name, [places[k] for k in chosen], [one.labels[k] for k in chosen]


def with_held(view: View, pairs: IntArray) -> IntArray:
    """Pairs of labels on the plane, completed by the labels of further aspects that it is shown at."""
    return np.column_stack([pairs, np.tile(view.asked.held_places, (len(pairs), 1)).astype(int)])


def few_marks(view: View) -> pd.DataFrame:
    """One mark for each pair of labels, with its class."""
    pairs = np.array(list(np.ndindex(*view.shape[:2])))
    tuples = with_held(view, pairs)
    given = view.measure.admissible(view.pool)
    known = np.ones(len(pairs), dtype=bool) if given is None else occurrences(tuples, given, view.shape) > 0
    place = np.zeros(len(pairs), dtype=int)
    place[known] = view.rank_of(tuples[known])
    documents = occurrences(pairs, view.documents[:, :2], view.shape[:2])
    marks = pd.DataFrame(
        {
            "x": np.take(view.positions[view.aspects[0].name], pairs[:, 0]),
            "y": np.take(view.positions[view.aspects[1].name], pairs[:, 1]),
            "share": np.where(known, view.share_of(place), np.nan),
            "documents": documents,
            "text": [str(one) if one else "–" for one in place],
            "best": (tuples == np.array(view.shape) - 1).all(axis=1),
        }
    )
    weights = view.measure.weights.of(view.order)[::-1]
    rows = zip(view.names(tuples), place, view.order.distance_of(tuples), documents, strict=True)
    marks["hover"] = [
        f"<b>{plain(name)}</b><br>"
        + (f"class {one} of {view.order.n_classes}, weight {weights[one - 1]:.4g}" if one else "not admissible")
        + f"<br>distance {distance:.4g}<br>{count:,} documents"
        for name, one, distance, count in rows
    ]
    marks = marks[known | (documents > 0)].sort_values("documents", ascending=False, kind="stable")
    marks.loc[marks.duplicated(["x", "y"]), "text"] = ""
    return marks


def many_marks(view: View) -> pd.DataFrame:
    """Long scales: the documents in squares of the plane, coloured by their mean distance."""
    pairs, documents = distinct(view.documents[:, :2], view.shape[:2])
    frame = pd.DataFrame({"documents": documents, "distance": view.order.distance_of(with_held(view, pairs))})
    for side, one, column in zip("xy", view.aspects, pairs.T, strict=False):
        places = np.array(view.positions[one.name])
        frame[side] = places[column]
        width = (places[-1] - places[0]) / BINS or 1.0
        frame[f"{side}bin"] = np.floor((frame[side] - places[0]) / width) if one.bent else column
    parts = frame[["x", "y", "distance"]].mul(frame["documents"], axis=0).join(frame[["documents", "xbin", "ybin"]])
    sums = parts.groupby(["xbin", "ybin"], as_index=False).sum()
    marks = sums[["x", "y", "distance"]].div(sums["documents"], axis=0).assign(documents=sums["documents"])
    farthest = float(view.order.distances[0]) or 1.0
    marks["share"] = np.clip(1 - marks["distance"] / farthest, 0, 1)
    rows = marks[["x", "y", "distance", "documents"]].itertuples(index=False)
    names = [plain(one.name) for one in view.aspects[:2]]
    marks["hover"] = [
        f"{names[0]} at {x:.3g}, {names[1]} at {y:.3g}<br>mean distance {distance:.4g}<br>{count:,} documents"
        for x, y, distance, count in rows
    ]
    return marks.assign(text="", best=False)


def level_curves(view: View, levels: FloatArray) -> list[Curve]:
    """Lines of equal distance in the plane; what the further aspects add is taken off."""
    best = np.array(view.shape) - 1
    corner = with_held(view, best[None, :2])
    power, off = view.measure.distance.power, float(view.order.distance_of(corner)[0])
    weights = (view.asked.importances[view.aspects[0].name], view.asked.importances[view.aspects[1].name])
    spans = [np.ptp(view.positions[one.name]) for one in view.aspects[:2]]
    if not any(weights):
        return []
    inside = levels[levels > off * (1 + 1e-9)]
    radii = inside if math.isinf(power) else (inside**power - off**power) ** (1 / power)
    return [equal_distance(radius, power, weights, 2 * max(spans)) for radius in radii.tolist()]
