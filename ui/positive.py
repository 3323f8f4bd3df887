"""What counts as positive, for measures that know only yes and no."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.data import Scale
from evalcore.measures import Measure
from ui.controls import choose, slider
from ui.text import markdown

ABOVE_ZERO, UPPER_HALF, BY_HAND = "above zero", "upper half", "set by hand"
HELP = (
    "For measures that know only yes and no. above zero: every label but the worst (Maistro et al. 2021, section 4.1). "
    "upper half: the better half of each scale. set by hand: a border for each aspect."
)


def on_aspects(base: Measure, scales: Sequence[Scale]) -> tuple[Measure, ...]:
    """The base on each aspect; where it knows only yes and no, a control asks what is positive, and a line says it."""
    parts = tuple(base.with_(aspect=scale.name) for scale in scales)
    if "rel" not in base.parameters():
        return parts
    how = choose("A label counts as positive", "positive", [ABOVE_ZERO, UPPER_HALF, BY_HAND], help=HELP)
    borders = [_border(how, at, scale) for at, scale in enumerate(scales)]
    st.caption("Positive: " + "; ".join(words(scale, at) for scale, at in zip(scales, borders, strict=True)))
    return tuple(part.with_(rel=border) for part, border in zip(parts, borders, strict=True))


def words(scale: Scale, border: float | None) -> str:
    """Which labels of a scale are positive from a border on; without one, as the scale has it."""
    at = scale.positive_from if border is None else border
    side = "from" if scale.good == "high" else "below"
    return f"{markdown(scale.name)} {side} {at:g}, of {scale.low:g} to {scale.high:g}"


def _border(how: str, at: int, scale: Scale) -> float | None:
    if how == ABOVE_ZERO:
        return None
    if how == UPPER_HALF:
        return scale.border
    side, usual = "from" if scale.good == "high" else "below", scale.positive_from
    label = f"{markdown(scale.name)} {side}"
    if scale.continuous:
        step = 1.0 if all(float(grade).is_integer() for grade in scale.grades) else (scale.high - scale.low) / 100
        return slider(label, f"rel{at}", scale.low, scale.high, usual, step)
    return choose(label, f"rel{at}", borders(scale), usual, names="{:g}".format)


def borders(scale: Scale) -> list[float]:
    """The grades at which the positive side may begin."""
    worst = scale.zero if scale.good == "high" else scale.low
    return [grade for grade in scale.grades if grade > worst] or [scale.positive_from]
