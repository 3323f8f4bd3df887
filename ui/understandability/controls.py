"""Which reader is meant: RBP's persistence, the user models of uRBP, their thresholds and gains."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from evalcore.data import Collection, Scale
from evalcore.data.names import readability_first
from evalcore.measures import RBP, GainMeasure, uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.measures.suggestions import PAPER_THRESHOLDS, like_fog, usual_gains, usual_thresholds
from ui.controls import choose, choose_many, numbers, parameter_slider, slider, stepped_slider, switch
from ui.positive import borders
from ui.text import markdown

MODELS = ("step", "smooth", "graded")
MODEL_HELP = (
    "What a reader makes of a hard document. step: understands it wholly or not at all (uRBP1). smooth: the same "
    "with a gentle border (uRBP2). graded: a gain for each grade (uRBPgr)."
)


def controls(collection: Collection, columns: list[str]) -> tuple[RBP, list[GainMeasure], list[str], bool]:
    """The measures that the controls define: RBP, and uRBP at one or several thresholds."""
    rho = parameter_slider(RBP, "rho", label="Persistence ρ")
    column = choose("Understandability from", "column", columns, readability_first(columns)[0])
    scale = collection.assessments.scale(column)
    offered = [name for name in MODELS if name != "graded" or not scale.continuous]
    default = "graded" if "graded" in offered and scale.kind == "grades" else "step"
    model = choose("User model", "model", offered, default, segmented=True, help=MODEL_HELP)
    if model == "graded":
        variants: list[GainMeasure] = [uRBPgr(rho=rho, aspect=column, gains=grade_gains(scale))]
    else:
        kind = uRBP2 if model == "smooth" else step_model(scale)
        variants = [kind(rho=rho, aspect=column, threshold=at) for at in thresholds(collection, scale)]
    selected = choose_many(
        "Highlight systems", "systems", collection.systems, placeholder="all; or lasso them in the figure"
    )
    with st.expander("More settings"):
        mark = switch(
            "Red and blue pairs", "mark", True, help="Join systems that only one of the two measures tells apart"
        )
        common: dict[str, Any] = {"rel": relevant_from(collection), "cutoff": cut_off()}
    return RBP(rho=rho, **common), [variant.with_(**common) for variant in variants], selected, mark


def relevant_from(collection: Collection) -> float | None:
    """The lowest grade that counts as relevant; None for what the scale says."""
    scale = collection.assessments.scale("relevance")
    usual, help = scale.positive_from, "Lower grades of relevance count as not relevant"
    chosen = choose("Relevant from grade", "rel", borders(scale), usual, names="{:g}".format, help=help)
    return None if chosen == usual else chosen


def cut_off() -> int | None:
    """The deepest rank that counts, K of the paper's Eqs. 4 and 6."""
    help = "K: ranks below it count nothing, for RBP and uRBP alike; 0: every rank counts"
    return int(slider("Cut-off (0: none)", "k", 0, 100, 0, 1, help=help)) or None


def threshold_of(measure: GainMeasure) -> float | None:
    return getattr(measure, "threshold", None)


def setting(measure: GainMeasure) -> str:
    """What tells one variant from the next."""
    threshold = threshold_of(measure)
    return "gain per grade" if threshold is None else f"th = {threshold:g}"


def step_model(scale: Scale) -> type[uRBP] | type[uRBP1]:
    """The paper's name for a step: uRBP over grades, uRBP1 over a readability."""
    return uRBP if scale.kind == "grades" else uRBP1


def thresholds(collection: Collection, scale: Scale) -> list[float]:
    """The threshold of the slider, then those to compare it with."""
    values = collection.assessments.column(scale.name)
    label = "Understandable from" if scale.good == "high" else "Understandable below"
    help = "The threshold th of the user model" + (f", in {scale.unit}" if scale.unit else "")
    grades = list(scale.grades[1:] or scale.grades)
    low, high = grades[0] if grades else scale.low, scale.high
    if scale.continuous or grades == list(np.arange(low, high + 1)):
        if scale.continuous:
            low, high = (float(end) for end in (np.floor(scale.ends(values)[0]), np.ceil(scale.ends(values)[1])))
        whole = scale.kind == "grades"
        middle = scale.border if whole else usual_thresholds(collection.assessments, scale)[0]
        usual, step = float(min(max(middle, low), high)), 1.0 if whole else 0.5 if high - low > 5 else 0.01
        first = slider(label, "th", low, max(high, low + 1), usual, step, help=help)
    else:
        first = stepped_slider(label, "th", sorted({*grades, scale.border}), scale.border, help=help)
    offered = sorted(PAPER_THRESHOLDS) if like_fog(values) else ()
    more = numbers(
        "and at the same time", "also", low, high, offered, help="Further thresholds, as in Figure 1 of the paper"
    )
    return list(dict.fromkeys([first, *more]))


def grade_gains(scale: Scale) -> tuple[float, ...]:
    """One slider per grade, from worst to best."""
    grades = scale.grades if scale.good == "high" else scale.grades[::-1]
    names = scale.names if scale.good == "high" else scale.names[::-1]
    default = usual_gains(scale)
    with st.popover("Gains of the grades", width="stretch", icon=":material/tune:"):
        return tuple(
            slider(f"{grade:g} {markdown(names[at]) if names else ''}".strip(), f"g{at}", 0.0, 1.0, default[at], 0.05)
            for at, grade in enumerate(grades)
        )
