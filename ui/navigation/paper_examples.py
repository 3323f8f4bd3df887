"""Examples of the paper on effort-precision, with sliders for its numbers: sections 5.2, 5.3 and 6.1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from evalcore import figures
from evalcore.data import Collection
from evalcore.navigation.normal_approximation import GOOD_ENOUGH, chances_below, enough, largest_errors
from evalcore.navigation.paper_example import FIRST, SECOND, computed_lines
from ui.address.settings import Settings, setting
from ui.navigation import texts
from ui.screen.calls import call, line, record
from ui.screen.items import Columns, Figure, Item, Metric, Sentence, Text, in_row
from ui.shell import live
from ui.widgets.fields import Number

AS_PRINTED = 1 - record(0.65) / 2 - record(0.35) / 6  # printed as 0.63 in the paper


@dataclass(frozen=True)
class PaperSettings(Settings, page="navigation", prefix="paper_"):
    """Numbers of the paper's examples; the defaults are as printed."""

    one: float = setting(Number("Result 1 leads to c", 0.0, 1.0, 0.3, 0.01))
    two: float = setting(Number("Result 2 leads to c", 0.0, 1.0, 0.9, 0.01))
    first: float = setting(Number("From d1 users continue to d3", 0.0, 1.0, FIRST, 0.01))
    second: float = setting(Number("From d2 users continue to d3", 0.0, 1.0, SECOND, 0.01))
    n: int = setting(Number("Components seen by some users (n)", 1, 60, 11, 1))
    p: float = setting(Number("Share of users who see each (p)", 0.01, 0.99, 0.3, 0.01))


def draw(collection: Collection) -> None:
    """Draw each example with its two sliders above it."""
    page = PaperSettings.now(collection)
    for title, names, items in (
        (texts.SECTION_52, ("one", "two"), two_results),
        (texts.SECTION_61, ("first", "second"), example_lines),
        (texts.SECTION_53, ("n", "p"), approximation),
    ):
        st.markdown(title)
        page.draw_in_row(*names)
        live.follow(page, items, *names)


def two_results(page: PaperSettings) -> Iterator[Item]:
    """Yield P(c in S_2), written out with the chosen probabilities."""
    seen = line("seen", 1 - (1 - record(page.one)) * (1 - record(page.two)))
    text = f"1 - (1 - {page.one:g})(1 - {page.two:g})"
    yield Sentence(f"P(c ∈ S₂) = {text} = **{seen.value:.4g}**; after one result {page.one:g}.", calls=(seen,))


def example_lines(page: PaperSettings) -> Iterator[Item]:
    """Yield each line of the example of section 6.1, with its computed value and, at the defaults, the printed one."""
    lines = call("lines", computed_lines, page.first, page.second)
    calls = (lines, line("as_printed", AS_PRINTED))
    for one, score in lines.value:
        formula = Text(f"{one.what}  \n$\\small {one.formula}$", calls=calls)
        printed = Text(texts.was_printed(one) if (page.first, page.second) == (FIRST, SECOND) else "")
        computed = Sentence(texts.computed(one, score))
        yield Columns(((formula,), (printed,), (computed,)), (3.6, 1.1, 2.0), align="center")


def approximation(page: PaperSettings) -> Iterator[Item]:
    """Yield the largest errors of the normal approximation, and the figure of exact and normal probabilities."""
    chances = call("chances", chances_below, page.n, page.p)
    errors = call("errors", largest_errors, page.p)
    plain, corrected = (line(f"error_{way}", errors.it[way].loc[page.n]) for way in ("normal", "corrected"))
    needed = call("needed", enough, errors.it)

    yield in_row(
        Metric.of("largest error, as in the paper", plain, "Largest error of P(cg < g) over all gains g", form=".4f"),
        Metric.of("with continuity correction", corrected, "Largest error with g lowered by half a gain", form=".4f"),
    )
    yield Sentence(texts.close_enough(page.p, GOOD_ENOUGH, needed.value), calls=(needed,))
    figure = call("", figures.normal_beside_exact, chances.it, errors.it, page.n, GOOD_ENOUGH)
    yield Figure(figure, "normal approximation", texts.ERRORS)
