"""The page TOMA: embedded labels, and tuples of labels in the order of their distance to the best tuple."""

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
from evalcore.figures import tuple_plane
from evalcore.figures.tuples import MOST_NODES, MOST_TUPLES
from evalcore.measures import ByClass, Chebyshev, Euclidean, Manhattan
from evalcore.measures.tuple_orders import Distance
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_calls, firsts, intervals_of_tau
from ui.computing.measures import parsed
from ui.data import open_collection
from ui.screen.calls import call, line, mapped, record
from ui.screen.items import At, Figure, Headline, Height, Item, Latex, Metric, Sentence, Table, Text, in_row
from ui.screen.text import markdown, of_what, percent, score_text
from ui.shell import live
from ui.stage import show
from ui.toma import texts
from ui.toma.embedding import Embedded
from ui.toma.toma_settings import FIGURE_1, TABLE_1, TomaSettings, draw, draw_more, usable
from ui.toma.view import MOST_CLASSES, TomaView, classwise
from ui.tune import frame
from ui.tune.frame import Family, lack
from ui.widgets import handles


def main() -> None:
    collection = open_collection.titled("toma", what_is_missing)
    page, highlight = TomaSettings.now(collection), Highlight.now(collection)
    frame.draw(page, highlight, Family(draw, draw_more, own, reading, formulas=formulas, why=why))


def own(page: TomaSettings, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the chosen picture: the plane of labels, the paper's Figure 1 (all distances), or its Table 1 (orders)."""
    with left:
        page.draw("picture")
    view = TomaView.of(page)
    at, below = view.elsewhere(), st.container()
    with right:
        live.follow(page, lambda page: answer(at(page)), places={"below": below})
        if page.picture != TABLE_1 and not all(aspect.bent for aspect in view.aspects[:2]):
            st.caption(texts.DRAG)


def answer(view: TomaView) -> Iterator[Item]:
    """Yield the winners, the number of classes, τ of the rankings, and the chosen picture."""
    yield from headline(view)
    yield from grades_of_signal(view)
    if view.asked.picture == TABLE_1:
        yield from orders(view)
    elif view.asked.picture == FIGURE_1:
        yield from planes(view)
    else:
        yield from plane(view)
        yield At("below", tuple(written_order(view)))


def grades_of_signal(view: TomaView) -> Iterator[Item]:
    """Yield a sentence with the share of documents with each grade, if a signal is turned into grades."""
    if name := view.asked.graded_name:
        grades = record(pd.Series)(record(view.collection).assessments.column(name))
        held = line("held", [(grades == grade).sum() / grades.count() for grade in view.pool.scale(name).grades])
        parts = zip(view.pool.scale(name).names, held.value, strict=True)
        listed = ", ".join(f"{percent(share)} {label}" for label, share in parts)
        yield Sentence(f"Grades of {markdown(view.asked.graded or '')}: {listed}", caption=True, calls=(held,))


def what_is_missing(collection: Collection) -> str:
    """Return a text on what the collection lacks for this page; "" if it lacks nothing."""
    enough = len([*usable(collection), *collection.signals]) > 1
    return "" if enough else lack(collection, texts.SECOND_ASPECT)


def headline(view: TomaView) -> Iterator[Item]:
    product = view.measure.tuples == "product"
    tuples = math.prod(view.shape) if product else len(view.tuples)
    help = f"of {tuples:,} admissible tuples of labels"
    n_classes, several = view.n_classes, len(view.collection.systems) > 1
    metrics = [Metric.of("classes", n_classes, help, form=",")]
    for name in ("CAM", "MM"):
        text = score_text(view.tau.value[name] if several else math.nan, 3)
        known = (view.tau,) if several else ()
        metrics.append(Metric(f"τ with {name}", text, help=texts.tau_with(name), calls=known))
    yield who_is_first(view)
    yield in_row(*metrics)
    toma = view.scored["TOMA"]
    yield from intervals_of_tau({f"τ with {name}": ("tau", view.scored[name], toma) for name in ("CAM", "MM")})
    if not view.mean("TOMA").value.any():
        yield Text(texts.NO_WEIGHTS, "info")


def who_is_first(view: TomaView) -> Headline:
    """Return the headline that names the winners under TOMA and under its rivals CAM and MM."""
    lines = firsts(dict(sorted(view.scores.items(), key=lambda item: item[0] != "TOMA")))
    of = of_what(view.asked.base, [aspect.name for aspect in view.aspects])
    first = line("first", mapped(view.means.it, lambda mean: record(ec.best_first)(mean).head(1)))
    text = f"{lines[0]}\n\n" + "  \n".join([*lines[1:], f"All three: {of}"])
    return Headline(text, (first, *doubt_calls(*view.scored.values())))


def reading(page: TomaSettings) -> tuple[str, str, str]:
    view = TomaView.of(page)
    x, y = (aspect.name for aspect in view.aspects[:2])
    distance = view.measure.distance
    return texts.reading(x, y, type(distance).__name__, distance.power, math.prod(view.shape[:2]) > MOST_TUPLES)


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
    yield Text.note(texts.formula([aspect.name for aspect in view.aspects], view.names(far)[0]))


THREE: dict[str, Distance] = {type(distance).__name__: distance for distance in (Euclidean(), Manhattan(), Chebyshev())}
MOST_NAMED = 16  # most tuples written with the names of labels; more are written as grades
EXACT = 1e-9  # tolerance, in steps
PANEL = 290  # height in pixels: four panels fit on one screen


def written_order(view: TomaView) -> Iterator[Item]:
    """Yield the order of the tuples, written as in the paper's Table 1, if there are at most `MOST_NODES` tuples."""
    if len(view.tuples) > MOST_NODES:
        return
    yield Text.note(texts.written_order(aspect.name for aspect in view.aspects))
    names = (view.names if len(view.tuples) <= MOST_NAMED else view.grades)(view.tuples)
    classes = classwise(names, view.order.rank_of(view.tuples))
    yield Sentence(" **>** ".join(map(markdown, classes)), calls=(view.classed,))


def plane(view: TomaView) -> Iterator[Item]:
    offered = handles.offered([*lines(view, "x", view.aspects[0]), *lines(view, "y", view.aspects[1])])
    x, y = (aspect.name for aspect in view.aspects[:2])
    yield Figure(view.plane, "plane", texts.plane(x, y), layout=offered)
    if len(view.aspects) > 2:
        places = zip(view.aspects[2:], view.asked.held_places, strict=True)
        at = ", ".join(f"{markdown(aspect.name)} “{markdown(aspect.labels[place])}”" for aspect, place in places)
        yield Text.note(texts.held(at))


def planes(view: TomaView) -> Iterator[Item]:
    """Yield the paper's Figure 1: the plane without lines, and with lines of equal distance for each distance."""
    pool, shown = record(view.collection).assessments, []
    given: dict[str, Distance | None] = {"labels alone": None, **THREE}
    for name, distance in given.items():
        toma = view.measure if distance is None else view.measure.with_(distance=distance)
        made = call("", tuple_plane, parsed("", toma).it, pool, bare=distance is None)
        layout = {"height": PANEL, "title": {"text": name, "x": 0.5, "font": {"size": 14}}}
        if distance is None:
            layout |= handles.offered([*lines(view, "x", view.aspects[0]), *lines(view, "y", view.aspects[1])])
        shown.append(Figure(made, f"plane {name}", f"Positions of the tuples of labels: {name}", layout=layout))
    yield in_row(*shown[:2])
    yield in_row(*shown[2:])


def orders(view: TomaView) -> Iterator[Item]:
    """Yield the paper's Table 1: the order of the tuples, best first, for each distance.

    Up to three scenarios are shown: the first two, and the chosen one or the last.
    """
    asked, pool = view.asked, record(view.collection).assessments
    names = list(asked.scenarios)
    last = names[-1] if asked.scenario in names[:2] else asked.scenario
    for scenario in dict.fromkeys([*names[:2], last]):
        knobs = asked.moved(scenario)
        placed = zip(view.aspects, knobs, strict=True)
        where = "; ".join(
            f"{markdown(aspect.name)} {', '.join(f'{at:g}' for at in aspect.positions(now))}" for aspect, now in placed
        )
        yield Sentence(f"**{markdown(scenario)}**: {where if not view.aspects[-1].bent else 'long scales'}")
        embedding = asked.embedding_of(scenario if knobs == asked.scenarios[scenario] else "", knobs)
        for name, distance in THREE.items():
            toma = parsed("", view.measure.with_(embedding=embedding, distance=distance, weights=ByClass()))
            order = line("order", toma.it.order(pool))
            text = f"{name}, {order.value.n_classes} classes"
            if len(view.tuples) <= MOST_NODES:
                listed = classwise(view.grades(view.tuples), order.value.rank_of(view.tuples))
                text += f": {markdown(' > '.join(listed))}"
            yield Sentence(text, caption=True, calls=(order,))


def lines(view: TomaView, axis: str, aspect: Embedded) -> list[dict[str, Any]]:
    """Return the draggable lines of an aspect's labels in the figure; each moves between the neighbouring labels.

    Return [] for an aspect with a long scale.
    """
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


# --- the classes ------------------------------------------------------------------------------------------------------


def why(page: TomaSettings) -> None:
    view = TomaView.of(page)
    show.screen(classes(view))


def classes(view: TomaView) -> Iterator[Item]:
    """Yield the table of classes, with their distance, weight, documents and tuples, and a note."""
    written = {"weight": st.column_config.NumberColumn(format="%.6g")}
    height: Height = 320 if len(view.classes) > 7 else "auto"
    yield Table(view.classes, "classes", columns=written, height=height, calls=view.per_class)
    yield Text.note(texts.weights(view.asked.base, MOST_CLASSES if len(view.classes) == MOST_CLASSES else None))
