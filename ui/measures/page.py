"""The page Build a measure: combine any gain, discount and normaliser, and compare the result with another measure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.measures import GainDiscount
from ui.address.highlight import Highlight
from ui.address.presets import draw_presets
from ui.computing.measures import parsed
from ui.data import open_collection
from ui.measures import texts
from ui.measures.measure_settings import KNOWN, Built, parts_of
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Item, in_row
from ui.shell import live
from ui.tune import frame, scatter
from ui.tune.frame import Family

SHOWN_RANKS = 25


def main() -> None:
    page = Built.now(open_collection.titled("measures"))
    frame.draw(page, Highlight.now(page.collection), Family(draw, draw_more, own, lambda page: texts.READING))


def draw(page: Built) -> None:
    """Draw the controls of the measure's main parts: cut-off, known measure to start from, gain and discount."""
    page.draw("cutoff")
    draw_presets(page, "start", {name: parts_of(measure) for name, measure in KNOWN.items()})
    page.draw("gain", "discount")


def draw_more(page: Built) -> None:
    """Draw the controls under "More settings": the normaliser and the aspect."""
    page.draw("normaliser", "aspect")


def own(page: Built, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the comparison with the other measure, the gain of each grade, and the discount of each rank."""
    with right:
        live.follow(page, parts)


def parts(page: Built) -> Iterator[Item]:
    """Yield the comparison with the other measure, the gain of each grade, and the discount of each rank."""
    scale, depth = page.scale, min(page.measure.cutoff or SHOWN_RANKS, SHOWN_RANKS)
    measure = parsed("measure", page.measure)
    if len(page.collection.systems) > 1:
        yield from scatter.headline(page)
    of = line("scale", record(page.collection).assessments.scale(page.aspect))
    gains = line("gains", measure.it.gain.of(record(np.array)(of.it.grades), of.it))
    gain = call("", figures.gain_bars, [f"{grade:g}" for grade in scale.grades], gains.it)
    left = Figure(gain, "gain", "Gain by grade")
    yield in_row(left, by_rank(measure, depth))


def by_rank(measure: Call[GainDiscount], depth: int) -> Figure:
    """Return the figure of the discount of each rank."""
    discounts = line("discounts", measure.it.discount.of(depth))
    read_so_far = line("read_so_far", discounts.it.cumsum() / discounts.it.sum())
    figure = call("", figures.discount_bars, record(np.pad)(discounts.it, (0, SHOWN_RANKS - depth)))
    return Figure(figure, "discount", "Discount by rank", calls=(read_so_far,))
