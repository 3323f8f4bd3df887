"""Screens in Streamlit: the only way to show figures, tables, texts and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError
from evalcore.common import latex
from evalcore.common.writing import csv_text
from evalcore.figures.draw import Drawn
from ui.address import families, settings
from ui.screen.items import At, Columns, Figure, Grid, Headline, Item, Latex, Metric, Sentence, Table, Text, in_words
from ui.screen.text import markdown
from ui.server.limits import LIMITS
from ui.stage import report
from ui.widgets.callback import callback
from ui.widgets.download import download
from ui.widgets.plot import plot
from ui.widgets.plot import two_columns as two_columns

_CONFIG = {"displaylogo": False, "scrollZoom": False, "showSendToCloud": False}
_HIDDEN_BUTTONS = ("toImage", "autoScale2d")  # ui.widgets.plot has its own buttons to save pictures
_BUTTONS = {"box": "select2d", "lasso": "lasso2d"}
EMPTY = ""  # text of an empty cell, where Streamlit would write None
NOWHERE: Mapping[str, DeltaGenerator] = MappingProxyType({})


def put(*items: Item) -> None:
    """Show items at the current place of the page, and record them for the report."""
    screen(items)


def screen(items: Iterable[Item], places: Mapping[str, DeltaGenerator] = NOWHERE) -> None:
    """Show items one below the other, and `Columns` side by side; `places` are the page's named places."""
    for item in items:
        match item:
            case Columns():
                widths = list(item.widths) or len(item.parts)
                columns = st.columns(widths, gap=item.gap, vertical_alignment=item.align)
                for column, part in zip(columns, item.parts, strict=True):
                    with column:
                        screen(part, places)
            case At():
                if (place := places.get(item.place)) is not None:
                    with place:
                        screen(item.items, places)
            case _:
                _one(report.key_of(item), item)


def _one(key: str, item: Item) -> None:
    match item:
        case Figure():
            item = item.made()
            _plot(item)
        case Table():
            item = _table(item)
        case Metric():
            st.container(key=key).metric(item.label, item.value, item.change, delta_color="off", help=item.help)
        case Headline() | Sentence():
            with st.container(key=key):
                (st.caption if isinstance(item, Sentence) and item.caption else st.markdown)(item.text)
        case Text():
            _TEXTS[item.look](item.text)
        case Latex():
            st.latex(item.text)
        case Grid():
            st.table(item.made())
    report.shown(key, item)


_TEXTS: Mapping[str, Callable[[str], Any]] = {
    "plain": st.markdown,
    "note": st.caption,
    "heading": lambda text: st.header(text, anchor=False),
    "info": lambda text: st.info(text, icon=":material/info:"),
}


def _plot(item: Figure) -> None:
    offered = () if item.on_select is None else item.modes
    hidden = [*_HIDDEN_BUTTONS, *(button for mode, button in _BUTTONS.items() if mode not in offered)]
    config = {**_CONFIG, "modeBarButtonsToRemove": hidden}
    name = _plain(", ".join([item.key, *in_words(item.drawn)]))  # plot.js adds the settings
    plot(cast(Drawn, item.figure), item.key, item.alt, name, config, item.on_select)


def _table(item: Table) -> Table:
    """Show a table and offer it as files; return the table cut to the rows shown."""
    frame = item.frame
    formats = {
        column: st.column_config.NumberColumn(format=f"%.{item.decimals.get(column, 4)}f")
        for column in frame.columns
        if pd.api.types.is_float_dtype(frame[column])
    }
    most = int(min(LIMITS.rows, len(frame)))
    part = frame if most == len(frame) else frame.head(most)
    shown = part.assign(**item.pictures)
    how: dict[str, Any] = {"height": item.height, "hide_index": not item.index, "placeholder": EMPTY}
    how["column_config"] = {**formats, **item.columns}
    if item.on_click is not None:
        how |= {"key": item.name, "on_select": partial(_clicked, item), "selection_mode": "single-cell"}
    st.dataframe(shown, **how)
    if part is not frame:
        st.caption(f"The first {most:,} of {len(frame):,} rows; downloads have all rows.")
    with st.container(horizontal=True, gap="small"):
        full, indexed = (frame, item.index) if item.download is None else (item.download, False)
        _download("CSV", item.name, lambda: csv_text(full.assign(**item.drawn), index=indexed).encode())
        caption = report.afterwards(lambda: item.caption or _caption(item.name, item.drawn))
        _download("LaTeX", item.name, lambda: _latex(item, caption()))
        if doubt := item.with_doubt:
            _download("LaTeX with intervals and letters", item.name, lambda: doubt().encode())
    return replace(item, of=part)


@callback
def _clicked(item: Table) -> None:
    """Call the table's `on_click` for the clicked cell."""
    if item.on_click and (cells := st.session_state[item.name].selection.cells):
        item.on_click(*cells[0])


def _download(kind: str, name: str, content: Callable[[], bytes]) -> None:
    at = "at full precision" if kind == "CSV" else "with booktabs, the decimals shown, and a caption"
    file = f"{file_name(name)}.{'csv' if kind == 'CSV' else 'tex'}"
    download(kind, content, file, f"This table {at}", key=f"{kind.lower()} {name}", type="tertiary")


def _latex(item: Table, caption: str) -> bytes:
    short = families.all_short()
    frame = item.frame.rename(index=short, columns=short).replace(short)
    how, comment = item.decimals, ", ".join(in_words(item.drawn))
    table = latex.latex_table(
        frame, caption, label=item.name, index=item.index, decimals=how, best=item.best, comment=comment
    )
    return table.encode()


def _caption(name: str, drawn: Mapping[str, float]) -> str:
    """Return the caption of a table: its name, then collection, measures and settings in words."""
    # If the name may begin with a system's name, its case must not change.
    what = name.capitalize() if name.isascii() and name.replace(" ", "").isalpha() and name.islower() else name
    return f"{latex.caption(what)} {report.about(drawn)}".strip()


def file_name(name: str) -> str:
    """Return the name of a saved file: `name`, and the settings that are not at their default.

    The name is valid in every file system and in every response header.
    """
    here = {key.rpartition(".")[2]: texts for page in settings.on_screen() for key, texts in page.address().items()}
    return _plain(", ".join([name, *(f"{key}={','.join(texts)}" for key, texts in here.items())]))


def _plain(name: str) -> str:
    return re.sub(r"[^\w .,()=@-]+", "_", name).strip(" .")[:100] or "table"


def explain(see: str, read: str, next: str) -> None:
    """Show three short texts, folded: what you see, how to read it, what to try next."""
    parts = (("What you see", see), ("How to read it", read), ("What to try next", next))
    with st.expander("What you see, how to read it, what to try next"):
        for column, (title, text) in zip(st.columns(3), parts, strict=True):
            column.markdown(f"**{title}**  \n{text}")


FORMULA, NUMBERS, WHY = "formula box", "numbers box", "why box"  # keys of the folded boxes below a figure


def numbers(draw: Callable[[], None]) -> None:
    """Show a folded box in which `draw` draws the numbers of a figure as a table."""
    _folded("The numbers as a table", NUMBERS, draw)


def formula(draw: Callable[[], None]) -> None:
    """Show a folded box in which `draw` draws the measure's formula with the current values."""
    _folded("Formula with the current values", FORMULA, draw)


def why(draw: Callable[[], None]) -> None:
    """Show a folded box in which `draw` draws the reasons behind a figure."""
    _folded("Why?", WHY, draw)


def _folded(label: str, key: str, draw: Callable[[], None]) -> None:
    """Show a folded box; `draw` is called, to draw its content, only while it is open."""
    with st.expander(label, key=key, on_change="rerun") as box:
        if box.open:
            with errors():
                draw()


@contextmanager
def errors() -> Iterator[None]:
    """While the context is open, show an InputError as a message in its place; what was shown before stays."""
    try:
        yield
    except InputError as error:
        show_error(error)


def show_error(error: InputError) -> None:
    """Show an error caused by input, in the same form everywhere."""
    place = f"**{markdown(error.where)}**" + (f", line {error.line}" if error.line else "") if error.where else ""
    problem = markdown(error.problem)
    st.error(f"{place}: {problem}" if place else problem, icon=":material/error:")
