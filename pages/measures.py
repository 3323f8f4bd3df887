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
from evalcore.measures import GainDiscount
from ui.address import families, site
from ui.address.presets import draw_presets
from ui.computing.first import code as first_code
from ui.computing.first import tables
from ui.computing.measures import scores
from ui.computing.tau import code as tau_code
from ui.computing.tau import intervals
from ui.data import open_collection, pins
from ui.data.as_python import as_python
from ui.measures.controls import KNOWN, Built, parts_of
from ui.screen.items import Columns, Figure, Item, Latex, Sentence, Table
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.widgets.beside import two_columns

SHOWN_RANKS = 25


def main() -> None:
    collection = open_collection.current()
    site.title("measures")
    page = Built.now(collection)
    collection = page.collection
    left, right = two_columns()
    with left:
        draw_presets(page, "start", {name: parts_of(one) for name, one in KNOWN.items()})
        page.draw("aspect", "gain", "discount", "normaliser", "cutoff", "other")
    measure, other = page.measure, ec.parse(page.other)
    before = pins.before(pins.bar(collection, [other, measure]), collection, 2)
    styles = open_collection.styles(collection)
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
    shown = tables(*(scores(collection, one) for one in (other, measure)))
    said = (", doubt=doubt" if shown else "") + (", before=pinned" if before else "")
    as_python(
        collection,
        "import numpy as np",
        "",
        f"measure, scale = ec.parse({str(measure)!r}), c.assessments.scale({page.aspect!r})",
        f"gains, discounts = measure.gain.of(np.array(scale.grades), scale), measure.discount.of({depth_of(measure)})",
        "read_so_far = discounts.cumsum() / discounts.sum()",
        "built = ec.evaluate(measure, c)",
        f"other = ec.evaluate({str(other)!r}, c)",
        "tau = ec.tau(other.mean(), built.mean())",
        "tau_ap = ec.tau_ap(built.mean(), other.mean())  # reference second",
        *tau_code(("built", "other")),
        *pins.code(before, collection, "(other.mean(), built.mean())"),
        *first_code("(other, built)", *(scores(collection, one) for one in (other, measure))),
        *families.plot_code(
            collection, f"{{{str(other)!r}: other, 'built': built}}, y_title='the measure built here'{said}"
        ),
    )


def answer(page: Built, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """The parts of the measure, and the systems by it."""
    yield parts(page)
    yield from compare(page, before, styles)


def parts(page: Built) -> Columns:
    scale, measure = page.scale, page.measure
    names = [f"{grade:g}" for grade in scale.grades]
    gain = partial(figures.gain_bars, names, measure.gain.of(np.array(scale.grades), scale))
    depth = depth_of(measure)
    weights = np.append(measure.discount.of(depth), np.zeros(SHOWN_RANKS - depth))
    discount = Figure(partial(figures.discount_bars, weights), "discount", "Discount by rank")
    return Columns(((Figure(gain, "gain", "Gain by grade"),), (discount,)))


def depth_of(measure: GainDiscount) -> int:
    """How many discounts are shown."""
    return min(measure.cutoff or SHOWN_RANKS, SHOWN_RANKS)


def compare(page: Built, before: list[pd.Series] | None, styles: Styles) -> Iterator[Item]:
    """The systems by both measures, and how alike the rankings are."""
    collection, other = page.collection, page.other
    first, second = (scores(collection, one) for one in (other, page.measure))
    x, y = first.mean(), second.mean()
    if len(collection.systems) < 2:
        yield Table(pd.DataFrame({other: x, str(page.measure): y}), "scores")
        return
    make = partial(
        figures.scatter,
        x,
        {"built": y},
        styles,
        before=(before[0], before[1]) if before else None,
        x_title=figures.plain(other),
        y_title="the measure built here",
        doubt=tables(first, second),
    )
    alt = f"Scatter of {len(x)} systems, {other} across, the measure built here up"
    yield Figure(make, "built", alt, layout={"height": 400})
    same = bool(np.allclose(first, second, rtol=0, atol=1e-12))
    words = "**The two are one measure**: every score is equal." if same else ""
    yield Sentence(
        f"Kendall's tau_b **{ec.tau(x, y):.3f}**, τ_AP with reference {markdown(other)} "
        f"**{ec.tau_ap(y, x):.3f}**. {words}",
        caption=True,
    )
    yield from intervals({"τ": ("tau", second, first), "τ_AP": ("tau_ap", second, first)})


main()
