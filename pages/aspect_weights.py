"""How much should each aspect count? CAM, MM and their relatives under any weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.arrays import FloatArray
from evalcore.explain.weightings import means_by_weighting, nearest_change, weightings
from evalcore.meta import best_first, winner, winners
from ui.aspect_weights.as_python import code
from ui.aspect_weights.controls import MEANS, Weighting, combined, combined_frame, draw
from ui.aspect_weights.tabs import details
from ui.frame import open_collection, pins, site
from ui.frame.as_python import as_python
from ui.frame.highlight import Highlight
from ui.widgets import show
from ui.widgets.beside import two_columns
from ui.widgets.first import first_of
from ui.widgets.measures import scores
from ui.widgets.text import markdown


def main() -> None:
    collection = open_collection.current()
    site.title("aspect_weights")
    if len(collection.aspects) < 2 or len(collection.systems) < 2:
        systems = len(collection.systems)
        st.info(
            "Weights need at least two graded aspects and two systems; the open collection has "
            f"{markdown(', '.join(collection.aspects))} and {systems} system{'s'[: systems != 1]}.",
            icon=":material/info:",
        )
        return
    page, highlight = Weighting.now(collection), Highlight.now(collection)
    measure = page.measure
    left, right = two_columns()
    with left:
        draw(page, highlight)
    before = pins.before(pins.bar(collection, [measure]), collection, 1)
    part_scores = np.array([scores(collection, part).to_numpy().T for part in page.parts])
    with right:
        draw_winners(page, part_scores)
    show.explain(*explanation(page))
    with st.expander("The formula with the current values"):
        st.latex(measure.latex(collection.assessments.scales))
    site.drill(measure, highlight.systems)
    details(page, part_scores, highlight, before)
    as_python(
        collection, *code(page, combined_frame(page, page.mean, part_scores)), *pins.code(before, collection, "[means]")
    )


def draw_winners(page: Weighting, part_scores: FloatArray) -> None:
    """Who wins under which weights: a strip for two aspects, a triangle for three; for more, the headline only."""
    collection, measure, aspects = page.collection, page.measure, page.aspects
    styles, current = open_collection.styles(collection), measure.shares
    means = combined(page, page.mean, part_scores)
    current_winner = collection.systems.index(winner(means))
    grid = weightings(len(aspects), page.steps)
    by_weights = means_by_weighting(measure, collection.assessments, collection.rankings, grid, part_scores)
    firsts = by_weights.columns.get_indexer(pd.Index(winners(by_weights)))
    headline(
        combined_frame(page, page.mean, part_scores),
        nearest_change(grid, firsts, current, current_winner),
        aspects,
        len(set(firsts)),
    )
    if len(aspects) == 2:
        shown = list(dict.fromkeys([*by_weights.columns[np.unique(firsts)], *best_first(means).index[:6]]))
        figure = figures.weight_strip(grid[:, 0], by_weights, float(current[0]), styles, list(aspects), shown)
        show.figure(figure, "weights", "Mean scores of the best systems under every weighting; a band shows who wins")
    elif len(aspects) == 3:
        figure = figures.weight_triangle(grid, by_weights, current, styles, list(aspects))
        show.figure(figure, "weights", "Every weighting of three aspects, coloured by the system that wins")
    else:
        wins = pd.Series(by_weights.columns[firsts]).value_counts(normalize=True).rename("share of weightings won")
        st.caption(f"{len(aspects)} aspects: how often each system wins among {len(grid):,} weightings.")
        show.table(wins.rename_axis("system").to_frame(), "weightings won", decimals={"share of weightings won": 3})


def headline(
    scores: pd.DataFrame,
    change: tuple[float, FloatArray] | None,
    aspects: Sequence[str],
    n_firsts: int,
) -> None:
    who = f"First: {first_of(scores)}"
    words, number, count = st.columns([3.4, 1.3, 1.3], vertical_alignment="center")
    if change is None:
        show.headline(f"{who}  \nNo weighting changes who is first.", words)
        show.metric(number, "weight to move", "none")
    else:
        moved, where = change
        shares = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, where, strict=True))
        show.headline(f"{who}  \nAnother wins at {shares}", words)
        help = "The least share of weight that must move between aspects until another system is first"
        show.metric(number, "weight to move", f"{moved:.1%}", help=help)
    show.metric(count, "winners", n_firsts, help="Systems that win under some weighting")


def explanation(page: Weighting) -> tuple[str, str, str]:
    picture = {
        2: "Each line is a system: its combined score as weight moves from one aspect to the other. The band at the "
        "foot shows who is first.",
        3: "Each point of the triangle is a weighting; a corner gives one aspect everything. Its colour is the system "
        "that wins there.",
    }.get(len(page.aspects), "The share of all weightings under which each system is first.")
    changes = "Where the colour changes" if len(page.aspects) <= 3 else "Where several systems share the weightings"
    other = next(name for name in MEANS if name != page.mean)
    return (
        picture,
        f"{changes}, the choice of weights decides who is best. A winner that stays first when much weight moves is a "
        "safe claim; one next to a border is a claim about weights.",
        f"Change {page.mean} to {other}, and see how much one weak aspect costs. Then look at Zeros, and at how high a "
        "score could get at all under Upper bounds.",
    )


main()
