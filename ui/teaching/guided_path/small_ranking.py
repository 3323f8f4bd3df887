"""One ranking of eight pages to reorder by hand, for the first steps, which use no collection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd
import streamlit as st

from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.explain import read_down
from evalcore.explain.what_if import MoveTo, Reorder, edited
from evalcore.measures import Measure
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC, written_collection
from ui.address.edits import MOST, Editing, Edits, buttons, undone_of
from ui.address.settings import setting
from ui.data.as_python import TextLines
from ui.screen.calls import Call, call
from ui.teaching.guided_path.base import LessonSettings
from ui.widgets.fields import Number
from ui.widgets.ranking_table import KEYS, ranking_table, rows_of

RANKS = 8


@dataclass(frozen=True)
class SmallRanking(Editing, LessonSettings, lacks=lambda _: "its rankings are too long to edit by hand"):
    """Settings of a small ranking: its cut-off, and the moves that reordered its pages."""

    GIVEN: ClassVar[str] = ""  # the original ranking, as `written_collection` reads it

    cutoff: int = setting(Number("Cut-off k", 1, RANKS, 5, 1))
    edits: tuple[str, ...] = setting(lambda page: Edits("Moves", page.sample, shown_here=False))
    undone: int = setting(lambda page: undone_of(page.edits))

    @cached_property
    def sample(self) -> Collection:
        return written_collection(self.GIVEN)

    @property
    def works_on(self) -> None:
        """None: the step has its own ranking and uses no collection."""
        return None

    @cached_property
    def ranking(self) -> Call[Collection]:
        """The call that makes the collection with the ranking after the moves."""
        given = call("given", written_collection, TextLines(self.GIVEN))
        return call("c", edited, given.it, list(self.made))

    def walk(self, name: str, measure: str | Measure, ranking: Call[Collection] | None = None) -> Call[pd.DataFrame]:
        """Return the call that tabulates the ranking, rank by rank, with what each rank adds to the score of a measure.

        The ranking is the current one unless `ranking` is given.
        """
        return call(name, read_down, str(measure), (ranking or self.ranking).it, SYSTEM, TOPIC)

    def moved(self, name: str, rank: int, to: int) -> Call[Collection]:
        """Return the call that makes the collection after one more move, from `rank` to `to`."""
        return call(name, edited, self.ranking.it, [str(MoveTo(TOPIC, SYSTEM, rank, to))])

    @property
    def grades(self) -> list[float]:
        """The grades of the ranked pages, from rank 1 on; 0 for an unassessed page."""
        return self.walk("", "P").value["relevance"].fillna(0).tolist()


def moves(page: SmallRanking) -> dict[str, tuple[str, ...]]:
    """Map the name of each ready-made order to the edits that make it, for pages without a server."""
    grades = page.with_(edits=()).grades
    best = tuple(sorted(range(1, RANKS + 1), key=lambda rank: -grades[rank - 1]))
    top = next(rank for rank in range(RANKS, 0, -1) if grades[rank - 1] == max(grades))
    orders = {"best first": best, "worst first": best[::-1]}
    return {
        "as it was": (),
        f"the page at rank {top} to rank 1": (str(MoveTo(TOPIC, SYSTEM, top, 1)),),
        f"the page at rank {top} up by one": (str(MoveTo(TOPIC, SYSTEM, top, top - 1)),),
        **{name: (str(Reorder(TOPIC, SYSTEM, order)),) for name, order in orders.items()},
    }


def seen(page: SmallRanking) -> pd.DataFrame:
    """Return a table of the current ranking: document and relevance, for pages on which it cannot be changed."""
    walk = page.walk("", "P").value
    return walk[["document"]].rename_axis("rank").assign(relevance=[f"{grade:g}" for grade in page.grades])


def played(measure: Callable[[Any], str]) -> Callable[[Any], None]:
    """Return a function that draws the ranking as a table in which people can move pages.

    The table shows what each page adds to the measure, whose text `measure` returns.
    """

    def play(page: SmallRanking) -> None:
        with st.container(horizontal=True, gap="small"):
            buttons(page)
        walk = page.walk("", measure(page)).value
        ranking_table("small ranking", rows_of(page.sample, page.made, SYSTEM, TOPIC, walk, MOST, KEYS), page.make)

    return play
