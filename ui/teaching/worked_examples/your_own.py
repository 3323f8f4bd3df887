"""A ranking and labels of your own: what each measure says of it, rank by rank, and what if a document moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.common.rounding import less
from evalcore.data import Collection
from evalcore.explain import read_down
from evalcore.explain.what_if import edited
from evalcore.figures.style import system_styles
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC, written_collection
from ui.address.edits import MOST, buttons
from ui.computing.measures import frames
from ui.data.as_python import TextLines
from ui.screen.calls import Call, call, keyed, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import counted, markdown, reading_name, score_text
from ui.stage import show
from ui.teaching.worked_examples.controls import GALLERY, ExampleSettings
from ui.widgets.ranking_table import KEYS, ranking_table, rows_of


def your_own(page: ExampleSettings) -> None:
    left, right = show.two_columns(0.3)
    with left:
        page.draw("written", "measures")
        st.caption("Start from")
        with st.container(horizontal=True, gap="small"):
            for name, text in GALLERY.items():
                st.button(name, key=f"gallery {name}", on_click=page.start, args=(text,))
    with right, show.errors():
        if isinstance(page.yours, InputError):
            raise page.yours
        answer(page, page.yours)
    show.explain(
        "Your ranking as a table, and below it the score by each measure, with what each rank adds to it.",
        "A measure that is a sum over ranks has a column and a curve; of the others there is the score alone. Grades "
        "go from 0 to the highest one, by which most measures divide.",
        "Drag a document to another rank, or choose another label, and see which measures notice. Write documents that "
        "the ranking lacks below ---: nDCG and AP fall, RBP and P@k do not.",
    )


def answer(page: ExampleSettings, written: Collection) -> None:
    """The ranking to edit, and what each measure says of it."""
    after = edited(written, page.made)
    known = list(frames(after, page.measures))
    if not known:
        raise InputError("expected a measure that fits these aspects, found none")
    own = Own(page, known)
    with st.container(horizontal=True, gap="small"):
        buttons(page)
    first = next(iter(own.walks.value.values()))
    ranking_table("own ranking", rows_of(written, page.made, SYSTEM, TOPIC, first, MOST, KEYS), page.make)
    show.screen(draw(own))


@dataclass(frozen=True)
class Own:
    """The example as written and as edited, by the measures that have an answer, as calls."""

    page: ExampleSettings
    measures: list[str]

    @cached_property
    def both(self) -> tuple[Call[Collection], Call[Collection]]:
        written = call("c", written_collection, TextLines(self.page.written or ""))
        return written, call("after", edited, written.it, list(self.page.made))

    @cached_property
    def scores(self) -> Call[pd.DataFrame]:
        """Measures x as written and edited."""

        def scored(c: Collection) -> dict[str, float]:
            score: Callable[[str], Any] = lambda text: record(ec.evaluate)(text, c).iloc[0, 0]  # noqa: E731
            return keyed(self.measures, score)

        written, after = self.both
        return call("scores", pd.DataFrame, {"as written": scored(written.it), "edited": scored(after.it)})

    @cached_property
    def walks(self) -> Call[dict[str, pd.DataFrame]]:
        """The edited ranking from the top to its end, by each measure."""
        after = self.both[1].it
        return line("walks", keyed(self.measures, lambda text: record(read_down)(text, after, SYSTEM, TOPIC)))

    @cached_property
    def sums(self) -> Call[dict[str, pd.DataFrame]]:
        """Those by measures that are sums over ranks."""
        return line("sums", {text: self.walks.it[text] for text, walk in self.walks.value.items() if "adds" in walk})


def draw(own: Own) -> Iterator[Item]:
    """Scores of the example as written and as edited, and what each rank adds."""
    table = own.scores.value.rename_axis("measure")
    yield headline(own)
    yield Table(table, "scores of your example", calls=(own.scores,))
    sums = own.sums
    if sums.value:
        height = 300 + 20 * len(sums.value)
        shown = keyed(sums.it, lambda text: record(reading_name)(text))
        styles = record(system_styles)(record(list)(sums.it), shown=shown)
        figure = call("", figures.running_sums, sums.it, styles, height=height, discount=False)
        yield Figure(figure, "own sums", "The score by each measure as it grows from rank to rank")
        yield Text.note("What each rank adds to the score:")
        adds = call("adds", pd.DataFrame, mapped(sums.it, lambda walk: walk["adds"]))
        documents = adds.value.copy()
        documents.insert(0, "document", next(iter(sums.value.values()))["document"])
        yield Table(documents, "what each rank adds", calls=(adds,))
    if len(sums.value) < len(own.measures):
        others = ", ".join(markdown(reading_name(text)) for text in own.measures if text not in sums.value)
        yield Text.note(f"No sum over ranks: {others}.")


def headline(own: Own) -> Headline:
    """How many measures notice what was edited; where nothing was, the first score."""
    table, made = own.scores.value, own.page.made
    if not made:
        by, score = markdown(reading_name(str(table.index[0]))), score_text(table["edited"].iloc[0])
        return Headline(f"By {by} your ranking scores **{score}**.", (own.scores,))
    before, after = own.scores.it["as written"], own.scores.it["edited"]
    changed = line("changed", (record(less)(before, after) | record(less)(after, before)).sum())
    notice = "notices" if changed.value == 1 else "notice"
    what = f"{counted(int(changed.value), 'measure')} of {len(table)} {notice}"
    return Headline(f"{what} what {counted(len(made), 'edit')} changed.", (changed,))
