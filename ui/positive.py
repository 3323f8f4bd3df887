"""What counts as positive, for measures that know only yes and no."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.data import Scale
from evalcore.measures import Measure
from ui.fields import Choice, Field, Number
from ui.text import markdown

DECLARED, UPPER_HALF, BY_HAND = "as declared", "upper half", "set by hand"
HELP = (
    "For measures that know only yes and no. as declared: what the collection says, else labels above zero (Maistro et "
    "al. 2021, section 4.1). upper half: the better half of each scale. set by hand: a border for each aspect."
)


def ways() -> Choice:
    """How it is said what is positive."""
    return Choice("A label counts as positive", [DECLARED, UPPER_HALF, BY_HAND], help=HELP)


def border(scale: Scale) -> Field:
    """The label from which on, or below which, an aspect is positive."""
    side = "from" if scale.good == "high" else "below"
    label = f"{markdown(scale.name)} {side}"
    if scale.continuous:
        whole = all(float(grade).is_integer() for grade in scale.grades)
        step = 1.0 if whole else (scale.high - scale.low) / 100
        return Number(label, scale.low, scale.high, scale.positive_from, step)
    return Choice(label, borders(scale), scale.positive_from, names="{:g}".format)


def with_borders(base: Measure, scales: Sequence[Scale], how: str, by_hand: Sequence[float]) -> tuple[Measure, ...]:
    """The base on each aspect, counting as positive what is asked for."""
    parts = tuple(base.with_(aspect=scale.name) for scale in scales)
    if "rel" not in base.parameters():
        return parts
    found = {DECLARED: [None] * len(scales), UPPER_HALF: [scale.border for scale in scales], BY_HAND: by_hand}[how]
    st.caption("Positive: " + "; ".join(words(scale, at) for scale, at in zip(scales, found, strict=True)))
    return tuple(part.with_(rel=border) for part, border in zip(parts, found, strict=True))


def words(scale: Scale, border: float | None) -> str:
    """Which labels of a scale are positive from a border on; without one, as the scale has it."""
    side = scale.positive if border is None else f"from {border:g} on" if scale.good == "high" else f"below {border:g}"
    return f"{markdown(scale.name)} {side}, of {scale.low:g} to {scale.high:g}"


def borders(scale: Scale) -> list[float]:
    """The grades at which the positive side may begin."""
    worst = scale.zero if scale.good == "high" else scale.low
    return sorted({*(grade for grade in scale.grades if grade > worst), scale.positive_from})
