"""How much should each aspect count? CAM, MM and their relatives under any weights."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from evalcore.common.arrays import FloatArray
from evalcore.data import Collection
from evalcore.explain.weightings import nearest_change
from evalcore.meta import winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.aspect_weights.details import details
from ui.aspect_weights.ground import Ground
from ui.aspect_weights.weighting import MEANS, Weighting, draw
from ui.computing.doubt import first_calls, leads
from ui.data import open_collection, pins
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Columns, Figure, Headline, Item, Latex, Metric, Table, Text
from ui.screen.text import counted, markdown, of_what
from ui.shell import live
from ui.stage import show

PICTURES = {
    2: "Mean scores of the best systems under every weighting; a band shows who wins",
    3: "Every weighting of three aspects, coloured by the system that wins",
}
HINTS = {2: "Drag the dotted line, or move the sliders.", 3: "Drag the star, in steps of 5%, or move the sliders."}


def main() -> None:
    collection = open_collection.titled("aspect_weights", what_is_missing)
    page, highlight = Weighting.now(collection), Highlight.now(collection)
    collection = page.collection
    measure = page.measure
    left, right = show.two_columns()
    with left:
        draw(page, highlight)
    before = pins.before(pins.bar(collection, [measure]), collection, 1)
    ground = Ground(page, families.styles(collection))
    with right:
        live.follow(page, lambda page: winners(page, ground), "weights")
        show.screen(more(page, ground))
    show.explain(*explanation(page))
    with st.expander("Formula with the current values"):
        show.put(Latex(measure.latex(collection.assessments.scales)))
    site.drill(measure, highlight.systems)
    details(page, ground, highlight, before)


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to weigh; empty where there is."""
    if len(collection.aspects) > 1 and len(collection.systems) > 1:
        return ""
    has = f"{markdown(', '.join(collection.aspects))} and {counted(len(collection.systems), 'system')}"
    return f"Weights need at least two graded aspects and two systems; the open collection has {has}."


def winners(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Who wins under which weights."""
    yield headline(page, ground)
    if (figure := ground.figure_at(page)) is not None:
        yield Figure(figure, "weights", PICTURES[len(page.aspects)], calls=(ground.picture(page),))


def more(page: Weighting, ground: Ground) -> Iterator[Item]:
    """What can be dragged; of more aspects than a picture holds, who wins how often."""
    count = len(page.aspects)
    if count in HINTS:
        yield Text.note(HINTS[count])
        return
    won = line("share_won", ground.means.it.columns[ground.firsts.it].value_counts(normalize=True))
    name = "share of weightings won"
    yield Text.note(f"{count} aspects: how often each system wins among {len(ground.grid.value):,} weightings.")
    table = won.value.rename(name).rename_axis("system").to_frame()
    yield Table(table, "weightings won", decimals={name: 3}, calls=(won,))


def headline(page: Weighting, ground: Ground) -> Columns:
    """Who is first, and how much weight has to move until another one is."""
    scores = ground.scored(page, page.mean)
    change = nearest(page, ground, scores)
    who = leads(scores.value)
    rest = f"By {page.mean}: {of_what(str(page.single), page.aspects)}"
    calls = (*first_calls(scores), change)
    if change.value is None:
        words = Headline(f"{who}\n\nNo weighting changes who is first.  \n{rest}", calls)
        number = Metric("weight to move", "none", calls=(change,))
    else:
        moved, where = change.value
        shares = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(page.aspects, where, strict=True))
        words = Headline(f"{who}\n\nAnother wins at {shares}  \n{rest}", calls)
        help = "The least share of weight that must move between aspects until another system is first"
        number = Metric("weight to move", f"{moved:.1%}", help=help, calls=(change,))
    winning = call("n_winners", len, record(set)(ground.firsts.it))
    count = Metric.of("winners", winning, "Systems that win under some weighting", form="d")
    return Columns(((words,), (number,), (count,)), (3.4, 1.3, 1.3), align="center")


def nearest(page: Weighting, ground: Ground, scores: Call[pd.DataFrame]) -> Call[tuple[float, FloatArray] | None]:
    """The least share of weight that changes who is first, and the weighting that it leads to."""
    now = record(page.collection).systems.index(record(winner)(scores.it.mean()))
    return call("change", nearest_change, ground.grid.it, ground.firsts.it, page.parsed.it.shares, now)


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
