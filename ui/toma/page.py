"""When is one document better than another? TOMA: labels embedded, tuples ordered by their distance to the best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore.data import Collection
from evalcore.figures.tuples import MOST_NODES, MOST_TUPLES
from evalcore.measures import ByClass, Chebyshev, Euclidean, Manhattan, Measure
from evalcore.measures.tuple_orders import Distance
from evalcore.meta import winner
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_calls, firsts, intervals_of_tau
from ui.computing.measures import parsed, scores
from ui.data import open_collection
from ui.screen.calls import line, mapped, record
from ui.screen.items import Figure, Headline, Height, Item, Latex, Metric, Sentence, Table, Text, in_row
from ui.screen.text import markdown, of_what, score_text
from ui.shell import live
from ui.stage import show
from ui.toma.controls import TomaSettings, draw, draw_more, usable
from ui.toma.embedding import Embedded
from ui.toma.view import MOST_CLASSES, TomaView, classwise
from ui.tune import frame
from ui.tune.frame import Family
from ui.widgets import handles


def main() -> None:
    collection = open_collection.titled("toma", what_is_missing)
    page, highlight = TomaSettings.now(collection), Highlight.now(collection)
    frame.draw(page, highlight, Family(draw, draw_more, own, explanation, formulas=formulas, why=why))


def own(page: TomaSettings, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The plane of labels."""
    view = TomaView.of(page)
    at = view.elsewhere()
    with right:
        live.follow(page, lambda page: answer(at(page)))
        if not all(aspect.bent for aspect in view.aspects[:2]):
            st.caption("Drag the line of a label in the figure, or move its slider.")


def answer(view: TomaView) -> Iterator[Item]:
    """How many classes, how alike the rankings are, who is first; and the plane."""
    yield from headline(view)
    yield from plane(view)
    yield from written_order(view)


def what_is_missing(collection: Collection) -> str:
    """Why this page has nothing to show for a collection, and what to do; empty where it has."""
    if len(telling := usable(collection)) > 1:
        return ""
    single = [markdown(name) for name in collection.aspects if name not in telling]
    has = ", ".join(map(markdown, (*telling, *collection.signals))) or "none"
    alone = f" ({', '.join(single)}: one label only, which cannot distinguish documents)" if single else ""
    return (
        "TOMA joins two aspects or more, each with at least two labels; the open collection has "
        f"{has}{alone}. Open files with a second aspect, such as qrels.txt and qread.txt, in the sidebar; a signal "
        "becomes an aspect when it is cut into grades on the page Collection."
    )


def headline(view: TomaView) -> Iterator[Item]:
    product = view.measure.tuples == "product"
    tuples = math.prod(view.shape) if product else len(view.tuples)
    help = f"of {tuples:,} admissible tuples of labels"
    n_classes, several = view.n_classes, len(view.collection.systems) > 1
    metrics = [Metric.of("classes", n_classes, help, form=",")]
    for name in ("CAM", "MM"):
        text = score_text(view.tau.value[name] if several else math.nan, 3)
        help = f"Kendall's tau_b of the rankings of systems by {name} and by TOMA"
        metrics.append(Metric(f"τ with {name}", text, help=help, calls=(view.tau,) if several else ()))
    yield who_is_first(view)
    yield in_row(*metrics)
    toma = view.scored["TOMA"]
    yield from intervals_of_tau({f"τ with {name}": ("tau", view.scored[name], toma) for name in ("CAM", "MM")})
    if not view.mean("TOMA").value.any():
        yield Text("Every class that a document has weighs 0: every system scores 0.", "info")


def who_is_first(view: TomaView) -> Headline:
    """Who is first by TOMA and by its rivals."""
    lines = firsts(dict(sorted(view.scores.items(), key=lambda item: item[0] != "TOMA")))
    of = of_what(view.asked.base, [aspect.name for aspect in view.aspects])
    first = line("first", mapped(view.means.it, lambda mean: record(ec.best_first)(mean).head(1)))
    return Headline("  \n".join([*lines, f"All three: {of}"]), (first, *doubt_calls(*view.scored.values())))


def explanation(page: TomaSettings) -> tuple[str, str, str]:
    view = TomaView.of(page)
    x, y = (markdown(aspect.name) for aspect in view.aspects[:2])
    kind = type(view.measure.distance).__name__
    long = math.prod(view.shape[:2]) > MOST_TUPLES
    marks = (
        "Each mark gathers documents with nearby labels: the larger, the more of them; the fuller its colour, the "
        "nearer to the best."
        if long
        else "Each mark is a pair of labels, the larger the more documents have it. The star is the best pair; the "
        "number is the class, 1 the nearest to it."
    )
    shape = {
        1: "straight: a loss on one aspect is offset by an equal gain on the other",
        math.inf: "corners: only the worse aspect counts, so many tuples are tied",
    }.get(view.measure.distance.power, "round: being bad on one aspect costs more than being middling on both")
    return (
        f"To the right: {x}. Up: {y}. {marks}",
        f"Blue lines join what is equally far from the best. By {kind} they are {shape}. Of two documents the one on "
        "the inner line is better; on one line they are tied.",
        f"{knob(view.aspects[1])}: pairs change class, and the rankings of systems drift apart. Then choose another "
        "distance and count the classes.",
    )


def knob(aspect: Embedded) -> str:
    """What to move on an aspect."""
    name = markdown(aspect.name)
    if aspect.bent:
        return f"Raise the bend of {name}"
    which, where = ("best", "nearer") if aspect.last == 1 else ("second", "down")
    return f"Draw the {which} label of {name} {where} to the worst"


def formulas(page: TomaSettings) -> Iterator[Item]:
    view = TomaView.of(page)
    weights = [view.asked.importances[aspect.name] for aspect in view.aspects]
    symbols = [f"g_{{{at}}}" for at in range(1, len(weights) + 1)]
    far = view.tuples[[int(np.argmax(view.order.rank_of(view.tuples)))]]
    places = [view.positions[aspect.name] for aspect in view.aspects]
    gaps = [f"({at[-1]:g} - {at[k]:g})" for at, k in zip(places, far[0].tolist(), strict=True)]
    general, today = (view.measure.distance.latex(list(zip(shown, weights, strict=True))) for shown in (symbols, gaps))
    yield Latex(f"d = {general}")
    yield Latex(rf"d_\mathrm{{far}} = {today} = {float(view.order.distance_of(far)[0]):.4g}")
    yield Latex(view.measure.latex(view.pool.scales))
    aspects = ", ".join(f"g{at} of {markdown(aspect.name)}" for at, aspect in enumerate(view.aspects, start=1))
    yield Text.note(
        f"d: the distance to the best tuple; {aspects}: from a label's position to the best label's. Far: of "
        f"{markdown(view.names(far)[0])}, the farthest. W: the weight of the class; k: the rank, from 1."
    )


THREE: dict[str, Distance] = {type(distance).__name__: distance for distance in (Euclidean(), Manhattan(), Chebyshev())}
MOST_NAMED = 16  # in the written order; more have their grades
EXACT = 1e-9  # steps


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


def plane(view: TomaView) -> Iterator[Item]:
    offered = handles.offered([*lines(view, "x", view.aspects[0]), *lines(view, "y", view.aspects[1])])
    x, y = (aspect.name for aspect in view.aspects[:2])
    alt = f"Tuples of {x} and {y} where they lie, their classes beside them; see Order for both"
    yield Figure(view.plane, "plane", alt, layout=offered)
    if len(view.aspects) > 2:
        places = zip(view.aspects[2:], view.asked.held_places, strict=True)
        at = ", ".join(f"{markdown(aspect.name)} “{markdown(aspect.labels[place])}”" for aspect, place in places)
        yield Text.note(f"Classes and lines are drawn for {at}; the size of a mark counts documents with any.")


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


# --- why: the classes, and what the paper's three scenarios make of them ---------------------------------------------


def why(page: TomaSettings) -> None:
    view = TomaView.of(page)
    show.screen(classes(view))
    show.screen(every_scenario(view))


def classes(view: TomaView) -> Iterator[Item]:
    """Every class: its distance, weight, documents and tuples."""
    written = {"weight": st.column_config.NumberColumn(format="%.6g")}
    height: Height = 320 if len(view.classes) > 7 else "auto"
    yield Table(view.classes, "classes", columns=written, height=height, calls=view.per_class)
    text = f"{markdown(view.asked.base)} reads the weight as a grade{counted(view.measure.base)}."
    most = f" The table has the best {MOST_CLASSES} classes." if len(view.classes) == MOST_CLASSES else ""
    zeros = topics_without(view)
    none = ", ".join(f"{markdown(name)}: {count}" for name, count in zeros.items())
    nothing = all(aspect.scale.zero == 0 for aspect in view.aspects if aspect.name in zeros)
    so = " There MM is 0 for every system." if nothing else ""
    where = f" Topics where no document has more than the worst label: {none}.{so}" if zeros else ""
    yield Text.note(text + most + where)


def counted(base: Measure) -> str:
    """Which weights count for a measure that knows only yes and no."""
    if "rel" not in base.parameters():
        return ""
    rel = base.rel  # type: ignore[attr-defined]
    return ": it counts a document whose class weighs " + ("more than 0" if rel is None else f"{rel:g} or more")


def topics_without(view: TomaView) -> dict[str, int]:
    """For each aspect, how many topics have no document above its worst label."""
    filled = np.diff(view.pool.topic_start) > 0
    starts = view.pool.topic_start[:-1][filled]
    none = {
        aspect.name: int((np.maximum.reduceat(column, starts) == 0).sum()) if len(starts) else 0
        for aspect, column in zip(view.aspects, view.documents.T, strict=True)
    }
    return {name: count for name, count in none.items() if count}


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
