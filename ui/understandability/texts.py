"""Texts of Readability, from top to bottom."""

from evalcore.data.names import is_readability
from evalcore.measures import uRBPgr
from ui.screen.text import markdown, measure_name
from ui.understandability.reader import Reader

SECOND_COLUMN = "a second aspect or a readability signal"
FIGURE_1 = "Thresholds 10, 15, 20, as in Figure 1"


def question(column: str) -> str:
    """Return the question of the page, which names the understandability column."""
    return f"Does {'readability' if is_readability(column) else markdown(column)} change who wins?"


def gain(column: str) -> str:
    return f"Gain u by {column}; bars: assessed documents with that value"


def integrals(listed: str) -> str:
    return f"The gains are divided by their integral (Eq. 7): {listed}. Dividing by a constant changes no ranking."


def reading_gains(reader: Reader) -> tuple[str, str, str]:
    return (
        f"The line is the gain u(k) of a relevant document, by its {markdown(reader.column)}; bars count documents.",
        "A document counts in full at gain 1 and not at gain 0. A step has no gains between; a smooth curve does.",
        "Move the threshold under the bars: how many documents change sides? Then see the effect in the scatter.",
    )


def reading_scatter(reader: Reader) -> tuple[str, str, str]:
    variant, rival, column = reader.models[0], measure_name(reader.other), markdown(reader.column)
    knob = (
        "Open the gains of the grades and change them: which gain changes the order most?"
        if isinstance(variant, uRBPgr)
        else "Move the threshold: with a strict one the order changes; with a lax one both measures agree."
    )
    return (
        f"Each mark is a system: its mean {rival} (horizontal) and its mean {measure_name(variant)} (vertical), "
        f"which also depends on {column}.",
        f"The drop below the dotted line is credit lost to {column}. Blue lines join systems with nearly equal means "
        "on the horizontal axis and different means on the vertical axis; with red lines it is the reverse.",
        f"{knob} Then choose a small ρ, so that only the first ranks count.",
    )


def formula(unassessed: str) -> str:
    return f"k is the rank, from 1. The plot shows the mean over topics. Documents without a label {unassessed}."


def correlations(baseline: object) -> str:
    return (
        f"Correlation of the ranking under {measure_name(baseline)} with the ranking under each user model, as in "
        "Tables 1 and 2 of the paper. τ is Kendall's tau_b; τ_AP is Yilmaz's, with the first ranking as the reference."
    )
