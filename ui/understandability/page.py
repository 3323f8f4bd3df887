"""Does readability change who wins? RBP against uRBP, live."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection, Scale
from evalcore.figures.style import Styles
from evalcore.measures import HRBP, uRBPgr
from evalcore.meta import ranks, winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_of, first_calls, firsts, intervals_of_tau
from ui.computing.measures import averaged, parsed
from ui.data import open_collection, pins
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Columns, Figure, Headline, Item, Latex, Text, in_row
from ui.screen.text import counted, markdown, sentence
from ui.shell import live
from ui.stage import show
from ui.understandability.details import details
from ui.understandability.reader import Reader, Variant, columns, draw, question, setting_of

JOINED = 3  # pairs that are joined by lines, of each kind


def main() -> None:
    asked = lambda collection: question(Reader.now(collection).column)  # noqa: E731
    collection = open_collection.titled("understandability", what_is_missing, asked)
    reader, highlight = Reader.now(collection), Highlight.now(collection)
    collection = reader.collection
    left, right = show.two_columns()
    with left:
        draw(reader, highlight)
    baseline, variants = reader.baseline, reader.variants
    before = pins.before(pins.bar(collection, [baseline, variants[0]]), collection, 2)
    styles = families.styles(collection)
    with right:
        live.follow(reader, lambda reader: answer(reader, highlight, before, styles), curve="τ")
        site.moved(baseline, variants[0])
        site.drill(variants[0], highlight.systems)
    with left:
        live.follow(reader, gains)
    show.explain(*explanation(variants[0]))
    with st.expander("Formulas with the current values"):
        live.still(reader, formulas)
    details(reader, highlight, before)


def answer(reader: Reader, highlight: Highlight, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """How alike the rankings are, who is first, and the scatter."""
    pinned = pins.compared(before, reader.collection, *map(averaged, reader.scores[:2]))
    yield from headline(reader, pinned)
    x, y = reader.scores[:2]
    yield from intervals_of_tau({"τ": ("tau", y, x), "τ_AP": ("tau_ap", y, x)})
    yield scatter(reader, highlight, pinned, styles)


def what_is_missing(collection: Collection) -> str:
    """Why this page has nothing to show for a collection, and what to do; empty where it has."""
    if not columns(collection) or not collection.aspects:
        has = markdown(", ".join((*collection.aspects, *collection.signals)))
        return (
            f"This page sets one aspect against a second one or a readability signal; the open collection has {has}. "
            "Open both, such as qrels.txt and qread.txt; where an aspect only has another name, change it under "
            "Collection."
        )
    if len(collection.systems) < 2:
        return f"A ranking takes two systems; the open collection has {counted(len(collection.systems), 'system')}."
    return ""


def headline(reader: Reader, pinned: Calls) -> tuple[Headline, Columns]:
    """The answer: how alike the rankings are, and who is first; with a baseline, how both changed."""
    x, y = reader.scores[:2]
    x_means, y_means = averaged(x), averaged(y)
    help = "Kendall's tau_b of the two rankings: 1 means the same order"
    then = then_ap = None
    if pinned:  # how alike the pin's rankings are
        x_pinned, y_pinned = pinned[0].it[0], pinned[0].it[1]
        then, then_ap = call("", ec.tau, x_pinned, y_pinned), call("", ec.tau_ap, y_pinned, x_pinned)
    tau = pins.metric("τ", call("tau", ec.tau, x_means.it, y_means.it), then, help)
    help = f"Yilmaz's AP correlation, reference {markdown(str(reader.baseline))}: swaps near the top weigh more"
    ties = ec.ties_in_words("tau_ap", y_means.value, x_means.value)
    help += f". {sentence(markdown(ties))}" if ties else ""
    tau_ap = pins.metric("τ_AP", call("tau_ap", ec.tau_ap, y_means.it, x_means.it), then_ap, help)
    texts = (reader.baseline, reader.variants[0])
    names = [markdown(short(str(text))) for text in texts]
    lines = firsts({name: result.value for name, result in zip(names, (x, y), strict=True)})
    changes = call("changes", ec.rank_changes, x_means.it, y_means.it)
    rank = ranks(x_means.value)[winner(y_means.value)]
    if rank > 1:
        lines.insert(2, f"The first by {names[1]} has rank {rank} by {names[0]}")
    first = Headline("  \n".join(lines), (*first_calls(x, y), changes))
    return first, in_row(tau, tau_ap)


def scatter(reader: Reader, highlight: Highlight, pinned: Calls, styles: Styles) -> Figure:
    """Systems as marks, RBP across and uRBP up."""
    across, up, variants = str(reader.baseline), str(reader.variants[0]), reader.variants
    names = [setting_of(variant) for variant in variants] if len(variants) > 1 else [up]
    tables = {name: made.it for name, made in zip([across, *names], reader.scores, strict=True)}
    doubt = doubt_of(*reader.scores)
    here: dict[str, Any] = {"selected": highlight.systems, "styles": styles, "x_title": figures.measure_title(across)}
    options = {"doubt": doubt.it if doubt else None, "before": pinned[0].it if pinned else None}
    if len(variants) > 1:
        options["y_title"] = figures.plain(f"{short(up)} of {reader.column}")
    else:
        here["y_title"] = figures.measure_title(up)
    if reader.pairs:
        options["apart"] = {
            f"apart by {short(up)} only": pairs_apart(reader, *reader.scores[:2]),
            f"apart by {short(across)} only": pairs_apart(reader, *reader.scores[1::-1]),
        }
    figure = families.plotted("", reader.collection, tables, across=across, **options).here(**here)
    count = len(reader.collection.systems)
    alt = f"Scatter of {count} systems, {across} across and {up} up; the values are in the table under Scores"
    return Figure(figure, "scatter", alt, highlight.take, calls=pinned)


def pairs_apart(reader: Reader, alike: Call[pd.DataFrame], different: Call[pd.DataFrame]) -> pd.DataFrame:
    """The first pairs of systems that only one of two measures tells apart, of each kind."""
    return record(ec.distinguished_pairs)(alike.it, different.it, most=JOINED, tests=False, **reader.limits)


def short(text: str) -> str:
    """A measure without its numbers."""
    return text.split("(")[0]


def gains(reader: Reader) -> list[Item]:
    """u(k): what the user model makes of each value of the column, over the values of the assessed documents."""
    collection, column = reader.collection, reader.variants[0].columns[1]
    scale = line("scale", record(collection).assessments.scale(column))
    values = line("values", record(collection).assessments.column(column))
    known = scale.value
    graded = known.kind == "grades" and not known.continuous
    low, high = known.ends(values.value)
    x = call("x", np.array, scale.it.grades)
    if not graded:
        x = call("x", np.linspace, low, high, 241)
    curves = {setting_of(variant): (x.it, gain_of(variant, x.it, scale.it)) for variant in reader.variants}
    title = figures.plain(column) + (f" ({known.unit})" if known.unit else "")
    figure = call("", figures.gain_curves, values.it, curves, title, steps=graded)
    return [Figure(figure, "gains", f"Gain u by {column}; bars: assessed documents with that value")]


def gain_of(variant: Variant, x: Any, scale: Scale) -> Any:
    """The gains of some values of the column."""
    return parsed("", variant).it.gain_functions()[variant.columns[1]].of(x, scale)


def explanation(variant: Variant) -> tuple[str, str, str]:
    column = markdown(variant.columns[1])
    knob = (
        "Open the gains of the grades and change them: which of them moves the order most?"
        if isinstance(variant, uRBPgr)
        else "Move the threshold: a strict one breaks up the order; under a lax one both measures agree."
    )
    if isinstance(variant, HRBP):
        return (
            "Each mark is a system. To the right: its mean RBP of relevance. Up: its mean HRBP, the harmonic mean of "
            f"that and of RBP of {column}, a topic at a time.",
            "Above the dotted line a system does better on "
            f"{column} than on relevance. Unlike by uRBP, a document that is good on {column} and not relevant counts. "
            "Blue joins systems whose mean RBP is nearly the same and whose mean HRBP is not; red the other way round.",
            f"{knob} Then choose step: which systems gain from documents that are easy and not relevant?",
        )
    return (
        "Each mark is a system. To the right: its mean RBP, which credits every relevant document. Up: its mean uRBP, "
        f"which credits a relevant document only as far as its {column} allows.",
        "On the dotted line nothing is lost. The further below, the more of what a system's relevant documents are "
        f"worth is lost to their {column}. Blue joins systems whose mean RBP is nearly the same and whose mean uRBP is "
        "not; red the other way round.",
        f"{knob} Then make the reader impatient (small ρ): only the first ranks count.",
    )


def formulas(reader: Reader) -> list[Item]:
    scales = reader.collection.assessments.scales
    unassessed = f"Documents without a label {reader.baseline.unassessed}"
    text = f"k is the rank, from 1. The mean over topics is plotted. {unassessed}."
    return [Latex(reader.baseline.latex(scales)), Latex(reader.variants[0].latex(scales)), Text.note(text)]
