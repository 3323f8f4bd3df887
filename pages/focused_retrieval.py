"""How much of what was returned was worth reading? Parts of documents, by the characters highlighted in them."""

from __future__ import annotations

import streamlit as st

from evalcore.measures import Measure, iP, official_table
from evalcore.meta import ranks
from ui import collections, show
from ui.code import as_python
from ui.controls import choose
from ui.focused.controls import FOCUSED, RELEVANT, View, choices, settings, short
from ui.focused.figure import draw, headline
from ui.reading import read_documents
from ui.text import markdown

VIEWS = ("The document", "Official table")


def main() -> None:
    opened = collections.current()
    st.title("How much of what was returned was worth reading?", anchor=False)
    collection = opened if opened.passages else collections.sample(collections.FOCUSED_NAME)
    if collection.passages is None:
        st.info("Neither the open collection nor the sample has highlighted passages.", icon=":material/info:")
        return
    if collection is not opened:
        st.caption(
            f":material/info: {markdown(opened.title)} has whole documents only, without highlighted passages: the "
            f"*{collections.FOCUSED_NAME}* is shown instead, {markdown(collection.summary)}."
        )
    view = choices(collection, collection.passages)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        view = settings(view)
    with right:
        headline(view)
        draw(view)
    show.explain(*explanation(view))
    formulas(view)
    if collection is opened:
        as_python(collection, *python_lines(view))
    details(view)


def explanation(view: View) -> tuple[str, str, str]:
    if view.task.name == FOCUSED:
        return (
            "Each line is a system: the best precision it still has once it has returned a share of the highlighted "
            "text (recall). Precision counts characters: of all the text returned, how much an assessor highlighted. "
            "The uprights are the four official levels.",
            "A line that starts high and falls early: little text, but good. A low, long one: whole documents, much to "
            "read past. iAP, the official measure, is the area under the line.",
            "Choose one topic: the dots are precision after each part, the line the best of what follows. Then read "
            "the parts below, rank by rank.",
        )
    if view.task.name == RELEVANT:
        return (
            "Each line is a system: gP[r], the mean score of its first r documents. A document scores F, which is high "
            "where the parts returned of it are the text that was highlighted, no more and no less.",
            "Who returns whole documents misses nothing, and much of it is not worth reading; who returns single "
            "paragraphs the reverse. β says which of the two hurts more.",
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


def formulas(view: View) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        for measure in view.task.measures[-2:]:
            st.latex(measure.latex())
        st.code(str(view.task.official), language=None)
        st.caption(
            "Any 0 / 0 is 0. A document ranks where its first part does, and that part is where reading begins. iP is "
            "0 above the recall that a list reaches."
        )


def python_lines(view: View) -> list[str]:
    task, score = view.task.name, view.task.score
    if score is None:
        return ["from evalcore.measures import official_table", "", f'table = official_table("{task}", c)']
    names = ", ".join(sorted([type(score).__name__, "Task", "official_table"]))
    return [f"from evalcore.measures import {names}", "", f'table = official_table(Task("{task}", {score}), c)']


def details(view: View) -> None:
    if choose("Look closer", "closerlook", VIEWS, segmented=True) == VIEWS[0]:
        read_documents(view.passages, view.task, view.system, view.topic, view.collection.queries)
    else:
        table(view)


def table(view: View) -> None:
    shown, as_given = view.table.copy(), view.as_given
    shown.insert(0, "rank", ranks(view.means).astype(int))
    end = "."
    if view.task != as_given:
        official = official_table(as_given, view.collection)[str(as_given.official)]
        shown["official rank"] = ranks(official).astype(int)
        end = f"; official rank: by {markdown(as_given.official)}."
    st.caption(
        f"The table of the task {view.task.name}: means over {len(view.collection.topics)} topics, ranked by "
        f"{markdown(view.task.official)}{end}"
    )
    columns = {
        str(one): st.column_config.NumberColumn(column_name(one), format="%.4f", help=str(one))
        for one in view.task.measures
    }
    show.table(shown, view.task.name, height=min(35 * len(shown) + 38, 560), columns=columns)


def column_name(measure: Measure) -> str:
    return f"iP[{measure.recall:.2f}]" if isinstance(measure, iP) else short(measure)


main()
