"""What does a measure reward? Any gain, any discount, any normaliser; and any two measures side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.measures import DCG, RBP, ERRlike, GainDiscount, Measure, P, nDCG
from evalcore.measures.discounts import Discount, Flat, Geometric, Logarithmic, Reciprocal
from evalcore.measures.gains import Exponential, Gain, Grade, Positive, Probability, Share
from evalcore.measures.normalisers import Ideal, Mass, Normaliser, Unnormalised
from ui import collections, pins, show
from ui.code import as_python
from ui.controls import choose, line, parameter_slider, slider
from ui.measures import scores
from ui.text import markdown

GAINS: dict[str, Gain] = {
    "step: relevant or not": Positive(),
    "grade": Grade(),
    "share of the highest grade": Share(),
    "2^grade - 1": Exponential(),
    "(2^grade - 1) / 2^max": Probability(),
}
NORMALISERS: dict[str, Normaliser] = {
    "none": Unnormalised(),
    "the discounts' own sum": Mass(),
    "the ideal ranking": Ideal(),
}
DISCOUNTS = ("geometric", "logarithmic", "reciprocal", "flat")
# Name -> gain, discount, normaliser, cut-off (0: none), the measure it is.
PRESETS: dict[str, tuple[str, str, str, int, Measure]] = {
    "RBP": ("step: relevant or not", "geometric", "the discounts' own sum", 0, RBP()),
    "DCG": ("grade", "logarithmic", "none", 0, DCG()),
    "nDCG": ("grade", "logarithmic", "the ideal ranking", 0, nDCG()),
    "P@10": ("step: relevant or not", "flat", "the discounts' own sum", 10, P(cutoff=10)),
    "ERR-like (Zuccon 2016)": ("(2^grade - 1) / 2^max", "reciprocal", "none", 0, ERRlike()),
}
SHOWN_RANKS = 25


def main() -> None:
    collection = collections.current()
    st.title("What does a measure reward?", anchor=False)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        measure, other = controls(collection)
    with right:
        draw_parts(collection, measure)
        compare(collection, measure, other, pins.before(pins.bar([other, measure]), collection, 2))
    show.explain(
        "Left above, what a document gains by its grade; right above, what a rank still counts. The score of a ranking "
        "is the sum of gain times discount, divided by the normaliser. Below, the systems by this measure and by "
        "the other.",
        "A gain that rises steeply rewards the best documents; a discount that falls steeply rewards the first ranks. "
        "The ideal as normaliser makes topics count alike; without it, topics with many good documents count more.",
        "Start from RBP and lower ρ to 0.3: only the first three ranks are left. Or put any measure beside it, "
        "such as AP, ERR@20 or TOMA(nDCG).",
    )
    with st.expander("The formula, with today's numbers in it"):
        st.latex(measure.latex(collection.assessments.scales))
        st.code(str(measure), language=None)
    as_python(
        collection,
        f"built = ec.evaluate({str(measure)!r}, c).mean()",
        f"other = ec.evaluate({str(other)!r}, c).mean()",
        "tau = ec.tau(other, built)",
    )


def controls(collection: Collection) -> tuple[GainDiscount, Measure]:
    """A measure built of parts, and one to set against it."""
    preset = choose("Start from", "preset", list(PRESETS), help="A known measure; its parts can be changed below")
    gain, discount, normaliser, cutoff, known = PRESETS[preset]
    aspect = choose("Aspect", "aspect", list(collection.aspects))
    # Keys carry the preset: another preset brings its own parts, and each keeps what was changed in it.
    at = list(PRESETS).index(preset)
    built = GainDiscount(
        gain=GAINS[choose("Gain", f"gain{at}", list(GAINS), gain)],
        discount=chosen_discount(at, discount),
        normaliser=NORMALISERS[choose("Divided by", f"norm{at}", list(NORMALISERS), normaliser)],
        aspect=aspect,
        cutoff=int(slider("Cut-off (0: none)", f"k{at}", 0, 100, cutoff, 1)) or None,
    )
    other = line(
        "Set against",
        "other",
        str(known) if "aspect" not in known.parameters() else str(known.with_(aspect=aspect)),
        help="Any measure in the notation of ir_measures: AP, nDCG@10, RBP(rho=0.5), CAM(nDCG), TOMA(nDCG), ...",
    )
    try:
        return built, ec.parse(other)
    except ec.DataError as error:
        show.show_error(error)
        return built, known


def chosen_discount(at: int, default: str) -> Discount:
    name = choose("Discount", f"discount{at}", DISCOUNTS, default)
    if name == "geometric":
        return Geometric(rho=parameter_slider(RBP, "rho", label="Persistence ρ"))
    return {"logarithmic": Logarithmic(), "reciprocal": Reciprocal(), "flat": Flat()}[name]


def draw_parts(collection: Collection, measure: GainDiscount) -> None:
    scale = collection.assessments.scale(measure.aspect)
    gain, discount = st.columns(2)
    with gain:
        grades = np.array(scale.grades)
        show.figure(
            figures.gain_bars([f"{grade:g}" for grade in scale.grades], measure.gain.of(grades, scale)),
            "gain",
            "Gain by grade",
        )
    with discount:
        depth = min(measure.cutoff or SHOWN_RANKS, SHOWN_RANKS)
        weights = np.append(measure.discount.of(depth), np.zeros(SHOWN_RANKS - depth))
        show.figure(figures.discount_bars(weights), "discount", "Discount by rank")


def compare(collection: Collection, measure: Measure, other: Measure, before: list[pd.Series] | None) -> None:
    """The systems by both measures, and how alike the rankings are."""
    try:
        x, y = (scores(collection, one).mean() for one in (other, measure))
    except ec.DataError as error:
        show.show_error(error)
        return
    if len(collection.systems) < 2:
        st.dataframe(pd.DataFrame({str(other): x, str(measure): y}))
        return
    figure = figures.scatter(
        x,
        {"built": y},
        collections.styles(collection),
        before=(before[0], before[1]) if before else None,
        x_title=figures.plain(other),
        y_title="the measure built here",
    )
    figure.update_layout(height=400)
    show.figure(figure, "built", f"Scatter of {len(x)} systems, {other} across, the measure built here up")
    same = bool(np.allclose(x, y, rtol=0, atol=1e-12))
    words = "**The two are one measure**: every score is equal." if same else ""
    st.caption(
        f"Kendall's tau_b **{ec.tau(x, y):.3f}**, τ_AP with reference {markdown(other)} "
        f"**{ec.tau_ap(y, x):.3f}**. {words}"
    )


main()
