"""What does a measure reward? Any gain, any discount, any normaliser; and any two measures side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import GainDiscount, has_user_model
from ui.address import families, site
from ui.address.presets import draw_presets
from ui.computing.doubt import doubt_of, intervals_of_tau
from ui.computing.measures import averaged, parsed, scored
from ui.data import open_collection, pins
from ui.measures.controls import BY_DEPTH, CURVES, DEPTHS, KNOWN, Built, parts_of
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Columns, Figure, Item, Latex, Sentence, Table, Text, in_row
from ui.screen.text import markdown, measure_name, reading_name, sentence
from ui.shell import live
from ui.stage import show

SHOWN_RANKS = 25
HERE = "the measure built here"


def main() -> None:
    page = Built.now(open_collection.titled("measures"))
    collection = page.collection
    left, right = show.two_columns()
    with left:
        draw_presets(page, "start", {name: parts_of(measure) for name, measure in KNOWN.items()})
        page.draw("aspect", "gain", "discount", "normaliser", "cutoff", "other", "depth", "curve")
    measure, other = page.measure, ec.parse(page.against)
    before = pins.before(pins.bar(collection, [other, measure]), collection, 2)
    styles = families.styles(collection)
    with right, show.errors():
        live.follow(page, lambda page: answer(page, before, styles))
        if len(collection.systems) > 1:
            site.moved(other, measure)
    show.explain(
        "Left above, the gain of each grade; right above, what a rank still counts. The score of a ranking "
        "is the sum of gain times discount, divided by the normaliser. Below, the systems by this measure and by "
        "the other.",
        "A gain that rises steeply rewards the best documents; a discount that falls steeply rewards the first ranks. "
        "With the ideal as normaliser 1 is the best score of any topic; without it, topics with many good documents "
        "count more.",
        "Start from RBP and lower ρ to 0.3: only the first three ranks are left. Or put any measure beside it, "
        "such as AP, ERR@20 or TOMA(nDCG).",
    )
    with st.expander("Formula with the current values"), show.errors():
        show.put(Latex(measure.latex(collection.assessments.scales)))
        st.code(str(measure), language=None)


def answer(page: Built, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """The parts of the measure, and the systems by it."""
    yield parts(page)
    yield from compare(page, before, styles)


def parts(page: Built) -> Columns:
    """The gain of each grade, and what a rank still counts."""
    scale, depth = page.scale, min(page.measure.cutoff or SHOWN_RANKS, SHOWN_RANKS)
    measure = parsed("measure", page.measure)
    of = line("scale", record(page.collection).assessments.scale(page.aspect))
    gains = line("gains", measure.it.gain.of(record(np.array)(of.it.grades), of.it))
    gain = partial(figures.gain_bars, [f"{grade:g}" for grade in scale.grades], gains.value)
    left = Figure(gain, "gain", "Gain by grade", calls=(gains,))
    if page.curve == BY_DEPTH:
        return in_row(left, by_depths(page))
    return in_row(left, by_rank(measure, depth) if page.curve == "discount" else reader(page))


def by_rank(measure: Call[GainDiscount], depth: int) -> Figure:
    """What a rank still counts."""
    discounts = line("discounts", measure.it.discount.of(depth))
    read_so_far = line("read_so_far", discounts.it.cumsum() / discounts.it.sum())
    weights = np.append(discounts.value, np.zeros(SHOWN_RANKS - depth))
    return Figure(partial(figures.discount_bars, weights), "discount", "Discount by rank", calls=(read_so_far,))


def by_depths(page: Built) -> Item:
    """How alike the rankings by both measures are at every expected depth of their readers."""
    built, other = page.undeepened
    if not (has_user_model(built) and has_user_model(other)):
        return Text(f"{markdown(other)} has no reader whose depth could be set.", "info")
    depths = record(ec.depth_taus)(built, other, list(DEPTHS), page.collection)
    taus = line("depth_taus", depths.rename_axis(index=HERE))
    figure = call("", figures.depth_map, taus.it, 240)
    alt = "Kendall's tau of the rankings by both measures at every pair of expected depths"
    return Figure(figure, "tau by depths", alt, calls=(taus,))


def reader(page: Built) -> Figure:
    """What the readers of both measures do at each rank, over all rankings; of a measure without one nothing."""
    column, lines, made = CURVES[page.curve], {}, []
    for text in dict.fromkeys((str(page.measure), page.against)):
        if has_user_model(text):
            model = call("model", ec.user_model, text)
            curves = line("curves", model.it.curves(page.collection, SHOWN_RANKS)[column])
            made.append(curves)
            lines[HERE if text == str(page.measure) else text] = curves.value.to_numpy()
    figure = partial(figures.reader_curves, lines, page.curve)
    return Figure(figure, f"reader {column}", f"{page.curve}, by rank", calls=tuple(made))


def compare(page: Built, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """The systems by both measures, and how alike the rankings are."""
    collection, other = page.collection, page.against
    first, second = scored("other", other, collection), scored("built", page.measure, collection)
    x, y = (averaged(frame) for frame in (first, second))
    if len(collection.systems) < 2:
        yield Table(pd.DataFrame({other: x.value, str(page.measure): y.value}), "scores", calls=(first, second))
        return
    pinned = pins.compared(before, collection, x, y)
    doubt, both = doubt_of(first, second), {other: first.it, "built": second.it}
    options = {"before": pinned[0].it if pinned else None, "doubt": doubt.it if doubt else None}
    made = families.plotted("", collection, both, y_title="the measure built here", **options)
    figure = made.here(styles=styles, x_title=figures.measure_title(other))
    alt = f"Scatter of {len(x.value)} systems, {reading_name(other)} across, the measure built here up"
    yield Figure(figure, "built", alt, layout={"height": 400}, calls=pinned)
    same = bool(np.allclose(first.value, second.value, rtol=0, atol=1e-12))
    words = "**The two are one measure**: every score is equal." if same else ""
    tau = call("tau", ec.tau, x.it, y.it)
    tau_ap = call("tau_ap", ec.tau_ap, y.it, x.it)
    ties = ec.ties_in_words("tau_ap", y.value, x.value)
    yield Sentence(
        f"Kendall's tau_b **{tau.value:.3f}**; τ_AP with reference {measure_name(other)}: **{tau_ap.value:.3f}**."
        f"{f' {sentence(markdown(ties))}' if ties else ''}{words and f' {words}'}",
        caption=True,
        calls=(tau, tau_ap),
    )
    if page.depth:
        yield depths_reached(page)
    if CURVES.get(page.curve):
        yield from readers_numbers(page)
    yield from intervals_of_tau({"τ": ("tau", second, first), "τ_AP": ("tau_ap", second, first)})


def depths_reached(page: Built) -> Sentence:
    """How deep the readers of both measures are expected to read, if nothing is of use."""
    depths = {
        name: call("depth", ec.expected_depth, text)
        for name, text in {HERE: str(page.measure), page.against: page.against}.items()
        if has_user_model(text)
    }
    listed = " and ".join(f"**{depth.value:.1f}** ranks by {markdown(name)}" for name, depth in depths.items())
    words = f"Where nothing is of use, a reader is expected to read {listed}."
    return Sentence(words, caption=True, calls=tuple(depths.values()))


def readers_numbers(page: Built) -> Iterator[Item]:
    """What the readers of both measures are expected to read, gain and spend, over all rankings."""
    texts = {HERE: str(page.measure), page.against: page.against}
    read = {name: text for name, text in texts.items() if has_user_model(text)}
    means = line(
        "readers",
        record(pd.DataFrame)(mapped(read, lambda text: record(ec.user_model)(text).means(page.collection).mean())).T,
    )
    yield Table(means, "readers", decimals=dict.fromkeys(map(str, means.value), 3))
    yield Text.note("What readers do on a mean ranking. residual: if unassessed documents were of the highest gain.")
