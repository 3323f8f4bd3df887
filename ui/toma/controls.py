"""The controls of the page TOMA, and what they ask for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.errors import shorten
from evalcore.measures import (
    AP,
    ERR,
    RBP,
    TOMA,
    AboveWorst,
    ByClass,
    ByDistance,
    Chebyshev,
    Doubling,
    Euclidean,
    GainMeasure,
    Given,
    Manhattan,
    Minkowski,
    P,
    TopHalf,
    nDCG,
)
from evalcore.measures.labels import grades_upwards
from evalcore.measures.orders import Distance
from evalcore.measures.toma import EQUAL_RANGES, ClassWeights
from ui.controls import choose, choose_many, line, slider
from ui.text import markdown
from ui.toma.embedding import Embedded, Embedding, embedding_of, positions, scenarios

BASES: dict[str, GainMeasure] = {
    str(one): one for one in (nDCG(), nDCG(cutoff=10), AP(), RBP(), ERR(cutoff=20), P(cutoff=10))
}
DISTANCES: dict[str, Distance] = {
    "Euclidean": Euclidean(),
    "Manhattan": Manhattan(),
    "Chebyshev": Chebyshev(),
    "Minkowski": Minkowski(),
}
WEIGHTS: dict[str, ClassWeights] = {
    "by class": ByClass(),
    "by distance": ByDistance(),
    "doubling": Doubling(),
    "top half": TopHalf(),
    "above worst": AboveWorst(),
}
MOST_TUPLES = 150  # that are listed and drawn one by one
OWN = "your own"
DISTANCE_HELP = (
    "From a tuple of labels to the best one. Manhattan adds the gaps of the aspects. Chebyshev takes the largest gap: "
    "only the worst aspect counts. Euclidean is in between; Minkowski runs through all of them."
)
WEIGHT_HELP = (
    "What a document of each class is worth. by class: 0, 1, 2, ... from the worst. by distance: how near to the best, "
    "0 to 1. doubling: each class a multiple of the one below. top half, above worst: 0 or 1."
)


@dataclass(frozen=True)
class Asked:
    """What the controls say; a measure is made of it where its errors are shown."""

    aspects: tuple[Embedded, ...]
    embedding: Embedding
    presets: dict[str, Embedding]
    distance: Distance
    importance: dict[str, float]
    tuples: str | tuple[tuple[float, ...], ...]
    weights: str
    factor: float
    own: str
    base: str
    held: tuple[int, ...]

    def measure(self) -> TOMA:
        weights = WEIGHTS.get(self.weights) or own_weights(self.own)
        return TOMA(
            BASES[self.base],
            aspects=tuple(one.name for one in self.aspects),
            distance=self.distance,
            embedding=self.embedding,
            importance={name: weight for name, weight in self.importance.items() if weight != 1},
            tuples=self.tuples,
            weights=weights.with_(factor=self.factor) if isinstance(weights, Doubling) else weights,
        )


def controls(collection: Collection, usable: list[str]) -> Asked:
    pool = collection.assessments
    every = {name: Embedded(pool.scale(name), at) for at, name in enumerate(collection.aspects) if name in usable}
    first, second = st.columns(2)
    with first:
        across = choose("Across", "across", usable, "relevance" if "relevance" in usable else None)
    with second:
        up = choose("Up", "up", [name for name in usable if name != across])
    rest = [name for name in usable if name not in (across, up)]
    body, more = st.container(), st.expander("More settings")
    with more:
        further = choose_many("Further aspects", "further", rest, placeholder="none") if rest else []
    aspects = [every[name] for name in (across, up, *further)]
    unit = float(max(one.last for one in aspects))
    offered = scenarios(aspects, unit)
    with body:
        picker = st.container()
        distance = choose_distance()
        embedding = positions(aspects, offered, unit, picker)
        left, right = st.columns(2)
        with left:
            weights = choose("Class weights", "classweights", [*WEIGHTS, OWN], help=WEIGHT_HELP)
        with right:
            base = choose("Read by", "reader", list(BASES), help="The measure that reads the weights as grades")
        factor = slider("Times the class below", "factor", 1.5, 10.0, 2.0, 0.5) if weights == "doubling" else 2.0
        own = line("Weights, worst to best", "ownweights") if weights == OWN else ""
    with more:
        held = held_labels(aspects[2:])
        importance = {
            one.name: slider(f"Importance of {markdown(one.name)}", f"imp{one.at}", 0.0, 5.0, 1.0, 0.1)
            for one in aspects
        }
        tuples = admissible(aspects)
    presets = {name: embedding_of(name, knobs, aspects, offered[EQUAL_RANGES]) for name, knobs in offered.items()}
    return Asked(
        tuple(aspects), embedding, presets, distance, importance, tuples, weights, factor, own, base, tuple(held)
    )


def choose_distance() -> Distance:
    name = choose("Distance to the best", "distance", list(DISTANCES), help=DISTANCE_HELP)
    if name != "Minkowski":
        return DISTANCES[name]
    order = slider("Order p", "order", 1.0, 20.0, 3.0, 0.5, help="1 is Manhattan, 2 Euclidean; the limit is Chebyshev")
    return Minkowski(order=order)


def held_labels(further: Sequence[Embedded]) -> list[int]:
    """The label at which the plane shows each further aspect."""
    held = []
    for one in further:
        if one.bent:
            held.append(one.last)
            continue
        help = "Classes and lines in the figure are those of documents with this label"
        places = list(range(one.last, -1, -1))
        label = f"Shown at {markdown(one.name)}"
        held.append(choose(label, f"hold{one.at}", places, names=one.labels.__getitem__, help=help))
    return held


def admissible(aspects: Sequence[Embedded]) -> str | tuple[tuple[float, ...], ...]:
    """Which tuples there can be: classes are made of these."""
    count = math.prod(one.last + 1 for one in aspects)
    options = ["product", "observed", *(["given"] if count <= MOST_TUPLES else [])]
    help = (
        "product: every combination of labels. observed: those that some document has. given: all but those you leave "
        "out, as in the paper, where what is not relevant cannot be correct."
    )
    kind = choose("Admissible tuples", "tuples", options, help=help)
    if kind != "given":
        return kind
    every = list(np.ndindex(*(one.last + 1 for one in aspects)))
    named = {name_of(aspects, one): one for one in every}
    out = choose_many("Leave out", "leave", list(named), placeholder="none")
    grades = [grades_upwards(one.scale) for one in aspects]
    kept = [one for name, one in named.items() if name not in out]
    return tuple(tuple(grades[at][place] for at, place in enumerate(one)) for one in kept)


def name_of(aspects: Sequence[Embedded], places: Sequence[int]) -> str:
    return "(" + ", ".join(one.labels[place] for one, place in zip(aspects, places, strict=True)) + ")"


def own_weights(written: str) -> ClassWeights:
    """Weights typed by the user. Raises DataError for what is no number, or negative."""
    parts = [part for part in re.split(r"[,;\s]+", written) if part]
    if not parts:
        raise ec.DataError("expected a weight for each class, from the worst to the best, such as 0, 1, 2; found none")
    for part in parts:
        try:
            float(part)
        except ValueError:
            raise ec.DataError(f"expected numbers separated by commas as weights, found {shorten(part)}") from None
    return Given(weights=tuple(map(float, parts)))
