"""Presentation mode: a figure, table or text fills the screen over its caption; keys and touches lead on."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from evalcore.data import Collection
from ui.address import settings
from ui.address.settings import Settings, page, setting
from ui.stage import captions, report
from ui.widgets.component import component
from ui.widgets.fields import Switch
from ui.widgets.plot import light_theme

MOST_ROWS = 60  # of a table on stage
DECIMALS = 4
PRESENT = "present"  # its key in the address
_STEPS = "steps on stage"
_mount = component("present", __file__, "<div></div>")


@dataclass(frozen=True)
class Stage(Settings, lasts=True):
    """Whether a figure is presented; the address carries it."""

    present: bool = setting(
        Switch("Present", help="One figure fills the screen. ← →: other figures, C: controls, Esc: leave")
    )


def box(collection: Collection) -> None:
    """The switch in the sidebar, and what takes the screen when it is on."""
    stage = Stage.now(collection)
    if not stage.present:  # else it is out of sight: the stage has its own way out
        with st.sidebar:
            stage.draw("present")
    about = report.about(whole=True)
    figures = [
        {"key": figure.key, "usual": captions.composed(report.finding(figure.key), figure.about, about)}
        for figure in report.figures()
    ]
    _mount(
        key="stage",
        data={
            "on": stage.present,
            "page": page(),
            "found": " ".join(report.whole_finding().lines),
            "figures": figures,
            **(on_stage() if stage.present else {}),
        },
        on_left_change=lambda: stage.change(present=False),
    )


def lead(question: str, back: Mapping[str, Sequence[str]] | None, onward: Mapping[str, Sequence[str]] | None) -> None:
    """The page is a step: what it asks is the title of the stage, and beyond its figures are the steps of these
    addresses.
    """
    here, ends = settings.page(), {"back": back, "onward": onward}
    queries = {name: urlencode({**end, PRESENT: "true"}, doseq=True) for name, end in ends.items() if end}
    steps = {name: f"./{here}?{query}" for name, query in queries.items()}
    st.session_state[_STEPS] = here, {"question": question, **steps}


def _steps() -> dict[str, str] | None:
    """What the page on the screen said of its steps."""
    of, steps = st.session_state.pop(_STEPS, ("", None))
    return steps if of == settings.page() else None


def on_stage() -> dict[str, Any]:
    """What the browser is told of a page beside its figures: its tables, and the captions of those and of its text."""
    result, about = report.whole_finding(), report.about(whole=True)
    return {
        "tables": [
            {
                "caption": captions.composed(result, table.about, about),
                **sheet(table.frame, table.decimals, table.index),
            }
            for table in report.tables()
        ],
        "about": about,
        "steps": _steps(),
        "light": light_theme(),
    }


def sheet(frame: pd.DataFrame, decimals: Mapping[str, int], index: bool) -> dict[str, Any]:
    """A table as texts: its heads, its first rows, which columns are numbers, and how many rows there are in all."""
    shown = frame.head(MOST_ROWS)
    # By place: two columns may have one name.
    columns: list[tuple[Any, Any]] = [
        (shown.index.names[at], shown.index.get_level_values(at)) for at in range(shown.index.nlevels) if index
    ]
    columns += [(name, shown.iloc[:, at]) for at, name in enumerate(shown.columns)]
    cells = [[_cell(value, decimals.get(str(name), DECIMALS)) for value in column] for name, column in columns]
    return {
        "heads": ["" if name is None else str(name) for name, _ in columns],
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "numeric": [bool(pd.api.types.is_numeric_dtype(column.dtype)) for _, column in columns],
        "of": len(frame),
    }


def _cell(value: Any, decimals: int) -> str:
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        return "" if math.isnan(value) else f"{float(value):.{decimals}f}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)
