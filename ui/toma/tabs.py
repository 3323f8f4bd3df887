"""Closer looks: the order of tuples, what labels alone decide, systems, documents that change their class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.arrays import BoolArray, IntArray
from evalcore.data import Assessments
from evalcore.explain.partial_order import open_pairs
from evalcore.figures.endless import score_text
from evalcore.figures.style import Styles
from evalcore.figures.tuples import MOST_NODES
from evalcore.measures import CAM, MM, TOMA, ByClass, Measure, nDCG
from evalcore.measures.labels import distinct, pair_changes, places_in, share_better
from evalcore.measures.tuple_orders import Distance
from evalcore.meta import best_first, ranks
from ui.address import site
from ui.address.highlight import Highlight
from ui.computing.first import decimals, tables, with_doubt
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.data import open_collection, pins
from ui.screen.items import Figure, Item, Sentence, Table, Text
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.toma.controls import TomaSettings
from ui.toma.view import MOST_CLASSES, View, classwise, rival
from ui.widgets.fields import values_of

MOST_NAMED = 16  # in the written order; more have their grades
OPEN = ": one document is better on one aspect, the other on another. A distance decides them so:"
PERCENT = {"% better before": 1, "% better now": 1}

At = Callable[[TomaSettings], View]  # the view of settings at another place of a slider


def details(view: View, at: At, highlight: Highlight, before: pd.Series | None) -> None:
    """One of four closer looks; only the open one is computed."""
    view.asked.draw("look")
    if view.asked.look == "Order":
        order_and_weights(view, at)
    elif view.asked.look == "Partial order":
        partial_order(view, at)
    elif view.asked.look == "Systems":
        systems(view, at, highlight, before)
    else:
        what_changed(view, at)


def written_order(view: View) -> Iterator[Item]:
    """The form of Table 1."""
    if len(view.tuples) > MOST_NODES:
        return
    aspects = ", ".join(markdown(one.name) for one in view.aspects)
    yield Text(f"({aspects}) from the best tuple; > between classes, = within one, as in Table 1 of the paper:", "note")
    names = (view.names if len(view.tuples) <= MOST_NAMED else view.grades)(view.tuples)
    yield Sentence(" **>** ".join(map(markdown, classwise(names, view.rank_of(view.tuples)))))


def order_and_weights(view: View, at: At) -> None:
    chart, numbers = st.columns([0.4, 0.6], gap="medium")
    with chart:
        live.follow(view.asked, lambda asked: weights(at(asked)))
    with numbers:
        written = {"weight": st.column_config.NumberColumn(format="%.6g")}
        show.put(Table(view.classes, "classes", columns=written, height=320 if len(view.classes) > 7 else "auto"))
    st.caption(
        f"{markdown(view.asked.base)} reads the weight as a grade{counted(view.measure.base)}."
        + (f" The table has the best {MOST_CLASSES} classes." if len(view.classes) == MOST_CLASSES else "")
    )


def weights(view: View) -> list[Item]:
    make = partial(figures.class_weights, view.measure.weights.of(view.order)[::-1])
    return [Figure(make, "class weights", "The weight of each class; the values are in the table beside it")]


def counted(base: Measure) -> str:
    """Which weights count for a measure that knows only yes and no."""
    if "rel" not in base.parameters():
        return ""
    rel = base.rel  # type: ignore[attr-defined]
    return ": it counts a document whose class weighs " + ("more than 0" if rel is None else f"{rel:g} or more")


def partial_order(view: View, at: At) -> None:
    live.follow(view.asked, lambda asked: hasse(at(asked)))
    distances = {str(one): one for one in (*values_of(Distance).values(), view.measure.distance)}
    measures = [view.measure.with_(distance=one, weights=ByClass(), base=nDCG()) for one in distances.values()]
    table = pair_table(view.collection.fingerprint, tuple(map(str, measures)), measures, view.pool)
    table.index = pd.Index(list(distances), name="distance")
    one = table.iloc[0]
    share = one["open"] / max(one["pairs"], 1)
    said = (
        f"Of **{one['pairs']:,}** pair{'' if one['pairs'] == 1 else 's'} of documents assessed for one topic, "
        f"{one['equal']:,} have the same labels and {one['comparable']:,} the partial order decides. It leaves "
        f"**{one['open']:,}** open ({share:.1%})"
    )
    st.markdown(said + (OPEN if one["open"] else ": a distance has nothing to decide."))
    shown = table.drop(columns=["pairs", "equal", "comparable", "open"])
    shown.insert(2, "share decided", shown["decided"] / np.maximum(table["open"], 1))
    counts = {str(name): st.column_config.NumberColumn(format="localized") for name in shown if name != "share decided"}
    show.put(Table(shown, "open pairs", decimals={"share decided": 3}, columns=counts, download=table.reset_index()))
    st.caption("“for” an aspect: the document with the better label there wins. Tied: both are in one class.")


@st.cache_data(max_entries=64, show_spinner=False)
def pair_table(fingerprint: str, texts: tuple[str, ...], _measures: list[TOMA], _pool: Assessments) -> pd.DataFrame:
    orders = {text: one.order(_pool) for text, one in zip(texts, _measures, strict=True)}
    return open_pairs(_pool, orders)


def hasse(view: View) -> Iterator[Item]:
    if len(view.tuples) > MOST_NODES:
        yield Text(f"{len(view.tuples):,} tuples are too many for a diagram (at most {MOST_NODES}).", "note")
        return
    make = partial(figures.tuple_diagram, view.measure, view.pool, order=view.order)
    yield Figure(make, "hasse", "Hasse diagram of the partial order beside the classes; the values are in Order")
    yield Text(
        "Tuples by grade. Left: lines lead up to the next better tuples; two without a way upwards between them "
        "are not comparable. Right: the distance gives each a class, and no line leads down to a better one.",
        "note",
    )


def systems(view: View, at: At, highlight: Highlight, before: pd.Series | None) -> None:
    """Ranks by CAM, TOMA and MM, and by the pinned measure where there is one."""
    means = view.means if before is None else {**view.means, "baseline": before}
    if len(view.collection.systems) < 2:
        st.info("A ranking takes two systems; open more runs.", icon=":material/info:")
        return
    highlight.draw("systems")
    styles = open_collection.styles(view.collection)
    doubt = tables(*view.scores.values())  # its bars answer on release
    live.follow(view.asked, lambda asked: ranks_by_all(at(asked), highlight, before, styles, doubt))
    for other in (rival(CAM, view.measure), rival(MM, view.measure)):
        site.moved(other, view.measure, f" from {type(other).__name__} to TOMA")
    table = pd.DataFrame({"TOMA": means["TOMA"], "CAM": means["CAM"], "MM": means["MM"]})
    for name in ("TOMA", "CAM", "MM"):
        table[f"rank by {name}"] = ranks(means[name]).astype(int)
    table = with_doubt(table, view.scores["TOMA"], after="rank by TOMA", by=" by TOMA")
    if before is not None:
        table["places won since the pin"] = pins.rank_changes(means["TOMA"], before)
        st.caption(
            f"Kendall's tau_b of TOMA with the pinned ranking: **{score_text(ec.tau(means['TOMA'], before), 3)}**"
        )
    shown = with_unassessed(table, unassessed(view.measure, view.collection)).loc[best_first(means["TOMA"]).index]
    places = decimals([" by TOMA"]) | unassessed_decimals(shown)
    show.put(Table(shown, "toma systems", height=400, decimals=places))
    zeros = topics_without(view)
    if zeros:
        found = ", ".join(f"{markdown(name)}: {count}" for name, count in zeros.items())
        nothing = all(one.scale.zero == 0 for one in view.aspects if one.name in zeros)
        so = " There MM is 0 for every system." if nothing else ""
        st.caption(f"Topics where no document has more than the worst label: {found}.{so}")


def ranks_by_all(
    view: View, highlight: Highlight, before: pd.Series | None, styles: Styles, doubt: Sequence[pd.DataFrame]
) -> Iterator[Item]:
    """How alike the rankings are, and the ranks themselves."""
    means = view.means if before is None else {**view.means, "baseline": before}
    tau = {name: ec.tau(means[name], means["TOMA"]) for name in ("CAM", "MM")}
    both = ec.tau(means["CAM"], means["MM"])
    yield Sentence(
        f"τ of TOMA with CAM {score_text(tau['CAM'], 3)}, with MM {score_text(tau['MM'], 3)}, of CAM with MM "
        f"{score_text(both, 3)}. All three with "
        f"{markdown(view.asked.base)}: CAM and MM score each aspect and average the scores; TOMA joins the labels, "
        "then scores once. An aspect's importance is its weight in CAM and MM.",
        caption=True,
    )
    make = partial(figures.bump, means, styles, highlight.systems, doubt)
    alt = "Ranks of all systems by CAM, TOMA and MM; the values are in the table below"
    yield Figure(make, "toma bump", alt, highlight.take, ("points",))


def topics_without(view: View) -> dict[str, int]:
    """For each aspect, how many topics have no document above its worst label."""
    filled = np.diff(view.pool.topic_start) > 0
    starts = view.pool.topic_start[:-1][filled]
    none = {
        one.name: int((np.maximum.reduceat(column, starts) == 0).sum()) if len(starts) else 0
        for one, column in zip(view.aspects, view.documents.T, strict=True)
    }
    return {name: count for name, count in none.items() if count}


def what_changed(view: View, at: At) -> None:
    """Documents by class now and under a reference setting."""
    draw_reference(view)
    live.follow(view.asked, lambda asked: [changed_place(at(asked))])
    before = reference(view).order(view.pool)
    tuples, documents = distinct(view.documents, view.shape)
    old, new = before.n_classes - before.class_of(tuples), view.rank_of(tuples)
    changed = pd.DataFrame(
        {
            "labels": view.names(tuples),
            "documents": documents,
            f"class before (of {before.n_classes})": old,
            f"class now (of {view.order.n_classes})": new,
            "% better before": 100 * share_better(old, documents),
            "% better now": 100 * share_better(new, documents),
        }
    )
    shift = changed["% better now"] - changed["% better before"]
    moved = shift.abs().to_numpy() > 1e-10
    if not moved.any():
        st.caption("Nothing changed: move a label, or choose another distance, in the controls above.")
    elif view.asked.listed == "labels":
        rows = changed.loc[shift[moved].abs().sort_values(ascending=False, kind="stable").index].head(500)
        show.put(Table(rows, "changed labels", decimals=PERCENT, index=False, height=320 if len(rows) > 7 else "auto"))
    else:
        listed = of_documents(view, tuples, changed, shift, moved)
        show.put(Table(listed, "changed documents", decimals=PERCENT, index=False, height=320))
    st.caption("% better: the share of all assessed documents in a better class; smaller means that a document rose.")


def changed_place(view: View) -> Sentence:
    """How many documents and pairs of tuples are placed otherwise."""
    before = reference(view).order(view.pool)
    tuples, documents = distinct(view.documents, view.shape)
    old, new = before.n_classes - before.class_of(tuples), view.rank_of(tuples)
    moved = np.abs(share_better(new, documents) - share_better(old, documents)) > 1e-12
    pairs = ", ".join(f"{n:,} {kind}" for kind, n in pair_changes(old, new).items()) if len(tuples) <= 1000 else ""
    return Sentence(
        f"**{documents[moved].sum():,}** of {documents.sum():,} documents changed place: {before.n_classes:,} "
        f"classes before, {view.order.n_classes:,} now. " + (f"Pairs of tuples: {pairs}." if pairs else "")
    )


def draw_reference(view: View) -> None:
    """What today's order is set against, and what is to be listed."""
    for place, name in zip(st.columns(3), ("against", "against_distance", "listed"), strict=True):
        with place:
            view.asked.draw(name)


def reference(view: View) -> TOMA:
    """The measure whose order today's is set against."""
    asked = view.asked
    embedding = asked.embedding_of(asked.against, asked.scenarios[asked.against])
    return view.measure.with_(distance=asked.against_distance, embedding=embedding, importance={})


def of_documents(
    view: View, tuples: IntArray, changed: pd.DataFrame, shift: pd.Series, moved: BoolArray
) -> pd.DataFrame:
    """The documents behind the tuples that moved, the farthest first; at most 2,000."""
    flat, own = (places_in(one, view.shape) for one in (tuples, view.documents))
    at = np.searchsorted(flat, own)
    rows = np.flatnonzero(moved[at])
    rows = rows[np.argsort(-shift.abs().to_numpy()[at[rows]], kind="stable")][:2000]
    topics = np.array(view.pool.topics, dtype=object)
    who = pd.DataFrame({"topic": topics[view.pool.topic[rows]], "document": view.pool.documents[rows]})
    return who.join(changed.drop(columns="documents").iloc[at[rows]].reset_index(drop=True))
