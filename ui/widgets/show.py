"""One way to show figures, tables, explanations and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError, latex
from evalcore.figures.report import Formula, Heading
from evalcore.figures.style import Drawn, as_spec, spec_of
from evalcore.writing import csv_text
from ui.frame import report
from ui.frame.limits import LIMITS
from ui.widgets import folds, recording, settings
from ui.widgets.download import download
from ui.widgets.plot import plot
from ui.widgets.text import markdown, plain

Height: TypeAlias = int | Literal["auto"]
Modes = tuple[Literal["points", "box", "lasso"], ...]
_CONFIG = {"displaylogo": False, "scrollZoom": False, "showSendToCloud": False}
_HIDDEN_BUTTONS = ("toImage", "autoScale2d")  # pictures are saved by the buttons of ui.widgets.plot
# Where who sees no figure finds its numbers, which a caption does not say.
_ELSEWHERE = re.compile(r"; (the values|all cells) are in [^;]*$")
_BUTTONS = {"box": "select2d", "lasso": "lasso2d"}


def figure(
    figure: go.Figure | Callable[[], go.Figure],
    key: str,
    alt: str,
    *,
    on_select: Callable[[list[str]], None] | Literal["ignore"] = "ignore",
    modes: Modes = ("points", "box", "lasso"),
    drawn: Mapping[str, float] | None = None,
    layout: Mapping[str, Any] | None = None,
) -> None:
    """Show a figure; `alt` is its text alternative. `drawn` is as in `table`: the names of saved pictures say it.

    `layout` is what its layout has beside its own, such as another height.

    Given as what makes it, by one function of `evalcore.figures`, it takes a fraction of the time. What makes a figure
    that follows sliders looks at nothing that says how sure a rank is.

    `on_select` gets the first customdata of each point clicked, boxed or lassoed, of a map's cell else the meta of its
    column, before the rerun; none at all when a double click drops the selection.
    """
    if sheet := recording.sheet():
        if not callable(figure) or key not in sheet.figures:
            spec = spec_of(figure) if callable(figure) else as_spec(figure)
            sheet.figures[key] = spec.with_layout(**layout or {}).to_dict()
        return
    shown: Drawn = spec_of(figure).with_layout(**layout or {}) if callable(figure) else figure.update_layout(layout)
    offered = () if on_select == "ignore" else modes
    hidden = [*_HIDDEN_BUTTONS, *(button for mode, button in _BUTTONS.items() if mode not in offered)]
    config = {**_CONFIG, "modeBarButtonsToRemove": hidden}
    report.showing(_ELSEWHERE.sub("", alt), shown, key)
    name = _plain(", ".join([key, *_said(drawn)]))  # plot.js adds what is set
    plot(shown, key, alt, name, config, None if on_select == "ignore" else on_select)


def table(
    frame: pd.DataFrame,
    name: str,
    *,
    decimals: dict[str, int] | None = None,
    height: Height = "auto",
    index: bool = True,
    columns: dict[str, Any] | None = None,
    download: pd.DataFrame | None = None,
    drawn: Mapping[str, float] | None = None,
    caption: str = "",
) -> None:
    """Show a frame with its numbers to 4 decimals (or as `decimals` says) and offer it as CSV at full precision.

    `download` is a frame to offer instead of the one shown. `drawn` is the seed of what was drawn at random, and how
    much was: the files say it, so that they can be made again. `caption` is that of the LaTeX, where `name`, the page
    and its settings do not say it.
    """
    if sheet := recording.sheet():
        sheet.tables[name] = frame.head(int(LIMITS.rows))
        return
    formats = {
        column: st.column_config.NumberColumn(format=f"%.{(decimals or {}).get(column, 4)}f")
        for column in frame.columns
        if pd.api.types.is_float_dtype(frame[column])
    }
    most = int(min(LIMITS.rows, len(frame)))
    shown = frame if most == len(frame) else frame.head(most)
    st.dataframe(shown, height=height, hide_index=not index, column_config={**formats, **(columns or {})})
    if shown is not frame:
        st.caption(f"The first {most:,} of {len(frame):,} rows; the files have all of them.")
    report.showing(", ".join([name, *_said(drawn)]), shown, name, decimals, index)
    with st.container(horizontal=True, gap="small"):
        full, indexed = (frame, index) if download is None else (download, False)
        _download("CSV", name, lambda: csv_text(full.assign(**drawn or {}), index=indexed).encode())
        said = caption or _caption(name, drawn)  # now: a file is made outside of this run
        _download("LaTeX", name, lambda: _latex(frame, index, decimals or {}, drawn or {}, name, said))


def headline(text: str, place: DeltaGenerator | None = None) -> None:
    """What the page answers, in Markdown; a report says it too."""
    slot = recording.said("headline", text)
    if slot:
        with (place or st).container(key=slot):
            st.markdown(text)
        report.saying(*map(plain, text.split("  \n")), place=slot)


def said(text: str, place: DeltaGenerator | None = None, *, caption: bool = False) -> None:
    """What is said beside a figure, in Markdown: it follows sliders."""
    slot = recording.said("said", text)
    if slot:
        with (place or st).container(key=slot):
            (st.caption if caption else st.markdown)(text)
        report.telling(plain(text), slot)


def text(text: str) -> None:
    """What a page of words says, in Markdown; a report says it too."""
    if recording.sheet():
        return
    st.markdown(text)
    report.telling(plain(text))


def note(text: str) -> None:
    """The same in smaller type."""
    if recording.sheet():
        return
    st.caption(text)
    report.telling(plain(text))


def heading(text: str) -> None:
    """Over a part of a page, in Markdown; a report has it too."""
    if recording.sheet():
        return
    st.header(text, anchor=False)
    report.telling(Heading(plain(text)))


def formula(latex: str) -> None:
    """A formula; a report has it too."""
    if recording.sheet():
        return
    st.latex(latex)
    report.telling(Formula(latex))


def metric(place: Any, label: str, value: object, change: str | None = None, *, help: str | None = None) -> None:
    """A number of the headline."""
    slot = recording.said(plain(label), f"{value}\n{change or ''}")
    if slot:
        place.container(key=slot).metric(label, value, change, delta_color="off", help=help)
        said = f"{plain(label)}: {value}" + (f" ({change})" if change else "")
        report.saying(said, place=slot, label=plain(label))


def _download(kind: str, name: str, content: Callable[[], bytes]) -> None:
    at = {"CSV": "at full precision", "LaTeX": "as booktabs, to the decimals shown, with a caption"}[kind]
    file = f"{file_name(name)}.{'csv' if kind == 'CSV' else 'tex'}"
    look = {"key": f"{kind.lower()} {name}", "type": "tertiary"}
    download(kind, content, file, f"This table {at}", **look)


def _latex(
    frame: pd.DataFrame,
    index: bool,
    decimals: Mapping[str, int],
    drawn: Mapping[str, float],
    name: str = "",
    said: str = "",
) -> bytes:
    table = latex.latex_table(frame, said, label=name, index=index, decimals=decimals, comment=", ".join(_said(drawn)))
    return table.encode()


def _caption(name: str, drawn: Mapping[str, float] | None) -> str:
    """What a table is, of which collection, by which measures, with what set: `name` and the page in words."""
    title = report.title()
    # A name may begin with that of a system, which keeps its letters.
    what = name.capitalize() if name.isascii() and name.replace(" ", "").isalpha() and name.islower() else name
    what += f", of the page {title}" if title and title.lower() != name.lower() else ""
    return f"{latex.caption(what)} {report.about(drawn)}".strip()


def _said(drawn: Mapping[str, float] | None) -> list[str]:
    return [f"{name} {value}" for name, value in (drawn or {}).items()]


def file_name(name: str, drawn: Mapping[str, float] | None = None) -> str:
    """What a saved file is called: the thing, what was drawn at random, the settings that are not at their default.

    Every file system takes it, and every header of a reply.
    """
    here = {key.rpartition(".")[2]: texts for one in settings.on_screen() for key, texts in one.address().items()}
    said = [f"{key}={','.join(texts)}" for key, texts in here.items() if key not in (drawn or {})]
    return _plain(", ".join([name, *_said(drawn), *said]))


def _plain(name: str) -> str:
    return re.sub(r"[^\w .,()=@-]+", "_", name).strip(" .")[:100] or "table"


def explain(see: str, read: str, next: str) -> None:
    """The three short texts under a figure; from the second visit to the page on they are folded."""
    parts = (("What you see", see), ("How to read it", read), ("What to try next", next))
    with folds.folding():
        for column, (title, text) in zip(st.columns(3), parts, strict=True):
            column.markdown(f"**{title}**  \n{text}")


@contextmanager
def errors() -> Iterator[None]:
    """Show a InputError where it happens, as a message; what was loaded before stays."""
    try:
        yield
    except InputError as error:
        show_error(error)


def show_error(error: InputError) -> None:
    """One look for every error that input causes."""
    place = f"**{markdown(error.where)}**" + (f", line {error.line}" if error.line else "") if error.where else ""
    problem = markdown(error.problem)
    st.error(f"{place}: {problem}" if place else problem, icon=":material/error:")
