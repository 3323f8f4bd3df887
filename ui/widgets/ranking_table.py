"""A ranking as an editable table: documents are moved by mouse, finger or keys, and labels are chosen.

Keys: the arrows go from row to row; with Alt, they move the document; Delete removes it. See ranking_table.js.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Assessments, Collection, Scale
from evalcore.explain.what_if import UNASSESSED, MoveTo, Regrade, Remove, edited, stood_at
from ui.widgets.callback import callback
from ui.widgets.component import component

KEYS = "Drag a row by ⠿, or press Alt with ↑ or ↓. Delete removes a document."
HELP = f"{KEYS} A changed label applies to all systems."
MOST_OTHERS = 200  # most documents offered for adding
ORDER, ORDER_HELP = "order:", "Drag a row, or press Alt with ↑ or ↓."
MOST_MOVES = 200
_MOVE = re.compile(r"move:order:([0-9]{1,4}):([0-9]{1,4})")
_NOTHING: dict[str, Any] = {"regrade": "", "labels": [], "numbers": []}
_mount = component("ranking", __file__, '<div class="ranking"></div>')


def ranking_table(key: str, data: dict[str, Any], made: Callable[[Sequence[str]], None]) -> None:
    """Show a table of rows that can be moved and edited; after each edit, `made` is called with all edits, as text.

    `data` is the result of `rows_of` or `rows_to_order`.
    """

    @callback
    def sent() -> None:
        made([str(edit) for edit in st.session_state[key]["edits"]])

    _mount(key=key, data=data, on_edits_change=sent)


def rows_to_order(
    what: str, items: Sequence[str], edits: Sequence[str], names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the data of a table in which items can only be reordered, with the edits applied.

    `what` is a noun for an item; `names` maps items to their labels, if these differ.
    """
    called = dict(zip(items, items, strict=True)) | dict(names or {})
    rows = [
        {"id": item, "was": at, "document": called[item], "text": called[item], **_NOTHING}
        for at, item in enumerate(ordered(items, edits), start=1)
    ]
    common = {"edits": list(edits), "most": MOST_MOVES, "line": ORDER, "aspects": [], "numbers": [], "others": []}
    return {"help": ORDER_HELP, "what": what, "fixed": True, "rows": rows, **common}


def ordered(items: Sequence[str], edits: Sequence[str]) -> tuple[str, ...]:
    """Return items after the moves among `edits`; other edits are ignored.

    >>> ordered(["a", "b", "c"], ["move:order:3:1", "remove:order:1"])
    ('c', 'a', 'b')
    """
    listed = list(items)
    for edit in edits[:MOST_MOVES]:
        if result := _MOVE.fullmatch(edit):
            place, to = (int(text) - 1 for text in result.groups())
            if max(place, to) < len(listed) and min(place, to) >= 0:
                listed.insert(to, listed.pop(place))
    return tuple(listed)


def rows_of(
    before: Collection, edits: Sequence[str], system: str, topic: str, walk: pd.DataFrame, most: int, help: str = HELP
) -> dict[str, Any]:
    """Return the data of the table: the rows of the edited ranking, each with its former rank.

    `walk` is the edited ranking, rank by rank, and `most` the largest number of edits. The data include the documents
    of the pool that the ranking lacks, because these may be added.
    """
    after = edited(before, edits)
    t = after.topics.index(topic)
    places, rows = after.rankings.hits(after.systems.index(system), t, len(walk))
    row_at = dict(zip((places + 1).tolist(), rows.tolist(), strict=True))
    was = stood_at(before, edits, system, topic)
    numbers = [name for name in ("adds",) if name in walk]
    added = walk[numbers].to_numpy(dtype=float)
    pools = before.assessments, after.assessments
    line = str(MoveTo(topic, system, 0, 0)).removeprefix("move:").removesuffix("0:0")
    scales = [after.assessments.scale(name) for name in after.aspects]
    return {
        "help": help,
        "edits": list(edits),
        "most": most,
        "line": line,
        "aspects": [_aspect(scale) for scale in scales],
        "numbers": numbers,
        "others": _others(after, system, t, scales),
        "rows": [
            {
                "id": was[rank - 1] or document,
                "was": was[rank - 1],
                "document": document,
                "text": after.texts.get(document, "")[:300],
                "regrade": str(Regrade(topic, document, "", None)).removesuffix(f":{UNASSESSED}"),
                "labels": [_label(*pools, scale, row_at[rank]) for scale in scales] if rank in row_at else [],
                "numbers": [f"{value:.4f}" for value in added[rank - 1]],
            }
            for rank, document in enumerate(walk["document"], start=1)
        ],
    }


def _aspect(scale: Scale) -> dict[str, Any]:
    """Return an aspect as a dict: its "name", its "part" of an edit's text, and its "grades".

    Each grade is a pair of texts: the grade as written in an edit, and in words. A continuous aspect has no grades.
    """
    part = str(Regrade("", "", scale.name, None)).removeprefix("regrade:::").removesuffix(f":{UNASSESSED}")
    grades = [] if scale.continuous else [(UNASSESSED, "not assessed")]
    if not scale.continuous:
        grades += [(_text(grade), _words(scale, grade)) for grade in scale.grades]
    return {"name": scale.name, "part": part, "grades": grades}


def _others(collection: Collection, system: str, topic: int, scales: Sequence[Scale]) -> list[tuple[str, str]]:
    """Return (text, label) for the documents of the pool that a ranking lacks, best first, at most `MOST_OTHERS`.

    The text is the document's part of an edit; the label is the document with its grades.
    """
    pool, rankings = collection.assessments, collection.rankings
    s = collection.systems.index(system)
    _, listed = rankings.hits(s, topic, int(rankings.length[s, topic]))
    rows = np.setdiff1d(np.arange(*pool.topic_start[topic : topic + 2]), listed)
    if scales:
        first = np.nan_to_num(pool.column(scales[0].name)[rows], nan=scales[0].zero)
        rows = rows[np.argsort(-first if scales[0].good == "high" else first, kind="stable")]
    columns = [pool.column(scale.name) for scale in scales]
    return [
        (
            str(Remove(str(pool.documents[row]), "", 0)).removeprefix("remove:").removesuffix("::0"),
            f"{pool.documents[row]} ({', '.join(_text(float(column[row])) for column in columns)})",
        )
        for row in rows[:MOST_OTHERS].tolist()
    ]


def _label(before: Assessments, after: Assessments, scale: Scale, row: int) -> dict[str, Any]:
    now, was = (float(pool.column(scale.name)[row]) for pool in (after, before))
    same = now == was or (np.isnan(now) and np.isnan(was))
    return {"value": _text(now), "was": None if same else _words(scale, was)}


def _text(grade: float) -> str:
    return UNASSESSED if np.isnan(grade) else repr(float(grade)).removesuffix(".0")


def _words(scale: Scale, grade: float) -> str:
    """Return a grade as text: its number, and its name if it has one."""
    if np.isnan(grade):
        return "not assessed"
    named = dict(zip(scale.grades, scale.names, strict=False)).get(grade, "")
    number = f"{grade:g}"
    return number if not named or named == number else f"{number} {named.removeprefix(number).strip()}"
