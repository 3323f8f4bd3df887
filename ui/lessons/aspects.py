"""Step 2: why relevance is not enough."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection, Scale
from evalcore.measures import RBP, uRBP
from evalcore.meta import winner
from ui import collections
from ui.controls import choose
from ui.glossary import term
from ui.lessons.base import Lesson, Picture, Shown, lacks_an_aspect, second_aspect
from ui.measures import scores
from ui.text import markdown

ALIKE = 0.01
MOST = 6


def show(collection: Collection) -> Shown:
    aspect = second_aspect(collection)
    left, right = st.columns([0.38, 0.62])
    with left:
        border = choose_border(collection.assessments.scale(aspect))
    rbp, urbp = RBP(), uRBP(aspect=aspect, threshold=border)
    x, y = scores(collection, rbp), scores(collection, urbp)
    with right:
        pair = choose_pair(x, y)
    a, b = str(pair["system_a"].iloc[0]), str(pair["system_b"].iloc[0])
    figure = figures.scatter(
        x.mean(),
        {"uRBP": y.mean()},
        collections.styles(collection),
        selected=[b, a],  # the lower one first: it is named below its mark
        apart={"the two": pair},
        x_title=figures.plain(rbp),
        y_title=figures.plain(urbp),
    ).update_layout(height=450, dragmode="zoom")
    alt = f"Scatter of {x.shape[1]} systems, {rbp} across and {urbp} up, two of them joined"
    return Shown(
        (Picture(figure, "path-aspects", alt),),
        "Each mark is a system: mean RBP to the right, mean uRBP up. On the dotted line all that is relevant is "
        "understood; the further below, the less.",
        answer(a, b, x.mean(), y.mean()),
        formulas=(rbp.latex(collection.assessments.scales), urbp.latex(collection.assessments.scales)),
    )


def choose_border(scale: Scale) -> float:
    """The grade from which on (or below which) a reader understands."""
    names = dict(zip(scale.grades, scale.names or [f"{grade:g}" for grade in scale.grades], strict=True))
    borders = list(scale.grades[1:])
    first = scale.border if scale.border in borders else borders[0]
    side = "from" if scale.good == "high" else "below"
    return choose(f"Understood {side}", "understood", borders, first, names=names.__getitem__)


def choose_pair(x: pd.DataFrame, y: pd.DataFrame) -> pd.DataFrame:
    """Two systems that RBP takes for equal, as a frame of one row; the better one by uRBP is system_a."""
    pairs = ec.told_apart(x, y, same=ALIKE, apart=0.0).head(MOST)
    if pairs.empty:
        pairs = nearest_pair(x.mean(), y.mean())
    names = [f"{a} and {b}" for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)]
    chosen = choose("Two systems alike by RBP", "alike", names)
    return pairs.iloc[[names.index(chosen)]]


def nearest_pair(x: pd.Series, y: pd.Series) -> pd.DataFrame:
    """The two systems nearest to each other under x, the better one under y first."""
    ordered = x.sort_values()
    at = int(ordered.diff().to_numpy()[1:].argmin())
    a, b = sorted(ordered.index[at : at + 2], key=lambda name: -y[name])
    return pd.DataFrame({"system_a": [a], "system_b": [b]})


def answer(a: str, b: str, x: pd.Series, y: pd.Series) -> str:
    kept = {name: y[name] / x[name] if x[name] else 0.0 for name in (a, b)}
    first, other = winner(x), winner(y)
    who = (
        f"{markdown(first)} is first by both."
        if first == other
        else f"Of all systems {markdown(first)} is first by RBP, **{markdown(other)}** by uRBP."
    )
    return (
        f"**{markdown(a)}**: RBP gives it {x[a]:.3f} and {markdown(b)} {x[b]:.3f}, uRBP {y[a]:.3f} and {y[b]:.3f}. "
        f"uRBP / RBP is the share of the credit that a reader understands: {kept[a]:.0%} and {kept[b]:.0%}. {who}"
    )


LESSON = Lesson(
    name="2 Aspects",
    title="Why is relevance not enough?",
    text=(
        f"A page can be about the question and still be of no use: written for specialists, say. So assessors grade a "
        f"second {term('aspect')}, such as understandability. RBP credits every relevant document. {term('uRBP')} "
        f"multiplies two gains: a document counts if it is relevant *and* understood, so its {term('gain')} is r · u "
        "instead of r."
    ),
    question="RBP cannot tell these two systems apart. Which one would you give to a patient, and why?",
    show=show,
    lacks=lacks_an_aspect,
    page="understandability",
    page_label="On your own data: Understandability",
)
