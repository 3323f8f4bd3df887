"""When is one document better than another? TOMA: labels embedded, tuples ordered by their distance to the best."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.data import Assessments, Collection, Scale
from evalcore.data.structures import Floats, Integers
from evalcore.errors import shorten
from evalcore.figures import plain
from evalcore.figures.toma import Curve, equal_distance
from evalcore.measures import (
    AP,
    CAM,
    ERR,
    MM,
    RBP,
    TOMA,
    AboveWorst,
    ByClass,
    ByDistance,
    Chebyshev,
    Doubling,
    Euclidean,
    Given,
    Manhattan,
    Measure,
    Minkowski,
    P,
    TopHalf,
    TupleOrder,
    nDCG,
)
from evalcore.measures.orders import Distance, pool_tuples
from evalcore.measures.partial import covers, open_pairs
from evalcore.measures.toma import ClassWeights
from evalcore.meta import ranks
from ui import collections, show
from ui.controls import choose, choose_many, slider, text
from ui.text import markdown

BASES: dict[str, Measure] = {
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
OWN, CUSTOM = "your own", "custom"
VIEWS = ("Order", "Partial order", "Systems", "What changed")
DISTANCE_HELP = (
    "From a tuple of labels to the best one. Manhattan adds the gaps of the aspects. Chebyshev takes the largest gap: "
    "only the worst aspect counts. Euclidean is in between; Minkowski runs through all of them."
)
WEIGHT_HELP = (
    "What a document of each class is worth. by class: 0, 1, 2, ... from the worst. by distance: how near to the best, "
    "0 to 1. doubling: each class a multiple of the one below. top half, above worst: 0 or 1."
)
BEND_HELP = "1: equal steps. Above 1 the low grades lie close together, far from the best; below 1 the high ones."
MOST_SLIDERS = 8  # labels that get a slider each; a longer scale is bent as a whole
MOST_TUPLES = 150  # that are listed and drawn one by one
MOST_NODES = 40
MOST_CLASSES = 40  # written out
BINS = 30


def main() -> None:
    collection = collections.current()
    st.title("When is one document better than another?", anchor=False)
    usable = [name for name in collection.aspects if len(collection.assessments.scale(name).grades) > 1]
    if lack := what_is_missing(collection, usable):
        st.info(lack, icon=":material/info:")
        return
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        asked = controls(collection, usable)
    view = None
    with right, show.errors():
        view = View.of(collection, asked)
        headline(view)
        draw_plane(view)
    if view is None:
        return
    show.explain(*explanation(view))
    formulas(view)
    details(view)


def what_is_missing(collection: Collection, usable: list[str]) -> str:
    """Why this page has nothing to show for a collection, and what to do; empty where it has."""
    if len(usable) > 1:
        return ""
    single = [markdown(name) for name in collection.aspects if name not in usable]
    has = ", ".join(map(markdown, (*usable, *collection.signals))) or "none"
    alone = f" ({', '.join(single)}: one label only, which tells nothing apart)" if single else ""
    return (
        "TOMA joins two aspects or more, each with at least two labels; the open collection has "
        f"{has}{alone}. Open files with a second aspect, such as qrels.txt and qread.txt, in the sidebar; a signal "
        "becomes an aspect when it is cut into grades on the page Collection."
    )


# --- controls ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Embedded:
    """An aspect and how its labels are placed: a knob for each label, or range and bend of a long scale."""

    scale: Scale
    at: int  # among the aspects of the collection: its keys in the link

    @property
    def name(self) -> str:
        return self.scale.name

    @property
    def last(self) -> int:
        return len(self.scale.grades) - 1

    @property
    def bent(self) -> bool:
        return len(self.scale.grades) > MOST_SLIDERS

    @property
    def labels(self) -> list[str]:
        """From worst to best: the name, or the grade."""
        known = self.scale.names if len(self.scale.names) == len(self.scale.grades) else ()
        shown = list(known or (f"{grade:g}" for grade in self.scale.grades))
        return shown if self.scale.good == "high" else shown[::-1]

    @property
    def keys(self) -> list[str]:
        if self.bent:
            return [f"range{self.at}", f"bend{self.at}"]
        return [f"pos{self.at}_{place}" for place in range(self.last + 1)]

    def even(self, length: float) -> list[float]:
        """Knobs for equal steps over a length."""
        return [length, 1.0] if self.bent else [round(length * k / self.last, 2) for k in range(self.last + 1)]

    def rising(self, length: float) -> list[float]:
        """Knobs for growing steps: all but the best labels lie far from the best."""
        whole = self.last * (self.last + 1)
        return [length, 2.0] if self.bent else [round(length * k * (k + 1) / whole, 2) for k in range(self.last + 1)]

    def positions(self, knobs: Sequence[float]) -> tuple[float, ...]:
        """Of the labels, worst to best; never decreasing."""
        if not self.bent:
            return tuple(np.maximum.accumulate(knobs).tolist())
        grades = np.array(self.scale.grades if self.scale.good == "high" else self.scale.grades[::-1])
        share = (grades - grades[0]) / (grades[-1] - grades[0])
        return tuple(np.round(knobs[0] * share ** knobs[1], 4).tolist())


@dataclass(frozen=True)
class Asked:
    """What the controls say; a measure is made of it where its errors are shown."""

    aspects: tuple[Embedded, ...]
    embedding: dict[str, tuple[float, ...]]
    presets: dict[str, dict[str, tuple[float, ...]]]
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
    further = st.session_state.get("further", [])
    rest = [name for name in usable if name not in (across, up)]
    aspects = [every[name] for name in (across, up, *(name for name in further if name in rest))]
    unit = float(max((one.last for one in every.values() if not one.bent), default=3))
    offered = scenarios(aspects, unit)
    picker = st.container()
    distance = choose_distance()
    embedding = positions(aspects, offered, unit, picker)
    left, right = st.columns(2)
    with left:
        weights = choose("Class weights", "classweights", [*WEIGHTS, OWN], help=WEIGHT_HELP)
    with right:
        base = choose("Read by", "reader", list(BASES), help="The measure that reads the weights as grades")
    factor = slider("Times the class below", "factor", 1.5, 10.0, 2.0, 0.5) if weights == "doubling" else 2.0
    own = text("Weights, worst to best", "ownweights", "") if weights == OWN else ""
    with st.expander("More settings"):
        if rest:
            choose_many("Further aspects", "further", rest, placeholder="none")
        held = held_labels(aspects[2:])
        importance = {
            one.name: slider(f"Importance of {markdown(one.name)}", f"imp{one.at}", 0.0, 5.0, 1.0, 0.1)
            for one in aspects
        }
        tuples = admissible(aspects)
    embedded = {name: places for name, places in embedding.items() if not is_default(every[name], places)}
    presets = {
        name: {one.name: one.positions(knobs) for one, knobs in zip(aspects, preset, strict=True)}
        for name, preset in offered.items()
    }
    return Asked(
        tuple(aspects), embedded, presets, distance, importance, tuples, weights, factor, own, base, tuple(held)
    )


def is_default(one: Embedded, places: Sequence[float]) -> bool:
    return list(places) == list(range(one.last + 1))


def scenarios(aspects: Sequence[Embedded], unit: float) -> dict[str, list[list[float]]]:
    """Presets of all knobs, in the spirit of the paper's Table 1: the same steps, the same range, one aspect first."""
    own = [unit if one.bent else float(one.last) for one in aspects]
    first, second = aspects[:2]
    offered = {
        "equal steps": [one.even(length) for one, length in zip(aspects, own, strict=True)],
        "equal ranges": [one.even(unit) for one in aspects],
        f"{first.name} counts double": [one.even(2 * unit if one is first else unit) for one in aspects],
        f"{second.name} decides": [one.rising(2 * own[0]) if one is second else one.even(own[0]) for one in aspects],
    }
    different: dict[str, list[list[float]]] = {}
    for name, knobs in offered.items():
        if knobs not in different.values():
            different[name] = knobs
    return different


def positions(
    aspects: Sequence[Embedded], offered: Mapping[str, list[list[float]]], unit: float, picker: DeltaGenerator
) -> dict[str, tuple[float, ...]]:
    """The positions of all labels: the sliders hold them; the scenario is whichever preset they agree with."""
    start = next(iter(offered.values()))
    knobs = [label_sliders(one, at, unit, one is aspects[1]) for one, at in zip(aspects, start, strict=True)]
    now = next((name for name, preset in offered.items() if np.allclose(_flat(preset), _flat(knobs))), CUSTOM)
    keys = [key for one in aspects for key in one.keys]
    values = {name: dict(zip(keys, _flat(preset), strict=True)) for name, preset in offered.items()}
    st.session_state["scenario"] = now
    picker.selectbox(
        "Scenario",
        [*offered, *([CUSTOM] if now == CUSTOM else [])],
        key="scenario",
        on_change=take_scenario,
        args=(values,),
        help="Positions to begin with, as the three scenarios of Table 1 in the paper; move any label afterwards",
    )
    return {one.name: one.positions(places) for one, places in zip(aspects, knobs, strict=True)}


def _flat(knobs: Sequence[Sequence[float]]) -> list[float]:
    return [value for one in knobs for value in one]


def take_scenario(values: Mapping[str, Mapping[str, float]]) -> None:
    """The scenario picked moves the sliders."""
    st.session_state.update(values.get(st.session_state["scenario"], {}))


def label_sliders(one: Embedded, start: Sequence[float], unit: float, expanded: bool) -> list[float]:
    """A slider for each label from worst to best; for a long scale its range and its bend."""
    with st.expander(f"Positions of {markdown(one.name)}", icon=":material/tune:", expanded=expanded):
        if one.bent:
            length = slider("Range", one.keys[0], 0.0, 2 * unit, start[0], 0.01, help="Position of the best grade")
            return [length, slider("Bend", one.keys[1], 0.2, 5.0, start[1], 0.05, help=BEND_HELP)]
        places = [
            slider(markdown(label), key, 0.0, 2 * unit, at, 0.01)
            for label, key, at in zip(one.labels, one.keys, start, strict=True)
        ]
    moved = [k for k in range(1, len(places)) if places[k] < max(places[:k])]
    if moved:
        names = ", ".join(f"“{markdown(one.labels[k])}”" for k in moved)
        st.warning(
            f"{markdown(one.name)}: expected positions that do not decrease from the worst label to the best; {names} "
            "would lie before a worse label and is moved up to it.",
            icon=":material/sort:",
        )
    return places


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
        held.append(choose(label, f"hold{one.at}", places, names=lambda k, one=one: one.labels[k], help=help))
    return held


def admissible(aspects: Sequence[Embedded]) -> str | tuple[tuple[float, ...], ...]:
    """Which tuples there can be: classes are made of these."""
    count = math.prod(one.last + 1 for one in aspects)
    options = ["product", "observed", *(["given"] if count <= MOST_TUPLES else [])]
    help = (
        "product: every combination of labels. observed: those that some document has. given: all but those you leave "
        "out, as in the paper, where what is not relevant cannot be correct."
    )
    kind = choose("Admissible tuples", "tuples", options, segmented=True, help=help)
    if kind != "given":
        return kind
    every = list(np.ndindex(*(one.last + 1 for one in aspects)))
    named = {name_of(aspects, one): one for one in every}
    out = choose_many("Leave out", "leave", list(named), placeholder="none")
    grades = [one.scale.grades if one.scale.good == "high" else one.scale.grades[::-1] for one in aspects]
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


# --- what is shown ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """The measure of the controls on the open collection, and what several parts of the page need of it."""

    collection: Collection
    asked: Asked
    measure: TOMA
    order: TupleOrder
    means: dict[str, pd.Series]  # CAM, TOMA, MM

    @classmethod
    def of(cls, collection: Collection, asked: Asked) -> View:
        measure = asked.measure()
        order = measure.order(collection.assessments)
        refuse_left_out(collection.assessments, measure, asked.aspects)
        rivals = rival_means(collection, measure, asked)
        own = ec.evaluate(measure, collection).mean()
        return cls(collection, asked, measure, order, {"CAM": rivals["CAM"], "TOMA": own, "MM": rivals["MM"]})

    @property
    def pool(self) -> Assessments:
        return self.collection.assessments

    @property
    def aspects(self) -> tuple[Embedded, ...]:
        return self.asked.aspects

    @cached_property
    def documents(self) -> Integers:
        """(P, A) the tuple of each document."""
        return pool_tuples(self.pool, self.measure.aspects)

    @cached_property
    def tuples(self) -> Integers:
        """The admissible tuples, or where they are too many those that documents have."""
        given = self.measure.admissible(self.pool)
        if given is None and math.prod(self.shape) <= MOST_TUPLES:
            return np.array(list(np.ndindex(*self.shape)))
        return unique_tuples(self.documents if given is None else given, self.shape)[0]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(one.last + 1 for one in self.aspects)

    def rank_of(self, tuples: Integers) -> Integers:
        """The class of each tuple counted from the best, 1."""
        return self.order.n_classes - self.order.class_of(tuples)

    def share_of(self, place: Integers) -> Floats:
        """Of a class counted from the best: 0 the worst, 1 the best."""
        return 1 - (place - 1) / max(self.order.n_classes - 1, 1)

    def count(self, tuples: Integers) -> Integers:
        """How many documents have each tuple."""
        return count_of(self.documents, tuples, self.shape)

    def names(self, tuples: Integers) -> list[str]:
        labels = [one.labels for one in self.aspects]
        return ["(" + ", ".join(labels[at][k] for at, k in enumerate(one)) + ")" for one in tuples.tolist()]


def refuse_left_out(pool: Assessments, measure: TOMA, aspects: Sequence[Embedded]) -> None:
    """Raises DataError, in the names of the labels, where documents have a tuple that was left out."""
    given = measure.admissible(pool) if not isinstance(measure.tuples, str) else None
    if given is None:
        return
    shape = tuple(one.last + 1 for one in aspects)
    found, counts = unique_tuples(pool_tuples(pool, measure.aspects), shape)
    out = count_of(given, found, shape) == 0
    if out.any():
        names = ", ".join(name_of(aspects, one) for one in found[out][:5].tolist())
        raise ec.DataError(
            f"expected only tuples that no document has to be left out, found {counts[out].sum():,} documents with "
            f"{names}: they would have no class"
        )


def unique_tuples(tuples: Integers, shape: tuple[int, ...]) -> tuple[Integers, Integers]:
    """The distinct tuples, and how often each occurs."""
    flat, counts = np.unique(np.ravel_multi_index(tuple(tuples.T), shape), return_counts=True)
    return np.column_stack(np.unravel_index(flat, shape)), counts


def count_of(among: Integers, tuples: Integers, shape: tuple[int, ...]) -> Integers:
    """How often each tuple occurs among others."""
    known, counts = unique_tuples(among, shape)
    flat, wanted = (np.ravel_multi_index(tuple(one.T), shape) for one in (known, tuples))
    at = np.minimum(np.searchsorted(flat, wanted), len(flat) - 1)
    return np.where(flat[at] == wanted, counts[at], 0)


def rival_means(collection: Collection, measure: TOMA, asked: Asked) -> dict[str, pd.Series]:
    """CAM and MM of the same aspects, weighted by their importance."""
    base = BASES[asked.base]
    parts = tuple(part_measure(base, one.scale) for one in asked.aspects)
    weights = tuple(asked.importance.values()) if dict(measure.importance) else ()
    rivals = (CAM(parts, aspects=measure.aspects, weights=weights), MM(parts, aspects=measure.aspects, weights=weights))
    return {type(one).__name__: mean_scores(collection.fingerprint, str(one), one, collection) for one in rivals}


def part_measure(base: Measure, scale: Scale) -> Measure:
    """The base on one aspect; where it knows only yes and no, every label but the worst is a yes."""
    if "rel" not in base.parameters():
        return base.with_(aspect=scale.name)
    return base.with_(aspect=scale.name, rel=scale.grades[1] if scale.good == "high" else scale.grades[-1])


@st.cache_data(max_entries=128, show_spinner=False)
def mean_scores(fingerprint: str, text: str, _measure: Measure, _collection: Collection) -> pd.Series:
    """Of every system over topics; CAM and MM know nothing of the sliders."""
    return ec.evaluate(_measure, _collection).mean()


def headline(view: View) -> None:
    own = view.means["TOMA"]
    classes, cam, mm, winners = st.columns([0.9, 1.25, 1.25, 2.9], vertical_alignment="center")
    product = view.measure.tuples == "product"
    tuples = math.prod(view.shape) if product else len(view.tuples)
    classes.metric("classes", f"{view.order.n_classes:,}", help=f"of {tuples:,} admissible tuples of labels")
    for place, name in ((cam, "CAM"), (mm, "MM")):
        tau = ec.tau(view.means[name], own) if len(own) > 1 else math.nan
        help = f"Kendall's tau_b of the rankings of systems by {name} and by TOMA"
        place.metric(f"τ with {name}", "none" if math.isnan(tau) else f"{tau:.3f}", help=help)
    lines = [
        f"First by {name}: **{markdown(means.idxmax())}** {means.max():.4f}"
        for name, means in sorted(view.means.items(), key=lambda item: item[0] != "TOMA")
    ]
    winners.markdown("  \n".join(lines))
    if not own.any():
        st.info("Every class that a document has weighs 0: every system scores 0.", icon=":material/info:")


def draw_plane(view: View) -> None:
    marks = few_marks(view) if math.prod(view.shape[:2]) <= MOST_TUPLES else many_marks(view)
    levels = np.unique(view.order.distances)[1:]
    if len(levels) > 3 * MOST_CLASSES or math.prod(view.shape[:2]) > MOST_TUPLES:
        levels = np.linspace(0, view.order.distances[0], 11)[1:]
    sides = [axis_of(view, one) for one in view.aspects[:2]]
    figure = figures.label_plane(marks, level_curves(view, levels), *sides)
    x, y = (one.name for one in view.aspects[:2])
    show.figure(figure, "plane", f"Tuples of {x} and {y} where they lie, their classes beside them; see Order for both")
    if len(view.aspects) > 2:
        places = zip(view.aspects[2:], view.asked.held, strict=True)
        at = ", ".join(f"{markdown(one.name)} “{markdown(one.labels[place])}”" for one, place in places)
        st.caption(f"Classes and lines are drawn for {at}; the size of a mark counts documents with any.")


def axis_of(view: View, one: Embedded) -> tuple[str, list[float], list[str]]:
    """Title, positions and names of the ticks."""
    places = list(view.measure.positions(one.scale))
    if not one.bent:
        return one.name, places, one.labels
    chosen = sorted({round(share * one.last) for share in (0, 0.25, 0.5, 0.75, 1)})
    return one.name, [places[k] for k in chosen], [one.labels[k] for k in chosen]


def with_held(view: View, pairs: Integers) -> Integers:
    """Pairs of labels on the plane, completed by the labels of further aspects that it is shown at."""
    return np.column_stack([pairs, np.tile(view.asked.held, (len(pairs), 1)).astype(int)])


def few_marks(view: View) -> pd.DataFrame:
    """One mark for each pair of labels, with its class."""
    pairs = np.array(list(np.ndindex(*view.shape[:2])))
    tuples = with_held(view, pairs)
    given = view.measure.admissible(view.pool)
    known = np.ones(len(pairs), dtype=bool) if given is None else count_of(given, tuples, view.shape) > 0
    place = np.zeros(len(pairs), dtype=int)
    place[known] = view.rank_of(tuples[known])
    documents = count_of(view.documents[:, :2], pairs, view.shape[:2])
    marks = pd.DataFrame(
        {
            "x": np.take(view.measure.positions(view.aspects[0].scale), pairs[:, 0]),
            "y": np.take(view.measure.positions(view.aspects[1].scale), pairs[:, 1]),
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
    admitted = known | (documents > 0)
    return marks[admitted].reset_index(drop=True)


def many_marks(view: View) -> pd.DataFrame:
    """Long scales: the documents in squares of the plane, coloured by their mean distance."""
    pairs, documents = unique_tuples(view.documents[:, :2], view.shape[:2])
    frame = pd.DataFrame({"documents": documents, "distance": view.order.distance_of(with_held(view, pairs))})
    for side, one, column in zip("xy", view.aspects, pairs.T, strict=False):
        places = np.array(view.measure.positions(one.scale))
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


def level_curves(view: View, levels: Floats) -> list[Curve]:
    """Lines of equal distance in the plane; what the further aspects add is taken off."""
    best = np.array(view.shape) - 1
    corner = with_held(view, best[None, :2])
    power, off = view.measure.distance.power, float(view.order.distance_of(corner)[0])
    weights = (view.asked.importance[view.aspects[0].name], view.asked.importance[view.aspects[1].name])
    spans = [np.ptp(view.measure.positions(one.scale)) for one in view.aspects[:2]]
    if not any(weights):
        return []
    inside = levels[levels > off * (1 + 1e-9)]
    radii = inside if math.isinf(power) else (inside**power - off**power) ** (1 / power)
    return [equal_distance(radius, power, weights, 2 * max(spans)) for radius in radii.tolist()]


def explanation(view: View) -> tuple[str, str, str]:
    x, y = (markdown(one.name) for one in view.aspects[:2])
    kind = type(view.measure.distance).__name__
    long = math.prod(view.shape[:2]) > MOST_TUPLES
    marks = (
        "Each mark gathers documents with nearby labels: the larger, the more; the darker, the nearer to the best."
        if long
        else "Each mark is a pair of labels, the larger the more documents have it. The star is the best one; the number "
        "is the class, 1 the nearest to it."
    )
    shape = {
        "Manhattan": "straight: a step lost on one aspect is made good by a step on the other",
        "Chebyshev": "corners: only the worse aspect counts, so many tuples are tied",
    }.get(kind, "round: being bad on one aspect costs more than being middling on both")
    return (
        f"{x} to the right, {y} up. {marks}",
        f"Blue lines join what is equally far from the best. By {kind} they are {shape}. Of two documents the one on "
        "the inner line is better; on one line they are tied.",
        f"Open the positions of {y} and draw its worst label down: tuples change class, and the rankings of systems "
        "drift apart. Then choose Chebyshev and count the classes.",
    )


def formulas(view: View) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        places = {one.name: view.measure.positions(one.scale) for one in view.aspects}
        worst = view.tuples[int(np.argmax(view.rank_of(view.tuples)))]
        gaps = {
            rf"({places[one.name][-1]:g} - {places[one.name][k]:g})": view.asked.importance[one.name]
            for one, k in zip(view.aspects, worst.tolist(), strict=True)
        }
        symbols = {f"g_{{{at}}}": view.asked.importance[one.name] for at, one in enumerate(view.aspects, start=1)}
        distance = float(view.order.distance_of(worst[None])[0])
        st.latex(rf"d = {view.measure.distance.latex(symbols)}")
        st.latex(view.measure.latex(view.pool.scales))
        numbers = ", ".join(f"g{at}: {markdown(one.name)}" for at, one in enumerate(view.aspects, start=1))
        st.caption(
            f"{numbers}: the gap between a label's position and the best one's. W is the weight of the class, k the "
            f"rank. The farthest tuple, {markdown(view.names(worst[None])[0])}, has d = {distance:.4g}: "
            + ", ".join(gap.strip("()") for gap in gaps)
            + "."
        )
        st.code(shorten(str(view.measure), 900)[1:-1], language=None, wrap_lines=True)


# --- closer looks -----------------------------------------------------------------------------------------------------


def details(view: View) -> None:
    """One of four closer looks; only the open one is computed."""
    chosen = choose("Look closer", "closer", VIEWS, segmented=True)
    if chosen == "Order":
        written_order(view)
    elif chosen == "Partial order":
        partial_order(view)
    elif chosen == "Systems":
        systems(view)
    else:
        what_changed(view)


def class_table(view: View) -> pd.DataFrame:
    """One row per class that is shown: distance, weight, documents, tuples."""
    place = view.rank_of(view.tuples)
    frame = pd.DataFrame({"class": place, "documents": view.count(view.tuples)})
    frame["tuples"] = view.names(view.tuples)
    table = frame.groupby("class").agg({"tuples": " = ".join, "documents": "sum"})
    weights, distances = view.measure.weights.of(view.order)[::-1], view.order.distances[::-1]
    at = table.index.to_numpy() - 1
    table.insert(0, "distance", distances[at])
    table.insert(1, "weight", weights[at])
    return table


def written_order(view: View) -> None:
    """The form of Table 1, then the weights of the classes."""
    table = class_table(view)
    lines = [markdown(line) for line in table["tuples"].iloc[:MOST_CLASSES]]
    more = f" **>** … {len(table) - MOST_CLASSES:,} classes more" if len(table) > MOST_CLASSES else ""
    aspects = ", ".join(markdown(one.name) for one in view.aspects)
    st.caption(f"({aspects}), the best tuple first; > between classes, = within one, as in Table 1 of the paper.")
    st.markdown(" **>** ".join(lines) + more)
    chart, numbers = st.columns([0.4, 0.6], gap="medium")
    with chart:
        weights = view.measure.weights.of(view.order)[::-1]
        shares = view.share_of(np.arange(1, len(weights) + 1))
        drawn = figures.class_weights(weights[:200], shares[:200])
        show.figure(drawn, "weights of classes", "The weight of each class; the values are in the table beside it")
        if isinstance(view.measure.weights, ByDistance) and "rel" in BASES[view.asked.base].parameters():
            st.caption("The reading measure counts a document from weight 1 on: here the best tuple alone.")
    with numbers:
        show.table(table, "classes", decimals={"weight": 3}, height=300 if len(table) > 7 else "auto")


def partial_order(view: View) -> None:
    draw_hasse(view)
    distances = {str(one): one for one in (Euclidean(), Manhattan(), Chebyshev(), view.measure.distance)}
    measures = [view.measure.with_(distance=one, weights=ByClass(), base=nDCG()) for one in distances.values()]
    table = pair_table(view.collection.fingerprint, tuple(map(str, measures)), measures, view.pool)
    table.index = pd.Index(list(distances), name="distance")
    one = table.iloc[0]
    share = one["open"] / max(one["pairs"], 1)
    st.markdown(
        f"Of **{one['pairs']:,}** pairs of documents assessed for one topic, {one['equal']:,} have the same labels and "
        f"{one['comparable']:,} the partial order decides. It leaves **{one['open']:,}** open ({share:.1%}): one "
        "document is better on one aspect, the other on another. A distance decides them so:"
    )
    shown = table.drop(columns=["pairs", "equal", "comparable", "open"])
    shown.insert(2, "share decided", shown["decided"] / np.maximum(table["open"], 1))
    show.table(shown, "open pairs", decimals={"share decided": 3}, download=table.reset_index())
    st.caption("“for” an aspect: the document with the better label there wins. Tied: both are in one class.")


@st.cache_data(max_entries=64, show_spinner=False)
def pair_table(fingerprint: str, texts: tuple[str, ...], _measures: list[TOMA], _pool: Assessments) -> pd.DataFrame:
    orders = {text: one.order(_pool) for text, one in zip(texts, _measures, strict=True)}
    return open_pairs(_pool, orders)


def draw_hasse(view: View) -> None:
    if len(view.tuples) > MOST_NODES:
        st.caption(f"{len(view.tuples):,} tuples are too many for a diagram (at most {MOST_NODES}).")
        return
    place = view.rank_of(view.tuples)
    nodes = pd.DataFrame(
        {
            "label": view.names(view.tuples),
            "level": view.tuples.sum(axis=1),
            "place": place,
            "share": view.share_of(place),
        }
    )
    rows = zip(nodes["label"], place, view.count(view.tuples), strict=True)
    nodes["hover"] = [f"<b>{plain(name)}</b><br>class {one}<br>{count:,} documents" for name, one, count in rows]
    title = f"{view.measure.distance}: {view.order.n_classes} classes"
    drawn = figures.hasse(nodes, covers(view.tuples), ("What the labels alone decide", title))
    show.figure(drawn, "hasse", "Hasse diagram of the partial order beside the classes; the values are in Order")
    st.caption(
        "Left: a line leads from a tuple to the next better ones; without a way upwards between them two tuples are "
        "not comparable. Right: the distance puts every tuple into a class; lines still never lead down to a better one."
    )


def systems(view: View) -> None:
    means = view.means
    if len(view.collection.systems) < 2:
        st.info("A ranking takes two systems; open more runs.", icon=":material/info:")
        return
    selected = choose_many("Highlight systems", "systems", view.collection.systems, placeholder="all")
    tau = {name: ec.tau(means[name], means["TOMA"]) for name in ("CAM", "MM")}
    both = ec.tau(means["CAM"], means["MM"])
    st.caption(
        f"τ of TOMA with CAM {tau['CAM']:.3f}, with MM {tau['MM']:.3f}, of CAM with MM {both:.3f}. All three read with "
        f"{markdown(view.asked.base)}: CAM and MM score each aspect and average the scores; TOMA joins the labels, then "
        "scores once. What an aspect's importance is to TOMA, it is as a weight to CAM and MM."
    )
    figure = figures.bump(means, collections.styles(view.collection), selected)
    show.figure(figure, "toma bump", "Ranks of all systems by CAM, TOMA and MM; the values are in the table below")
    table = pd.DataFrame({"TOMA": means["TOMA"], "CAM": means["CAM"], "MM": means["MM"]})
    for name in ("TOMA", "CAM", "MM"):
        table[f"rank by {name}"] = ranks(means[name]).astype(int)
    show.table(table.sort_values("TOMA", ascending=False), "toma systems", height=400)
    zeros = topics_without(view)
    if zeros:
        found = ", ".join(f"{markdown(name)}: {count}" for name, count in zeros.items())
        st.caption(f"Topics where no document has more than the worst label: {found}. There MM is 0 for every system.")


def topics_without(view: View) -> dict[str, int]:
    """For each aspect, how many topics have no document above its worst label."""
    filled = np.diff(view.pool.topic_start) > 0
    starts = view.pool.topic_start[:-1][filled]
    none = {
        one.name: int((np.maximum.reduceat(column, starts) == 0).sum()) if len(starts) else 0
        for one, column in zip(view.aspects, view.documents.T, strict=True)
    }
    return {name: count for name, count in none.items() if count}


def what_changed(view: View) -> None:
    """Documents by class now and under a reference setting."""
    left, middle, right = st.columns(3)
    with left:
        scenario = choose("Against scenario", "refscenario", list(view.asked.presets))
    with middle:
        distance = choose("and distance", "refdistance", list(DISTANCES)[:3])
    with right:
        by = choose("List", "changed", ("labels", "documents"), segmented=True)
    embedding = {
        one.name: places
        for one in view.aspects
        if not is_default(one, places := view.asked.presets[scenario][one.name])
    }
    before = view.measure.with_(distance=DISTANCES[distance], embedding=embedding, importance={}).order(view.pool)
    tuples, documents = unique_tuples(view.documents, view.shape)
    old, new = before.n_classes - before.class_of(tuples), view.rank_of(tuples)
    standing = {name: better_share(one, documents) for name, one in (("before", old), ("now", new))}
    moved = np.abs(standing["now"] - standing["before"]) > 1e-12
    st.markdown(
        f"**{documents[moved].sum():,}** of {documents.sum():,} documents change their place: {before.n_classes:,} "
        f"classes before, {view.order.n_classes:,} now. {turned(tuples, old, new)}"
    )
    changed = pd.DataFrame(
        {
            "labels": view.names(tuples),
            "documents": documents,
            f"class before (of {before.n_classes})": old,
            f"class now (of {view.order.n_classes})": new,
            "% better before": 100 * standing["before"],
            "% better now": 100 * standing["now"],
        }
    )
    shift = pd.Series(standing["now"] - standing["before"])
    order = shift[moved].abs().sort_values(ascending=False, kind="stable").index
    if not len(order):
        st.caption("Nothing changed: move a label, or choose another distance, in the controls above.")
    elif by == "labels":
        show.table(changed.loc[order].head(500), "changed labels", decimals=PERCENT, index=False, height=320)
    else:
        show.table(
            of_documents(view, tuples, changed, shift, moved), "changed documents", decimals=PERCENT, index=False
        )
    st.caption("% better: the share of all assessed documents in a better class; smaller means that a document rose.")


PERCENT = {"% better before": 1, "% better now": 1}


def better_share(place: Integers, documents: Integers) -> Floats:
    """For each tuple, the share of documents in a better class; `place` counts classes from the best."""
    by_class = np.bincount(place, weights=documents)
    return (np.cumsum(by_class) - by_class)[place] / max(documents.sum(), 1)


def turned(tuples: Integers, old: Integers, new: Integers) -> str:
    """How many pairs of tuples changed their order."""
    if len(tuples) > 1000:
        return ""
    before, now = (np.sign(np.subtract.outer(one, one)) for one in (old, new))
    count = {
        "turned round": int(((before * now) < 0).sum() // 2),
        "tied now": int(((before != 0) & (now == 0)).sum() // 2),
        "told apart now": int(((before == 0) & (now != 0)).sum() // 2),
    }
    return "Pairs of tuples: " + ", ".join(f"{number:,} {what}" for what, number in count.items()) + "."


def of_documents(view: View, tuples: Integers, changed: pd.DataFrame, shift: pd.Series, moved: Floats) -> pd.DataFrame:
    """The documents behind the tuples that moved, the farthest first; at most 2,000."""
    flat, own = (np.ravel_multi_index(tuple(one.T), view.shape) for one in (tuples, view.documents))
    at = np.searchsorted(flat, own)
    rows = np.flatnonzero(moved[at])
    rows = rows[np.argsort(-shift.abs().to_numpy()[at[rows]], kind="stable")][:2000]
    topics = np.array(view.pool.topics, dtype=object)
    who = pd.DataFrame({"topic": topics[view.pool.topic[rows]], "document": view.pool.documents[rows]})
    return who.join(changed.drop(columns="documents").iloc[at[rows]].reset_index(drop=True))


main()
