"""The report of this browser: views kept as they were, then one HTML file; and what a page shows, for the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore import InputError
from evalcore.citation import cite
from evalcore.data import Collection
from evalcore.figures.report import Formula, Heading, View, rests_on, write_report
from evalcore.latex import caption
from ui.frame import kept, view_list
from ui.frame.report_sliders import Kept, Named, Offer, Work, progress
from ui.frame.report_sliders import begin as begin_sliders
from ui.frame.view_list import LONGEST
from ui.widgets import settings
from ui.widgets.callback import callback
from ui.widgets.text import counted, markdown, plain

MOST = 20
_SCREEN, _VIEWS, _TITLE = "on the screen", "views of the report", "title on the screen"
_SAID, _FIGURES, _TABLES = "said on the screen", "figures on the screen", "tables on the screen"
_WORDS, _OWN = "words on the screen", "title and introduction of the report"
_NAMES, _WORD_PLACES, _LINES = "names on the screen", "places of words on the screen", "lines said on the screen"
_SLIDERS, _UNMOVED = "sliders on the screen", "figures that no slider moves"
NO_SETTING = {"data", "present"}  # what is open is told otherwise, and how it is shown changes nothing
NONE = "none"
READ = "()[]{}<>,:;=*'|/@!$?^~"  # signs of a path that a reader may see as they are; a browser takes them so
_EDITED = ("title", "note", "caption")
_KINDS = {"csv": "text/csv", "html": "text/html", "json": "application/json", "tex": "text/x-tex"}  # of files
_PROBLEM = "problem with a list"
ON_STAGE = "In a tab of its own: ← → or a clicker lead on, N: notes, D: dark, Esc: as a page to read"
_AUTHOR = ("name of the report", "introduction of the report")


@dataclass(frozen=True)
class Table:
    """A table on the screen: what it is, its numbers to how many decimals, and whether its index is shown."""

    said: str
    frame: pd.DataFrame
    decimals: Mapping[str, int]
    index: bool


@dataclass(frozen=True)
class Author:
    """What the person who makes the report calls it, and says before its views."""

    title: str = ""
    introduction: str = ""


def begin(title: str) -> None:
    """A run of a page begins: nothing is on the screen yet."""
    for what in (_SCREEN, _SAID, _FIGURES, _TABLES, _WORDS, _NAMES, _WORD_PLACES, _LINES, _SLIDERS):
        st.session_state[what] = []
    st.session_state[_TITLE] = title


def showing(
    said: str,
    item: go.Figure | pd.DataFrame,
    key: str = "",
    decimals: Mapping[str, int] | None = None,
    index: bool = True,
) -> None:
    """A figure or table is on the screen now, known by its key or name."""
    st.session_state[_SCREEN].append((said, item))
    st.session_state[_NAMES].append(key)
    if isinstance(item, go.Figure) and key:
        st.session_state[_FIGURES].append(key)
    if isinstance(item, pd.DataFrame):
        st.session_state[_TABLES].append(Table(said, item, decimals or {}, index))


def saying(*sentences: str, place: str = "", label: str = "") -> None:
    """The page says this now, as what it found, in a place that may follow sliders; a metric has a label."""
    st.session_state[_SAID].extend(sentences)
    st.session_state[_LINES].append((place, label, sentences))


def telling(item: str | Formula | Heading, place: str = "") -> None:
    """A text or a formula stands on the page now, after the figures and tables shown so far; it may have a place."""
    st.session_state[_WORDS].append((len(st.session_state[_SCREEN]), item))
    st.session_state[_WORD_PLACES].append(place)


def sliding(offers: Sequence[Offer], unmoved: Sequence[str]) -> None:
    """These sliders are on the screen now, and these are the figures that none of them moves."""
    st.session_state[_SLIDERS], st.session_state[_UNMOVED] = list(offers), list(unmoved)


def title() -> str:
    """The title of the page on the screen."""
    return str(st.session_state.get(_TITLE, ""))


def about(drawn: Mapping[str, float] | None = None) -> str:
    """Of what is on the screen, in words: the collection, the measures, what is set; what was drawn at random how."""
    here, data = settings.on_screen(), _data()
    pages = [one for one in here if one.PAGE and one.collection is not None]
    of = f"{data.title}, {counted(len(data.systems), 'system')}, {counted(len(data.topics), 'topic')}" if data else ""
    told = {plain(label): words for one in here for label, words in one.words_beside()}
    return caption("", of, _measures(pages), told.items(), drawn)


def _measures(pages: Iterable[settings.Settings]) -> list[str]:
    """What pages are about, each measure once."""
    return list(dict.fromkeys(text for one in pages for text in one.measured()))


def methods() -> str:
    """What is on the screen as a paragraph for a methods section; empty on a page of no data."""
    data = _data()
    if data is None:
        return ""
    measures = _measures(one for one in settings.on_screen() if one.PAGE)
    told: dict[str, str] = {}
    for one in settings.on_screen():
        told |= {plain(label): words for label, words in one.words_beside(all=bool(one.PAGE)) if words != NONE}
    shown = {label: words if len(words) < LONGEST else "see the view" for label, words in told.items()}
    return cite(measures, data, settings=shown.items(), link=_path())


def figures() -> list[str]:
    """The keys of the figures on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_FIGURES, []))


def figures_said() -> list[tuple[str, str]]:
    """The keys of the figures on the screen, each with what it shows."""
    shown = [said for said, item in st.session_state.get(_SCREEN, ()) if isinstance(item, go.Figure)]
    return list(zip(figures(), shown, strict=True))


def tables() -> list[Table]:
    """The tables on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_TABLES, []))


def found() -> list[str]:
    """What the page found, a line each."""
    return list(st.session_state.get(_SAID, []))


def box(collection: Collection) -> None:
    """Keep this view, download the report; drawn in the sidebar after the page."""
    views, said = _views(), _author()
    with st.sidebar.expander("Report", icon=":material/summarize:", key="report box"):
        st.button(
            "Add this view",
            on_click=_keep,
            disabled=not (st.session_state.get(_SCREEN) or st.session_state.get(_WORDS)) or len(views) >= MOST,
            width="stretch",
            help="Keeps what is on the screen, with its data and settings",
        )
        # The content is made when asked for, outside of this run, where there is no session state.
        written = views or [_view()]
        download(
            f"Download {len(views)} view{'s'[: len(views) > 1]}" if views else "Download this view",
            lambda: _written(written, collection, said),
            "report.html",
            "One HTML file; figures stay interactive, sliders move them, nothing is fetched",
        )
        _drawing(views)
        for at, view in enumerate(views):
            _listed(at, len(views), view)
        _own_words(said)
        _list_box(views, collection, said)


def download(label: str, make: Callable[[], bytes | str], file: str, help: str, **look: Any) -> None:
    """A file that is made when it is asked for; `look` is what else Streamlit's button takes."""
    st.download_button(
        label,
        make,
        file_name=file,
        mime=_KINDS[file.rpartition(".")[2]],
        on_click="ignore",
        icon=":material/download:",
        help=help,
        **{"width": "stretch", **look},
    )


def _finished(views: Sequence[Kept]) -> list[View]:
    """Views with their sliders: what of them is not drawn yet is waited for."""
    return [one.finished() for one in views]


def _written(views: Sequence[Kept], collection: Collection, said: Author, stage: bool = False) -> bytes:
    """The file: made when it is asked for."""
    title = said.title or "How we measured"
    return write_report(_finished(views), collection, title, introduction=said.introduction, stage=stage).encode()


def _drawing(views: Sequence[Kept]) -> None:
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


def _listed(at: int, count: int, view: Kept) -> None:
    """A view that was kept: take it out, move it, name it, or say something to it."""
    named, mark = markdown(view.title), view.mark
    st.button(named, key=f"drop {at}", icon=":material/close:", on_click=_drop, args=(mark,), help="Take out")
    with st.container(horizontal=True, gap="small"):
        for name, icon, does, off in (
            ("Up", ":material/arrow_upward:", partial(_move, mark, -1), at == 0),
            ("Down", ":material/arrow_downward:", partial(_move, mark, 1), at == count - 1),
            ("Once more", ":material/content_copy:", partial(_repeat, mark), count >= MOST),
        ):
            said = f"{name}: {named}"
            st.button("", key=f"{name} {at}", icon=icon, on_click=does, disabled=off, help=said, type="tertiary")
    titled, noted, captioned = (f"{what} {at} of {count}" for what in _EDITED)
    _as_it_is({titled: view.title, noted: view.note, captioned: view.caption})
    st.text_input("Title", key=titled, max_chars=LONGEST, on_change=_noted, args=(mark, "title", titled))
    said = "a note of your own"
    st.text_area("Note", key=noted, placeholder=said, height=68, on_change=_noted, args=(mark, "note", noted))
    st.text_area(
        "Caption",
        key=captioned,
        placeholder=plain_caption(view),
        height=68,
        on_change=_noted,
        args=(mark, "caption", captioned),
        help="Under its first figure or table; empty: what it shows, data, measures, settings",
    )


def plain_caption(view: View) -> str:
    """What stands under the first figure or table of a view where its author says nothing else."""
    drawn = [(said, item) for said, item in view.shown if isinstance(item, go.Figure | pd.DataFrame)]
    first = next((said for said, item in drawn if isinstance(item, go.Figure)), drawn[0][0] if drawn else "")
    text = f"{caption(first)} {view.about}".strip() if view.about else first
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _list_box(views: Sequence[Kept], collection: Collection, said: Author) -> None:
    """The list as slides, as a file, and from a file."""
    if views:
        # A tab of its own: the same file as the download, which needs no server once it is there.
        address = view_list.offer(lambda: _written(views, collection, said, stage=True))
        st.link_button("Present the list", address, icon=":material/slideshow:", width="stretch", help=ON_STAGE)
        download(
            "Download as slides",
            lambda: _written(views, collection, said, stage=True),
            "slides.html",
            "One HTML file that opens as slides, with sliders, without a network",
        )
        download(
            "Save the list",
            lambda: view_list.write(_finished(views)),
            "list.json",
            "Views, titles, notes and captions, and all that they show: opens again on any data",
        )
    file = st.file_uploader("Open a list", type="json", key="list file", on_change=_opened)
    if file is not None and (problem := st.session_state.get(_PROBLEM)):
        st.error(problem, icon=":material/error:")


@callback
def _opened() -> None:
    """The views of a file come after those that are there."""
    file = st.session_state["list file"]
    st.session_state[_PROBLEM] = ""
    if file is None:
        return
    try:
        found = view_list.read(file.getvalue(), file.name)
    except InputError as error:
        st.session_state[_PROBLEM] = markdown(str(error))
        return
    room = MOST - len(_views())
    _put([*_views(), *(Kept(**vars(one)) for one in found[:room])])
    if len(found) > room:
        st.session_state[_PROBLEM] = f"The report has at most {MOST} views: {len(found) - room} were left out."


def _own_words(said: Author) -> None:
    """The title of the report, and what it says before its views."""
    titled, introduced = _AUTHOR
    _as_it_is({titled: said.title, introduced: said.introduction})
    name, about = "How we measured", "what it is about"
    args = (titled, "title")
    st.text_input("Name of the report", key=titled, max_chars=LONGEST, placeholder=name, on_change=_authored, args=args)
    args = (introduced, "introduction")
    st.text_area("Introduction", key=introduced, placeholder=about, height=68, on_change=_authored, args=args)


def _as_it_is(texts: Mapping[str, str]) -> None:
    """Have boxes show what is kept, whatever another tab wrote there; by their keys."""
    for key, text in texts.items():
        if st.session_state.get(key) != text:
            st.session_state[key] = text


def _view() -> Kept:
    shown, said = (tuple(st.session_state.get(key, ())) for key in (_SCREEN, _SAID))
    words, names = st.session_state.get(_WORDS, ()), st.session_state.get(_NAMES, ())
    told = zip(words, st.session_state.get(_WORD_PLACES, ()), strict=True)
    # Each text where it stood: after so many figures and tables.
    merged = [*((at, 1, ("", item), place) for (at, item), place in told)]
    merged += [(at, 2, one, name) for at, (one, name) in enumerate(zip(shown, names, strict=True))]
    merged.sort(key=lambda one: one[:2])
    ordered = tuple(item for _, _, item, _ in merged)
    named = Named([name for *_, name in merged], st.session_state.get(_LINES, ()), st.session_state.get(_UNMOVED, ()))
    work = Work(st.session_state.get(_SLIDERS, ()), named, [item for _, item in ordered])
    return Kept(title(), _settings(), _path(), ordered, said, about=about(), data=rests_on(_data()), work=work)


def _data() -> Collection | None:
    """What the page on the screen works on, which is not always what is open; None for a page of no data."""
    here = settings.on_screen()
    pages = [one for one in here if one.PAGE and one.collection is not None]
    return (pages or here)[-1].works_on if here else None


def _path() -> str:
    """The path that opens the view in any app, whatever its address is."""
    said = {key: texts for key, texts in settings.address().items() if key != "present"}
    return f"/{settings.page()}?{urlencode(said, doseq=True, safe=READ)}".removesuffix("?")


def _settings() -> dict[str, str]:
    """In words: all that the page is set to, and of what pages with data share all but choices where none is made."""
    found: dict[str, str] = {}
    data = _data()
    for one in (one for one in settings.on_screen() if one.PAGE or data is not None):
        kept_out = set() if one.PAGE else {field.label for name, field, _ in one.items() if name in NO_SETTING}
        told = [item for item in one.words() if one.PAGE or (item[0] not in kept_out and item[1] != NONE)]
        found |= {plain(label): words for label, words in told}
    return found


def _views() -> list[Kept]:
    """What was kept, in whatever tab of this browser."""
    return list(cast(list[Kept], kept.latest(_VIEWS) or []))


def _put(views: Sequence[Kept]) -> None:
    kept.put(_VIEWS, list(views))


@callback
def _keep() -> None:
    if len(_views()) < MOST:
        _put([*_views(), begin_sliders(_view())])


@callback
def _noted(mark: object, what: str, key: str) -> None:
    """What was typed goes to the view that it was typed to, wherever another tab has put it by now."""
    said = st.session_state[key]
    said = {"title": " ".join(said.split()), "note": said, "caption": said.strip()}[what]
    if said or what != "title":
        _put([replace(one, **{what: said}) if one.mark is mark else one for one in _views()])


def _place(mark: object) -> int | None:
    """Where a view is now; None where another tab took it out."""
    return next((at for at, one in enumerate(_views()) if one.mark is mark), None)


@callback
def _move(mark: object, by: int) -> None:
    views, at = _views(), _place(mark)
    if at is not None and 0 <= at + by < len(views):
        views[at], views[at + by] = views[at + by], views[at]
        _put(views)


@callback
def _repeat(mark: object) -> None:
    views, at = _views(), _place(mark)
    if at is not None and len(views) < MOST:
        _put([*views[: at + 1], replace(views[at], mark=object()), *views[at + 1 :]])


def _author() -> Author:
    """What was written last, in whatever tab of this browser."""
    return cast(Author, kept.latest(_OWN) or Author())


@callback
def _authored(key: str, what: str) -> None:
    said = st.session_state[key]
    kept.put(_OWN, replace(_author(), **{what: " ".join(said.split()) if what == "title" else said}))


@callback
def _drop(mark: object) -> None:
    _put([one for one in _views() if one.mark is not mark])
