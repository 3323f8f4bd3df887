"""A measure of any family worked out on a ranking that fits a pencil."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.explain import read_down
from evalcore.measures import has_user_model
from evalcore.teaching.papers.by_hand import HandExample, hand_examples
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Headline, Item, Latex, Table, Text
from ui.screen.text import measure_name
from ui.stage import show
from ui.teaching.worked_examples.controls import ExampleSettings

DECIMALS = {"adds": 4, "sum so far": 4, "C": 4, "W": 4, "L": 4}
ABOUT = (
    "*adds* is what the score rises by at a rank. Of a measure with a reader, C is the share of those at a rank who go "
    "on, W how much of all that is read is read there, L how many end there; the score is the sum of W times the gains."
)


def each_measure(page: ExampleSettings, place: st.delta_generator.DeltaGenerator) -> None:
    with place:
        page.draw("one")
    example = Example(page)
    show.screen(draw(example))
    hand = example.hand.value
    if hand.reads == "grades":
        st.button("Change it under Your own", on_click=page.start, args=(hand.ranking,), icon=":material/edit:")
    show.explain(
        "One ranking with what assessors said, the measure's score, and the sum that gives it.",
        ABOUT,
        "Compute the score on paper before you look at the sum. Then change a label under Your own.",
    )


@dataclass(frozen=True)
class Example:
    """The example that is looked at, as calls."""

    page: ExampleSettings

    @cached_property
    def hand(self) -> Call[HandExample]:
        return line("example", record(hand_examples)()[self.page.one])

    @cached_property
    def collection(self) -> Call[Collection]:
        return line("c", self.hand.it.collection)

    @cached_property
    def score(self) -> Call[float]:
        scores = record(ec.evaluate)(self.hand.value.measure, self.collection.it)
        score: Any = scores.iloc[0, 0]
        return call("score", float, score)

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """Rank by rank; of an answer its nuggets."""
        if self.hand.value.reads == "nuggets":
            return line("table", self.hand.it.table)
        table = call("table", read_down, self.hand.value.measure, self.collection.it, SYSTEM, TOPIC)
        if not has_user_model(self.hand.value.measure):
            return table
        model, n = record(ec.user_model)(self.hand.value.measure), record(len)(table.it)
        curves = model.curves(self.collection.it, n).set_axis(list("CWL"), axis=1)
        return line("read", table.it.join(curves))


def draw(example: Example) -> Iterator[Item]:
    """The score, its sum, and what is summed."""
    hand, score = example.hand.value, example.score
    yield Headline(f"By {measure_name(hand.parsed)} this example scores **{score.value:.4f}**.", (score,))
    yield Text(f"`{' '.join(hand.sum.split())}` = {score.value:.4f}", calls=(example.hand, score))
    yield Text(f"{hand.words} ({hand.parsed.reference})")
    table = example.table
    grades = dict.fromkeys(hand.table.columns, 0)
    yield Table(table, "example by hand", decimals=DECIMALS | grades)
    yield Latex(hand.parsed.latex(example.collection.value.assessments.scales))
