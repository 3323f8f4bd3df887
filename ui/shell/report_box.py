"""The box Kept in the sidebar: keep views, then compare, order, name, present and download them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.figures.document import Document, Section
from ui.address import site
from ui.screen.text import markdown
from ui.shell import present
from ui.stage import report
from ui.stage.report import LONGEST
from ui.stage.report_sliders import finish, progress
from ui.widgets.callback import callback
from ui.widgets.download import download
from ui.widgets.ranking_table import MOST_MOVES, ordered, ranking_table, rows_to_order

BOX = "report box"
_ORDER = "order of the views"
SLIDES = "One HTML file that works offline, with sliders: ← → or a clicker to move, N notes, D dark, Esc page view"


def box() -> DeltaGenerator | None:
    """Draw the box of kept views in the sidebar; return its container, to be filled after the page, if it is open.

    Return None if it is closed.
    """
    box = st.expander("Kept", icon=":material/bookmark:", key=BOX, on_change="rerun")
    return box.container() if box.open else None


def fill() -> None:
    """Draw the contents of the box: a button to keep this view, and controls for the views already kept."""
    document = report.document()
    kept = document.sections
    st.button(
        "Keep this view",
        on_click=_keep,
        disabled=not report.shows() or len(kept) >= report.MOST,
        width="stretch",
        help="Keep this view with its data and settings",
    )
    # The content is made on request, outside this run and without session state.
    this = report.afterwards(report.section)
    download(
        f"Download {len(kept)} view{'s'[: len(kept) > 1]}" if kept else "Download this view",
        lambda: _written(document if kept else replace(document, sections=[this()])),
        "report.html",
        "One HTML file that works offline, with interactive figures and sliders",
        width="stretch",
    )
    if kept:
        _compare(kept)
        present.link(kept)
        slides = partial(_written, document, stage=True)
        download("Download as slides", slides, "slides.html", SLIDES, width="stretch")
        _drawing(kept)
        _order(kept)
    for at, section in enumerate(kept):
        _listed(at, len(kept), section)
    _own_words(document)


def _compare(kept: Sequence[Section]) -> None:
    """Draw a link to a page that compares the last measures of all kept views, if at least two of them differ."""
    measures = list(dict.fromkeys(text for view in kept for text in view.measures[-1:]))
    if len(measures) > 1:
        pair = {"reference": measures[0], "test": measures[1]}
        site.link("correlations", "Compare the kept measures", ":material/compare_arrows:", measures=measures, **pair)


def _written(document: Document, stage: bool = False) -> bytes:
    """Return the report as the bytes of an HTML file, after drawing the slider positions that are not drawn yet.

    If `stage` is True, the file is for presenting.
    """
    finish(document.sections)
    return replace(document, title=document.title or "How we measured").html(stage=stage).encode()


def _drawing(kept: Sequence[Section]) -> None:
    """Show the progress of drawing the sliders of the kept views, until all positions are drawn."""
    done, of = progress(kept)
    if done == of:
        return

    @st.fragment(run_every=1.0)
    def drawing() -> None:
        done, of = progress(kept)
        st.progress(done / of, f"Drawing sliders: {done} of {of} positions; downloads wait until all are drawn")
        if done == of and getattr(drawing, "seen", False):
            st.rerun()
        drawing.seen = True  # type: ignore[attr-defined]

    drawing()


def _order(views: Sequence[Section]) -> None:
    """Draw the kept views as rows that can be reordered by mouse, finger or keyboard."""
    marks = tuple(view.mark for view in views)
    base, edits = st.session_state.get(_ORDER, ((), ()))
    if ordered(base, edits) != marks or len(edits) >= MOST_MOVES:  # views were added or removed, perhaps in another tab
        base, edits = st.session_state[_ORDER] = marks, ()
    if len(views) > 1:
        names = {view.mark: view.title for view in views}
        known_by = hashlib.blake2b("".join(base).encode(), digest_size=8).hexdigest()
        ranking_table(f"order {known_by}", rows_to_order("view", base, edits, names), partial(_moved, base))


def _listed(at: int, count: int, view: Section) -> None:
    """Draw a kept view with controls to remove it, to name it, and to add a note."""
    named, mark = markdown(view.title), view.mark
    st.button(named, key=f"drop {at}", icon=":material/close:", on_click=_drop, args=(mark,), help="Remove")
    _words("Title", f"title {at} of {count}", view.title, _noted, mark, "title")
    _words("Note", f"note {at} of {count}", view.note, _noted, mark, "note", placeholder="your note")


def _own_words(document: Document) -> None:
    """Draw the text fields for the title and the introduction of the report."""
    titled = ("Name of the report", "name of the report", document.title)
    _words(*titled, _authored, "title", placeholder="How we measured")
    key, hint = "introduction of the report", "topic of the report"
    _words("Introduction", key, document.introduction, _authored, "introduction", placeholder=hint)


def _words(label: str, key: str, text: str, typed: Callable[..., None], *args: str, **look: Any) -> None:
    """Draw a text field that contains the kept text, even if a different tab wrote it; a title has only one line."""
    if st.session_state.get(key) != text:
        st.session_state[key] = text
    how = {"key": key, "on_change": typed, "args": (*args, key), **look}
    if args[-1] == "title":
        st.text_input(label, max_chars=LONGEST, **how)
    else:
        st.text_area(label, height=68, **how)


@callback
def _keep() -> None:
    if len(report.document().sections) < report.MOST:
        report.keep()


@callback
def _noted(mark: str, what: str, key: str) -> None:
    """Store a typed text with the view for which it was typed, even if a different tab has moved the view."""
    if (text := _typed(what, key)) or what != "title":
        report.say(mark, **{what: text})


@callback
def _authored(what: str, key: str) -> None:
    said: dict[str, Any] = {what: _typed(what, key)}
    report.put(replace(report.document(), **said))


def _typed(what: str, key: str) -> str:
    text: str = st.session_state[key]
    return " ".join(text.split()) if what == "title" else text


@callback
def _moved(base: tuple[str, ...], edits: Sequence[str]) -> None:
    document = report.document()
    report.put(replace(document, sections=in_order(document.sections, base, edits)))
    st.session_state[_ORDER] = base, tuple(edits)


def in_order(sections: Sequence[Section], base: Sequence[str], edits: Sequence[str]) -> list[Section]:
    """Return sections in the order of marks that results from applying `edits` to `base`.

    Sections that a different tab has removed are left out; those that it has added come last.
    """
    known = {section.mark: section for section in sections}
    wanted = [mark for mark in ordered(base, edits) if mark in known]
    return [known[mark] for mark in dict.fromkeys([*wanted, *known])]


@callback
def _drop(mark: str) -> None:
    document = report.document()
    report.put(replace(document, sections=[one for one in document.sections if one.mark != mark]))
