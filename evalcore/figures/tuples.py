"""The labels of a TOMA measure: tuples in the plane of two aspects, with lines of equal distance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.errors import InputError, counted
from evalcore.figures import draw
from evalcore.figures.style import plain
from evalcore.figures.toma import Curve, equal_distance, label_plane
from evalcore.measures.labels import distinct, grades_upwards, labels_upwards, occurrences
from evalcore.measures.toma import FEW, TOMA
from evalcore.measures.tuple_orders import TupleOrder, pool_tuples
from evalcore.structures.documents import Assessments, Scale

MOST_TUPLES = 150  # listed and drawn one by one
MOST_NODES = 40  # in a written order
MOST_LINES = 40  # lines of equal distance
BINS = 24


def tuple_plane(
    toma: TOMA,
    pool: Assessments,
    *,
    order: TupleOrder | None = None,
    held: Mapping[str, float] | None = None,
    bare: bool = False,
) -> draw.Figure:
    """Draw tuples of labels on two aspects at their positions in a TOMA measure, with lines of equal distance.

    `bare` leaves out what depends on the distance: lines, classes and shades (Figure 1a of Maistro et al. 2021).
    Classes and lines are those of documents with the grades `held` on further aspects, by default the best; the size of
    a mark counts all documents with its two labels. `order` is `toma.order(pool)`, if it is already known. Raises
    InputError for fewer than two aspects, and for a grade that an aspect does not have.
    """
    toma = toma.meant_of(pool)
    if len(toma.names) < 2:
        raise InputError(f"expected a measure of at least two aspects, found {toma}")
    tuples = _Tuples(toma, pool, toma.order(pool) if order is None else order)
    place = [_held(scale, held or {}) for scale in tuples.scales[2:]]
    few = math.prod(tuples.shape[:2]) <= MOST_TUPLES
    levels = np.unique(tuples.order.distances)[1:]
    if len(levels) > MOST_LINES or not few:
        levels = np.linspace(0, tuples.order.distances[0], 11)[1:]
    marks = _few_marks(tuples, place) if few else _many_marks(tuples, place)
    if bare:
        marks, levels = marks.assign(text="", share=1.0), levels[:0]
    across, up = (tuples.axis(scale) for scale in tuples.scales[:2])
    return label_plane(marks, _level_curves(tuples, place, levels), across, up)


def listed_tuples(toma: TOMA, pool: Assessments) -> IntArray:
    """Return the (U, A) admissible tuples; if all are admissible but too many, only those that documents have."""
    toma = toma.meant_of(pool)
    given, shape = toma.admissible(pool), _shape(toma, pool)
    if given is None and math.prod(shape) <= MOST_TUPLES:
        return np.array(list(np.ndindex(*shape)))
    return distinct(pool_tuples(pool, toma.names) if given is None else given, shape)[0]


def named(tuples: IntArray, labels: Sequence[Sequence[str]]) -> list[str]:
    """Return each tuple (indices of labels) as text, with the names in `labels`: by aspect, from worst to best.

    >>> named(np.array([[0, 1]]), [["no", "yes"], ["hard", "easy"]])
    ['(no, easy)']
    """
    return ["(" + ", ".join(labels[at][k] for at, k in enumerate(places)) + ")" for places in tuples.tolist()]


@dataclass(frozen=True)
class _Tuples:
    """The tuples of labels of a pool as a measure orders them."""

    toma: TOMA
    pool: Assessments
    order: TupleOrder

    @cached_property
    def scales(self) -> list[Scale]:
        return [self.pool.scale(name) for name in self.toma.names]

    @cached_property
    def positions(self) -> dict[str, tuple[float, ...]]:
        return self.toma.positions(self.pool)

    @cached_property
    def documents(self) -> IntArray:
        return pool_tuples(self.pool, self.toma.names)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return _shape(self.toma, self.pool)

    def share_of(self, place: IntArray) -> FloatArray:
        return 1 - (place - 1) / max(self.order.n_classes - 1, 1)

    def axis(self, scale: Scale) -> tuple[str, list[float], list[str]]:
        """Return the title of an axis, and the positions and names of its ticks; a long scale has only five."""
        places, names, last = self.positions[scale.name], labels_upwards(scale), len(scale.grades) - 1
        long = len(scale.grades) > FEW
        ticks = sorted({round(share * last) for share in (0, 0.25, 0.5, 0.75, 1)}) if long else range(last + 1)
        return scale.name, [places[k] for k in ticks], [names[k] for k in ticks]


def _shape(toma: TOMA, pool: Assessments) -> tuple[int, ...]:
    return tuple(len(pool.scale(name).grades) for name in toma.names)


def _held(scale: Scale, held: Mapping[str, float]) -> int:
    """Return the position of the grade at which an aspect is held, counted from the worst."""
    grades = grades_upwards(scale)
    grade = held.get(scale.name, grades[-1])
    if grade not in grades:
        raise InputError(f"expected a grade of {scale.name} ({', '.join(f'{g:g}' for g in grades)}), found {grade}")
    return grades.index(grade)


def _with_held(pairs: IntArray, held: Sequence[int]) -> IntArray:
    """Return pairs of labels on the plane, completed with the labels held on further aspects."""
    return np.column_stack([pairs, np.tile(held, (len(pairs), 1)).astype(int)])


def _few_marks(tuples: _Tuples, held: Sequence[int]) -> pd.DataFrame:
    """Return a table of marks, one for each pair of labels, with their classes."""
    toma, order, shape = tuples.toma, tuples.order, tuples.shape
    pairs = np.array(list(np.ndindex(*shape[:2])))
    whole = _with_held(pairs, held)
    given = toma.admissible(tuples.pool)
    known = np.ones(len(pairs), dtype=bool) if given is None else occurrences(whole, given, shape) > 0
    place = np.zeros(len(pairs), dtype=int)
    place[known] = tuples.order.rank_of(whole[known])
    documents = occurrences(pairs, tuples.documents[:, :2], shape[:2])
    marks = pd.DataFrame(
        {
            "x": np.take(tuples.positions[toma.names[0]], pairs[:, 0]),
            "y": np.take(tuples.positions[toma.names[1]], pairs[:, 1]),
            "share": np.where(known, tuples.share_of(place), np.nan),
            "documents": documents,
            "text": [str(number) if number else "–" for number in place],
            "best": (whole == np.array(shape) - 1).all(axis=1),
        }
    )
    weights = toma.weights.of(order)[::-1]
    names = named(whole, [labels_upwards(scale) for scale in tuples.scales])
    marks["hover"] = [
        f"<b>{plain(name)}</b><br>"
        + (f"class {number} of {order.n_classes}, weight {weights[number - 1]:.4g}" if number else "not admissible")
        + f"<br>distance {distance:.4g}<br>{counted(count, 'document')}"
        for name, number, distance, count in zip(names, place, order.distance_of(whole), documents, strict=True)
    ]
    marks = marks[known | (documents > 0)].sort_values("documents", ascending=False, kind="stable")
    marks.loc[marks.duplicated(["x", "y"]), "text"] = ""
    return marks


def _many_marks(tuples: _Tuples, held: Sequence[int]) -> pd.DataFrame:
    """Return, for long scales, a table with a mark for each square of the plane, shaded by its mean distance."""
    pairs, documents = distinct(tuples.documents[:, :2], tuples.shape[:2])
    distances = tuples.order.distance_of(_with_held(pairs, held))
    frame = pd.DataFrame({"documents": documents, "distance": distances})
    for side, scale, column in zip("xy", tuples.scales, pairs.T, strict=False):
        places = np.array(tuples.positions[scale.name])
        frame[side] = places[column]
        width = (places[-1] - places[0]) / BINS or 1.0
        long = len(scale.grades) > FEW
        frame[f"{side}bin"] = np.floor((frame[side] - places[0]) / width) if long else column
    parts = frame[["x", "y", "distance"]].mul(frame["documents"], axis=0).join(frame[["documents", "xbin", "ybin"]])
    sums = parts.groupby(["xbin", "ybin"], as_index=False).sum()
    marks = sums[["x", "y", "distance"]].div(sums["documents"], axis=0).assign(documents=sums["documents"])
    farthest = float(tuples.order.distances[0]) or 1.0
    marks["share"] = np.clip(1 - marks["distance"] / farthest, 0, 1)
    rows = marks[["x", "y", "distance", "documents"]].itertuples(index=False)
    names = [plain(scale.name) for scale in tuples.scales[:2]]
    marks["hover"] = [
        f"{names[0]} at {x:.3g}, {names[1]} at {y:.3g}<br>mean distance {distance:.4g}<br>{counted(count, 'document')}"
        for x, y, distance, count in rows
    ]
    return marks.assign(text="", best=False)


def _level_curves(tuples: _Tuples, held: Sequence[int], levels: FloatArray) -> list[Curve]:
    """Return lines of equal distance in the plane, where aspects not in the plane contribute as `held` says."""
    best = np.array(tuples.shape) - 1
    corner = _with_held(best[None, :2], held)
    power, off = tuples.toma.distance.power, float(tuples.order.distance_of(corner)[0])
    importance = dict(tuples.toma.importance)
    first, second = tuples.toma.names[:2]
    weights = importance.get(first, 1.0), importance.get(second, 1.0)
    spans = [np.ptp(tuples.positions[name]) for name in (first, second)]
    if not any(weights):
        return []
    inside = levels[levels > off * (1 + 1e-9)]
    radii = inside if math.isinf(power) else (inside**power - off**power) ** (1 / power)
    return [equal_distance(radius, power, weights, 2 * max(spans)) for radius in radii.tolist()]
