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
    return "" if collection.passages else "The open collection has whole documents only, without highlighted passages."


def left_out(view: FocusedSettings) -> None:
    """Count the parts that overlap a better one, for all systems and for the chosen one."""
    if view.task != FOCUSED or not view.passages.overlapping:
        return
    every, parts = view.passages.counted("count"), view.passages.parts
    own = every.systems.index(view.system)
    of_system = sum(sign * int((one.line // one.n_topics == own).sum()) for sign, one in ((1, every), (-1, parts)))
    fate = "count here" if view.overlaps else "are left out"
    st.caption(
        f"{view.passages.overlapping:,} of {len(every):,} parts overlap a better one of their document, {of_system:,} "
        f"of them by {markdown(view.system)}; they {fate}."
    )


def explanation(view: FocusedSettings) -> tuple[str, str, str]:
    if view.task == FOCUSED:
        return (
            "Each line is a system: the best precision it still has once it has returned a share of the highlighted "
            "text (recall). Precision counts characters: of all the text returned, how much an assessor highlighted. "
            "The uprights are the four official levels.",
            "A line that starts high and falls early: little text, but good. A low, long one: whole documents, much to "
            "read past. iAP, the official measure, is the line's mean height.",
            "Choose one topic: the dots are precision after each part, the line the best of what follows. Then read "
            "the parts below, rank by rank.",
        )
    if view.task == RELEVANT:
        return (
            "Each line is a system: gP[r], the mean score of its first r documents. A document scores F, which is high "
            "where the parts returned of it are the text that was highlighted, no more and no less.",
            "A system that returns whole documents misses nothing, but much of what it returns is not worth reading; "
            "for one that returns single paragraphs it is the reverse. β says which of the two hurts more.",
            "Move β up to 3: long parts gain. Down to 0.3: short ones do. τ with official says how far the ranking "
            "moved.",
        )
    return (
        "Each line is a system: its MAgP while s(x, b) grows more lenient from left to right. The upright is the "
        "setting now. s is 1 where a system begins to read exactly at the best entry point.",
        "Where lines cross, the choice of A (or n) decides who is better. Far to the right everyone begins near "
        "enough, and only finding the right documents counts.",
        "Move A to 10, then to 0.01, and watch τ with official. Then count by a screen: beyond n characters nothing "
        "is gained.",
    )


def formulas(view: FocusedSettings) -> None:
    with st.expander("Formulas with the current values"):
        for measure in view.scored.measures[-2:]:
            show.put(Latex(measure.latex()))
        st.code(str(view.scored.official), language=None)
        st.caption(
            "Any 0 / 0 is 0. A document ranks where its first part does, and that part is where reading begins. iP is "
            "0 above the recall that a list reaches."
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
