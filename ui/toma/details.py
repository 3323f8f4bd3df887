"""Closer looks: the order of tuples, what labels alone decide, systems, documents that change their class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import BoolArray, IntArray
from evalcore.explain.partial_order import open_pairs
from evalcore.figures.style import Styles
from evalcore.figures.tuples import MOST_NODES
from evalcore.measures import CAM, MM, ByClass, Chebyshev, Euclidean, Manhattan, Measure
from evalcore.measures.labels import places_in
from evalcore.measures.tuple_orders import Distance
from evalcore.meta import best_first, winner
from evalcore.notation.values import parse_value
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.cached import cached_call
from ui.computing.doubt import decimals, doubt_of, with_doubt
from ui.computing.measures import parsed, scores
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.data import pins
from ui.screen.calls import Call, call, keyed, line, mapped, record
from ui.screen.items import Calls, Figure, Height, Item, Sentence, Table, Text
from ui.screen.text import markdown, score_text
from ui.shell import live
from ui.stage import show
from ui.toma.controls import TomaSettings
from ui.toma.view import MOST_CLASSES, TomaView, classwise, rival
from ui.widgets.fields import values_of

THREE: dict[str, Distance] = {type(distance).__name__: distance for distance in (Euclidean(), Manhattan(), Chebyshev())}
MOST_NAMED = 16  # in the written order; more have their grades
OPEN = ": one document is better on one aspect, the other on another. A distance decides them so:"
PERCENT = {"% better before": 1, "% better now": 1}

At = Callable[[TomaSettings], TomaView]  # the view of settings at another place of a slider


def details(view: TomaView, at: At, highlight: Highlight, before: list[pd.Series] | None) -> None:
    """One of five closer looks; only the open one is computed."""
    view.asked.draw("look")
    if view.asked.look == "Order":
        order_and_weights(view, at)
    elif view.asked.look == "Scenarios":
        show.screen(every_scenario(view))
    elif view.asked.look == "Partial order":
        partial_order(view, at)
    elif view.asked.look == "Systems":
        systems(view, at, highlight, before)
    else:
        what_changed(view, at)


def written_order(view: TomaView) -> Iterator[Item]:
    """The form of Table 1."""
    if len(view.tuples) > MOST_NODES:
        return
    aspects = ", ".join(markdown(aspect.name) for aspect in view.aspects)
    yield Text.note(f"({aspects}) from the best tuple; > between classes, = within one, as in Table 1 of the paper:")
    names = (view.names if len(view.tuples) <= MOST_NAMED else view.grades)(view.tuples)
    yield Sentence(
        " **>** ".join(map(markdown, classwise(names, view.order.rank_of(view.tuples)))), calls=(view.classed,)
    )


def order_and_weights(view: TomaView, at: At) -> None:
    chart, numbers = st.columns([0.4, 0.6], gap="medium")
    with chart:
        live.follow(view.asked, lambda asked: weights(at(asked)))
    with numbers:
        written = {"weight": st.column_config.NumberColumn(format="%.6g")}
        height: Height = 320 if len(view.classes) > 7 else "auto"
        show.put(Table(view.classes, "classes", columns=written, height=height, calls=view.per_class))
    text = f"{markdown(view.asked.base)} reads the weight as a grade{counted(view.measure.base)}."
    most = f" The table has the best {MOST_CLASSES} classes." if len(view.classes) == MOST_CLASSES else ""
    show.put(Text.note(text + most))


def weights(view: TomaView) -> list[Item]:
    figure = call("", figures.class_weights, view.per_class[1].it)
    return [Figure(figure, "class weights", "The weight of each class; the values are in the table beside it")]


def counted(base: Measure) -> str:
    """Which weights count for a measure that knows only yes and no."""
    if "rel" not in base.parameters():
        return ""
    rel = base.rel  # type: ignore[attr-defined]
    return ": it counts a document whose class weighs " + ("more than 0" if rel is None else f"{rel:g} or more")


def every_scenario(view: TomaView) -> Iterator[Item]:
    """Each scenario by each distance: the order of tuples and what it makes of the systems."""
    orders = {
        f"{scenario}, {name}": view.measure.with_(
            embedding=view.asked.embedding_of(scenario, knobs), distance=distance, weights=ByClass()
        )
        for scenario, knobs in view.asked.scenarios.items()
        for name, distance in THREE.items()
    }
    c, now = view.collection, view.mean("TOMA").it
    all_parsed = line("orders", {name: parsed("", order).it for name, order in orders.items()})
    classes = line("classes", mapped(all_parsed.it, lambda toma: toma.order(record(c).assessments)))
    counts = line("counts", mapped(classes.it, lambda order: order.n_classes))
    known = {name: scores(c, measure).mean() for name, measure in orders.items()}
    means = mapped(all_parsed.it, lambda toma: record(ec.evaluate)(toma, c).mean())
    scored = line("by_order", means).known(known)
    taus = line("taus", mapped(scored.it, lambda mean: record(ec.tau)(mean, now)))
    several = len(view.collection.systems) > 1
    written = view.names if len(view.tuples) <= MOST_NAMED else view.grades
    rows = []
    for name, order in classes.value.items():
        scenario, _, distance = name.rpartition(", ")
        row: dict[str, Any] = {"scenario": scenario, "distance": distance, "classes": counts.value[name]}
        if several:
            row |= {"τ with today's": taus.value[name], "first": families.short(winner(known[name]))}
        if len(view.tuples) <= MOST_NODES:
            places = order.rank_of(view.tuples)
            row["order"] = " > ".join(classwise(written(view.tuples), places))
        rows.append(row)
    calls = (counts, scored, *([taus] if several else ()))
    aspects = ", ".join(markdown(aspect.name) for aspect in view.aspects)
    yield Text.note(f"Tuples of ({aspects}), the best first, each class its own weight; τ_b over system means.")
    table = pd.DataFrame(rows)
    columns = {"order": st.column_config.TextColumn(width=900)}
    options: dict[str, Any] = {"index": False, "height": 36 * len(table) + 38, "columns": columns}
    yield Table(table, "scenarios", {"τ with today's": 3} if several else {}, calls=calls, **options)


def partial_order(view: TomaView, at: At) -> None:
    live.follow(view.asked, lambda asked: hasse(at(asked)))
    show.screen(left_open(view))


def left_open(view: TomaView) -> Iterator[Item]:
    """What the partial order leaves open, and how each distance decides it."""
    pairs = open_to_distances(view)
    table, pair = pairs.value, pairs.value.iloc[0]
    share = line("left_open", pairs.it["open"] / pairs.it["pairs"].clip(1))
    text = (
        f"Of **{pair['pairs']:,}** pair{'' if pair['pairs'] == 1 else 's'} of documents assessed for one topic, "
        f"{pair['equal']:,} have the same labels and {pair['comparable']:,} the partial order decides. It leaves "
        f"**{pair['open']:,}** open ({share.value.iloc[0]:.1%})"
    )
    yield Text(text + (OPEN if pair["open"] else ": a distance has nothing to decide."), calls=(pairs, share))
    shown = table.drop(columns=["pairs", "equal", "comparable", "open"])
    decided = line("decided", pairs.it["decided"] / pairs.it["open"].clip(1))
    shown.insert(2, "share decided", decided.value)
    counts = {str(name): st.column_config.NumberColumn(format="localized") for name in shown if name != "share decided"}
    options: dict[str, Any] = {"decimals": {"share decided": 3}, "columns": counts, "download": table.reset_index()}
    yield Table(shown, "open pairs", calls=(pairs, decided), **options)
    yield Text.note("“for” an aspect: the document with the better label there wins. Tied: both are in one class.")


def open_to_distances(view: TomaView) -> Call[pd.DataFrame]:
    """The pairs of documents that the partial order leaves open, by distance; kept for the next run."""
    distances = {str(distance): distance for distance in (*values_of(Distance).values(), view.measure.distance)}
    pool, toma = record(view.collection).assessments, view.toma.it
    order = keyed(list(distances), lambda text: toma.with_(distance=record(parse_value)(text)).order(pool))
    orders = line("orders", order)
    return cached_call(call("pairs", open_pairs, pool, orders.it), view.collection)


def hasse(view: TomaView) -> Iterator[Item]:
    if len(view.tuples) > MOST_NODES:
        yield Text.note(f"{len(view.tuples):,} tuples are too many for a diagram (at most {MOST_NODES}).")
        return
    figure, alt = view.figure(figures.tuple_diagram), "Hasse diagram of the partial order beside the classes"
    yield Figure(figure, "hasse", f"{alt}; the values are in Order")
    yield Text.note(
        "Tuples by grade. Left: lines lead up to the next better tuples; two without a way upwards between them "
        "are not comparable. Right: the distance gives each a class, and no line leads down to a better one."
    )


def systems(view: TomaView, at: At, highlight: Highlight, before: list[pd.Series] | None) -> None:
    """Ranks by CAM, TOMA and MM, and by the pinned measure where there is one."""
    if len(view.collection.systems) < 2:
        st.info("A ranking takes two systems; open more runs.", icon=":material/info:")
        return
    highlight.draw("systems")
    styles = families.styles(view.collection)
    doubt = doubt_of(*view.scored.values())
    pinned = pins.compared(before, view.collection, view.mean("TOMA"))
    live.follow(view.asked, lambda asked: ranks_by_all(at(asked), highlight, pinned, styles, doubt))
    for other in (rival(CAM, view.measure), rival(MM, view.measure)):
        site.moved(other, view.measure, f" from {type(other).__name__} to TOMA")
    show.screen(systems_table(view, pinned, doubt))


def systems_table(view: TomaView, pinned: Calls, doubt: Call[list[pd.DataFrame]] | None) -> Iterator[Item]:
    """Mean scores and ranks, and where MM can say nothing."""
    means = view.means.value
    places = line("ranks", mapped(view.means.it, lambda mean: record(ec.ranks)(mean)))
    table = pd.DataFrame({name: means[name] for name in ("TOMA", "CAM", "MM")})
    for name in ("TOMA", "CAM", "MM"):
        table[f"rank by {name}"] = places.value[name].astype(int)
    table = with_doubt(table, view.scores["TOMA"], after="rank by TOMA", by=" by TOMA")
    if pinned:
        _, won, tau = pinned
        table["places won since the pin"] = won.value[0].astype(int)
        text = f"Kendall's tau_b of TOMA with the pinned ranking: **{score_text(tau.value[0], 3)}**"
        yield Text.note(text, calls=pinned)
    beside = unassessed(view.measure, view.collection)
    shown = with_unassessed(table, beside).loc[best_first(means["TOMA"]).index]
    calls = (view.means, places, *beside, *([doubt] if doubt else ()))
    decimal = decimals([" by TOMA"]) | unassessed_decimals(shown)
    yield Table(shown, "toma systems", height=400, decimals=decimal, calls=calls)
    if zeros := topics_without(view):
        counts = ", ".join(f"{markdown(name)}: {count}" for name, count in zeros.items())
        nothing = all(aspect.scale.zero == 0 for aspect in view.aspects if aspect.name in zeros)
        so = " There MM is 0 for every system." if nothing else ""
        yield Text.note(f"Topics where no document has more than the worst label: {counts}.{so}")


def ranks_by_all(
    view: TomaView, highlight: Highlight, pinned: Calls, styles: Styles, doubt: Call[list[pd.DataFrame]] | None
) -> Iterator[Item]:
    """How alike the rankings are, and the ranks themselves."""
    both = call("both", ec.tau, view.mean("CAM").it, view.mean("MM").it)
    tau = view.tau.value
    yield Sentence(
        f"τ of TOMA with CAM {score_text(tau['CAM'], 3)}, with MM {score_text(tau['MM'], 3)}, of CAM with MM "
        f"{score_text(both.value, 3)}. All three with "
        f"{markdown(view.asked.base)}: CAM and MM score each aspect and average the scores; TOMA joins the labels, "
        "then scores once. An aspect's importance is its weight in CAM and MM.",
        caption=True,
        calls=(view.tau, both),
    )
    means = view.means.it | {"baseline": pinned[0].it[0]} if pinned else view.means.it
    own = families.styles_of(view.collection)
    made = call("", figures.bump, means, styles=own, doubt=doubt.it if doubt else ())
    figure = made.here(styles=styles, selected=highlight.systems)
    alt = "Ranks of all systems by CAM, TOMA and MM; the values are in the table below"
    yield Figure(figure, "toma bump", alt, highlight.take, ("points",))


def topics_without(view: TomaView) -> dict[str, int]:
    """For each aspect, how many topics have no document above its worst label."""
    filled = np.diff(view.pool.topic_start) > 0
    starts = view.pool.topic_start[:-1][filled]
    none = {
        aspect.name: int((np.maximum.reduceat(column, starts) == 0).sum()) if len(starts) else 0
        for aspect, column in zip(view.aspects, view.documents.T, strict=True)
    }
    return {name: count for name, count in none.items() if count}


def what_changed(view: TomaView, at: At) -> None:
    """Documents by class now and under a reference setting."""
    view.asked.draw_in_row("against", "against_distance", "listed")
    live.follow(view.asked, lambda asked: [changed_place(at(asked))])
    show.screen(changes(view))


def changes(view: TomaView) -> Iterator[Item]:
    """The tuples of labels that are placed otherwise, or their documents, the farthest first."""
    change = view.change
    tuples, documents = change.found.value
    changed = pd.DataFrame(
        {
            "labels": view.names(tuples),
            "documents": documents,
            f"class before (of {change.before.value.n_classes})": change.old.value,
            f"class now (of {view.order.n_classes})": change.new.value,
            "% better before": change.then.value,
            "% better now": change.now.value,
        }
    )
    shift = changed["% better now"] - changed["% better before"]
    moved = shift.abs().to_numpy() > 1e-10
    calls = (change.old, change.new, change.then, change.now)
    options: dict[str, Any] = {"decimals": PERCENT, "index": False, "calls": calls}
    if not moved.any():
        yield Text.note("Nothing changed: move a label, or choose another distance, in the controls above.")
    elif view.asked.listed == "labels":
        rows = changed.loc[shift[moved].abs().sort_values(ascending=False, kind="stable").index].head(500)
        yield Table(rows, "changed labels", height=320 if len(rows) > 7 else "auto", **options)
    else:
        yield Table(of_documents(view, tuples, changed, shift, moved), "changed documents", height=320, **options)
    text = "% better: the share of all assessed documents in a better class; smaller means that a document rose."
    yield Text.note(text)


def changed_place(view: TomaView) -> Sentence:
    """How many documents and pairs of tuples are placed otherwise."""
    change = view.change
    tuples, documents = change.found.value
    few = len(tuples) <= 1000
    pairs = ", ".join(f"{n:,} {kind}" for kind, n in change.pairs.value.items()) if few else ""
    return Sentence(
        f"**{change.moved.value:,}** of {documents.sum():,} documents changed place: "
        f"{change.before.value.n_classes:,} classes before, {view.order.n_classes:,} now. "
        + (f"Pairs of tuples: {pairs}." if pairs else ""),
        calls=(change.moved, *([change.pairs] if few else ())),
    )


def of_documents(
    view: TomaView, tuples: IntArray, changed: pd.DataFrame, shift: pd.Series, moved: BoolArray
) -> pd.DataFrame:
    """The documents behind the tuples that moved, the farthest first; at most 2,000."""
    flat, own = (places_in(places, view.shape) for places in (tuples, view.documents))
    at = np.searchsorted(flat, own)
    rows = np.flatnonzero(moved[at])
    rows = rows[np.argsort(-shift.abs().to_numpy()[at[rows]], kind="stable")][:2000]
    who = pd.DataFrame(view.pool.ids(rows))
    return who.join(changed.drop(columns="documents").iloc[at[rows]].reset_index(drop=True))
