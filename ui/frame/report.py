"""The report of this browser: views kept as they were, then one HTML file; and what a page shows, for the stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from evalcore.citation import cite
from evalcore.data import Collection
from evalcore.figures.report import Formula, Heading, rests_on
from evalcore.figures.style import Drawn
from evalcore.latex import caption
from ui.frame import captions, kept
from ui.frame.report_sliders import Kept, Named, Offer, Work
from ui.frame.view_list import LONGEST
from ui.widgets import settings
from ui.widgets.text import counted, plain

MOST = 20
_SCREEN, _VIEWS, _TITLE = "on the screen", "views of the report", "title on the screen"
_SAID, _FIGURES, _TABLES = "said on the screen", "figures on the screen", "tables on the screen"
_WORDS = "words on the screen"
_NAMES, _WORD_PLACES, _LINES = "names on the screen", "places of words on the screen", "lines said on the screen"
_SLIDERS, _UNMOVED = "sliders on the screen", "figures that no slider moves"
NO_SETTING = {"data", "present", "entry"}  # what is open is told otherwise, and how it is shown changes nothing
NONE = "none"
SHORT = 60  # characters of what a default is, in a caption
READ = "()[]{}<>,:;=*'|/@!$?^~"  # signs of a path that a reader may see as they are; a browser takes them so


@dataclass(frozen=True)
class Table:
    """A table on the screen: what it is, its numbers to how many decimals, and whether its index is shown."""

    said: str
    frame: pd.DataFrame
    decimals: Mapping[str, int]
    index: bool


def begin(title: str) -> None:
    """A run of a page begins: nothing is on the screen yet."""
    for what in (_SCREEN, _SAID, _FIGURES, _TABLES, _WORDS, _NAMES, _WORD_PLACES, _LINES, _SLIDERS):
        st.session_state[what] = []
    st.session_state[_TITLE] = title


def showing(
    said: str,
    item: Drawn | pd.DataFrame,
    key: str = "",
    decimals: Mapping[str, int] | None = None,
    index: bool = True,
) -> None:
    """A figure or table is on the screen now, known by its key or name."""
    st.session_state[_SCREEN].append((said, item))
    st.session_state[_NAMES].append(key)
    if isinstance(item, Drawn) and key:
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


def about(drawn: Mapping[str, float] | None = None, *, whole: bool = False) -> str:
    """Of what is on the screen, in words: the collection, the measures, what is set; what was drawn at random how.

    `whole`: by which fingerprint the collection is known, too, and what the page has at its default.
    """
    here, data = settings.on_screen(), works_on()
    pages = [one for one in here if one.PAGE and one.collection is not None]
    of = f"{data.title}, {counted(len(data.systems), 'system')}, {data.topics_in_words}" if data else ""
    of += f", fingerprint {settings.fingerprint(data)}" if data and whole else ""
    told = {plain(label): words for one in here for label, words in one.words_beside()}
    return caption("", of, _measures(pages), told.items(), drawn, _usual(told).items() if whole else ())


def _usual(told: Mapping[str, str]) -> dict[str, str]:
    """What the page on the screen has at its default, in words: what is off goes without saying."""
    pages = [one for one in settings.on_screen() if one.PAGE]
    found = {plain(label): words for one in pages for label, words in one.words_beside(all=True)}
    off = (NONE, "off")
    return {
        name: words for name, words in found.items() if name not in told and len(words) < SHORT and words not in off
    }


def _measures(pages: Iterable[settings.Settings]) -> list[str]:
    """What pages are about, each measure once."""
    return list(dict.fromkeys(text for one in pages for text in one.measured()))


def methods() -> str:
    """What is on the screen as a paragraph for a methods section; empty on a page of no data."""
    data = works_on()
    if data is None:
        return ""
    measures = _measures(one for one in settings.on_screen() if one.PAGE)
    told: dict[str, str] = {}
    for one in settings.on_screen():
        told |= {plain(label): words for label, words in one.words_beside(all=bool(one.PAGE)) if words != NONE}
    shown = {label: words if len(words) < LONGEST else "see the view" for label, words in told.items()}
    return cite(measures, data, settings=shown.items(), link=path())


def shows() -> bool:
    """Whether the page on the screen has anything for a report."""
    return bool(st.session_state.get(_SCREEN) or st.session_state.get(_WORDS))


def figures() -> list[str]:
    """The keys of the figures on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_FIGURES, []))


def figures_said() -> list[tuple[str, str]]:
    """The keys of the figures on the screen, each with what it shows."""
    shown = [said for said, item in st.session_state.get(_SCREEN, ()) if isinstance(item, Drawn)]
    return list(zip(figures(), shown, strict=True))


def tables() -> list[Table]:
    """The tables on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_TABLES, []))


def found() -> list[str]:
    """What the page found, a line each."""
    return list(st.session_state.get(_SAID, []))


def view() -> Kept:
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
    first = next(iter(figures()), "")
    own, data = captions.written(path(), first), rests_on(works_on())
    about_it = about(whole=True)
    return Kept(title(), _settings(), path(), ordered, said, about=about_it, caption=own, data=data, work=work)


def works_on() -> Collection | None:
    """What the page on the screen works on, which is not always what is open; None for a page of no data."""
    here = settings.on_screen()
    pages = [one for one in here if one.PAGE and one.collection is not None]
    return (pages or here)[-1].works_on if here else None


def path() -> str:
    """The path that opens the view in any app, whatever its address is."""
    said = {key: texts for key, texts in settings.address().items() if key not in ("present", "entry")}
    return f"/{settings.page()}?{urlencode(said, doseq=True, safe=READ)}".removesuffix("?")


def _settings() -> dict[str, str]:
    """In words: all that the page is set to, and of what pages with data share all but choices where none is made."""
    found: dict[str, str] = {}
    data = works_on()
    for one in (one for one in settings.on_screen() if one.PAGE or data is not None):
        kept_out = set() if one.PAGE else {field.label for name, field, _ in one.items() if name in NO_SETTING}
        told = [item for item in one.words() if one.PAGE or (item[0] not in kept_out and item[1] != NONE)]
        found |= {plain(label): words for label, words in told}
    return found


def kept_views() -> list[Kept]:
    """What was kept, in whatever tab of this browser."""
    return list(cast(list[Kept], kept.latest(_VIEWS) or []))


def say(mark: str, what: str, said: str) -> None:
    """Title, note or caption of a view that was kept, wherever another tab has put it by now."""
    put_views([one.saying(what, said) if one.mark == mark else one for one in kept_views()])


def put_views(views: Sequence[Kept]) -> None:
    kept.put(_VIEWS, list(views))
