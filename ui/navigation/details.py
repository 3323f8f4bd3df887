"""Closer looks: systems, gain by rank, effort-precision, ideal lists, lengths of walks, how exact it is."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.explain.navigation import gain_distribution, ideal_efforts, trail_table
from evalcore.measures import Walk
from evalcore.meta import best_first, ranks
from evalcore.papers.browsing_example import LINES, example
from ui.address import site
from ui.address.highlight import Highlight
from ui.computing.first import decimals, tables, with_doubt
from ui.data import open_collection
from ui.navigation.computed import WALKERS, curves_of, errors_of, walked, walkers_of
from ui.navigation.controls import CURVES, DEPTH, EXACT, GAIN, IDEALS, PAPER, RANKING, WALKS, NavigationSettings
from ui.screen.items import Figure, Table
from ui.screen.text import markdown
from ui.stage import show


def details(view: NavigationSettings, scores: dict[str, pd.DataFrame], highlight: Highlight) -> None:
    """One of several closer looks; only the open one is computed."""
    looks = {
        RANKING: lambda: ranking(view, scores, highlight),
        GAIN: lambda: gain(view),
        CURVES: lambda: curves(view, highlight),
        IDEALS: lambda: ideals(view),
        WALKS: lambda: walks(view),
        EXACT: lambda: exact(view),
        PAPER: paper,
    }
    view.draw("look")
    looks[view.look]()


def ranking(view: NavigationSettings, scores: dict[str, pd.DataFrame], highlight: Highlight) -> None:
    """How the ranking of systems differs."""
    means = {name: frame.mean() for name, frame in scores.items()}
    st.caption("Ranks by mean MAep, best on top; a line that crosses another is a pair of systems that swapped.")
    columns = {"without navigation": means["without"], "with navigation": means["with"]}
    figure = figures.bump(columns, open_collection.styles(view.collection), highlight.systems, tables(*scores.values()))
    show.put(
        Figure(figure, "walkbump", "Ranks of all systems without and with navigation; the values are in the table")
    )
    table = pd.DataFrame({name: means[name] for name in ("without", "with")})
    table["change"] = table["with"] - table["without"]
    for name in ("without", "with"):
        table[f"rank {name}"] = ranks(means[name]).astype(int)
    table = with_doubt(table, scores["with"], after="rank with", by=" with")
    shown = table.loc[best_first(means["with"]).index]
    show.put(Table(shown, "with and without navigation", decimals=decimals([" with"])))
    site.drill(view.baseline, highlight.systems)


def gain(view: NavigationSettings) -> None:
    """cg by rank: its distribution among users, and what is seen."""
    walk = walked(view)
    try:
        chances = gain_distribution(view.collection, view.measure.users, view.topic, view.system, DEPTH)
    except ec.InputError as error:
        show.show_error(error)
    else:
        ways = {"certain": "nothing is left to chance", "lattice": "by a dynamic programme, exactly"}
        way = ways.get(chances.attrs["method"], "by enumeration, exactly")
        st.caption(
            f"How much gain which share of users has after each rank, for topic {markdown(view.topic)} and "
            f"{markdown(view.system)}; found {way}. The line is the expected gain."
        )
        figure = figures.gain_by_rank(chances, walk.expected[1:], view.rank)
        show.put(
            Figure(figure, "gains by rank", "Distribution of cumulated gain by rank; the table below has what is seen")
        )
    seen = walk.components[["rank", "gain"]].assign(**{"seen so far": walk.seen[view.rank]})
    seen["from this result"] = walk.step[view.rank - 1] if view.rank else 0.0
    show.put(
        Table(seen.sort_values("seen so far", ascending=False), "seen", decimals={"rank": 0, "gain": 2}, height=320)
    )


def curves(view: NavigationSettings, highlight: Highlight) -> None:
    """Effort-precision at standard gain-recall levels."""
    view.draw("of")
    table = curves_of(view.collection.fingerprint, str(view.measure), view.single, view.collection)
    chosen = list(highlight.systems) or ([view.system] if view.system in table else [])
    figure = figures.effort_precision(table, open_collection.styles(view.collection), chosen)
    show.put(
        Figure(figure, "ep curves", "Effort-precision of every system by gain-recall; the values are in the table")
    )
    st.caption(
        "The effort of the ideal list over the effort of a system, for users who want a share of all gain. 1 is as "
        "quick as the ideal list, in order of gain; a list with hubs may be quicker. 0: nobody gets there."
    )
    show.put(Table(table.T, "effort-precision", height=330))


def ideals(view: NavigationSettings) -> None:
    """How much less effort a better ideal list takes."""
    table = ideal_efforts(view.collection, view.measure.users, view.topic)
    least = table.min(axis=1)
    table["by gain costs more"] = table["by gain"] / least - 1
    st.caption(
        f"Expected effort of the ideal list of topic {markdown(view.topic)} to each gain-recall level. By gain: the "
        "components in order of what they are worth, as in the paper. Greedy: each time the one with the most expected "
        "new gain for its effort, hubs included. Best: the least of all orders, tried where at most 7 components lead "
        "anywhere."
    )
    table.index = pd.Index([f"{level:.1f}" for level in table.index], name=table.index.name)
    show.put(Table(table.dropna(axis=1, how="all"), "ideal efforts", decimals=dict.fromkeys(table.columns, 3)))


def walks(view: NavigationSettings) -> None:
    """Trail lengths against the law."""
    if view.walk is None:
        st.info("Walks have a length where users follow links.", icon=":material/info:")
        return
    table = trail_table(view.walk, view.collection)
    left, right = st.columns([0.6, 0.4], gap="medium")
    with left:
        show.put(
            Figure(figures.trail_lengths(table), "trails", "Share of walks by length; the values are in the table")
        )
    with right:
        st.caption(
            "Walks from what all systems return, as often as they return it. A page without links ends a walk. On the "
            "Web, trails of t pages were observed in proportion to t^(-3/2) (Huberman et al. 1998): more long ones "
            "than a constant stopping probability allows."
        )
        show.put(Table(table, "walks", height=260))


def exact(view: NavigationSettings) -> None:
    """What the normal approximation would have made of it, and what users do who really walk."""
    left, right = st.columns(2, gap="medium")
    with left:
        table = errors_of(view.collection.fingerprint, str(view.measure), view.collection)
        worst = float(table["largest difference on a topic"].max())
        alike = f"{ec.tau(table['exact'], table['normal']):.3f}" if len(table) > 1 else "none"
        st.caption(
            "Gains here are multiples of one step, so every P(cg < gr) is exact. Beside it, MAep by the paper's normal "
            f"approximation (with a continuity correction): the largest difference on a topic is **{worst:.4f}**; "
            f"Kendall's tau_b of the two rankings is **{alike}**."
        )
        show.put(Table(table, "exact and normal"))
    with right:
        if not isinstance(view.measure.navigation, Walk):
            st.caption("Where users follow links, and nothing else, simulated walkers are set beside the formula here.")
            return
        st.caption(
            f"E[1/ce] of {markdown(view.system)} on topic {markdown(view.topic)}, by the formula and of {WALKERS:,} "
            "simulated users who really walk (seed 0). They see what lies on one path together, and a long walk costs "
            "them more; the formula treats sections as independent and the effort of a rank as fixed."
        )
        walkers = walkers_of(view.collection.fingerprint, str(view.measure), view.topic, view.system, view.collection)
        decimals = dict.fromkeys(walkers.columns, 5)
        show.put(Table(walkers, "walkers", decimals=decimals, drawn={"users": WALKERS, "seed": 0}))


def paper() -> None:
    """Section 6.1, line by line."""
    st.caption(
        "Three documents, d1, d2, d3 in this order. Only d3 is relevant, with gain 1; 40% of the users of d1 go on to "
        "it, and 30% of those of d2. Every rank costs 1."
    )
    collection = example()
    for line in LINES:
        formula, printed, right = st.columns([3.6, 1.1, 2.0], vertical_alignment="center")
        formula.markdown(f"{line.what}  \n$\\small {line.formula}$")
        was = ", ".join(f"{value:g}" for value in line.printed) or "nothing"
        printed.markdown("printed: " + (was if line.printed == line.right else f":red[{was}]"))
        lines = [f":small[{markdown(line.remark)}]"] if line.remark else []
        if line.measure:
            score = float(ec.evaluate(line.measure, collection).to_numpy()[0, 0])
            lines.insert(0, f"computed: **{score:.4g}**")
        right.markdown("  \n".join(lines))
