"""The page Aspect weights: CAM, MM and other combinations of aspects, under any weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import first_largest
from evalcore.data import Collection
from evalcore.explain.weightings import nearest_change
from evalcore.measures import MM
from evalcore.meta import winner
from ui.address import families
from ui.address.highlight import Highlight
from ui.aspect_weights import texts
from ui.aspect_weights.all_weightings import Ground
from ui.aspect_weights.weighting import MEANS, Weighting, draw, draw_more
from ui.computing.cached import cached_call
from ui.computing.doubt import first_calls, leads
from ui.computing.measures import parsed
from ui.data import open_collection
from ui.screen.calls import Call, call, each, line, record
from ui.screen.items import Columns, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import of_what
from ui.shell import live
from ui.stage import show
from ui.tune import frame, scatter
from ui.tune.frame import Family, lack


def main() -> None:
    collection = open_collection.titled("aspect_weights", what_is_missing)
    page, highlight = Weighting.now(collection), Highlight.now(collection)
    if page.weights is None:
        family = Family(draw, draw_more, own, lambda page: texts.READING_A_PRODUCT)
    else:
        family = Family(draw, draw_more, own, reading, why=why)
    frame.draw(page, highlight, family)


def own(page: Weighting, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the winner under every weighting; for a product, draw the factor of each label instead."""
    if page.weights is None:
        with right:
            live.follow(page, factors, curve="τ")
        return
    ground = Ground(page, families.styles(page.collection))
    with right:
        live.follow(page, lambda page: winners(page, ground), "weights")
        show.screen(more(page, ground))


def what_is_missing(collection: Collection) -> str:
    """Return a sentence on what the collection lacks for this page; "" if it lacks nothing."""
    enough = len(collection.aspects) > 1 and len(collection.systems) > 1
    return "" if enough else lack(collection, "a second graded aspect")


def winners(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Yield the winner under the chosen weights, and the figure of winners under all weightings."""
    yield from headline(page, ground)
    if (figure := ground.figure_at(page)) is not None:
        yield Figure(figure, "weights", texts.PICTURES[len(page.aspects)], calls=(ground.picture(page),))


def more(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Yield a hint on dragging; if there are too many aspects for a figure, a table of how often each system wins."""
    count = len(page.aspects)
    if count in texts.HINTS:
        yield Text.note(texts.HINTS[count])
        return
    won = line("share_won", ground.means.it.columns[ground.firsts.it].value_counts(normalize=True))
    name = "share of weightings won"
    yield Text.note(texts.share_won(len(ground.grid.value), count))
    table = won.value.rename(name).rename_axis("system").to_frame()
    yield Table(table, "weightings won", decimals={name: 3}, calls=(won,))


def headline(page: Weighting, ground: Ground) -> tuple[Headline, Columns]:
    """Return a headline with the winner, and a row of two numbers.

    The numbers are the smallest share of weight that must be moved for another system to win, and how many systems win
    under some weighting.
    """
    scores = page.scored("scores", page.measure)
    change = nearest(page, ground, scores)
    who = leads(scores.value)
    rest = f"{page.mean}: {of_what(str(page.single), page.aspects)}"
    calls = (*first_calls(scores), change)
    moved, where = ("none", None) if change.value is None else (f"{change.value[0]:.1%}", change.value[1])
    words = Headline(f"{who}\n\n{texts.next_winner(page.aspects, where)}  \n{rest}", calls)
    number = Metric("weight to move", moved, help=texts.TO_MOVE, calls=(change,))
    winning = call("n_winners", len, record(set)(ground.firsts.it))
    count = Metric.of("winners", winning, texts.WINNERS, form="d")
    return words, in_row(number, count)


def nearest(page: Weighting, ground: Ground, scores: Call[pd.DataFrame]) -> Call[tuple[float, FloatArray] | None]:
    """Return the call of the smallest share of weight that changes the winner, and the new weighting.

    Its value is None if no weighting changes the winner.
    """
    now = record(page.collection).systems.index(record(winner)(scores.it.mean()))
    return call("change", nearest_change, ground.grid.it, ground.firsts.it, page.parsed.it.shares, now)


def factors(page: Weighting) -> Iterator[Item]:
    """Yield the winners under both measures, τ, and the factor of each label.

    The factor is the gain of the label raised to the exponent of its aspect.
    """
    yield from scatter.headline(page)
    measure, figures_of = parsed("measure", page.product), []
    for name, power in zip(page.aspects, page.exponents or (), strict=True):
        of = line("scale", record(page.collection).assessments.scale(name))
        factor = line("factor", record(dict)(measure.it.gains)[name].of(record(np.array)(of.it.grades), of.it) ** power)
        labels = [f"{grade:g}" for grade in of.value.grades]
        figure = call("", figures.gain_bars, labels, factor.it).here(title=name, height=300)
        figures_of.append(Figure(figure, f"factor of {name}", f"Factor of each label of {name}"))
    yield in_row(*figures_of)


def reading(page: Weighting) -> tuple[str, str, str]:
    return texts.reading(len(page.aspects), page.mean, next(name for name in MEANS if name != page.mean))


# --- why: the effect of zeros on a mean, and its maximum --------------------------------------------------------------


def why(page: Weighting) -> None:
    show.screen(zeros(page))
    show.screen(bounds(page))


def zeros(page: Weighting) -> Iterator[Item]:
    """Yield a text and a table with each system's share of topics on which an aspect, and therefore MM, scores 0.

    This is Problem 1 of Maistro et al. 2021.
    """
    rankings, parts = record(page.collection).rankings, page.part_scores.it
    combined = record(MM).combine(parts, page.parsed.it.shares)
    mm_is_0 = line("mm_is_0", rankings.topic_means((combined == 0).astype(float)))
    is_0 = line("is_0", each(parts, lambda part: rankings.topic_means((part == 0).astype(float))))
    share = line("share", (parts == 0).any(axis=0)[rankings.counted()].mean())
    named = zip([f"{name} is 0" for name in page.aspects], is_0.value, strict=True)
    systems = pd.Index(page.collection.systems, name="system", dtype=object)
    table = pd.DataFrame({"MM is 0": mm_is_0.value, **dict(named)}, index=systems)
    yield Text(texts.zeros(share.value, page.collection.rankings.counted().sum()), calls=(share,))
    ordered = table.sort_values("MM is 0", ascending=False)
    yield Table(ordered, "zeros", decimals=dict.fromkeys(table.columns, 3), height=420, calls=(mm_is_0, is_0))


def bounds(page: Weighting) -> Iterator[Item]:
    """Yield a text and a figure on the highest attainable score on each topic: the best of several ideal rankings."""
    table = bounds_call(page)
    best = line("best", table.it.max(axis=1))
    reach = line("reach_1", (best.it > 1 - 1e-9).mean())
    below = line("below_9", (best.it < 0.9).mean())
    lowest = best.value.index[first_largest(-best.value.to_numpy())]
    yield Text(texts.bounds(reach.value, below.value, best.value.min(), lowest), calls=(reach, below))
    figure = call("", figures.bound_boxes, table.it, page.mean)
    yield Figure(figure, "bounds", texts.BOXES)
    yield Text.note(texts.READING_BOXES)


def bounds_call(page: Weighting) -> Call[pd.DataFrame]:
    """Return the call of the scores of candidate ideal rankings, topics x strategies; they are cached."""
    pool = record(page.collection).assessments
    made = call("bounds", ec.upper_bounds, page.parsed.it, pool, list(page.aspects))
    return cached_call(made, page.collection, "Building ideal rankings")
