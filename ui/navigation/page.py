"""The page Links: effort-precision and gain-recall with a navigation model."""

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
from ui.navigation import paper_examples
from ui.navigation.figures_and_tables import TABLES, curves, ranking, related, tables_of_all, to_a_level
from ui.navigation.navigation_settings import LINKS, SYSTEMS, NavigationSettings, draw_controls
from ui.navigation.subject import SAMPLE
from ui.screen.calls import Call, call, line
from ui.screen.items import Columns, Figure, Headline, Item, Latex, Metric, Text
from ui.screen.text import markdown
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
    show.explain(*explanation(view))
    with show.errors():
        beneath(view, highlight)
    formulas(view)


def what_is_missing(collection: Collection) -> str:
    return "" if collection.navigation else "This page needs links between documents; the open collection has none."


def draw(view: NavigationSettings, highlight: Highlight) -> Iterator[Item]:
    """Name the leaders without and with navigation, and draw users on their way, or the ranks of all systems."""
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
    yield where(view, walk.value)


def beneath(view: NavigationSettings, highlight: Highlight) -> None:
    """Show what belongs below the figure, with details few people need folded."""
    if view.look == SYSTEMS:
        show.screen(curves(view, highlight))
        site.drill(view.baseline, highlight.systems)
        with st.expander("The numbers as tables"):
            show.screen(tables_of_all(view))
        with st.expander("Related measures: EPRUM, PRUM and the expected ratio (section 7)"), show.errors():
            show.screen(related(view, highlight))
        return
    show.screen(to_a_level(view))
    for title, items in TABLES.items():
        with st.expander(title), show.errors():
            show.screen(items(view))
    with st.expander("The paper's examples: sections 5.2, 5.3 and 6.1"), show.errors():
        paper_examples.draw(view.collection)


def firsts(view: NavigationSettings) -> Headline:
    """Name the leaders without and with navigation."""
    scores, means = view.scores, view.means
    places = call("places", ec.ranks, means[0].it)
    rank = int(places.value[winner(means[1].value)])
    text = f"By MAep, results only: {leads(scores[0].value)}  \nWith navigation: {leads(scores[1].value)}" + (
        f"; rank {rank} by results only" if rank > 1 else ""
    )
    return Headline(text, (*means, places, *first_calls(*scores)))


def tau(view: NavigationSettings) -> Metric:
    """Show Kendall's tau_b of the rankings without and with navigation."""
    without, along = view.means
    help = "Kendall's tau_b of the rankings of systems without and with navigation, by mean MAep over topics"
    if len(without.value) < 2:
        return Metric("τ", "none", help=help)
    return Metric.of("τ", call("tau", ec.tau, without.it, along.it), help)


def gained(view: NavigationSettings, walk: Call[Walkthrough]) -> Metric:
    """Show the expected gain down to the rank, and its effort."""
    effort = line("effort", walk.it.effort[view.rank])
    expected = line("gained", walk.it.expected[view.rank])
    total = line("total", walk.it.total)
    help = "The expected gain of users down to this rank, out of all gain, and their expected effort"
    value = f"{expected.value:.2f} of {total.value:.4g}"
    return Metric(f"gain at effort {effort.value:.4g}", value, help=help, calls=(effort, expected, total))


@cached(128)
def places_of(count: int, links: tuple[tuple[int, int], ...]) -> FloatArray:
    """Compute the positions of the components of a walk in its figure."""
    return figures.spread(count, np.array(links, dtype=int).reshape(-1, 2))


def walked_down(view: NavigationSettings, walk: Call[Walkthrough]) -> Figure:
    """Draw the components, and how many users have seen each."""
    places = places_of(len(walk.value.components), tuple(map(tuple, walk.value.links.tolist())))
    figure = families.plotted_plain("", walk.it, rank=view.rank).here(places=places)
    alt = (
        f"The components of topic {view.topic} that users of {view.system} can see, with the share who have seen each "
        f"after rank {view.rank}; the values are in the table What users have seen"
    )
    return Figure(figure, "walk", alt)


def where(view: NavigationSettings, walk: Walkthrough) -> Text:
    """Say which result is consulted, for which topic."""
    query, rank = view.collection.queries.get(view.topic, ""), view.rank
    at = walk.components.index[walk.components["rank"] == rank]
    result = f": **{markdown(at[0])}**" if len(at) else (": listed before" if rank else "")
    topic = f"Topic {markdown(view.topic)}" + (f": {markdown(query)}" if query else "")
    return Text.note(f"{f'Rank {rank}' if rank else 'No result is consulted yet'}{result}. {topic}")


def explanation(view: NavigationSettings) -> tuple[str, str, str]:
    return (
        "Each circle is a section of a page; the number is its rank in the list of the chosen system, and orange "
        "sections have gain. A circle fills as more users see it, whether returned or browsed to. Red lines show the "
        "steps of users from the result at this rank.",
        "A worthless hub still shows much: the pages behind its links fill at once. Nobody sees a good page without "
        "links until it is returned. Effort-precision compares the effort of all this with the best list.",
        "Walk down rank by rank. "
        + "Raise the stopping probability to 1: only results count, and τ is 1. " * (view.going == LINKS)
        + "Let a second of reading cost 1: long documents at the top lose ranks." * (view.second is not None),
    )


def formulas(view: NavigationSettings) -> None:
    with st.expander("Formulas with the current values"):
        show.put(Latex(view.measure.latex(view.collection.assessments.scales)))
        show.put(Latex(r"\mathbb{E}[cg[i]] = \sum_c g[c] \cdot P(c \in S_i),\quad "
                 r"P(c \in S_i) = 1 - \prod_{j=1}^{i} \left(1 - P(j \leadsto c)\right)"))  # fmt: skip
        st.code(str(view.measure), language=None)
        st.caption(
            "P(j ⇝ c) is the probability that users who consult the result at rank j see component c. The model "
            "assumes that components are seen independently; e[j] is the expected effort of a rank, including browsing."
        )
