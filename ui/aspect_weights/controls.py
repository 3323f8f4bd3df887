"""Which measure of each aspect, which mean, which weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.data.structures import Floats
from evalcore.direction import directed
from evalcore.measures import AP, CAM, ERR, GM, MM, RBP, Aggregate, Measure, P, nDCG
from ui.controls import choose, choose_many, slider
from ui.positive import on_aspects
from ui.text import markdown

BASES: dict[str, Measure] = {
    str(one): one for one in (nDCG(), nDCG(cutoff=10), AP(), RBP(), ERR(cutoff=20), P(cutoff=10))
}
MEANS: dict[str, type[Aggregate]] = {"CAM": CAM, "MM": MM, "GM": GM}
MEAN_HELP = (
    "CAM: the weighted arithmetic mean of the aspects' scores. MM: the harmonic mean, which one bad aspect pulls down "
    "and one aspect at 0 makes 0. GM: the geometric mean, in between."
)
MOST = 5


def controls(
    collection: Collection, graded: list[str]
) -> tuple[list[str], tuple[Measure, ...], str, list[float], list[str]]:
    """The aspects, one measure for each, how they are combined, and with which weights."""
    aspects = choose_many("Aspects", "aspects", graded, most=MOST, placeholder=", ".join(graded[:3])) or graded[:3]
    if len(aspects) < 2:
        st.caption("One aspect alone needs no weights; a second one is added.")
        aspects = [*aspects, next(name for name in graded if name not in aspects)]
    base = BASES[choose("Measure of each aspect", "base", list(BASES))]
    parts = on_aspects(base, [collection.assessments.scale(name) for name in aspects])
    mean = choose("Combined by", "mean", list(MEANS), segmented=True, help=MEAN_HELP)
    weights = [slider(f"Weight of {markdown(name)}", f"w{at}", 0.0, 1.0, 0.5, 0.01) for at, name in enumerate(aspects)]
    if not sum(weights):
        st.caption("All weights are 0: equal weights are used.")
        weights = [1.0] * len(aspects)
    shares = np.array(weights) / sum(weights)
    st.caption(
        "Shares: " + ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, shares, strict=True))
    )
    selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
    return aspects, parts, mean, weights, selected


def combined(
    collection: Collection, measure: Aggregate, name: str, aspects: list[str], part_scores: Floats
) -> pd.Series:
    """Mean scores per system of one of the means, or of one aspect alone."""
    if name in MEANS:
        scores = MEANS[name].combine(part_scores, measure.shares)
    else:
        scores = part_scores[aspects.index(name.removesuffix(" alone"))]
    systems = pd.Index(collection.systems, name="system", dtype=object)
    return directed(pd.Series(collection.rankings.topic_means(scores), index=systems, name=name), measure.good)
