"""Does readability change who wins? RBP against uRBP, live."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import RBP, GainMeasure, uRBPgr
from evalcore.meta import ranks, winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.first import code as first_code
from ui.computing.first import first_of, tables
from ui.computing.tau import code as tau_code
from ui.computing.tau import intervals
from ui.data import open_collection, pins
from ui.data.as_python import as_python
from ui.screen.items import Columns, Figure, Headline, Item, Latex
from ui.screen.text import counted, markdown, sentence
from ui.shell import live
from ui.stage import show
from ui.understandability.controls import Reader, columns, draw, question, setting_of
from ui.understandability.tabs import details, look_code, scored
from ui.widgets.beside import two_columns

FIRST_PAIRS: Mapping[str, Any] = {"most": 3, "tests": False}  # those that are joined by lines, of each kind


def main() -> None:
    collection = open_collection.current()
    if lack := what_is_missing(collection):
        site.title("understandability")
        st.info(lack, icon=":material/info:")
        return
    reader, highlight = Reader.now(collection), Highlight.now(collection)
    collection = reader.collection
    st.title(question(reader.column), anchor=False)
    left, right = two_columns()
    with left:
        draw(reader, highlight)
    baseline, variants = reader.baseline, reader.variants
    frames = scored(reader)
    before = pins.before(pins.bar(collection, [baseline, variants[0]]), collection, 2)
    styles = open_collection.styles(collection)
    with right:
        live.follow(reader, lambda reader: answer(reader, highlight, before, styles), curve="τ")
        site.moved(baseline, variants[0])
        site.drill(variants[0], highlight.systems)
    with left:
        live.follow(reader, gains)
    show.explain(*explanation(variants[0]))
    formulas(collection, baseline, variants[0])
    details(reader, frames, highlight, before)
    as_python(collection, *code(reader, frames, before))


def answer(reader: Reader, highlight: Highlight, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """How alike the rankings are, who is first, and the scatter."""
    frames = scored(reader)
    yield headline(frames, before)
    x, y = list(frames.values())[:2]
    yield from intervals({"τ": ("tau", y, x), "τ_AP": ("tau_ap", y, x)})
    yield scatter(reader, frames, highlight, before, styles)


def code(reader: Reader, frames: dict[str, pd.DataFrame], before: list[pd.Series] | None) -> list[str]:
    """What recomputes the headline, the figure and the closer look that is open."""
    changed = ["tau_change, tau_ap_change = tau - ec.tau(*pinned), tau_ap - ec.tau_ap(*pinned[::-1])"]
    return [
        f"rbp = ec.evaluate({str(reader.baseline)!r}, c)",
        f"texts = {list(map(str, reader.variants))!r}",
        "urbps = [ec.evaluate(text, c) for text in texts]",
        "tau = ec.tau(rbp.mean(), urbps[0].mean())",
        "tau_ap = ec.tau_ap(urbps[0].mean(), rbp.mean())  # reference second",
        "means = [frame.mean() for frame in (rbp, *urbps)]",
        "changes = ec.rank_changes(means[0], means[1])",
        *pins.code(before, reader.collection, "means"),
        *(changed if before else []),
        *first_code("(rbp, *urbps)", *frames.values()),
        *tau_code(("urbps[0]", "rbp")),
        *look_code(reader),
        *figure_code(reader, frames, before),
    ]


def figure_code(reader: Reader, frames: dict[str, pd.DataFrame], before: list[pd.Series] | None) -> list[str]:
    """What draws the figure, as `scatter` does."""
    variants = reader.variants
    names = [setting_of(one) for one in variants] if len(variants) > 1 else [str(variants[0])]
    options = {
        "y_title": repr(f"{names_of(frames)[1]} of {reader.column}") if len(variants) > 1 else "",
        "doubt": "doubt" if tables(*frames.values()) else "",
        "before": "pinned" if before else "",
        "apart": "apart" if reader.pairs else "",
    }
    said = "".join(f", {name}={value}" for name, value in options.items() if value)
    across = str(reader.baseline)
    return [
        *(apart_code(reader, *names_of(frames)[:2]) if reader.pairs else []),
        f"scores = {{{across!r}: rbp, **dict(zip({names!r}, urbps))}}",
        *families.plot_code(reader.collection, f"scores, across={across!r}{said}"),
    ]


def apart_code(reader: Reader, first: str, second: str) -> list[str]:
    """The pairs of systems that only one of two measures tells apart."""
    limits = ", ".join(f"{name}={value!r}" for name, value in {**reader.limits, **FIRST_PAIRS}.items())
    return [
        "apart = {",
        f"    'apart by {second} only': ec.distinguished_pairs(rbp, urbps[0], {limits}),",
        f"    'apart by {first} only': ec.distinguished_pairs(urbps[0], rbp, {limits}),",
        "}",
    ]


def names_of(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """The measures without their numbers."""
    return [text.split("(")[0] for text in frames]


def what_is_missing(collection: Collection) -> str:
    """Why this page has nothing to show for a collection, and what to do; empty where it has."""
    if not columns(collection) or not collection.aspects:
        has = markdown(", ".join((*collection.aspects, *collection.signals)))
        return (
            f"This page sets one aspect against a second one or a readability signal; the open collection has {has}. "
            "Open files with both, such as qrels.txt and qread.txt, in the sidebar; if an aspect only has another "
            "name, change it on the page Collection."
        )
    if len(collection.systems) < 2:
        return f"A ranking takes two systems; the open collection has {counted(len(collection.systems), 'system')}."
    return ""


def headline(frames: dict[str, pd.DataFrame], before: list[pd.Series] | None) -> Columns:
    """The answer: how alike the rankings are, and who is first; with a baseline, how both changed."""
    (x_text, x), (y_text, y) = list(frames.items())[:2]
    x_means, y_means = x.mean(), y.mean()
    help = "Kendall's tau_b of the two rankings: 1 means the same order"
    tau = pins.metric("τ", ec.tau(x_means, y_means), ec.tau(*before) if before else None, help)
    help = f"Yilmaz's AP correlation, reference {markdown(x_text)}: swaps near the top weigh more"
    ties = ec.ties_in_words("tau_ap", y_means, x_means)
    help += f". {sentence(markdown(ties))}" if ties else ""
    tau_ap = pins.metric("τ_AP", ec.tau_ap(y_means, x_means), ec.tau_ap(*before[::-1]) if before else None, help)
    lines = [f"First by {markdown(text)}: {first_of(frame)}" for text, frame in ((x_text, x), (y_text, y))]
    rank = ranks(x_means)[winner(y_means)]
    if rank > 1:
        lines[1] += f"; rank {rank} by RBP"
    return Columns(((tau,), (tau_ap,), (Headline("  \n".join(lines)),)), (1, 1, 4), align="center")


def scatter(
    reader: Reader,
    frames: dict[str, pd.DataFrame],
    highlight: Highlight,
    before: list[pd.Series] | None,
    styles: Styles,
) -> Figure:
    texts = list(frames)
    count = len(frames[texts[0]].columns)
    alt = f"Scatter of {count} systems, {texts[0]} across and {texts[1]} up; the values are in the table under Scores"
    make = partial(scatter_of, reader, frames, highlight.systems, before, styles)
    return Figure(make, "scatter", alt, highlight.take)


def scatter_of(
    reader: Reader,
    frames: dict[str, pd.DataFrame],
    selected: Sequence[str],
    before: list[pd.Series] | None,
    styles: Styles,
) -> go.Figure:
    """Systems as marks, RBP across and uRBP up."""
    texts = list(frames)
    means = {text: frame.mean() for text, frame in frames.items()}
    x = means.pop(texts[0])
    names = names_of(frames)
    apart = None
    if reader.pairs:
        first, second = frames[texts[0]], frames[texts[1]]
        apart = {
            f"apart by {names[1]} only": ec.distinguished_pairs(first, second, **reader.limits, **FIRST_PAIRS),
            f"apart by {names[0]} only": ec.distinguished_pairs(second, first, **reader.limits, **FIRST_PAIRS),
        }
    if len(means) > 1:
        means = {setting_of(variant): means[str(variant)] for variant in reader.variants}
    return figures.scatter(
        x,
        means,
        styles,
        selected=selected,
        apart=apart,
        before=(before[0], before[1]) if before else None,
        doubt=tables(*frames.values()),
        x_title=figures.plain(texts[0]),
        y_title=figures.plain(texts[1] if len(means) == 1 else f"{names[1]} of {reader.column}"),
    )


def gains(reader: Reader) -> list[Item]:
    """u(k): what the user model makes of each value of the column."""
    column = reader.variants[0].columns[1]
    return [Figure(partial(gains_of, reader), "gains", f"Gain u by {column}; bars: assessed documents with that value")]


def gains_of(reader: Reader) -> go.Figure:
    """u(k) of each variant over the values of the assessed documents."""
    collection, variants = reader.collection, reader.variants
    column = variants[0].columns[1]
    scale = collection.assessments.scale(column)
    values = collection.assessments.column(column)
    graded = scale.kind == "grades" and not scale.continuous
    low, high = scale.ends(values)
    x = np.array(scale.grades) if graded else np.linspace(low, high, 241)
    curves = {}
    for variant in variants:
        gain = variant.gain_functions()[column]
        curves[setting_of(variant)] = (x, gain.of(x, scale))
    title = figures.plain(column) + (f" ({scale.unit})" if scale.unit else "")
    return figures.gain_curves(values, curves, title, steps=graded)


def explanation(variant: GainMeasure) -> tuple[str, str, str]:
    column = markdown(variant.columns[1])
    knob = (
        "Open the gains of the grades and change them: which of them moves the order most?"
        if isinstance(variant, uRBPgr)
        else "Move the threshold: a strict one breaks up the order; under a lax one both measures agree."
    )
    return (
        "Each mark is a system. To the right: its mean RBP, which credits every relevant document. Up: its mean uRBP, "
        f"which credits a relevant document only as far as its {column} allows.",
        "On the dotted line nothing is lost. The further below, the more of what a system's relevant documents are "
        f"worth is lost to their {column}. Blue joins systems whose mean RBP is nearly the same and whose mean uRBP is "
        "not; red the other way round.",
        f"{knob} Then make the reader impatient (small ρ): only the first ranks count.",
    )


def formulas(collection: Collection, baseline: RBP, variant: GainMeasure) -> None:
    with st.expander("Formulas with the current values"):
        scales = collection.assessments.scales
        show.put(Latex(baseline.latex(scales)))
        show.put(Latex(variant.latex(scales)))
        left = baseline.unassessed
        st.caption(f"k is the rank, from 1. The mean over topics is plotted. Documents without a label {left}.")


main()
