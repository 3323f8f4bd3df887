"""When is one document better than another? TOMA: labels embedded, tuples ordered by their distance to the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

import evalcore as ec
from evalcore import figures
from evalcore.data import Assessments, Collection
from evalcore.data.structures import Floats, Integers
from evalcore.figures import plain
from evalcore.figures.toma import Curve, equal_distance
from evalcore.measures import (
    CAM,
    MM,
    TOMA,
    ByClass,
    Chebyshev,
    Euclidean,
    Manhattan,
    Measure,
    TupleOrder,
    nDCG,
)
from evalcore.measures.aggregates import on_scale
from evalcore.measures.labels import (
    distinct,
    grades_upwards,
    occurrences,
    pair_changes,
    places_in,
    share_better,
)
from evalcore.measures.orders import pool_tuples
from evalcore.measures.partial import covers, open_pairs
from evalcore.meta import ranks
from ui import collections, pins, show
from ui.code import as_python
from ui.controls import choose, choose_many
from ui.embedding import Embedded
from ui.text import markdown
from ui.toma_controls import BASES, DISTANCES, MOST_TUPLES, Asked, controls, name_of

VIEWS = ("Order", "Partial order", "Systems", "What changed")
MOST_NODES = 40
MOST_NAMED = 16  # in the written order; more have their grades
MOST_LINES = 40  # of equal distance
MOST_CLASSES = 300  # in the table
BINS = 24
PERCENT = {"% better before": 1, "% better now": 1}


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
    with right:
        view = prepared(collection, asked)
    if view is None:
        return
    before = pins.before(pins.bar([view.measure]), collection, 1)
    with right:
        headline(view)
        draw_plane(view)
        written_order(view)
    show.explain(*explanation(view))
    formulas(view)
    details(view, before[0] if before else None)
    as_python(
        collection,
        f"toma = ec.parse({str(view.measure)!r})",
        "means = ec.evaluate(toma, c).mean()",
        "classes = toma.order(c.assessments)  # tuples, distances, classes",
    )


def prepared(collection: Collection, asked: Asked) -> View | None:
    """The measure at work; where it cannot be, the reason is shown in place of the figure."""
    try:
        return View.of(collection, asked)
    except ec.DataError as error:
        show.show_error(error)
        return None


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
        return distinct(self.documents if given is None else given, self.shape)[0]

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
        return occurrences(tuples, self.documents, self.shape)

    @cached_property
    def classes(self) -> pd.DataFrame:
        """One row per class that is shown, the best first: distance, weight, documents, tuples."""
        place = self.rank_of(self.tuples)
        best = np.unique(place)[:MOST_CLASSES]
        tuples, place = self.tuples[place <= best[-1]], place[place <= best[-1]]
        joined = classwise(self.names(tuples), place)
        documents = np.bincount(place, weights=self.count(tuples))[best].astype(int)
        columns = {
            "distance": self.order.distances[::-1][best - 1],
            "weight": self.measure.weights.of(self.order)[::-1][best - 1],
            "documents": documents,
            "tuples": joined,
        }
        return pd.DataFrame(columns, index=pd.Index(best, name="class"))

    def names(self, tuples: Integers) -> list[str]:
        return named(tuples, [one.labels for one in self.aspects])

    def grades(self, tuples: Integers) -> list[str]:
        """Shorter names."""
        return named(tuples, [[f"{grade:g}" for grade in grades_upwards(one.scale)] for one in self.aspects])


def classwise(names: Sequence[str], place: Integers) -> list[str]:
    """The names of each class joined by =, the best class first."""
    members: dict[int, list[str]] = {}
    for name, one in sorted(zip(names, place.tolist(), strict=True), key=lambda pair: pair[1]):
        members.setdefault(one, []).append(name)
    return [" = ".join(joined) for joined in members.values()]


def named(tuples: Integers, labels: Sequence[Sequence[str]]) -> list[str]:
    return ["(" + ", ".join(labels[at][k] for at, k in enumerate(one)) + ")" for one in tuples.tolist()]


def refuse_left_out(pool: Assessments, measure: TOMA, aspects: Sequence[Embedded]) -> None:
    """Raises DataError, in the names of the labels, where documents have a tuple that was left out."""
    given = measure.admissible(pool) if not isinstance(measure.tuples, str) else None
    if given is None:
        return
    shape = tuple(one.last + 1 for one in aspects)
    found, counts = distinct(pool_tuples(pool, measure.aspects), shape)
    out = occurrences(found, given, shape) == 0
    if out.any():
        names = ", ".join(name_of(aspects, one) for one in found[out][:5].tolist())
        raise ec.DataError(
            f"expected only tuples that no document has to be left out, found {counts[out].sum():,} documents with "
            f"{names}: they would have no class"
        )


def rival_means(collection: Collection, measure: TOMA, asked: Asked) -> dict[str, pd.Series]:
    """CAM and MM of the same aspects, weighted by their importance."""
    base = BASES[asked.base]
    parts = tuple(on_scale(base, one.scale) for one in asked.aspects)
    weights = tuple(asked.importance.values()) if dict(measure.importance) else ()
    rivals = (CAM(parts, aspects=measure.aspects, weights=weights), MM(parts, aspects=measure.aspects, weights=weights))
    return {type(one).__name__: mean_scores(collection.fingerprint, str(one), one, collection) for one in rivals}


@st.cache_data(max_entries=128, show_spinner=False)
def mean_scores(fingerprint: str, text: str, _measure: Measure, _collection: Collection) -> pd.Series:
    """Of every system over topics; CAM and MM know nothing of the sliders."""
    return ec.evaluate(_measure, _collection).mean()


def headline(view: View) -> None:
    own = view.means["TOMA"]
    classes, cam, mm, winners = st.columns([0.8, 1.15, 1.15, 3.2], vertical_alignment="center")
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
    if len(levels) > MOST_LINES or math.prod(view.shape[:2]) > MOST_TUPLES:
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
    known = np.ones(len(pairs), dtype=bool) if given is None else occurrences(tuples, given, view.shape) > 0
    place = np.zeros(len(pairs), dtype=int)
    place[known] = view.rank_of(tuples[known])
    documents = occurrences(pairs, view.documents[:, :2], view.shape[:2])
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
    marks = marks[known | (documents > 0)].sort_values("documents", ascending=False, kind="stable")
    marks.loc[marks.duplicated(["x", "y"]), "text"] = ""
    return marks


def many_marks(view: View) -> pd.DataFrame:
    """Long scales: the documents in squares of the plane, coloured by their mean distance."""
    pairs, documents = distinct(view.documents[:, :2], view.shape[:2])
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
        "Each mark gathers documents with nearby labels: the larger, the more of them; the fuller its colour, the "
        "nearer to the best."
        if long
        else "Each mark is a pair of labels, the larger the more documents have it. The star is the best pair; the "
        "number is the class, 1 the nearest to it."
    )
    knob = f"Raise the bend of {y}" if view.aspects[1].bent else f"Draw the second label of {y} down to the worst"
    shape = {
        "Manhattan": "straight: a step lost on one aspect is made good by a step on the other",
        "Chebyshev": "corners: only the worse aspect counts, so many tuples are tied",
    }.get(kind, "round: being bad on one aspect costs more than being middling on both")
    return (
        f"To the right: {x}. Up: {y}. {marks}",
        f"Blue lines join what is equally far from the best. By {kind} they are {shape}. Of two documents the one on "
        "the inner line is better; on one line they are tied.",
        f"{knob}: pairs change class, and the rankings of systems drift apart. Then choose another distance and count "
        "the classes.",
    )


def formulas(view: View) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        weights = [view.asked.importance[one.name] for one in view.aspects]
        symbols = [f"g_{{{at}}}" for at in range(1, len(weights) + 1)]
        far = view.tuples[[int(np.argmax(view.rank_of(view.tuples)))]]
        places = [view.measure.positions(one.scale) for one in view.aspects]
        gaps = [f"({at[-1]:g} - {at[k]:g})" for at, k in zip(places, far[0].tolist(), strict=True)]
        general, today = (
            view.measure.distance.latex(list(zip(shown, weights, strict=True))) for shown in (symbols, gaps)
        )
        st.latex(f"d = {general}")
        st.latex(rf"d_\mathrm{{far}} = {today} = {float(view.order.distance_of(far)[0]):.4g}")
        st.latex(view.measure.latex(view.pool.scales))
        aspects = ", ".join(f"g{at} of {markdown(one.name)}" for at, one in enumerate(view.aspects, start=1))
        st.caption(
            f"d: the distance to the best tuple; {aspects}: from a label's position to the best label's. Far: of "
            f"{markdown(view.names(far)[0])}, the farthest. W: the weight of the class; k: the rank, from 1. The text "
            "below is this measure for ec.parse and ec.evaluate."
        )
        written = str(view.measure)
        st.code(written, language=None, wrap_lines=True, height=140 if len(written) > 600 else "content")


# --- closer looks -----------------------------------------------------------------------------------------------------


def details(view: View, before: pd.Series | None) -> None:
    """One of four closer looks; only the open one is computed."""
    chosen = choose("Look closer", "closer", VIEWS, segmented=True)
    if chosen == "Order":
        order_and_weights(view)
    elif chosen == "Partial order":
        partial_order(view)
    elif chosen == "Systems":
        systems(view, before)
    else:
        what_changed(view)


def written_order(view: View) -> None:
    """The form of Table 1."""
    if len(view.tuples) > MOST_NODES:
        return
    aspects = ", ".join(markdown(one.name) for one in view.aspects)
    st.caption(f"({aspects}) from the best tuple; > between classes, = within one, as in Table 1 of the paper:")
    names = (view.names if len(view.tuples) <= MOST_NAMED else view.grades)(view.tuples)
    st.markdown(" **>** ".join(map(markdown, classwise(names, view.rank_of(view.tuples)))))


def order_and_weights(view: View) -> None:
    chart, numbers = st.columns([0.4, 0.6], gap="medium")
    with chart:
        weights = view.measure.weights.of(view.order)[::-1]
        shares = view.share_of(np.arange(1, len(weights) + 1))
        drawn = figures.class_weights(weights, shares)
        show.figure(drawn, "class weights", "The weight of each class; the values are in the table beside it")
    with numbers:
        written = {"weight": st.column_config.NumberColumn(format="%.6g")}
        show.table(view.classes, "classes", columns=written, height=320 if len(view.classes) > 7 else "auto")
    binary = "rel" in BASES[view.asked.base].parameters()
    st.caption(
        f"{markdown(view.asked.base)} reads the weight as a grade"
        + (": it counts a document whose class weighs 1 or more." if binary else ".")
        + (f" The table has the best {MOST_CLASSES} classes." if len(view.classes) == MOST_CLASSES else "")
    )


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
    counts = {str(name): st.column_config.NumberColumn(format="localized") for name in shown if name != "share decided"}
    show.table(shown, "open pairs", decimals={"share decided": 3}, columns=counts, download=table.reset_index())
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
            "label": view.grades(view.tuples),
            "across": view.tuples[:, 1] - view.tuples[:, 0] if len(view.aspects) == 2 else 0,
            "level": view.tuples.sum(axis=1),
            "place": place,
            "share": view.share_of(place),
        }
    )
    rows = zip(view.names(view.tuples), place, view.count(view.tuples), strict=True)
    nodes["hover"] = [f"<b>{plain(name)}</b><br>class {one}<br>{count:,} documents" for name, one, count in rows]
    title = f"{view.measure.distance}: {view.order.n_classes} classes"
    drawn = figures.hasse(nodes, covers(view.tuples), ("What the labels alone decide", title))
    show.figure(drawn, "hasse", "Hasse diagram of the partial order beside the classes; the values are in Order")
    st.caption(
        "Tuples by grade. Left: lines lead up to the next better tuples; two without a way upwards between them "
        "are not comparable. Right: the distance gives each a class, and no line leads down to a better one."
    )


def systems(view: View, before: pd.Series | None) -> None:
    """Ranks by CAM, TOMA and MM, and by the pinned measure where there is one."""
    means = view.means if before is None else {**view.means, "baseline": before}
    if len(view.collection.systems) < 2:
        st.info("A ranking takes two systems; open more runs.", icon=":material/info:")
        return
    selected = choose_many("Highlight systems", "systems", view.collection.systems, placeholder="all")
    tau = {name: ec.tau(means[name], means["TOMA"]) for name in ("CAM", "MM")}
    both = ec.tau(means["CAM"], means["MM"])
    st.caption(
        f"τ of TOMA with CAM {tau['CAM']:.3f}, with MM {tau['MM']:.3f}, of CAM with MM {both:.3f}. All three with "
        f"{markdown(view.asked.base)}: CAM and MM score each aspect and average the scores; TOMA joins the labels, "
        "then scores once. An aspect's importance is its weight in CAM and MM."
    )
    figure = figures.bump(means, collections.styles(view.collection), selected)
    show.figure(figure, "toma bump", "Ranks of all systems by CAM, TOMA and MM; the values are in the table below")
    table = pd.DataFrame({"TOMA": means["TOMA"], "CAM": means["CAM"], "MM": means["MM"]})
    for name in ("TOMA", "CAM", "MM"):
        table[f"rank by {name}"] = ranks(means[name]).astype(int)
    if before is not None:
        table["places won since the pin"] = pins.rank_changes(means["TOMA"], before)
        st.caption(f"Kendall's tau_b of TOMA with the pinned ranking: **{ec.tau(means['TOMA'], before):.3f}**")
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
        one.name: places for one in view.aspects if not one.is_default(places := view.asked.presets[scenario][one.name])
    }
    before = view.measure.with_(distance=DISTANCES[distance], embedding=embedding, importance={}).order(view.pool)
    tuples, documents = distinct(view.documents, view.shape)
    old, new = before.n_classes - before.class_of(tuples), view.rank_of(tuples)
    standing = {name: share_better(one, documents) for name, one in (("before", old), ("now", new))}
    pairs = ", ".join(f"{n:,} {kind}" for kind, n in pair_changes(old, new).items()) if len(tuples) <= 1000 else ""
    moved = np.abs(standing["now"] - standing["before"]) > 1e-12
    st.markdown(
        f"**{documents[moved].sum():,}** of {documents.sum():,} documents change their place: {before.n_classes:,} "
        f"classes before, {view.order.n_classes:,} now. " + (f"Pairs of tuples: {pairs}." if pairs else "")
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
        rows = changed.loc[order].head(500)
        show.table(rows, "changed labels", decimals=PERCENT, index=False, height=320 if len(rows) > 7 else "auto")
    else:
        listed = of_documents(view, tuples, changed, shift, moved)
        show.table(listed, "changed documents", decimals=PERCENT, index=False, height=320)
    st.caption("% better: the share of all assessed documents in a better class; smaller means that a document rose.")


def of_documents(
    view: View, tuples: Integers, changed: pd.DataFrame, shift: pd.Series, moved: NDArray[np.bool_]
) -> pd.DataFrame:
    """The documents behind the tuples that moved, the farthest first; at most 2,000."""
    flat, own = (places_in(one, view.shape) for one in (tuples, view.documents))
    at = np.searchsorted(flat, own)
    rows = np.flatnonzero(moved[at])
    rows = rows[np.argsort(-shift.abs().to_numpy()[at[rows]], kind="stable")][:2000]
    topics = np.array(view.pool.topics, dtype=object)
    who = pd.DataFrame({"topic": topics[view.pool.topic[rows]], "document": view.pool.documents[rows]})
    return who.join(changed.drop(columns="documents").iloc[at[rows]].reset_index(drop=True))


main()
