"""The page Topics needed: the number of topics that a test needs to find a difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta.needed_topics import ONE_WAY, PAIRED, needed_or_nan
from ui.data import open_collection
from ui.data.compared import compared
from ui.discriminative_power.page import FEW, what_is_missing
from ui.discriminative_power.pair_settings import Power, limits_of_spread, spread
from ui.screen.calls import Call, call, each, keyed, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, reading_name
from ui.shell import live
from ui.stage import show

POINTS = 60  # of a curve
HEADS = {
    "topics_needed": "topics needed",
    "power": "power here",
    "smallest_difference": "smallest difference",
    "topics_for_interval": "topics for an interval",
}
EXPLANATION = (
    "The blue line is the chance that the test detects a true difference of that size as topics are added; grey lines "
    "are for half and twice the difference. Dashed lines mark the target power, the topics here and the topics needed.",
    "The spread is estimated from this collection: the standard deviation over topics of the difference of two "
    "systems, pooled over all pairs. Other systems or topics give another spread.",
    "Set the difference to the smallest that matters to you. Compare measures in the table only if their units mean "
    "the same.",
)
NO_SPREAD = (
    "Under this measure no differences of systems are usable: they must be finite, vary over topics, and be neither "
    "tiny nor huge. Choose another measure."
)
DECIMALS = {"topics needed": 0, "topics for an interval": 0, "power here": 3}


def main() -> None:
    collection = open_collection.titled("topics_needed", what_is_missing)
    left, right = show.two_columns()
    with left:
        page = compared(Power, collection)
        page.draw("measure", "difference", "wanted", "alpha")
        with st.expander("More settings"):
            page.draw("design")
    with right, show.errors():
        if page.n_topics < 2:
            st.info(FEW, icon=":material/info:")
        elif page.difference is None:
            st.info(NO_SPREAD, icon=":material/info:")
        else:
            live.follow(page, draw)
    show.explain(*EXPLANATION)


def draw(page: Power) -> Iterator[Item]:
    """Topics that the difference needs, power by number of topics, and the table of all measures."""
    sizes = sizes_of(page)
    own = sizes.value.T[str(page.measure)]
    needed: Call[Any] = line("needed", sizes.it.loc[str(page.measure), "topics_needed"])
    name = reading_name(str(page.measure))
    alt = f"Power over the number of topics for a difference of {page.difference:g} under {name}"
    figure = power_curves(page, sizes, needed)
    words = Headline(in_words(page, own), (sizes,))
    limits = limits_of(page)
    ends = ends_of(page, limits)
    yield words
    yield Sentence(how_sure(page, ends.value), calls=(limits, ends))
    yield Figure(figure, "power", alt)
    yield Table(sizes.value.rename(index=page.names, columns=HEADS), "topics needed", DECIMALS, calls=(sizes,))
    yield Text.note(of_the_table(page))


def sizes_of(page: Power) -> Call[pd.DataFrame]:
    """Table of the topics that each measure needs, for a difference in its own units, and its power here."""
    deviations = {text: spread(frame) for text, frame in page.scores.items()}
    known = page.each("deviations", record(ec.difference_sd), deviations)
    how = (page.n_topics, page.difference or 0.0, page.alpha, wanted(page).it, page.design, len(page.systems))
    return call("sizes", ec.meta.topic_set_sizes, known.it, *how)


def limits_of(page: Power) -> Call[tuple[float, float]]:
    """95% limits of the spread: of the standard deviation of the differences of two systems under the measure."""
    text = str(page.measure)
    limits = call("limits", ec.meta.difference_sd_interval, page.of(text).it)
    return limits.known(limits_of_spread(page.scores[text]))


def ends_of(page: Power, limits: Call[tuple[float, float]]) -> Call[list[float]]:
    """Topics that the difference needs at both limits of the spread."""
    difference, how = page.difference or 0.0, (page.alpha, wanted(page).it, page.design, len(page.systems))

    def needed(end: float) -> float:
        effect = difference / end if page.design == PAIRED else difference / end * 2**0.5
        return record(needed_or_nan)(effect, *how)

    return line("ends", each(limits.it, needed))


def how_sure(page: Power, ends: Sequence[float]) -> str:
    """Say how far the number of topics may be off, as the spread is estimated from the topics here."""
    if not np.isfinite(ends).all():
        return "The spread is estimated from so few topics that the error of this number is unknown."
    low, high = (f"{end:,.0f}" for end in ends)
    known = f"The spread is estimated from {counted(page.n_topics, 'topic')}"
    return f"{known}; its 95% limits give {low} to {high} topics."


def wanted(page: Power) -> Call[float]:
    """The power that is wanted."""
    return line("wanted", page.wanted)


def of_the_table(page: Power) -> str:
    """Explain the columns of the table."""
    sd = "of the differences" if page.design == PAIRED else "of the scores (that of the differences, divided by √2)"
    interval = (
        f"topics for an interval: enough for a {100 * (1 - page.alpha):.4g}% confidence interval that is on average no "
        "wider than the difference. "
    )
    return (
        f"Each row is a measure, in its own units. sd: the standard deviation {sd}. smallest difference: the smallest "
        f"that {counted(page.n_topics, 'topic')} detect with the target power. "
        f"{interval if page.design != ONE_WAY else ''}Empty: more than ten million, or unknown (Sakai 2016, with the "
        "exact noncentral F)."
    )


def in_words(page: Power, sizes: pd.Series) -> str:
    """Say how many topics the difference needs, and what the topics here detect."""
    each = "" if page.design == PAIRED else " for each system"
    name, needed = markdown(page.names[str(page.measure)]), sizes["topics_needed"]
    count = f"**{needed:,.0f}** topics" if np.isfinite(needed) else "more topics than can be computed"
    return (
        f"A difference of {page.difference:g} in {name} needs {count}{each} for a power of {page.wanted:.0%} at "
        f"α = {page.alpha:g} ({page.design}).  \nThe {counted(page.n_topics, 'topic')} here{each and f', {each[1:]},'} "
        f"detect it with a power of {sizes['power']:.1%}, and a difference of {sizes['smallest_difference']:.4f} with "
        f"{page.wanted:.0%}."
    )


def power_curves(page: Power, sizes: Call[pd.DataFrame], needed: Call[float]) -> Call[object]:
    """Power by number of topics, for half, once and twice the difference."""
    most = int(4 * max(page.n_topics, 5, needed.value if np.isfinite(needed.value) else 0))
    topics = line("topics", record(np.unique)(record(np.geomspace)(2, most, POINTS).round().astype(int)).tolist())
    sd: Call[Any] = line("sd", sizes.it.loc[str(page.measure), "sd"])
    differences = [times * float(page.difference or 0) for times in (0.5, 1, 2)]
    how = (page.alpha, page.design, len(page.systems))

    def along(size: float) -> pd.Series:
        return record(pd.Series)(keyed(topics.it, lambda n: record(ec.power)(n, size / sd.it, *how)))

    named = {f"difference {size:.4g}": size for size in differences}
    curves = line("curves", mapped(named, along))
    return call("", figures.power_curves, curves.it, wanted(page).it, page.n_topics, needed.it)
