"""The page Links: effort-precision and gain-recall with a model of navigation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import FloatArray
from evalcore.data import Collection
from evalcore.meta import winner
from evalcore.navigation.walk_tables import Walkthrough
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.cached import cached
from ui.computing.doubt import first_calls, intervals_of_tau, leads
from ui.data import open_collection
from ui.navigation import paper_examples, texts
from ui.navigation.figures_and_tables import TABLES, curves, ranking, related, tables_of_all, to_a_level
from ui.navigation.navigation_settings import SYSTEMS, NavigationSettings, draw_controls
from ui.navigation.subject import SAMPLE
from ui.screen.calls import Call, call, line
from ui.screen.items import Columns, Figure, Headline, Item, Latex, Metric, Text
from ui.stage import show


def main() -> None:
    collection = open_collection.titled("navigation", what_is_missing, name=SAMPLE)
    view = NavigationSettings.now(collection)
    highlight = Highlight.now(collection)
    view.draw("look")
    left, right = show.two_columns()
    with left:
        draw_controls(view)
        if view.look == SYSTEMS:
            highlight.draw("systems")
    with right, show.errors():
        show.screen(draw(view, highlight))
    show.explain(*texts.reading(view))
    with show.errors():
        beneath(view, highlight)
    formulas(view)


def what_is_missing(collection: Collection) -> str:
    return "" if collection.navigation else texts.NO_LINKS


def draw(view: NavigationSettings, highlight: Highlight) -> Iterator[Item]:
    """Yield the leaders without and with navigation, then the users' walk, or the ranks of all systems."""
    without, along = view.scores
    sure = intervals_of_tau({"τ": ("tau", along, without)})
    finding: tuple[tuple[Item, ...], ...] = ((firsts(view), *sure), (tau(view),))
    if view.look == SYSTEMS:
        yield Columns(finding, (5.5, 1.0), align="center")
        yield from ranking(view, highlight)
        return
    walk = view.walked
    yield Columns((*finding, (gained(view, walk),)), (3.9, 1.0, 1.6), align="center")
    yield walked_down(view, walk)
    yield Text.note(texts.where(view, walk.value))


def beneath(view: NavigationSettings, highlight: Highlight) -> None:
    """Draw the parts below the figure, with rarely needed details folded."""
    if view.look == SYSTEMS:
        show.screen(curves(view, highlight))
        site.drill(view.baseline, highlight.systems)
        with st.expander("The numbers as tables"):
            show.screen(tables_of_all(view))
        with st.expander(texts.RELATED_MEASURES), show.errors():
            show.screen(related(view, highlight))
        return
    show.screen(to_a_level(view))
    for title, items in TABLES.items():
        with st.expander(title), show.errors():
            show.screen(items(view))
    with st.expander("The paper's examples: sections 5.2, 5.3 and 6.1"), show.errors():
        paper_examples.draw(view.collection)


def firsts(view: NavigationSettings) -> Headline:
    """Return the headline that names the leaders without and with navigation."""
    scores, means = view.scores, view.means
    places = call("places", ec.ranks, means[0].it)
    rank = int(places.value[winner(means[1].value)])
    text = f"Under MAep without navigation, {leads(scores[0].value)}  \nWith navigation, {leads(scores[1].value)}" + (
        f"; its rank without navigation is {rank}" if rank > 1 else ""
    )
    return Headline(text, (*means, places, *first_calls(*scores)))


def tau(view: NavigationSettings) -> Metric:
    """Return a metric: Kendall's tau_b between the rankings without and with navigation; "none" below 2 systems."""
    without, along = view.means
    if len(without.value) < 2:
        return Metric("τ", "none", help=texts.TAU)
    return Metric.of("τ", call("tau", ec.tau, without.it, along.it), texts.TAU)


def gained(view: NavigationSettings, walk: Call[Walkthrough]) -> Metric:
    """Return a metric: the gain expected down to the chosen rank, the total gain, and the effort to that rank."""
    effort = line("effort", walk.it.effort[view.rank])
    expected = line("gained", walk.it.expected[view.rank])
    total = line("total", walk.it.total)
    value = f"{expected.value:.2f} of {total.value:.4g}"
    return Metric(f"gain at effort {effort.value:.4g}", value, help=texts.GAINED, calls=(effort, expected, total))


@cached(128)
def places_of(count: int, links: tuple[tuple[int, int], ...]) -> FloatArray:
    """Return the position (x, y) of each component in the figure of a walk, as an array."""
    return figures.spread(count, np.array(links, dtype=int).reshape(-1, 2))


def walked_down(view: NavigationSettings, walk: Call[Walkthrough]) -> Figure:
    """Return the figure of the components, with the share of users who have seen each."""
    places = places_of(len(walk.value.components), tuple(map(tuple, walk.value.links.tolist())))
    figure = families.plotted_plain("", walk.it, rank=view.rank).here(places=places)
    return Figure(figure, "walk", texts.walk(view))


def formulas(view: NavigationSettings) -> None:
    with st.expander("Formulas with the current values"):
        show.put(Latex(view.measure.latex(view.collection.assessments.scales)))
        show.put(Latex(r"\mathbb{E}[cg[i]] = \sum_c g[c] \cdot P(c \in S_i),\quad "
                 r"P(c \in S_i) = 1 - \prod_{j=1}^{i} \left(1 - P(j \leadsto c)\right)"))  # fmt: skip
        st.code(str(view.measure), language=None)
        st.caption(texts.FORMULAS)
