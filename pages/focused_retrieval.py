"""How much of what was returned was worth reading? Parts of documents, by the characters highlighted in them."""

from __future__ import annotations

import streamlit as st

from evalcore.measures import Measure, iP, official_table
from evalcore.meta import ranks
from ui.address import families, site
from ui.computing.first import code as first_code
from ui.computing.first import decimals, with_doubt
from ui.computing.tau import code as tau_code
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.focused_retrieval.controls import (
    A_VALUES,
    DOCUMENT,
    FOCUSED,
    N_VALUES,
    RELEVANT,
    FocusedSettings,
    draw_choices,
    draw_settings,
    short,
)
from ui.focused_retrieval.figure import draw, headline
from ui.focused_retrieval.reading import read_documents
from ui.screen.items import Latex, Table
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.beside import two_columns


def main() -> None:
    opened = open_collection.current()
    site.title("focused_retrieval")
    collection = opened if opened.passages else open_collection.sample(open_collection.FOCUSED_NAME)
    if collection.passages is None:
        st.info("Neither the open collection nor the sample has highlighted passages.", icon=":material/info:")
        return
    if collection is not opened:
        st.caption(
            f":material/info: {markdown(opened.title)} has whole documents only, without highlighted passages: the "
            f"*{open_collection.FOCUSED_NAME}* is shown instead, {markdown(collection.summary)}."
        )
    view = FocusedSettings.now(collection)
    draw_choices(view)
    left, right = two_columns()
    with left:
        draw_settings(view)
    with right:
        headline(view)
        draw(view)
    show.explain(*explanation(view))
    formulas(view)
    as_python(collection, *python_lines(view))
    details(view)


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


def formulas(view: FocusedSettings) -> None:
    with st.expander("Formulas with the current values"):
        for measure in view.scored.measures[-2:]:
            show.put(Latex(measure.latex()))
        st.code(str(view.scored.official), language=None)
        st.caption(
            "Any 0 / 0 is 0. A document ranks where its first part does, and that part is where reading begins. iP is "
            "0 above the recall that a list reaches."
        )


def python_lines(view: FocusedSettings) -> list[str]:
    """What recomputes the table, the headline and what is read."""
    score = "" if view.scored.score is None else f", measures.{view.scored.score}"
    others = [RELEVANT] if view.task == FOCUSED else [view.task, FOCUSED]
    over = "" if view.single is None else ', topics="all"'
    pick = ".mean()" if view.single is None else f".loc[{view.single!r}]"
    lines = [
        *(["import pandas as pd"] if view.task not in (FOCUSED, RELEVANT) else []),
        "from evalcore import figures, measures",
        "from evalcore.meta import ranks",
        "",
        f"task, system = measures.Task({view.task!r}{score}), {view.system!r}",
        "table = measures.official_table(task, c)",
        f"scores = ec.evaluate(task.official, c{over}){pick}",
        "places = ranks(scores)",
        *([] if view.frame is None else first_code("[ec.evaluate(task.official, c)]", view.frame)),
        f"others = [measures.official_table(one, c) for one in {others!r}]",
        "taus = [ec.tau(table.iloc[:, -1], other.iloc[:, -1][table.index]) for other in others if len(table) > 1]",
    ]
    if view.frame is not None:
        official = [f"ec.evaluate(others[{at}].columns[-1], c)" for at in range(len(others))]
        lines += tau_code(*(("ec.evaluate(task.official, c)", one) for one in official))
    if view.task == FOCUSED:
        lines.append(f"early = ec.evaluate(measures.iP(recall=0.01), c{over}){pick}[system]")
        lines.append(f"curves = measures.interpolated_curves(c.passages, {view.single!r}, rankings=c.rankings)")
        drawn = "recall_curves(curves, styles, system"
        if view.single is not None:
            lines.append(f"points = measures.precision_recall(c.passages, system, {view.single!r})")
            drawn += ", points=points"
        drawn += ", until=0.105" if view.early else ""
    elif view.task == RELEVANT:
        curves = f"measures.generalised_curves(c.passages, task.score, {view.single!r}, rankings=c.rankings)"
        lines.append(f"curves = {curves}")
        drawn = "rank_curves(curves, styles, system"
    else:
        entry, values = ("EntryScreen(n=at)", N_VALUES) if view.A is None else ("Entry(A=at)", A_VALUES)
        at = f"ec.evaluate(measures.AgP(measures.{entry}), c{over}){pick}"
        name = "n" if view.A is None else "A"
        lines.append(f"curves = pd.DataFrame({{at: {at} for at in {values!r}}}).T.rename_axis({name!r})")
        drawn = f"setting_curves(curves, styles, system, task.score.{name}" + (", score='AgP'" if view.single else "")
    return [
        *lines,
        *(read_lines(view) if view.look == DOCUMENT and view.rank else []),
        *families.code(view.collection),
        f"figures.{drawn})",
    ]


def read_lines(view: FocusedSettings) -> list[str]:
    """What recomputes the list down to the rank that is read, and the scores of its document."""
    found, rows = f"found = c.passages, system, {view.reading!r}", f".iloc[: {view.rank}]"
    if view.by_part:
        return [
            found,
            f"read = measures.precision_recall(*found){rows}",
            "documents = measures.ranked_documents(*found)",
            "document = documents[documents['document'] == read['document'].iloc[-1]]",
        ]
    read = f"read = measures.ranked_documents(*found, task.score){rows}"
    return [found, read, "generalised = read[str(task.score)].mean()"]


def details(view: FocusedSettings) -> None:
    view.draw("look")
    if view.look == DOCUMENT:
        read_documents(view)
    else:
        table(view)


def table(view: FocusedSettings) -> None:
    shown = view.table.copy()
    shown.insert(0, "rank", ranks(view.means).astype(int))
    shown = with_doubt(shown, view.frame, after="rank")
    end = "."
    if view.scored != view.given:
        official = official_table(view.given, view.collection)[str(view.given.official)]
        shown["official rank"] = ranks(official).astype(int)
        end = f"; official rank: by {markdown(view.given.official)}."
    st.caption(
        f"The table of the task {view.task}: means over {len(view.collection.topics)} topics, ranked by "
        f"{markdown(view.scored.official)}{end}"
    )
    columns = {
        str(one): st.column_config.NumberColumn(column_name(one), format="%.4f", help=str(one))
        for one in view.scored.measures
    }
    show.put(Table(shown, view.task, height=min(35 * len(shown) + 38, 560), columns=columns, decimals=decimals()))


def column_name(measure: Measure) -> str:
    return f"iP[{measure.recall:.2f}]" if isinstance(measure, iP) else short(measure)


main()
