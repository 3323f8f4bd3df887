"""What is a result worth if people follow its links? Effort-precision and gain-recall with a navigation model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.components import Navigation
from evalcore.data.structures import Floats, Integers
from evalcore.measures import Both, Effort, MAep, ReadOn, Scroll, Stay, Walk
from evalcore.measures.navigation.models import NavigationModel
from evalcore.measures.navigation.views import (
    Walkthrough,
    approximation_error,
    gain_distribution,
    ideal_efforts,
    need_navigation,
    precision_curves,
    trail_table,
    walkers_beside,
    walkthrough,
)
from evalcore.meta import ranks
from evalcore.reference.browsing_example import LINES, example
from ui import collections, show, site
from ui.code import as_python
from ui.controls import choose, choose_many, slider
from ui.text import markdown

WALKERS = 20_000
DEPTH = 15  # ranks that can be walked down
LINKS, GIVEN, SCROLLING, BOTH, READING, NOT_AT_ALL = (
    "follow links",
    "follow links, as the list says",
    "scroll in the page",
    "follow links and scroll",
    "read on until bored (T2I)",
    "not at all",
)
GOING_HELP = (
    "Follow links: a walk that stops after each page with some probability. As the list says: with the probabilities "
    "of the edge list. Scroll: the nearer in the same page, the likelier. Read on: until too much irrelevant text has "
    "passed (tolerance to irrelevance)."
)
RANKING, GAIN, CURVES, IDEALS, WALKS, EXACT, PAPER = (
    "Ranking of systems",
    "Gain by rank",
    "ep by gain-recall",
    "Ideal lists",
    "Length of walks",
    "Exact or not",
    "The paper's example",
)
MEAN = "mean over topics"


@dataclass(frozen=True)
class View:
    """What the controls say."""

    collection: Collection
    navigation: Navigation
    measure: MAep
    topic: str
    system: str
    rank: int
    selected: list[str]

    @property
    def baseline(self) -> MAep:
        """The same users, but they see results only."""
        return self.measure.with_(navigation=Stay())


def main() -> None:
    opened = collections.current()
    st.title("What is a result worth if people follow its links?", anchor=False)
    collection = opened if opened.navigation else collections.sample(collections.NAVIGATION_NAME)
    if collection is not opened:
        st.caption(
            f":material/info: {markdown(opened.title)} has no links between its documents: the "
            f"*{collections.NAVIGATION_NAME}* is shown instead, {markdown(collection.summary)}."
        )
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        view = controls(collection, need_navigation(collection))
    with right:
        scores = both_scores(view)
        headline(view, scores)
        draw_walk(view)
    show.explain(*explanation(view))
    formulas(view)
    if collection is opened:
        as_python(collection, *python_lines(view))
    details(view, scores)


# --- controls ---------------------------------------------------------------------------------------------------------


def controls(collection: Collection, navigation: Navigation) -> View:
    across = st.columns(2)
    with across[0]:
        system = choose("System", "walker", collection.systems, shown_first(collection))
    with across[1]:
        topic = choose("Topic", "walktopic", collection.topics, names=str)
    model = users(navigation)
    deepest = min(DEPTH, len(ranking_of(navigation, collection, system, topic)))
    rank = int(slider("Walked down to rank", "walked", 0, max(deepest, 1), min(1, deepest), 1))
    effort = efforts(navigation)
    measure = MAep(navigation=model, effort=effort)
    selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
    return View(collection, navigation, measure, topic, system, min(rank, deepest), selected)


def shown_first(collection: Collection) -> str:
    """A system with a taste for hubs where there is one, as in the sample."""
    return next((name for name in collection.systems if name.startswith("hub")), collection.systems[0])


def ranking_of(navigation: Navigation, collection: Collection, system: str, topic: str) -> Integers:
    return navigation.runs.ranking(collection.systems.index(system), collection.topics.index(topic))


def users(navigation: Navigation) -> NavigationModel:
    """How users go on from a result, of the ways that the graph allows."""
    ways = [NOT_AT_ALL]
    if navigation.has_places:
        ways = [SCROLLING, READING, *ways]
    if len(navigation.links):
        given = not np.isnan(navigation.links.probability).all()
        ways = [LINKS, *([GIVEN] if given else []), *([BOTH] if navigation.has_places else []), *ways]
    way = choose("From a result, users", "going", ways, help=GOING_HELP)
    stop = theta = 0.0
    if way in (LINKS, BOTH):
        help = "Probability of stopping after each page; the rest is shared by its links"
        stop = slider("Stopping probability", "stop", 0.05, 1.0, 0.3, 0.05, help=help)
    if way in (SCROLLING, BOTH):
        help = "1 / (1 + e^(θ · d)), d characters away; a result itself is seen for certain"
        theta = slider("θ: interest lost per character", "theta", 0.0, 0.05, 0.005, 0.001, help=help, format="%.3f")
    if way == READING:
        tolerance = slider("Patience, in characters", "patience", 0.0, 3000.0, 500.0, 50.0)
        return ReadOn(tolerance=tolerance)
    models: dict[str, NavigationModel] = {
        LINKS: Walk(stop=stop),
        GIVEN: Walk(),
        SCROLLING: Scroll(theta=theta),
        BOTH: Both((Walk(stop=stop), Scroll(theta=theta))),
        NOT_AT_ALL: Stay(),
    }
    return models[way]


def efforts(navigation: Navigation) -> Effort:
    """What a rank, a click and a second of reading cost."""
    with st.popover("What costs effort", width="stretch", icon=":material/timer:"):
        rank = slider("A rank consulted", "erank", 0.0, 20.0, 1.0, 0.5)
        click = slider("A link followed", "eclick", 0.0, 20.0, 0.0, 0.5)
        second = 0.0
        if bool(np.isfinite(navigation.components.size).all()):
            second = slider("A second of reading", "esecond", 0.0, 5.0, 0.0, 0.1, help="At 20 characters a second")
        if not rank + second:
            st.caption("A result that costs nothing has no effort-precision: a rank costs 1.")
            rank = 1.0
    return Effort(rank=rank, click=click, second=second)


# --- the figure -------------------------------------------------------------------------------------------------------


def both_scores(view: View) -> dict[str, pd.DataFrame]:
    """Scores without and with navigation."""
    key = view.collection.fingerprint
    return {
        "without": scores_of(key, str(view.baseline), view.collection),
        "with": scores_of(key, str(view.measure), view.collection),
    }


@st.cache_data(max_entries=64, show_spinner="Walking")
def scores_of(fingerprint: str, measure: str, _collection: Collection) -> pd.DataFrame:
    return ec.evaluate(measure, _collection)


def headline(view: View, scores: dict[str, pd.DataFrame]) -> None:
    """Who is first without and with navigation, and where the users of the figure are."""
    without, along = scores["without"].mean(), scores["with"].mean()
    walk = walked(view)
    words, tau, gained = st.columns([3.9, 1.0, 1.6], vertical_alignment="center")
    first = str(along.idxmax())
    rank = int(ranks(without)[first])
    words.markdown(
        f"First by MAep, results only: **{markdown(without.idxmax())}** {without.max():.4f}  \n"
        f"Going on from them: **{markdown(first)}** {along.max():.4f}" + (f" (was {rank})" if rank > 1 else "")
    )
    help = "Kendall's tau_b of the rankings of systems without and with navigation, by mean MAep over topics"
    tau.metric("τ", f"{ec.tau(without, along):.3f}" if len(without) > 1 else "none", help=help)
    help = "What users are expected to have gained down to this rank, of all that can be gained, and at which effort"
    gained.metric(
        f"gain at effort {walk.effort[view.rank]:.4g}", f"{walk.expected[view.rank]:.2f} of {walk.total:.4g}", help=help
    )


def walked(view: View) -> Walkthrough:
    return walk_of(view.collection.fingerprint, str(view.measure), view.topic, view.system, view.collection)


def maep(text: str) -> MAep:
    measure = ec.parse(text)
    assert isinstance(measure, MAep)
    return measure


@st.cache_resource(max_entries=64, show_spinner=False)
def walk_of(fingerprint: str, measure: str, topic: str, system: str, _collection: Collection) -> Walkthrough:
    return walkthrough(_collection, maep(measure).users, topic, system, DEPTH)


@st.cache_data(max_entries=128, show_spinner=False)
def places_of(count: int, links: tuple[tuple[int, int], ...]) -> Floats:
    return figures.spread(count, np.array(links, dtype=int).reshape(-1, 2))


def draw_walk(view: View) -> None:
    walk, rank = walked(view), view.rank
    nodes = walk.components.assign(seen=walk.seen[rank], label=walk.components.index.astype(str))
    nodes["step"] = walk.step[rank - 1] if rank else 0.0
    nodes[["x", "y"]] = places_of(len(nodes), tuple(map(tuple, walk.links.tolist())))
    nodes["hover"] = [hover(str(name), row) for name, row in nodes.iterrows()]
    at = np.flatnonzero(walk.components["rank"].to_numpy() == rank)
    figure = figures.walk_map(nodes, walk.links, int(at[0]) if len(at) else None)
    alt = (
        f"The components of topic {view.topic} that users of {view.system} can see, and how many have seen each after "
        f"rank {rank}; the values are in the table under {GAIN}"
    )
    show.figure(figure, "walk", alt)
    query = view.collection.queries.get(view.topic, "")
    where = "Nothing is consulted yet" if not rank else f"Rank {rank}"
    at_rank = f": **{markdown(nodes.index[at[0]])}**" if len(at) else (": listed before" if rank else "")
    st.caption(f"{where}{at_rank}. Topic {markdown(view.topic)}" + (f": {markdown(query)}" if query else ""))


def hover(name: str, row: pd.Series) -> str:
    rank = "not returned" if np.isnan(row["rank"]) else f"rank {row['rank']:.0f}"
    return (
        f"<b>{figures.plain(name)}</b><br>{rank}, gain {row['gain']:.4g}<br>seen by {row['seen']:.1%} so far"
        f"<br>from this result: {row['step']:.1%}"
    )


def explanation(view: View) -> tuple[str, str, str]:
    return (
        "Each circle is a section of a page; a number is its rank in the list of the chosen system. Orange ones are "
        "worth something. A circle fills as more users have seen it, whether it was returned or browsed to. Red: where "
        "users go from the result at this rank.",
        "A hub is worth nothing itself and yet shows much: what lies behind its links fills at once. A good page that "
        "no link leads to or from is seen by nobody until it is returned. Effort-precision asks how much effort all "
        "this takes, beside the best list.",
        "Walk down rank by rank. Raise the stopping probability to 1: only results count, and τ is 1. Then let a "
        "second of reading cost 1: long documents that had been first fall behind.",
    )


def formulas(view: View) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        st.latex(view.measure.latex(view.collection.assessments.scales))
        st.latex(r"\mathbb{E}[cg[i]] = \sum_c g[c] \cdot P(c \in S_i),\quad "
                 r"P(c \in S_i) = 1 - \prod_{j=1}^{i} \left(1 - P(j \leadsto c)\right)")  # fmt: skip
        st.code(str(view.measure), language=None)
        st.caption(
            "P(j ⇝ c) is the probability that users who consult the result at rank j see component c. Components are "
            "taken to be seen independently, and e[j] is the expected effort of a rank, browsing included."
        )


def python_lines(view: View) -> list[str]:
    return [
        f"with_links = ec.evaluate({str(view.measure)!r}, c).mean()",
        f"without = ec.evaluate({str(view.baseline)!r}, c).mean()",
        "tau = ec.tau(without, with_links)",
    ]


# --- closer looks -----------------------------------------------------------------------------------------------------


def details(view: View, scores: dict[str, pd.DataFrame]) -> None:
    """One of several closer looks; only the open one is computed."""
    looks = {
        RANKING: lambda: ranking(view, scores),
        GAIN: lambda: gain(view),
        CURVES: lambda: curves(view),
        IDEALS: lambda: ideals(view),
        WALKS: lambda: walks(view),
        EXACT: lambda: exact(view),
        PAPER: paper,
    }
    looks[choose("Look closer", "walkview", list(looks), segmented=True)]()


def ranking(view: View, scores: dict[str, pd.DataFrame]) -> None:
    """How the ranking of systems differs."""
    means = {name: frame.mean() for name, frame in scores.items()}
    st.caption("Ranks by mean MAep, best on top; a line that crosses another is a pair of systems that swapped.")
    columns = {"without navigation": means["without"], "with navigation": means["with"]}
    figure = figures.bump(columns, collections.styles(view.collection), view.selected)
    show.figure(figure, "walkbump", "Ranks of all systems without and with navigation; the values are in the table")
    table = pd.DataFrame({name: means[name] for name in ("without", "with")})
    table["change"] = table["with"] - table["without"]
    for name in ("without", "with"):
        table[f"rank {name}"] = ranks(means[name]).astype(int)
    show.table(table.sort_values("with", ascending=False), "with and without navigation")
    site.drill(view.baseline, view.selected)


def gain(view: View) -> None:
    """cg by rank: its distribution among users, and what is seen."""
    walk = walked(view)
    try:
        chances = gain_distribution(view.collection, view.measure.users, view.topic, view.system, DEPTH)
    except ec.DataError as error:
        show.show_error(error)
    else:
        ways = {"certain": "nothing is left to chance", "lattice": "by a dynamic programme, exactly"}
        way = ways.get(chances.attrs["method"], "by enumeration, exactly")
        st.caption(
            f"How much gain which share of users has after each rank, for topic {markdown(view.topic)} and "
            f"{markdown(view.system)}; found {way}. The line is the expected gain."
        )
        figure = figures.gain_by_rank(chances, walk.expected[1:], view.rank)
        show.figure(figure, "gains by rank", "Distribution of cumulated gain by rank; the table below has what is seen")
    seen = walk.components[["rank", "gain"]].assign(**{"seen so far": walk.seen[view.rank]})
    seen["from this result"] = walk.step[view.rank - 1] if view.rank else 0.0
    show.table(seen.sort_values("seen so far", ascending=False), "seen", decimals={"rank": 0, "gain": 2}, height=320)


def curves(view: View) -> None:
    """Effort-precision at standard gain-recall levels."""
    topic = choose("Of", "curvetopic", (MEAN, *view.collection.topics))
    table = curves_of(view.collection.fingerprint, str(view.measure), None if topic == MEAN else topic, view.collection)
    chosen = view.selected or ([view.system] if view.system in table else [])
    figure = figures.effort_precision(table, collections.styles(view.collection), chosen)
    show.figure(figure, "ep curves", "Effort-precision of every system by gain-recall; the values are in the table")
    st.caption(
        "The effort of the ideal list over the effort of a system, for users who want a share of all gain. 1 is as "
        "quick as the ideal list, in order of gain; a list with hubs may be quicker. 0: nobody gets there."
    )
    show.table(table.T, "effort-precision", height=330)


@st.cache_data(max_entries=32, show_spinner="Walking")
def curves_of(fingerprint: str, measure: str, topic: str | None, _collection: Collection) -> pd.DataFrame:
    return precision_curves(maep(measure), _collection, topic=topic)


def ideals(view: View) -> None:
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
    show.table(table.dropna(axis=1, how="all"), "ideal efforts", decimals=dict.fromkeys(table.columns, 3))


def walks(view: View) -> None:
    """Trail lengths against the law."""
    model = view.measure.navigation
    found = next((one for one in getattr(model, "models", (model,)) if isinstance(one, Walk)), None)
    if found is None:
        st.info("Walks have a length where users follow links.", icon=":material/info:")
        return
    table = trail_table(found, view.collection)
    left, right = st.columns([0.6, 0.4], gap="medium")
    with left:
        show.figure(figures.trail_lengths(table), "trails", "Share of walks by length; the values are in the table")
    with right:
        st.caption(
            "Walks from what all systems return, as often as they return it. A page without links ends a walk. On the "
            "Web, trails of t pages were observed in proportion to t^(-3/2) (Huberman et al. 1998): more long ones "
            "than a constant stopping probability allows."
        )
        show.table(table, "walks", height=260)


def exact(view: View) -> None:
    """What the normal approximation would have made of it, and what users do who really walk."""
    left, right = st.columns(2, gap="medium")
    with left:
        table = errors_of(view.collection.fingerprint, str(view.measure), view.collection)
        worst = float(table["largest difference on a topic"].max())
        st.caption(
            "Gains here are multiples of one step, so every P(cg < gr) is exact. Beside it, MAep by the paper's normal "
            f"approximation (with a continuity correction): the largest difference on a topic is **{worst:.4f}**; "
            f"Kendall's tau_b of the two rankings is **{ec.tau(table['exact'], table['normal']):.3f}**."
        )
        show.table(table, "exact and normal")
    with right:
        if not isinstance(view.measure.navigation, Walk):
            st.caption("Where users follow links, and nothing else, simulated walkers are set beside the formula here.")
            return
        st.caption(
            f"E[1/ce] of {markdown(view.system)} on topic {markdown(view.topic)}, by the formula and of {WALKERS:,} "
            "simulated users who really walk (seed 0). They see what lies on one path together, and a long walk costs "
            "them more; the formula takes sections for independent and the effort of a rank for fixed."
        )
        walkers = walkers_of(view.collection.fingerprint, str(view.measure), view.topic, view.system, view.collection)
        decimals = dict.fromkeys(walkers.columns, 5)
        show.table(walkers, "walkers", decimals=decimals, drawn={"users": WALKERS, "seed": 0})


@st.cache_data(max_entries=32, show_spinner="Approximating")
def errors_of(fingerprint: str, measure: str, _collection: Collection) -> pd.DataFrame:
    return approximation_error(maep(measure), _collection)


@st.cache_data(max_entries=32, show_spinner="Simulating users")
def walkers_of(fingerprint: str, measure: str, topic: str, system: str, _collection: Collection) -> pd.DataFrame:
    return walkers_beside(maep(measure), _collection, topic, system, WALKERS)


def paper() -> None:
    """Section 6.1, line by line."""
    st.caption(
        "Three documents, d1, d2, d3 in this order. Only d3 is relevant, with gain 1; 40 % of the users of d1 go on to "
        "it, and 30 % of those of d2. Every rank costs 1."
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


main()
