"""Presentation mode: a figure, table or text fills the screen over its caption; keys and touches lead on."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.components import v2

from evalcore.data import Collection
from ui.frame import captions, report
from ui.widgets.callback import callback
from ui.widgets.fields import Switch
from ui.widgets.plot import light_theme
from ui.widgets.settings import Settings, page, setting

MOST_ROWS = 60  # of a table on stage
DECIMALS = 4
_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_mount = v2.component("present", html="<div></div>", js=_SCRIPT, isolate_styles=False)


@dataclass(frozen=True)
class Stage(Settings):
    """Whether a figure is presented; the address carries it."""

    present: bool = setting(
        Switch("Present", help="One figure fills the screen. ← →: other figures, C: controls, Esc: leave")
    )


def box(collection: Collection) -> None:
    """The switch in the sidebar, and what takes the screen when it is on."""
    stage = Stage.now(collection)
    with st.sidebar:
        stage.draw("present")
    path, figures = report.path(), _figures()
    usual = {one["key"]: one["usual"] for one in figures}

    @callback
    def captioned() -> None:
        key, text = st.session_state["stage"]["caption"]
        if key in usual:
            captions.write(path, key, str(text), usual[key])

    _mount(
        key="stage",
        data={"on": stage.present, "figures": figures, **(on_stage() if stage.present else {})},
        on_left_change=lambda: stage.change(present=False),
        on_caption_change=captioned,
    )


def _figures() -> list[dict[str, str]]:
    """The figures of the page, each with the caption that the page has for it, and the one that a person wrote."""
    found, about, path = report.found(), report.about(whole=True), report.path()
    return [
        {"key": key, "usual": captions.composed(found, said, about), "own": captions.written(path, key)}
        for key, said in report.figures_said()
    ]


def on_stage() -> dict[str, Any]:
    """What the browser is told of a page beside its figures: its tables, and the captions of those and of its text."""
    found, about = report.found(), report.about(whole=True)
    return {
        "page": page(),
        "tables": [
            {"caption": captions.composed(found, one.said, about), **sheet(one.frame, one.decimals, one.index)}
            for one in report.tables()
        ],
        "about": about,
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
