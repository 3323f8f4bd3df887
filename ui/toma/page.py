"""When is one document better than another? TOMA: labels embedded, tuples ordered by their distance to the best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.figures.tuples import MOST_TUPLES
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_calls, firsts, intervals_of_tau
from ui.data import open_collection, pins
from ui.screen.calls import line, mapped, record
from ui.screen.items import Figure, Headline, Item, Latex, Metric, Text, in_row
from ui.screen.text import markdown, of_what, score_text
from ui.shell import live
from ui.stage import show
from ui.toma.controls import TomaSettings, draw, usable
from ui.toma.details import details, written_order
from ui.toma.embedding import Embedded
from ui.toma.view import TomaView
from ui.widgets import handles


def main() -> None:
    collection = open_collection.titled("toma", what_is_missing)
    left, right = show.two_columns()
    asked, highlight = TomaSettings.now(collection), Highlight.now(collection)
    with left:
        draw(asked)
    with right:
        view = prepared(asked)
    if view is None:
        return
    before = pins.before(pins.bar(asked.collection, [view.measure]), asked.collection, 1)
    at = view.elsewhere()
    with right:
        live.follow(asked, lambda asked: answer(at(asked)))
        if not all(aspect.bent for aspect in view.aspects[:2]):
            st.caption("Drag the line of a label in the figure, or move its slider.")
    show.explain(*explanation(view))
    formulas(view)
    details(view, at, highlight, before)


def answer(view: TomaView) -> Iterator[Item]:
    """How many classes, how alike the rankings are, who is first; and the plane."""
    yield from headline(view)
    yield from plane(view)
    yield from written_order(view)


def prepared(asked: TomaSettings) -> TomaView | None:
    """The measure at work; where it cannot be, the reason is shown in place of the figure."""
    try:
        return TomaView.of(asked)
    except ec.InputError as error:
        show.show_error(error)
        return None


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
    yield in_row(*metrics)
    yield who_is_first(view)
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


def explanation(view: TomaView) -> tuple[str, str, str]:
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


def formulas(view: TomaView) -> None:
    with st.expander("Formulas with the current values"):
        weights = [view.asked.importances[aspect.name] for aspect in view.aspects]
        symbols = [f"g_{{{at}}}" for at in range(1, len(weights) + 1)]
        far = view.tuples[[int(np.argmax(view.order.rank_of(view.tuples)))]]
        places = [view.positions[aspect.name] for aspect in view.aspects]
        gaps = [f"({at[-1]:g} - {at[k]:g})" for at, k in zip(places, far[0].tolist(), strict=True)]
        general, today = (
            view.measure.distance.latex(list(zip(shown, weights, strict=True))) for shown in (symbols, gaps)
        )
        show.put(Latex(f"d = {general}"))
        show.put(Latex(rf"d_\mathrm{{far}} = {today} = {float(view.order.distance_of(far)[0]):.4g}"))
        show.put(Latex(view.measure.latex(view.pool.scales)))
        aspects = ", ".join(f"g{at} of {markdown(aspect.name)}" for at, aspect in enumerate(view.aspects, start=1))
        st.caption(
            f"d: the distance to the best tuple; {aspects}: from a label's position to the best label's. Far: of "
            f"{markdown(view.names(far)[0])}, the farthest. W: the weight of the class; k: the rank, from 1. The text "
            "below is this measure for ec.parse and ec.evaluate."
        )
        written = str(view.measure)
        st.code(written, language=None, wrap_lines=True, height=140 if len(written) > 600 else "content")


EXACT = 1e-9  # steps


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
