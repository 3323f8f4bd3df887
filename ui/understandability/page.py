"""The page Readability: RBP against uRBP, with figures that follow the sliders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection, Scale
from evalcore.measures import Product
from evalcore.measures.catalogue import like_fog, usual_gains
from ui.address.families import plotted, styles
from ui.address.highlight import Highlight
from ui.computing.measures import averaged, parsed, scored
from ui.data import open_collection
from ui.screen.calls import call, each, line, record
from ui.screen.items import Figure, Item, Latex, Sentence, Table, Text, in_row
from ui.shell import live
from ui.stage import show
from ui.tune import frame, scatter
from ui.tune.frame import Family, lack
from ui.understandability import texts
from ui.understandability.reader import Reader, Variant, columns, draw, draw_more, setting_of
from ui.widgets import handles

FIGURE_1 = (15.0, 10.0, 20.0)  # thresholds of FOG
PANEL = {"height": 330, "annotations": []}


def main() -> None:
    asked = lambda collection: texts.question(Reader.now(collection).column)  # noqa: E731
    collection = open_collection.titled("understandability", what_is_missing, asked)
    family = Family(draw, draw_more, own, texts.reading_gains, texts.reading_scatter, formulas, why)
    frame.draw(Reader.now(collection), Highlight.now(collection), family)


def own(reader: Reader, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the gain u(k) with thresholds that can be dragged, and scatters of the systems at each threshold."""
    figure_1 = {"threshold": FIGURE_1[0], "also": FIGURE_1[1:]}
    with left:
        reader.draw("normalised")
        if reader.field("also") and like_fog(reader.collection.assessments.column(reader.column)):
            shown = set(reader.thresholds) == set(FIGURE_1)
            st.button(texts.FIGURE_1, on_click=reader.change, kwargs=figure_1, disabled=shown)
    with right:
        live.follow(reader, lambda reader: [*scatter.headline(reader), *gains(reader), *panels(reader)], curve="τ")


def why(reader: Reader) -> None:
    show.screen(correlations(reader))


def what_is_missing(collection: Collection) -> str:
    """Return a text on what the collection lacks for this page; "" if it lacks nothing."""
    if columns(collection) and collection.aspects and len(collection.systems) > 1:
        return ""
    return lack(collection, texts.SECOND_COLUMN)


# --- every user model at every threshold ------------------------------------------------------------------------------


def compared_models(reader: Reader) -> list[Variant]:
    """Return the measure with every user model at every chosen threshold; at every grade if none is chosen."""
    scale, chosen = reader.scale, sorted(reader.thresholds) or reader.scale.grades[1:]
    models = ("step", "smooth", "mean") if reader.base == "RBP" else ("step", "smooth")
    measures = [reader.variant(model, threshold) for model in models for threshold in chosen]
    return measures if scale.continuous else [*measures, reader.graded(reader.gains or usual_gains(scale))]


def _named(measure: Variant) -> str:
    """Return the name of a user model: the measure's class or, if only the gain differs, the class of the gain."""
    return type([*measure.gain_functions().values()][-1] if isinstance(measure, Product) else measure).__name__


def correlations(reader: Reader) -> list[Item]:
    """Return items with τ and τ_AP between the base measure and every user model at every threshold.

    These are Tables 1 and 2 of the paper.
    """
    measures = compared_models(reader)
    first = averaged(scored("rbp", reader.baseline, reader.collection))
    means = line("models", [scored("", measure, reader.collection).it.mean() for measure in measures])
    taus = line("taus", each(means.it, lambda mean: record(ec.tau)(first.it, mean)))
    tau_aps = line("tau_aps", each(means.it, lambda mean: record(ec.tau_ap)(mean, first.it)))
    cells: dict[str, dict[str, float]] = {}
    for measure, tau, tau_ap in zip(measures, taus.value, tau_aps.value, strict=True):
        for name, value in (("τ", tau), ("τ_AP", tau_ap)):
            cells.setdefault(f"{reader.base} vs. {_named(measure)}: {name}", {})[setting_of(measure)] = value
    table = pd.DataFrame(cells).T.rename_axis("rankings")
    shown = Table(table, "correlations", dict.fromkeys(map(str, table), 3), calls=(means, taus, tau_aps))
    return [Text.note(texts.correlations(reader.baseline)), shown]


# --- gains, panels, formulas ------------------------------------------------------------------------------------------


def gains(reader: Reader) -> list[Item]:
    """Return items with the figure of u(k), the gain for each value of the understandability column.

    The figure also shows the values of the assessed documents.
    """
    collection, column = reader.collection, reader.models[0].columns[1]
    scale = line("scale", record(collection).assessments.scale(column))
    values = line("values", record(collection).assessments.column(column))
    known = scale.value
    graded = known.kind == "grades" and not known.continuous
    low, high = known.ends(values.value)
    x = call("x", np.array, scale.it.grades)
    if not graded:
        x = call("x", np.linspace, low, high, 241)
    title = figures.plain(column) + (f" ({known.unit})" if known.unit else "")
    made = {setting_of(variant): line("u", gain_of(variant, x.it, scale.it)) for variant in reader.models}
    said: list[Item] = []
    if reader.normalised:
        from scipy.integrate import trapezoid  # imported late: it loads all of scipy.optimize

        integrals = {name: call("integral", trapezoid, u.it, x.it) for name, u in made.items()}
        made = {name: line("u", u.it / integrals[name].it) for name, u in made.items()}
        listed = ", ".join(f"{integral.value:.3f} ({name})" for name, integral in integrals.items())
        said = [Sentence(texts.integrals(listed), caption=True, calls=tuple(integrals.values()))]
    curves = {name: (x.it, u.it) for name, u in made.items()}
    top = max(float(np.max(u.value)) for u in made.values()) if reader.normalised else 1.0
    figure = call("", figures.gain_curves, values.it, curves, title, steps=graded, top=top)
    return [Figure(figure, "gains", texts.gain(column), layout=handles.offered(reader.handles())), *said]


def panels(reader: Reader) -> Iterator[Item]:
    """Yield the paper's Figure 1: scatters for a step and for a smooth threshold, each with all chosen thresholds.

    Yield nothing under other user models.
    """
    if reader.model not in ("step", "smooth"):
        return
    c, across = reader.collection, str(reader.baseline)
    shown, first = [], scored("base", reader.baseline, c)
    for model in ("step", "smooth"):
        variants = {setting_of(one): one for one in (reader.variant(model, at) for at in reader.thresholds)}
        tables = {across: first.it, **{name: scored("", one, c).it for name, one in variants.items()}}
        title = f"{_named(next(iter(variants.values())))}, {model} threshold"
        figure = plotted("", c, tables, across=across, y_title=title).here(styles=styles(c), x_title=reader.base)
        shown.append(Figure(figure, f"{model} panel", f"Systems: {title} against {reader.base}", layout=PANEL))
    yield in_row(*shown)


def gain_of(variant: Variant, x: Any, scale: Scale) -> Any:
    """Return a stand-in for the gains that the measure gives to values (an array) of the understandability column."""
    return parsed("", variant).it.gain_functions()[variant.columns[1]].of(x, scale)


def formulas(reader: Reader) -> list[Item]:
    scales = reader.collection.assessments.scales
    note = Text.note(texts.formula(reader.baseline.unassessed))
    return [Latex(reader.baseline.latex(scales)), Latex(reader.models[0].latex(scales)), note]
