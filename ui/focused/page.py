"""The page Passages: parts of documents, scored by the characters highlighted in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.measures import Measure, iP
from ui.computing.doubt import decimals, first_calls, with_doubt
from ui.data import open_collection
from ui.focused import texts
from ui.focused.document_reader import read_documents
from ui.focused.passage_settings import DOCUMENT, FOCUSED, FocusedSettings, draw_choices, draw_settings, official, short
from ui.focused.score_figures import draw
from ui.focused.subject import SAMPLE
from ui.screen.calls import Call, call
from ui.screen.items import Item, Latex, Table, Text
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
    show.explain(*texts.reading(view))
    formulas(view)
    details(view)


def what_is_missing(collection: Collection) -> str:
    return "" if collection.passages else texts.NO_PASSAGES


def left_out(view: FocusedSettings) -> None:
    """State how many parts overlap a higher-ranked part, for all systems and for the chosen one."""
    if view.task != FOCUSED or not view.passages.overlapping:
        return
    every, parts = view.passages.counted("count"), view.passages.parts
    own = every.systems.index(view.system)
    of_system = sum(sign * int((one.line // one.n_topics == own).sum()) for sign, one in ((1, every), (-1, parts)))
    st.caption(texts.overlapping(view, len(every), of_system))


def formulas(view: FocusedSettings) -> None:
    with st.expander("Formulas with the current values"):
        for measure in view.scored.measures[-2:]:
            show.put(Latex(measure.latex()))
        st.code(str(view.scored.official), language=None)
        st.caption(texts.FORMULAS)


def details(view: FocusedSettings) -> None:
    if view.look == DOCUMENT:
        read_documents(view)
    else:
        show.screen(table(view))


def table(view: FocusedSettings) -> Iterator[Item]:
    """Yield the official table, with ranks and the intervals of the ranks."""
    places = call("places", ec.ranks, view.means.it)
    shown = view.table.value.copy()
    shown.insert(0, "rank", places.value.astype(int))
    shown = with_doubt(shown, view.frame.value if view.frame else None, after="rank")
    calls = list[Call[Any]]([view.table, places, *(first_calls(view.frame) if view.frame else ())])
    if view.scored != view.given:
        theirs = official("theirs", view.given, view.collection)
        by = call("official_places", ec.ranks, theirs.it.iloc[:, -1])
        shown["official rank"] = by.value.astype(int)
        calls.append(by)
    yield Text.note(texts.official_table(view))
    columns = {
        str(measure): st.column_config.NumberColumn(column_name(measure), format="%.4f", help=str(measure))
        for measure in view.scored.measures
    }
    yield Table(shown, view.task, decimals(), min(35 * len(shown) + 38, 560), columns=columns, calls=tuple(calls))


def column_name(measure: Measure) -> str:
    return f"iP[{measure.recall:.2f}]" if isinstance(measure, iP) else short(measure)
