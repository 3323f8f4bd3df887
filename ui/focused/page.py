"""The page Passages: parts of documents, by the characters highlighted in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.measures import Measure, iP
from ui.computing.doubt import decimals, first_calls, with_doubt
from ui.data import open_collection
from ui.focused.document_reader import read_documents
from ui.focused.passage_settings import (
    DOCUMENT,
    FOCUSED,
    RELEVANT,
    FocusedSettings,
    draw_choices,
    draw_settings,
    official,
    short,
)
from ui.focused.score_figures import draw
from ui.focused.subject import SAMPLE
from ui.screen.calls import Call, call
from ui.screen.items import Item, Latex, Table, Text
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show


def main() -> None:
    collection = open_collection.titled("focused_retrieval", what_is_missing, name=SAMPLE)
    view = FocusedSettings.now(collection)
    view.draw("look")
    left, right = show.two_columns()
    with left:
        draw_choices(view)
        draw_settings(view)
    with right:
        live.follow(view, draw, "level")
        left_out(view)
    show.explain(*explanation(view))
    formulas(view)
    details(view)


def what_is_missing(collection: Collection) -> str:
    return "" if collection.passages else "This page needs highlighted passages; the open collection has none."


def left_out(view: FocusedSettings) -> None:
    """Count the parts that overlap a better one, for all systems and for the chosen one."""
    if view.task != FOCUSED or not view.passages.overlapping:
        return
    every, parts = view.passages.counted("count"), view.passages.parts
    own = every.systems.index(view.system)
    of_system = sum(sign * int((one.line // one.n_topics == own).sum()) for sign, one in ((1, every), (-1, parts)))
    fate = "count here" if view.overlaps else "are left out"
    st.caption(
        f"{view.passages.overlapping:,} of {len(every):,} parts overlap a higher-ranked part of their document, "
        f"{of_system:,} of them from {markdown(view.system)}; they {fate}."
    )


def explanation(view: FocusedSettings) -> tuple[str, str, str]:
    if view.task == FOCUSED:
        return (
            "Each line is a system: its best precision from the point at which it has returned a share of the "
            "highlighted text (recall). Precision is the share of the returned characters that an assessor "
            "highlighted. Vertical lines are the four official levels.",
            "High at first, early drop: little text, but the right text. Low and long: whole documents with much text "
            "to skip. iAP, the official measure, is the mean height of the line.",
            "Choose one topic: the dots are precision after each part, the line the best precision from there on. Then "
            "read the parts below, rank by rank.",
        )
    if view.task == RELEVANT:
        return (
            "Each line is a system: gP[r], the mean score of its first r documents. A document scores F, which is high "
            "if the system returned exactly its highlighted text.",
            "A system that returns whole documents misses nothing but returns much useless text; a system that returns "
            "single paragraphs does the reverse. β sets which of the two costs more.",
            "Raise β to 3 to favour long parts, or lower it to 0.3 to favour short ones. *τ with official* shows how "
            "much the ranking changed.",
        )
    return (
        "Each line is a system: its MAgP as s(x, b) becomes more lenient from left to right. The vertical line is the "
        "current setting. s is 1 if a system begins exactly at the best entry point.",
        "If lines cross, the choice of A (or n) decides which system is better. Far to the right every start is close "
        "enough, and only finding the right documents counts.",
        "Move A to 10, then to 0.01, and watch *τ with official*. Then count by a screen: beyond n characters there is "
        "no gain.",
    )


def formulas(view: FocusedSettings) -> None:
    with st.expander("Formulas with the current values"):
        for measure in view.scored.measures[-2:]:
            show.put(Latex(measure.latex()))
        st.code(str(view.scored.official), language=None)
        st.caption(
            "Any 0 / 0 is 0. A document has the rank of its first part, where reading begins. iP is 0 above the recall "
            "that a list reaches."
        )


def details(view: FocusedSettings) -> None:
    if view.look == DOCUMENT:
        read_documents(view)
    else:
        show.screen(table(view))


def table(view: FocusedSettings) -> Iterator[Item]:
    """Show the official table, with ranks and their doubt."""
    places = call("places", ec.ranks, view.means.it)
    shown = view.table.value.copy()
    shown.insert(0, "rank", places.value.astype(int))
    shown = with_doubt(shown, view.frame.value if view.frame else None, after="rank")
    calls, end = list[Call[Any]]([view.table, places, *(first_calls(view.frame) if view.frame else ())]), "."
    if view.scored != view.given:
        theirs = official("theirs", view.given, view.collection)
        by = call("official_places", ec.ranks, theirs.it.iloc[:, -1])
        shown["official rank"] = by.value.astype(int)
        calls.append(by)
        end = f"; official rank: by {markdown(view.given.official)}."
    yield Text.note(
        f"The table of the task {view.task}: means over {len(view.collection.topics)} topics, ranked by "
        f"{markdown(view.scored.official)}{end}"
    )
    columns = {
        str(measure): st.column_config.NumberColumn(column_name(measure), format="%.4f", help=str(measure))
        for measure in view.scored.measures
    }
    yield Table(shown, view.task, decimals(), min(35 * len(shown) + 38, 560), columns=columns, calls=tuple(calls))


def column_name(measure: Measure) -> str:
    return f"iP[{measure.recall:.2f}]" if isinstance(measure, iP) else short(measure)
