"""What is a result worth if people follow its links? Effort-precision and gain-recall with a navigation model."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import ranks, winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.first import code as first_code
from ui.computing.first import first_of
from ui.computing.tau import code as tau_code
from ui.computing.tau import intervals
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.navigation.computed import WALKERS, both_scores, places_of, walked
from ui.navigation.controls import (
    CURVES,
    DEPTH,
    EXACT,
    GAIN,
    IDEALS,
    LINKS,
    PAPER,
    RANKING,
    WALKS,
    NavigationSettings,
    draw,
)
from ui.navigation.details import details
from ui.screen.items import Columns, Figure, Headline, Latex, Metric
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.beside import two_columns


def main() -> None:
    opened = open_collection.current()
    site.title("navigation")
    collection = opened if opened.navigation else open_collection.sample(open_collection.NAVIGATION_NAME)
    if collection is not opened:
        st.caption(
            f":material/info: {markdown(opened.title)} has no links between its documents: the "
            f"*{open_collection.NAVIGATION_NAME}* is shown instead, {markdown(collection.summary)}."
        )
    view = NavigationSettings.now(collection)
    # The systems of a sample that is not open are no other page's.
    highlight = Highlight.now(collection) if collection is opened else Highlight.read(collection, {})
    left, right = two_columns()
    with left:
        draw(view)
        if collection is opened:
            highlight.draw("systems")
    with right:
        scores = both_scores(view)
        headline(view, scores)
        draw_walk(view)
    show.explain(*explanation(view))
    formulas(view)
    as_python(collection, *python_lines(view, scores))
    details(view, scores, highlight)


def headline(view: NavigationSettings, scores: dict[str, pd.DataFrame]) -> None:
    """Who is first without and with navigation, and where the users of the figure are."""
    without, along = scores["without"].mean(), scores["with"].mean()
    walk = walked(view)
    rank = int(ranks(without)[winner(along)])
    words = Headline(
        f"First by MAep, results only: {first_of(scores['without'])}  \n"
        f"Going on from them: {first_of(scores['with'])}" + (f"; was {rank}" if rank > 1 else "")
    )
    sure = intervals({"τ": ("tau", scores["with"], scores["without"])})
    help = "Kendall's tau_b of the rankings of systems without and with navigation, by mean MAep over topics"
    tau = Metric("τ", f"{ec.tau(without, along):.3f}" if len(without) > 1 else "none", help=help)
    help = "What users are expected to have gained down to this rank, of all that can be gained, and at which effort"
    effort, gained = f"{walk.effort[view.rank]:.4g}", f"{walk.expected[view.rank]:.2f} of {walk.total:.4g}"
    metrics = (tau,), (Metric(f"gain at effort {effort}", gained, help=help),)
    show.put(Columns(((words, *sure), *metrics), (3.9, 1.0, 1.6), align="center"))


def draw_walk(view: NavigationSettings) -> None:
    walk, rank = walked(view), view.rank
    places = places_of(len(walk.components), tuple(map(tuple, walk.links.tolist())))
    figure = figures.walk_down(walk, rank, places)
    alt = (
        f"The components of topic {view.topic} that users of {view.system} can see, and how many have seen each after "
        f"rank {rank}; the values are in the table under {GAIN}"
    )
    show.put(Figure(figure, "walk", alt))
    query = view.collection.queries.get(view.topic, "")
    where = "Nothing is consulted yet" if not rank else f"Rank {rank}"
    at = walk.components.index[walk.components["rank"] == rank]
    at_rank = f": **{markdown(at[0])}**" if len(at) else (": listed before" if rank else "")
    st.caption(f"{where}{at_rank}. Topic {markdown(view.topic)}" + (f": {markdown(query)}" if query else ""))


def explanation(view: NavigationSettings) -> tuple[str, str, str]:
    return (
        "Each circle is a section of a page; a number is its rank in the list of the chosen system. Orange ones are "
        "worth something. A circle fills as more users have seen it, whether it was returned or browsed to. Red: where "
        "users go from the result at this rank.",
        "A hub is worth nothing itself and yet shows much: what lies behind its links fills at once. A good page that "
        "no link leads to or from is seen by nobody until it is returned. Effort-precision asks how much effort all "
        "this takes, beside the best list.",
        "Walk down rank by rank. "
        + "Raise the stopping probability to 1: only results count, and τ is 1. " * (view.going == LINKS)
        + "Let a second of reading cost 1: long documents that had been first fall behind." * (view.second is not None),
    )


def formulas(view: NavigationSettings) -> None:
    with st.expander("Formulas with the current values"):
        show.put(Latex(view.measure.latex(view.collection.assessments.scales)))
        show.put(Latex(r"\mathbb{E}[cg[i]] = \sum_c g[c] \cdot P(c \in S_i),\quad "
                 r"P(c \in S_i) = 1 - \prod_{j=1}^{i} \left(1 - P(j \leadsto c)\right)"))  # fmt: skip
        st.code(str(view.measure), language=None)
        st.caption(
            "P(j ⇝ c) is the probability that users who consult the result at rank j see component c. Components are "
            "taken to be seen independently, and e[j] is the expected effort of a rank, browsing included."
        )


def python_lines(view: NavigationSettings, scores: dict[str, pd.DataFrame]) -> list[str]:
    """What recomputes the headline and the closer look."""
    called, doubt = f"{view.topic!r}, {view.system!r}", first_code("scores", *scores.values())
    ranked = "{'without navigation': without, 'with navigation': with_links}"
    styles = families.code(view.collection)
    chosen = [view.system] if view.system in view.collection.systems else []
    walkers = f"walkers = navigation.walkers_beside(measure, c, {called}, {WALKERS})  # seed 0"
    looks = {
        RANKING: [*styles, f"closer = figures.bump({ranked}, styles{', doubt=doubt' if doubt else ''})"],
        GAIN: [
            f"chances = navigation.gain_distribution(c, measure.users, {called}, {DEPTH})",
            f"closer = figures.gain_by_rank(chances, walk.expected[1:], {view.rank})",
        ],
        CURVES: [
            f"curves = navigation.precision_curves(measure, c, topic={view.single!r})",
            *styles,
            f"closer = figures.effort_precision(curves, styles, {chosen!r})",
        ],
        IDEALS: [
            f"efforts = navigation.ideal_efforts(c, measure.users, {view.topic!r})",
            "costs_more = efforts['by gain'] / efforts.min(axis=1) - 1",
        ],
        WALKS: [
            f"trails = navigation.trail_table(measures.{view.walk}, c)",
            "closer = figures.trail_lengths(trails)",
        ]
        if view.walk
        else [],
        EXACT: [
            "errors = navigation.approximation_error(measure, c)",
            "alike = ec.tau(errors['exact'], errors['normal']) if len(errors) > 1 else None",
            *([walkers] if view.model == view.walk else []),
        ],
        PAPER: [
            "from evalcore.papers.browsing_example import LINES, example",
            "",
            "printed, right = [line.printed for line in LINES], [line.right for line in LINES]",
            "computed = [ec.evaluate(line.measure, example()).iloc[0, 0] for line in LINES if line.measure]",
            "as_printed = 1 - 0.65 / 2 - 0.35 / 6",
        ],
    }
    return [
        "from evalcore import figures, measures",
        "from evalcore.explain import navigation",
        "from evalcore.meta import ranks",
        "",
        f"measure = ec.parse({str(view.measure)!r})",
        f"scores = [ec.evaluate(one, c) for one in ({str(view.baseline)!r}, measure)]",
        "without, with_links = (one.mean() for one in scores)",
        *doubt,
        "tau = ec.tau(without, with_links) if len(without) > 1 else None",
        *tau_code(("scores[1]", "scores[0]")),
        "places, places_with, change = ranks(without), ranks(with_links), with_links - without",
        f"walk = navigation.walkthrough(c, measure.users, {called}, {DEPTH})",
        f"gained, total, effort = walk.expected[{view.rank}], walk.total, walk.effort[{view.rank}]",
        *looks.get(view.look, []),
        f"ec.plot(walk, rank={view.rank})",
    ]


main()
