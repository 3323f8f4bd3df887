"""How many topics a difference takes, and what those there are can find, as a view."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import PairedBootstrap
from ui.discriminative_power.controls import Power, spread
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show

POINTS = 60  # of a curve
PAIRED, ANOVA_DESIGN = "paired t-test", "one-way ANOVA"
COLUMNS = ["sd", "topics needed", "power here", "found here", "topics for an interval"]


def topics_needed(page: Power, tests: Mapping[str, PairedBootstrap]) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("measure", "difference", "wanted", "design")
    if page.difference is None:
        right.info(
            "This takes finite differences of systems that vary over topics, neither tiny nor huge; under this measure "
            "there are none.",
            icon=":material/info:",
        )
        return
    table = design_table(page)
    row = next(row for name, row in table.iterrows() if name == page.names[str(page.measure)])
    with right:
        show.put(Headline(sentence(page, row)))
        needed = float(row["topics needed"])
        figure = figures.power_curves(curves(page, needed), page.wanted, page.n_topics, needed)
        alt = f"Power over the number of topics for a difference of {page.difference:g} under {page.measure}"
        show.put(Figure(figure, "power", alt))
    st.caption(
        "The blue line is the chance that the test finds a true difference of that size, for more and more topics; "
        f"grey: half and twice the difference. Dashed: the power that is wanted, the topics here ({page.n_topics:,}), "
        "and those needed. The spread is this collection's own: the standard deviation of the differences of two "
        "systems over topics, pooled over all pairs. Another choice of systems or topics gives another."
    )
    show.put(Table(table, "topics needed", decimals={"topics needed": 0, "topics for an interval": 0, "power here": 3}))
    st.caption(of_the_table(page))


def of_the_table(page: Power) -> str:
    """What the columns of the table are."""
    sd = "of the differences" if page.design == PAIRED else "of the differences, divided by √2: that of the scores"
    interval = (
        f"topics for an interval: those for which the {100 * (1 - page.alpha):.4g}% confidence interval is on average "
        "no wider than the difference. "
    )
    return (
        "A row per measure; the difference is in units of each measure, so compare rows only where these mean the "
        f"same. sd: {sd}. found here: the smallest difference that {counted(page.n_topics, 'topic')} find with the "
        f"power that is wanted. {interval if page.design != ANOVA_DESIGN else ''}Empty: more than ten million, or none "
        "that can be said (Sakai 2016, by the noncentral F itself)."
    )


def deviation(page: Power, text: str) -> float:
    """Standard deviation of what the design tests: differences of two systems, or scores."""
    return spread(page.scores[text]) / (1 if page.design == PAIRED else 2**0.5)


def design_table(page: Power) -> pd.DataFrame:
    """What each measure asks for, for a difference in its own units."""
    rows = {page.names[text]: _row(page, deviation(page, text)) for text in page.scores}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS).rename_axis("measure")
    return table if page.design != ANOVA_DESIGN else table.drop(columns="topics for an interval")


def _row(page: Power, sd: float) -> tuple[float, ...]:
    if not (sd > 0 and math.isfinite(sd)):
        return (sd, *[np.nan] * 4)
    n, level, wanted, design = page.n_topics, page.alpha, page.wanted, (page.design, len(page.systems))
    effect = float(page.difference or 0) / sd
    interval = np.nan
    if page.design != ANOVA_DESIGN:
        interval = _number(lambda: ec.topics_for_interval(effect, 1 - level, page.design))
    return (
        sd,
        _number(lambda: ec.topics_needed(effect, level, wanted, *design)),
        _number(lambda: ec.power(n, effect, level, *design)),
        _number(lambda: sd * ec.smallest_effect(n, level, wanted, *design)),
        interval,
    )


def _number(found: Callable[[], float]) -> float:
    """A number, or nan where there is none."""
    try:
        with np.errstate(all="ignore"):
            return float(found())
    except ValueError:
        return np.nan


def sentence(page: Power, row: pd.Series) -> str:
    """How many topics the difference takes, and what those there are find."""
    each = "" if page.design == PAIRED else " for each system"
    name, needed = markdown(page.names[str(page.measure)]), row["topics needed"]
    count = f"**{needed:,.0f}** topics" if np.isfinite(needed) else "more topics than can be said"
    return (
        f"To find a difference of {page.difference:g} in {name} with a power of {page.wanted:.0%} at "
        f"α = {page.alpha:g} ({page.design}) takes {count}{each}. "
        f"{counted(page.n_topics, 'topic')}{each}, as many as there are here, "
        f"find it with a power of {row['power here']:.1%}, and a difference of {row['found here']:.4f} with that of "
        f"{page.wanted:.0%}."
    )


def curves(page: Power, needed: float) -> dict[str, pd.Series]:
    """Power by number of topics, for half, once and twice the difference."""
    most = 4 * max(page.n_topics, 5, needed if np.isfinite(needed) else 0)
    topics = np.unique(np.geomspace(2, most, POINTS).round().astype(int))
    sd, found = deviation(page, str(page.measure)), {}
    for times in (0.5, 1, 2):
        effect = times * float(page.difference or 0) / sd
        values = [ec.power(int(n), effect, page.alpha, page.design, len(page.systems)) for n in topics]
        found[f"difference {times * float(page.difference or 0):.4g}"] = pd.Series(values, index=topics)
    return found
