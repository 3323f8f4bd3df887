"""How much should each aspect count? CAM, MM and their relatives under any weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.structures import Floats
from evalcore.measures import AP, CAM, ERR, GM, MM, RBP, Aggregate, Measure, P, nDCG, upper_bounds
from evalcore.measures.aggregates import on_scale
from evalcore.measures.weightings import means_by_weighting, nearest_change, weightings
from evalcore.meta import ranks
from ui import collections, pins, show, site
from ui.code import as_python
from ui.controls import choose, choose_many, slider
from ui.measures import scores
from ui.text import markdown

BASES: dict[str, Measure] = {
    str(one): one for one in (nDCG(), nDCG(cutoff=10), AP(), RBP(), ERR(cutoff=20), P(cutoff=10))
}
MEANS: dict[str, type[Aggregate]] = {"CAM": CAM, "MM": MM, "GM": GM}
MEAN_HELP = (
    "CAM: the weighted arithmetic mean of the aspects' scores. MM: the harmonic mean, which one bad aspect pulls down "
    "and one aspect at 0 makes 0. GM: the geometric mean, in between."
)
VIEWS = ("Scatter", "Leaderboard", "Zeros", "Upper bounds")
STEPS = {2: 200, 3: 40}
MOST = 5


def main() -> None:
    collection = collections.current()
    st.title("How much should each aspect count?", anchor=False)
    graded = list(collection.aspects)
    if len(graded) < 2 or len(collection.systems) < 2:
        st.info(
            "Weights need at least two graded aspects and two systems; the open collection has "
            f"{markdown(', '.join(graded))} and {len(collection.systems)} system(s).",
            icon=":material/info:",
        )
        return
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        aspects, parts, mean, weights, selected = controls(collection, graded)
    measure = MEANS[mean](parts, aspects=tuple(aspects), weights=tuple(weights))
    before = pins.before(pins.bar([measure]), collection, 1)
    part_scores = np.array([scores(collection, part).to_numpy().T for part in measure.parts])
    with right:
        draw_winners(collection, measure, aspects, part_scores)
    show.explain(*explanation(len(aspects)))
    with st.expander("The formula, with today's numbers in it"):
        st.latex(measure.latex(collection.assessments.scales))
    site.drill(measure, selected)
    details(collection, measure, aspects, part_scores, selected, before)
    as_python(
        collection,
        f"measure = ec.parse({str(measure)!r})",
        "means = ec.evaluate(measure, c).mean()",
        "means.sort_values(ascending=False)",
    )


def controls(
    collection: Collection, graded: list[str]
) -> tuple[list[str], tuple[Measure, ...], str, list[float], list[str]]:
    """The aspects, one measure for each, how they are combined, and with which weights."""
    aspects = choose_many("Aspects", "aspects", graded, most=MOST, placeholder=", ".join(graded[:3])) or graded[:3]
    if len(aspects) < 2:
        st.caption("One aspect alone needs no weights; a second one is added.")
        aspects = [*aspects, next(name for name in graded if name not in aspects)]
    base = BASES[choose("Measure of each aspect", "base", list(BASES))]
    positive = "any but the worst"
    if "rel" in base.parameters():
        choices = [positive, "upper half"]
        positive = choose(
            "A grade counts as positive", "positive", choices, help="For measures that know only yes and no"
        )
    scales = [collection.assessments.scale(name) for name in aspects]
    parts = tuple(on_scale(base, one, one.border if positive == "upper half" else None) for one in scales)
    mean = choose("Combined by", "mean", list(MEANS), segmented=True, help=MEAN_HELP)
    weights = [slider(f"Weight of {markdown(name)}", f"w{at}", 0.0, 1.0, 0.5, 0.01) for at, name in enumerate(aspects)]
    if not sum(weights):
        st.caption("All weights are 0: equal weights are used.")
        weights = [1.0] * len(aspects)
    shares = np.array(weights) / sum(weights)
    st.caption(
        "Shares: " + ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, shares, strict=True))
    )
    selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
    return aspects, parts, mean, weights, selected


def draw_winners(collection: Collection, measure: Aggregate, aspects: list[str], part_scores: Floats) -> None:
    """Who wins under which weights: a strip for two aspects, a triangle for three; for more, the headline only."""
    styles, current = collections.styles(collection), measure.shares
    means = measure.combine(part_scores, current).mean(axis=1)
    winner = int(means.argmax())
    steps = STEPS.get(len(aspects), 12 if len(aspects) == 4 else 8)
    grid = weightings(len(aspects), steps)
    by_weights = means_by_weighting(measure, collection.assessments, collection.rankings, grid, part_scores)
    winners = by_weights.to_numpy().argmax(axis=1)
    headline(collection, means, nearest_change(grid, winners, current, winner), aspects, len(set(winners)))
    if len(aspects) == 2:
        shown = list(dict.fromkeys([*by_weights.columns[np.unique(winners)], *top(collection, means, 6)]))
        figure = figures.weight_strip(grid[:, 0], by_weights, float(current[0]), styles, aspects, shown)
        show.figure(figure, "weights", "Mean scores of the best systems under every weighting; a band shows who wins")
    elif len(aspects) == 3:
        figure = figures.weight_triangle(grid, by_weights, current, styles, aspects)
        show.figure(figure, "weights", "Every weighting of three aspects, coloured by the system that wins")
    else:
        wins = pd.Series(by_weights.columns[winners]).value_counts(normalize=True).rename("share of weightings won")
        st.caption(f"{len(aspects)} aspects: how often each system wins among {len(grid):,} weightings.")
        show.table(wins.rename_axis("system").to_frame(), "weightings won", decimals={"share of weightings won": 3})


def headline(
    collection: Collection,
    means: Floats,
    change: tuple[float, Floats] | None,
    aspects: list[str],
    winners: int,
) -> None:
    first = collection.systems[int(means.argmax())]
    words, number, count = st.columns([3.4, 1.3, 1.3], vertical_alignment="center")
    if change is None:
        words.markdown(f"First: **{markdown(first)}** {means.max():.4f}  \nIt wins under every weighting.")
        number.metric("weight to move", "none")
    else:
        moved, where = change
        shares = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, where, strict=True))
        words.markdown(f"First: **{markdown(first)}** {means.max():.4f}  \nAnother wins at {shares}")
        help = "The least share of weight that must move between aspects until another system is first"
        number.metric("weight to move", f"{moved:.1%}", help=help)
    count.metric("winners", winners, help="Systems that win under some weighting")


def top(collection: Collection, means: Floats, count: int) -> list[str]:
    return [collection.systems[at] for at in np.argsort(-means, kind="stable")[:count]]


def explanation(n_aspects: int) -> tuple[str, str, str]:
    picture = {
        2: "Each line is a system: its combined score as weight moves from one aspect to the other. The band at the "
        "foot shows who is first.",
        3: "Each point of the triangle is a weighting; a corner gives one aspect everything. Its colour is the system "
        "that wins there.",
    }.get(n_aspects, "The share of all weightings under which each system is first.")
    return (
        picture,
        "Where the colour changes, the choice of weights decides who is best. A winner far from any border is a safe "
        "claim; one next to a border is a claim about weights.",
        "Change CAM to MM: one weak aspect now costs more. Then look at Zeros, and at how high a score could get at "
        "all under Upper bounds.",
    )


def details(
    collection: Collection,
    measure: Aggregate,
    aspects: list[str],
    part_scores: Floats,
    selected: list[str],
    before: list[pd.Series] | None,
) -> None:
    """One of four closer looks; only the open one is computed."""
    view = choose("Look closer", "view2", VIEWS, segmented=True)
    if view == "Scatter":
        draw_scatter(collection, measure, aspects, part_scores, selected)
    elif view == "Leaderboard":
        leaderboard(collection, measure, aspects, part_scores, before)
    elif view == "Zeros":
        zeros(collection, aspects, part_scores)
    else:
        bounds(collection, measure, aspects)


def draw_scatter(
    collection: Collection, measure: Aggregate, aspects: list[str], part_scores: Floats, selected: list[str]
) -> None:
    """Any two combinations of the same aspect scores against each other."""
    options = [*MEANS, *(f"{name} alone" for name in aspects)]
    across, up, _ = st.columns([1, 1, 2])
    with across:
        x_name = choose("Across", "x", options, "CAM")
    with up:
        y_name = choose("Up", "y", options, "MM")
    x, y = (combined(collection, measure, name, aspects, part_scores) for name in (x_name, y_name))
    figure = figures.scatter(
        x, {y_name: y}, collections.styles(collection), selected=selected, x_title=x_name, y_title=y_name
    )
    show.figure(figure, "combined", f"Scatter of {len(x)} systems, {x_name} across and {y_name} up")
    st.caption(
        f"Kendall's tau_b of the two rankings: **{ec.tau(x, y):.3f}**; "
        f"τ_AP with reference {markdown(x_name)}: **{ec.tau_ap(y, x):.3f}**."
    )


def combined(
    collection: Collection, measure: Aggregate, name: str, aspects: list[str], part_scores: Floats
) -> pd.Series:
    """Mean scores per system of one of the means, or of one aspect alone."""
    if name in MEANS:
        scores = MEANS[name].combine(part_scores, measure.shares)
    else:
        scores = part_scores[aspects.index(name.removesuffix(" alone"))]
    return pd.Series(scores.mean(axis=1), index=pd.Index(collection.systems, name="system", dtype=object), name=name)


def leaderboard(
    collection: Collection,
    measure: Aggregate,
    aspects: list[str],
    part_scores: Floats,
    before: list[pd.Series] | None,
) -> None:
    table = pd.DataFrame({name: combined(collection, measure, name, aspects, part_scores) for name in MEANS})
    for at, name in enumerate(aspects):
        table[f"{measure.parts[at]}"] = part_scores[at].mean(axis=1)
        table[f"rank by {name}"] = ranks(table[f"{measure.parts[at]}"]).astype(int)
    chosen = type(measure).__name__
    table.insert(0, "rank", ranks(table[chosen]).astype(int))
    if before:
        table.insert(1, "places won since the pin", pins.rank_changes(table[chosen], before[0]))
        st.caption(f"Kendall's tau_b with the pinned ranking: **{ec.tau(table[chosen], before[0]):.3f}**")
    show.table(table.sort_values("rank", kind="stable"), "leaderboard", height=480)


def zeros(collection: Collection, aspects: list[str], part_scores: Floats) -> None:
    """Where an aspect scores 0: MM is then 0 whatever the others say (Maistro et al. 2021, Problem 1)."""
    columns = {f"{name} is 0": (scores == 0).mean(axis=1) for name, scores in zip(aspects, part_scores, strict=True)}
    table = pd.DataFrame(columns, index=pd.Index(collection.systems, name="system", dtype=object))
    table.insert(0, "MM is 0", (part_scores == 0).any(axis=0).mean(axis=1))
    share = (part_scores == 0).any(axis=0).mean()
    st.markdown(
        f"In **{share:.1%}** of all {part_scores[0].size:,} rankings some aspect scores 0. The harmonic mean is then "
        "set to 0, and the other aspects go unseen; an aspect of weight 0 is left out and does no harm."
    )
    show.table(
        table.sort_values("MM is 0", ascending=False), "zeros", decimals=dict.fromkeys(table.columns, 3), height=420
    )


def bounds(collection: Collection, measure: Aggregate, aspects: list[str]) -> None:
    """The best attainable score of each topic, by ideal rankings of several strategies."""
    table = bound_table(collection.fingerprint, str(measure), tuple(aspects), collection)
    best = table.max(axis=1)
    st.markdown(
        f"**{(best > 1 - 1e-9).mean():.0%}** of the topics can reach 1; for **{(best < 0.9).mean():.0%}** even the "
        f"best known ranking stays below 0.9. Lowest: {best.min():.3f} (topic {markdown(best.idxmin())})."
    )
    show.figure(
        figures.bound_boxes(table, type(measure).__name__), "bounds", "Scores of the candidate ideal rankings by topic"
    )
    st.caption(
        "For each topic all assessed documents are ranked by every order of the aspects, by the sum of the labels, by "
        "the sum of their squares and by the largest label; each box holds the scores of these rankings. A measure "
        "with an ideal ranking of its own would reach 1 everywhere (Maistro et al. 2021, section 4.2)."
    )


@st.cache_data(max_entries=32, show_spinner="Building ideal rankings")
def bound_table(fingerprint: str, measure: str, aspects: tuple[str, ...], _collection: Collection) -> pd.DataFrame:
    return upper_bounds(measure, _collection.assessments, aspects)


main()
