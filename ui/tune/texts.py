"""Texts of the views that all families of Tune share: Scatter, Ranks, Along one parameter, Map of two."""

from collections.abc import Sequence

from evalcore.common.rounding import percent
from ui.address.families import named, short
from ui.screen.text import counted, listed, markdown, measure_name


def lack(what: str, has: Sequence[str], systems: int) -> str:
    """Return a text on what a page of Tune needs that the collection lacks, and how to get it."""
    counts = f"{', '.join(map(markdown, has)) or 'no labels'} and {counted(systems, 'system')}"
    return f"These measures need {what} and two systems; this collection has {counts}. Open more files in the sidebar."


def nothing_varies(measure: str) -> str:
    return f"{measure_name(measure)} has no parameter to vary on this collection; choose another measure."


# --- Scatter, Ranks ---------------------------------------------------------------------------------------------------

TAU = "Kendall's tau_b of the two rankings: 1 means the same order"
TAU_AP = "Yilmaz's AP correlation, with {} as the reference: swaps near the top weigh more"
SAME = "Both axes show the same measure, so all scores are equal."
SCATTER = "Scatter of {} systems, {} (vertical) against {} (horizontal); the values are in the table"
READING_SCATTER = (
    "Each mark is a system: its mean under the other measure (horizontal) and under the tuned one (vertical).",
    "Systems on one rising line have the same order under both measures; systems far from it change rank.",
    "Move a slider and watch τ, then compare with a different measure.",
)


RANKS = "Ranks of all systems under these measures; the values are in the table"
READING_RANKS = (
    "Each line is a system: its rank under each measure, the best on top.",
    "Systems whose lines cross swap their order; systems with level lines keep their rank.",
    "Click a mark to highlight its system; then open *Along one parameter* to see at which value it changes rank.",
)

# --- Along one parameter ----------------------------------------------------------------------------------------------

WINNING = "Systems that win at some value, alone or tied: {}"
DECIDED = "Changes of the winner that tests over topics confirm: A beats B significantly before, and B beats A after"
NO_CHANGE = "The winner is the same at all these values."


def shorter(names: str) -> str:
    """Return the short names of tied systems, joined; for three or more, only their number.

    >>> shorter("a, b"), shorter("a, b, c")
    ('a and b', '3 systems tied')
    """
    tied = [names] if ", " not in names else names.split(", ")
    return listed([*map(short, tied)]) if len(tied) < 3 else f"{len(tied)} systems tied"


def in_the_lead(names: str) -> str:
    """Return "... leads" or "... lead" with the names of the systems, as part of a sentence.

    >>> in_the_lead("a"), in_the_lead("a, b")
    ('**a** leads', '**a and b** lead')
    """
    return f"**{markdown(shorter(names))}** {'lead' if ', ' in names else 'leads'}"


def tau_along(path: str, at: str) -> str:
    return markdown(f"Kendall's tau_b with the default, at {path} = {at}")


def along(systems: int, path: str) -> str:
    return f"Ranks of {systems} systems along {path}, and below them τ with the default; the values are in the tables"


def reading_along(decided: bool) -> tuple[str, str, str]:
    how = (
        " The change is decided if A beats B significantly before it and B beats A significantly after it, in tests "
        "over topics corrected for all pairs of systems at all values."
    )
    return (
        "Each line is a system: its rank as one parameter changes. Systems that win at some value are coloured and "
        "named. The band on top names the winner; the curve below shows τ with the default order.",
        "The top ranks are drawn further apart. Two systems swap where their lines cross, and a dotted line marks a "
        f"change of the winner.{how if decided else ''}",
        "Open *Map of two* to see whether the same system wins in a whole area around the default.",
    )


# --- Map of two -------------------------------------------------------------------------------------------------------

FOREMOST = 3  # winners named in the first sentence


def one_parameter(measure: str) -> str:
    return f"{measure_name(measure)} has only one parameter to vary; open *Along one parameter*."


def winners(shares: dict[str, float], others: int, undefined: int) -> str:
    """Return a text with each winner's share of the map, and the numbers of other winners and of undefined settings."""
    each = [f"**{named(name)}** {percent(share)}" for name, share in shares.items()]
    lines = [f"Winners, with their shares of the settings: {', '.join(each[:FOREMOST])}."]
    if more := each[FOREMOST:]:
        rest = f"; {others} more, each with a smaller share" if others else ""
        lines.append(f"Other winners: {', '.join(more)}{rest}.")
    if undefined:
        lines.append(f"The measure is undefined at {counted(undefined, 'setting')}.")
    return "  \n".join(lines)


WINNERS = "Systems that win at some setting, alone or tied"
ALIKE = "Share of the settings whose order of systems is close to the default order"

MAPS = "τ with the default, and the winner, at all settings; the values are in the table “Settings”"
READING_MAPS = (
    "Each cell is a setting. Left: τ between its order and the default order. Right: its winner. Star: the default.",
    "If the winner's region around the star is large, small changes of these two parameters do not matter; near "
    "its edge they do. Dark blue means a τ of 0.9 or more, usually considered an equivalent order.",
    "Find the nearest edge of the winner's region, set the measure to a value beyond it, and open *Scatter*.",
)
