"""The report in the sidebar: keep views, put them in order, name them, present them, and download them as one file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Collection
from evalcore.figures.report import View, write_report
from ui.screen.text import markdown
from ui.server import kept
from ui.shell import present
from ui.stage import report
from ui.stage.report import LONGEST
from ui.stage.report_sliders import KeptView, progress
from ui.stage.report_sliders import begin as begin_sliders
from ui.widgets.callback import callback
from ui.widgets.download import download
from ui.widgets.ranking_table import MOST_MOVES, ordered, ranking_table, rows_to_order

BOX = "report box"
_OWN = "title and introduction of the report"
_ORDER = "order of the views"
SLIDES = "One HTML file, with sliders, without a network: ← → or a clicker lead on, N: notes, D: dark, Esc: as a page"


@dataclass(frozen=True)
class Author:
    """What the person who makes the report calls it, and says before its views."""

    title: str = ""
    introduction: str = ""


def box() -> DeltaGenerator | None:
    """The box in the sidebar; it is filled after the page, where it is open."""
    box = st.expander("Report", icon=":material/summarize:", key=BOX, on_change="rerun")
    return box.container() if box.open else None


def fill(collection: Collection) -> None:
    """Keep this view, download the report."""
    views, author = report.kept_views(), _author()
    st.button(
        "Add this view",
        on_click=_keep,
        disabled=not report.shows() or len(views) >= report.MOST,
        width="stretch",
        help="Keeps what is on the screen, with its data and settings",
    )
    # The content is made when asked for, outside of this run, where there is no session state.
    this = report.afterwards(report.view)
    download(
        f"Download {len(views)} view{'s'[: len(views) > 1]}" if views else "Download this view",
        lambda: _written(views or [this()], collection, author),
        "report.html",
        "One HTML file; figures stay interactive, sliders move them, nothing is fetched",
        width="stretch",
    )
    if views:
        present.link(views)
        download(
            "Download as slides",
            lambda: _written(views, collection, author, stage=True),
            "slides.html",
            SLIDES,
            width="stretch",
        )
        _drawing(views)
        _order(views)
    for at, view in enumerate(views):
        _listed(at, len(views), view)
    _own_words(author)


def _finished(views: Sequence[KeptView]) -> list[View]:
    """Views with their sliders: what of them is not drawn yet is waited for."""
    return [view.finished() for view in views]


def _written(views: Sequence[KeptView], collection: Collection, author: Author, stage: bool = False) -> bytes:
    """The file: made when it is asked for."""
    title = author.title or "How we measured"
    return write_report(_finished(views), collection, title, introduction=author.introduction, stage=stage).encode()


def _drawing(views: Sequence[KeptView]) -> None:
    """How far the sliders of what was kept are, as long as they are not there."""
    done, of = progress(views)
    if done == of:
        return

    @st.fragment(run_every=1.0)
    def drawing() -> None:
        done, of = progress(views)
        st.progress(done / of, f"Sliders: {done} of {of} places are drawn; a download waits for the rest")
        if done == of and getattr(drawing, "seen", False):
            st.rerun()
        drawing.seen = True  # type: ignore[attr-defined]

    drawing()


def _order(views: Sequence[KeptView]) -> None:
    """The views as rows that are dragged into another order, by mouse, finger or keys."""
    marks = tuple(view.mark for view in views)
    base, edits = st.session_state.get(_ORDER, ((), ()))
    if ordered(base, edits) != marks or len(edits) >= MOST_MOVES:  # others came or went, here or in another tab
        base, edits = st.session_state[_ORDER] = marks, ()
    if len(views) > 1:
        names = {view.mark: view.title for view in views}
        known_by = hashlib.blake2b("".join(base).encode(), digest_size=8).hexdigest()
        ranking_table(f"order {known_by}", rows_to_order("view", base, edits, names), partial(_moved, base))


def _listed(at: int, count: int, view: KeptView) -> None:
    """A view that was kept: take it out, name it, or say something to it."""
    named, mark = markdown(view.title), view.mark
    st.button(named, key=f"drop {at}", icon=":material/close:", on_click=_drop, args=(mark,), help="Take out")
    _words("Title", f"title {at} of {count}", view.title, _noted, mark, "title")
    _words("Note", f"note {at} of {count}", view.note, _noted, mark, "note", placeholder="a note of your own")


def _own_words(author: Author) -> None:
    """The title of the report, and what it says before its views."""
    titled = ("Name of the report", "name of the report", author.title)
    _words(*titled, _authored, "title", placeholder="How we measured")
    key, hint = "introduction of the report", "what it is about"
    _words("Introduction", key, author.introduction, _authored, "introduction", placeholder=hint)


def _words(label: str, key: str, text: str, typed: Callable[..., None], *args: str, **look: Any) -> None:
    """A box that shows what is kept, whatever another tab wrote there; a title has one line."""
    if st.session_state.get(key) != text:
        st.session_state[key] = text
    how = {"key": key, "on_change": typed, "args": (*args, key), **look}
    if args[-1] == "title":
        st.text_input(label, max_chars=LONGEST, **how)
    else:
        st.text_area(label, height=68, **how)


@callback
def _keep() -> None:
    if len(report.kept_views()) < report.MOST:
        report.put_views([*report.kept_views(), begin_sliders(report.view())])


@callback
def _noted(mark: str, what: str, key: str) -> None:
    """What was typed goes to the view that it was typed to, wherever another tab has put it by now."""
    text = " ".join(st.session_state[key].split()) if what == "title" else st.session_state[key]
    if text or what != "title":
        report.say(mark, what, text)


@callback
def _moved(base: tuple[str, ...], edits: Sequence[str]) -> None:
    report.put_views(in_order(report.kept_views(), base, edits))
    st.session_state[_ORDER] = base, tuple(edits)


def in_order(views: Sequence[KeptView], base: Sequence[str], edits: Sequence[str]) -> list[KeptView]:
    """Views where they were put, by their marks; what another tab took out is gone, and what it added comes last."""
    known = {view.mark: view for view in views}
    wanted = [mark for mark in ordered(base, edits) if mark in known]
    return [known[mark] for mark in dict.fromkeys([*wanted, *known])]


def _author() -> Author:
    """What was written last, in whatever tab of this browser."""
    return cast(Author, kept.latest(_OWN) or Author())


@callback
def _authored(what: str, key: str) -> None:
    text = st.session_state[key]
    kept.put(_OWN, replace(_author(), **{what: " ".join(text.split()) if what == "title" else text}))


@callback
def _drop(mark: str) -> None:
    report.put_views([view for view in report.kept_views() if view.mark != mark])
