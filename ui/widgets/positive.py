"""Choice of the labels that count as positive, for binary measures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from evalcore.data import Scale
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Number

DECLARED, UPPER_HALF, BY_HAND = "as declared", "upper half", "set by hand"
HELP = (
    "The labels that count as relevant in binary measures. *as declared* uses the labels that the collection declares, "
    "or else labels above zero (Maistro et al. 2021, section 4.1), *upper half* uses the better half of each scale, "
    "and *set by hand* uses a threshold for each aspect."
)


def ways() -> Choice:
    """Return the choice of the rule that decides which labels are positive."""
    return Choice("A label counts as positive", [DECLARED, UPPER_HALF, BY_HAND], help=HELP)


def border(scale: Scale) -> Field:
    """Return the field for the threshold of an aspect: labels from it (or below it, if low is good) are positive."""
    side = "from" if scale.good == "high" else "below"
    label = f"{markdown(scale.name)} {side}"
    if scale.continuous:
        whole = all(float(grade).is_integer() for grade in scale.grades)
        step = 1.0 if whole else (scale.high - scale.low) / 100
        return Number(label, scale.low, scale.high, scale.positive_from, step)
    return Choice(label, borders(scale), scale.positive_from, names="{:g}".format)


def chosen_borders(scales: Sequence[Scale], how: str, by_hand: Sequence[float] | None) -> Sequence[float | None]:
    """Return the threshold of each aspect; None if it is the threshold that the aspect's scale declares."""
    if how == BY_HAND and by_hand is not None:
        return by_hand
    return [scale.border if how == UPPER_HALF else None for scale in scales]


def summary(scales: Sequence[Scale], bounds: Sequence[float | None]) -> str:
    """Return a text that states which labels of each aspect are positive."""
    return "Positive: " + "; ".join(words(scale, at) for scale, at in zip(scales, bounds, strict=True))


def words(scale: Scale, border: float | None) -> str:
    """Return which labels of a scale are positive, in words: from a threshold, or as the scale declares."""
    side = scale.positive if border is None else f"from {border:g} on" if scale.good == "high" else f"below {border:g}"
    return f"{markdown(scale.name)} {side}, of {scale.low:g} to {scale.high:g}"


@lru_cache(maxsize=16)
def borders(scale: Scale) -> list[float]:
    """Return the grades at which positive labels may begin, in ascending order."""
    worst = scale.zero if scale.good == "high" else scale.low
    return sorted({*(grade for grade in scale.grades if grade > worst), scale.positive_from})
