"""How much should each aspect count? CAM, MM and their relatives under any weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd
import streamlit as st

from evalcore.arrays import FloatArray
from evalcore.explain.weightings import nearest_change
from evalcore.meta import winner
from ui.address import site
from ui.address.highlight import Highlight
from ui.aspect_weights.as_python import code
from ui.aspect_weights.controls import MEANS, Weighting, combined, combined_frame, draw
from ui.aspect_weights.ground import Ground
from ui.aspect_weights.tabs import details
from ui.computing.first import first_of
from ui.data import open_collection, pins
from ui.data.as_python import as_python
from ui.screen.items import Columns, Figure, Headline, Item, Latex, Metric, Table
from ui.screen.text import markdown, of_what
from ui.shell import live
from ui.stage import show
from ui.widgets.beside import two_columns

PICTURES = {
    2: "Mean scores of the best systems under every weighting; a band shows who wins",
    3: "Every weighting of three aspects, coloured by the system that wins",
}
HINTS = {
    2: "Drag the dotted line, or move the sliders.",
    3: "Drag the star, in steps of 5%, or move the sliders.",
}


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
    collection = page.collection
    measure = page.measure
    left, right = two_columns()
    with left:
        draw(page, highlight)
    before = pins.before(pins.bar(collection, [measure]), collection, 1)
    ground = Ground.of(page, open_collection.styles(collection))
    with right:
        live.follow(page, lambda page: winners(page, ground))
        say_more(page, ground)
    show.explain(*explanation(page))
    with st.expander("Formula with the current values"):
        show.put(Latex(measure.latex(collection.assessments.scales)))
    site.drill(measure, highlight.systems)
    details(page, ground.part_scores, highlight, before)
    now = combined_frame(page, page.mean, ground.part_scores)
    as_python(collection, *code(page, now, pins.code(before, collection, "[means]")))


def winners(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Who wins under which weights."""
    frame = combined_frame(page, page.mean, ground.part_scores)
    first = page.collection.systems.index(winner(combined(page, page.mean, ground.part_scores)))
    change = nearest_change(ground.grid, ground.firsts, page.shares, first)
    by = f"{page.mean}: {of_what(page.base, page.aspects)}"
    yield headline(frame, change, page.aspects, len(set(ground.firsts)), by)
    if (figure := ground.figure_at(page)) is not None:
        yield Figure(figure, "weights", PICTURES[len(page.aspects)])


def say_more(page: Weighting, ground: Ground) -> None:
    """What can be dragged; of more aspects than a picture holds, who wins how often."""
    count = len(page.aspects)
    if count in HINTS:
        st.caption(HINTS[count])
        return
    wins = pd.Series(ground.means.columns[ground.firsts]).value_counts(normalize=True).rename("share of weightings won")
    st.caption(f"{count} aspects: how often each system wins among {len(ground.grid):,} weightings.")
    show.put(Table(wins.rename_axis("system").to_frame(), "weightings won", decimals={"share of weightings won": 3}))


def headline(
    scores: pd.DataFrame,
    change: tuple[float, FloatArray] | None,
    aspects: Sequence[str],
    n_firsts: int,
    measure: str,
) -> Columns:
    who = f"First: {first_of(scores)}  \nBy {measure}"
    if change is None:
        words = Headline(f"{who}  \nNo weighting changes who is first.")
        number = Metric("weight to move", "none")
    else:
        moved, where = change
        shares = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, where, strict=True))
        words = Headline(f"{who}  \nAnother wins at {shares}")
        help = "The least share of weight that must move between aspects until another system is first"
        number = Metric("weight to move", f"{moved:.1%}", help=help)
    count = Metric("winners", n_firsts, help="Systems that win under some weighting")
    return Columns(((words,), (number,), (count,)), (3.4, 1.3, 1.3), align="center")


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
        f"{changes}, the choice of weights decides who is first. A winner that stays first when much weight moves does "
        "not depend on the weights; one next to a border does.",
        f"Change {page.mean} to {other}, and see how much one weak aspect costs. Then look at Zeros, and at how high a "
        "score could get at all under Upper bounds.",
    )


main()
