"""The page Topics needed: the number of topics that a test needs to detect a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta.needed_topics import PAIRED, needed_or_nan
from ui.data import open_collection
from ui.data.compared import compared
from ui.discriminative_power import texts
from ui.discriminative_power.pair_settings import Power, limits_of_spread, spread
from ui.screen.calls import Call, call, each, keyed, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import reading_name
from ui.shell import live
from ui.stage import show

POINTS = 60  # of a curve
HEADS = {
    "topics_needed": "topics needed",
    "power": "power here",
    "smallest_difference": "smallest difference",
    "topics_for_interval": "topics for an interval",
}
DECIMALS = {"topics needed": 0, "topics for an interval": 0, "power here": 3}


def main() -> None:
    collection = open_collection.titled("topics_needed", texts.what_is_missing)
    left, right = show.two_columns()
    with left:
        page = compared(Power, collection)
        page.draw("measure", "difference", "wanted", "alpha")
        with st.expander("More settings"):
            page.draw("design")
    with right, show.errors():
        if page.n_topics < 2:
            st.info(texts.FEW, icon=":material/info:")
        elif page.difference is None:
            st.info(texts.NO_SPREAD, icon=":material/info:")
        else:
            live.follow(page, draw)
    show.explain(*texts.READING_TOPICS_NEEDED)


def draw(page: Power) -> Iterator[Item]:
    """Yield the number of topics that the difference needs, the curve of power, and the table of all measures."""
    sizes = sizes_of(page)
    own = sizes.value.T[str(page.measure)]
    needed: Call[Any] = line("needed", sizes.it.loc[str(page.measure), "topics_needed"])
    alt = texts.power_curve(page.difference, reading_name(str(page.measure)))
    figure = power_curves(page, sizes, needed)
    words = Headline(texts.needed(page, own), (sizes,))
    limits = limits_of(page)
    ends = ends_of(page, limits)
    yield words
    yield Sentence(texts.how_sure(page, ends.value), calls=(limits, ends))
    yield Figure(figure, "power", alt)
    yield Table(sizes.value.rename(index=page.names, columns=HEADS), "topics needed", DECIMALS, calls=(sizes,))
    yield Text.note(texts.of_the_table(page))


def sizes_of(page: Power) -> Call[pd.DataFrame]:
    """Return the call of a table: the number of topics that each measure needs, and its power with the present ones."""
    deviations = {text: spread(frame) for text, frame in page.scores.items()}
    known = page.each("deviations", record(ec.difference_sd), deviations)
    how = (page.n_topics, page.difference or 0.0, page.alpha, wanted(page).it, page.design, len(page.systems))
    return call("sizes", ec.meta.topic_set_sizes, known.it, *how)


def limits_of(page: Power) -> Call[tuple[float, float]]:
    """Return the call of the 95% limits of the spread: the standard deviation of differences between systems."""
    text = str(page.measure)
    limits = call("limits", ec.meta.difference_sd_interval, page.of(text).it)
    return limits.known(limits_of_spread(page.scores[text]))


def ends_of(page: Power, limits: Call[tuple[float, float]]) -> Call[list[float]]:
    """Return the call that lists how many topics the difference needs at the lower and upper limit of the spread."""
    difference, how = page.difference or 0.0, (page.alpha, wanted(page).it, page.design, len(page.systems))

    def needed(end: float) -> float:
        effect = difference / end if page.design == PAIRED else difference / end * 2**0.5
        return record(needed_or_nan)(effect, *how)

    return line("ends", each(limits.it, needed))


def wanted(page: Power) -> Call[float]:
    """Return the call of the target power."""
    return line("wanted", page.wanted)


def power_curves(page: Power, sizes: Call[pd.DataFrame], needed: Call[float]) -> Call[object]:
    """Return the call of the figure of power by number of topics, for half, once and twice the difference."""
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
