"""The page Aspect weights: CAM, MM and their relatives under any weights of the aspects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
from ui.aspect_weights.all_weightings import Ground
from ui.aspect_weights.weighting import MEANS, Weighting, draw, draw_more
from ui.computing.cached import cached_call
from ui.computing.doubt import first_calls, leads
from ui.computing.measures import parsed
from ui.data import open_collection
from ui.screen.calls import Call, call, each, line, record
from ui.screen.items import Columns, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import markdown, of_what
from ui.shell import live
from ui.stage import show
from ui.tune import frame, scatter
from ui.tune.frame import Family, lack

PICTURES = {
    2: "Mean scores of the best systems under every weighting; a band shows who wins",
    3: "Every weighting of three aspects, coloured by the system that wins",
}
HINTS = {2: "Drag the dotted line, or move the slider.", 3: "Drag the star, in steps of 5%, or move the sliders."}


def main() -> None:
    collection = open_collection.titled("aspect_weights", what_is_missing)
    page, highlight = Weighting.now(collection), Highlight.now(collection)
    product = page.weights is None
    more_of_it: dict[str, Any] = {} if product else {"why": why}
    frame.draw(page, highlight, Family(draw, draw_more, own, of_product if product else explanation, **more_of_it))


def own(page: Weighting, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the winner under each weighting; for a product, the factor of each label of an aspect."""
    if page.weights is None:
        with right:
            live.follow(page, factors, curve="τ")
        return
    ground = Ground(page, families.styles(page.collection))
    with right:
        live.follow(page, lambda page: winners(page, ground), "weights")
        show.screen(more(page, ground))


def what_is_missing(collection: Collection) -> str:
    """Say what this family lacks in a collection; empty where it has all."""
    enough = len(collection.aspects) > 1 and len(collection.systems) > 1
    return "" if enough else lack(collection, "a second graded aspect")


def winners(page: Weighting, ground: Ground) -> Iterator[Item]:
    """The winner under the weights of the page, and the figure of the winners under all weightings."""
    yield from headline(page, ground)
    if (figure := ground.figure_at(page)) is not None:
        yield Figure(figure, "weights", PICTURES[len(page.aspects)], calls=(ground.picture(page),))


def more(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Say what can be dragged; for more aspects than the figure can show, list how often each system wins."""
    count = len(page.aspects)
    if count in HINTS:
        yield Text.note(HINTS[count])
        return
    won = line("share_won", ground.means.it.columns[ground.firsts.it].value_counts(normalize=True))
    name = "share of weightings won"
    yield Text.note(f"Share of {len(ground.grid.value):,} weightings of {count} aspects that each system wins.")
    table = won.value.rename(name).rename_axis("system").to_frame()
    yield Table(table, "weightings won", decimals={name: 3}, calls=(won,))


def headline(page: Weighting, ground: Ground) -> tuple[Headline, Columns]:
    """The winner, and the weight that must move until another system wins."""
    scores = page.scored("scores", page.measure)
    change = nearest(page, ground, scores)
    who = leads(scores.value)
    rest = f"By {page.mean}: {of_what(str(page.single), page.aspects)}"
    calls = (*first_calls(scores), change)
    if change.value is None:
        words = Headline(f"{who}\n\nNo weighting changes the winner.  \n{rest}", calls)
        number = Metric("weight to move", "none", calls=(change,))
    else:
        moved, where = change.value
        shares = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(page.aspects, where, strict=True))
        words = Headline(f"{who}\n\nAnother system wins at {shares}  \n{rest}", calls)
        help = "The smallest share of weight that must move between aspects before another system wins"
        number = Metric("weight to move", f"{moved:.1%}", help=help, calls=(change,))
    winning = call("n_winners", len, record(set)(ground.firsts.it))
    count = Metric.of("winners", winning, "Systems that win under some weighting", form="d")
    return words, in_row(number, count)


def nearest(page: Weighting, ground: Ground, scores: Call[pd.DataFrame]) -> Call[tuple[float, FloatArray] | None]:
    """Return the least share of weight that changes the winner, and the weighting it leads to; None if none does."""
    now = record(page.collection).systems.index(record(winner)(scores.it.mean()))
    return call("change", nearest_change, ground.grid.it, ground.firsts.it, page.parsed.it.shares, now)


def factors(page: Weighting) -> Iterator[Item]:
    """Both rankings, and the factor of each label of each aspect: its gain raised to the exponent of the aspect."""
    yield from scatter.headline(page)
    measure, figures_of = parsed("measure", page.product), []
    for name, power in zip(page.aspects, page.exponents or (), strict=True):
        of = line("scale", record(page.collection).assessments.scale(name))
        factor = line("factor", record(dict)(measure.it.gains)[name].of(record(np.array)(of.it.grades), of.it) ** power)
        labels = [f"{grade:g}" for grade in of.value.grades]
        figure = call("", figures.gain_bars, labels, factor.it).here(title=name, height=300)
        figures_of.append(Figure(figure, f"factor of {name}", f"Factor of each label of {name}"))
    yield in_row(*figures_of)


def of_product(page: Weighting) -> tuple[str, str, str]:
    return (
        "Each bar is a label of an aspect: the factor that multiplies the gain of a document with this label.",
        "A factor of 0 makes a document worthless, however good its other labels are. An exponent of 0 makes all "
        "factors of an aspect 1 and so removes the aspect.",
        "Raise the exponent of one aspect and watch τ; then compare the product with a mean of the same aspects.",
    )


def explanation(page: Weighting) -> tuple[str, str, str]:
    picture = {
        2: "Each line is a system: its combined score as weight moves from one aspect to the other. The band at the "
        "bottom shows the winner.",
        3: "Each point of the triangle is a weighting; a corner gives one aspect all the weight. The colour shows the "
        "winner.",
    }.get(len(page.aspects), "The bars show the share of all weightings that each system wins.")
    changes = "the colour changes" if len(page.aspects) <= 3 else "several systems share the weightings"
    other = next(name for name in MEANS if name != page.mean)
    return (
        picture,
        f"If {changes}, the winner depends on the weights. A winner that survives large moves of weight does not "
        "depend on them; a winner next to a border does.",
        f"Change {page.mean} to {other} and see how much one weak aspect costs. *Why?* shows the rankings in which an "
        "aspect scores 0 and the highest score that is possible.",
    )


# --- why: what zeros do to a mean, and how high it can get -----------------------------------------------------------


def why(page: Weighting) -> None:
    show.screen(zeros(page))
    show.screen(bounds(page))


def zeros(page: Weighting) -> Iterator[Item]:
    """Shares of topics on which an aspect scores 0, so that MM is 0 as well (Maistro et al. 2021, Problem 1)."""
    rankings, parts = record(page.collection).rankings, page.part_scores.it
    combined = record(MM).combine(parts, page.parsed.it.shares)
    mm_is_0 = line("mm_is_0", rankings.topic_means((combined == 0).astype(float)))
    is_0 = line("is_0", each(parts, lambda part: rankings.topic_means((part == 0).astype(float))))
    share = line("share", (parts == 0).any(axis=0)[rankings.counted()].mean())
    named = zip([f"{name} is 0" for name in page.aspects], is_0.value, strict=True)
    systems = pd.Index(page.collection.systems, name="system", dtype=object)
    table = pd.DataFrame({"MM is 0": mm_is_0.value, **dict(named)}, index=systems)
    count = page.collection.rankings.counted().sum()
    yield Text(
        f"In **{share.value:.1%}** of {count:,} ranking{'' if count == 1 else 's'} some aspect scores 0. The harmonic "
        "mean is then 0, whatever the other aspects score; an aspect of weight 0 is left out.",
        calls=(share,),
    )
    ordered = table.sort_values("MM is 0", ascending=False)
    yield Table(ordered, "zeros", decimals=dict.fromkeys(table.columns, 3), height=420, calls=(mm_is_0, is_0))


def bounds(page: Weighting) -> Iterator[Item]:
    """The best attainable score of each topic, by ideal rankings of several strategies."""
    table = bounds_call(page)
    best = line("best", table.it.max(axis=1))
    reach = line("reach_1", (best.it > 1 - 1e-9).mean())
    below = line("below_9", (best.it < 0.9).mean())
    lowest = best.value.index[first_largest(-best.value.to_numpy())]
    yield Text(
        f"**{reach.value:.0%}** of the topics can reach 1. On **{below.value:.0%}** even the best known ranking stays "
        f"below 0.9; the lowest maximum is {best.value.min():.3f} (topic {markdown(lowest)}).",
        calls=(reach, below),
    )
    figure = call("", figures.bound_boxes, table.it, page.mean)
    yield Figure(figure, "bounds", "Scores of the candidate ideal rankings by topic")
    yield Text.note(
        "Each box holds the scores of candidate ideal rankings of a topic: all assessed documents ordered by every "
        "order of the aspects, by the sum of the labels, by the sum of their squares and by the largest label. A "
        "measure with its own ideal ranking would reach 1 on every topic (Maistro et al. 2021, section 4.2)."
    )


def bounds_call(page: Weighting) -> Call[pd.DataFrame]:
    """The scores of the candidate ideal rankings, topics x strategies; kept for the next run."""
    pool = record(page.collection).assessments
    made = call("bounds", ec.upper_bounds, page.parsed.it, pool, list(page.aspects))
    return cached_call(made, page.collection, "Building ideal rankings")
