"""The report of this browser, a document of screens kept as they were; and what a page shows, for the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast
from urllib.parse import urlencode, urljoin

import streamlit as st

from evalcore.citation import cite
from evalcore.common.latex import caption
from evalcore.data import Collection
from evalcore.figures.document import Document, Section, rests_on
from evalcore.figures.path import Path
from ui.address import families, settings
from ui.address.site import Opened
from ui.screen.calls import Call
from ui.screen.drawn import doubt, drawn
from ui.screen.elsewhere import drawing
from ui.screen.items import Figure, Finding, Headline, Item, Metric, Table, in_document, lines_of
from ui.screen.items import key_of as screen_key
from ui.screen.text import counted, plain
from ui.server import kept
from ui.stage import report_sliders
from ui.stage.report_sliders import Paths

Made = TypeVar("Made")
MOST = 20
LONGEST = 200  # characters of a title
_SCREEN, _TAKEN, _TITLE = "on the screen", "keys on the screen", "title on the screen"
_REPORT, _SLIDERS = "report", "sliders on the screen"
NO_SETTING = {"data", "present", "entry"}  # what is open is told otherwise, and how it is shown changes nothing
NONE = "none"
SHORT = 60  # characters of what a default is, in a caption
READ = "()[]{}<>,:;=*'|/@!$?^~"  # signs of a path that a reader may see as they are; a browser takes them so


def begin(title: str) -> None:
    """A run of a page begins: nothing is on the screen yet."""
    st.session_state[_SCREEN], st.session_state[_SLIDERS], st.session_state[_TAKEN] = [], (list, ()), {}
    st.session_state[_TITLE] = title


def taken() -> dict[str, str]:
    """The keys of what the page said so far, and by what each is known."""
    keys: dict[str, str] = st.session_state.setdefault(_TAKEN, {})
    return keys


def key_of(item: Item) -> str:
    """What the next item is known by on the page."""
    return screen_key(item, taken())


def shown(key: str, item: Item) -> None:
    """An item is on the screen now, as it is shown: a figure is made, and a table no longer than it is seen."""
    st.session_state[_SCREEN].append((key, item))


def on_screen() -> list[tuple[str, Item]]:
    """All that this run has shown so far, by its keys."""
    return list(settings.session().get(_SCREEN, ()))


def calls_on_screen() -> list[tuple[Item, Call[Any]]]:
    """Each call that made something on the screen, with what it made."""
    return [(item, call) for _, item in on_screen() for call in getattr(item, "calls", ())]


def sliding(paths: Callable[[], list[Path]], unmoved: Sequence[str]) -> None:
    """What makes the paths of the sliders on the screen, and the figures that none of them moves."""
    st.session_state[_SLIDERS] = paths, unmoved


def title() -> str:
    """The title of the page on the screen."""
    return str(settings.session().get(_TITLE, ""))


def about(drawn: Mapping[str, float] | None = None, *, whole: bool = False) -> str:
    """Of what is on the screen, in words: the collection, the measures, what is set; what was drawn at random how.

    `whole`: by which fingerprint the collection is known, too, and what the page has at its default.
    """
    here, data = settings.on_screen(), works_on()
    pages = [page for page in here if page.PAGE and page.collection is not None]
    of = f"{data.title}, {counted(len(data.systems), 'system')}, {data.topics_in_words}" if data else ""
    of += f", fingerprint {settings.fingerprint(data)}" if data and whole else ""
    info = {plain(label): words for page in here for label, words in page.words_beside()}
    return caption("", of, _measures(pages), info.items(), drawn, _usual(info).items() if whole else ())


def _usual(set_here: Mapping[str, str]) -> dict[str, str]:
    """What the page on the screen has at its default, in words: what is off goes without saying."""
    pages = [page for page in settings.on_screen() if page.PAGE]
    listed = {plain(label): words for page in pages for label, words in page.words_beside(all=True)}
    off = (NONE, "off")
    return {
        name: words
        for name, words in listed.items()
        if name not in set_here and len(words) < SHORT and words not in off
    }


def _measures(pages: Iterable[settings.Settings]) -> list[str]:
    """What pages are about, each measure once."""
    return list(dict.fromkeys(text for page in pages for text in page.measured()))


def methods() -> str:
    """What is on the screen as a paragraph for a methods section; empty on a page of no data."""
    data = works_on()
    if data is None:
        return ""
    measures = _measures(page for page in settings.on_screen() if page.PAGE)
    info: dict[str, str] = {}
    for page in settings.on_screen():
        info |= {plain(label): words for label, words in page.words_beside(all=bool(page.PAGE)) if words != NONE}
    shown = {label: words if len(words) < LONGEST else "see the view" for label, words in info.items()}
    calls = [call for _, item in on_screen() for call in getattr(item, "calls", ())]
    where = urljoin(st.context.url or "", path())
    return cite(measures, data, settings=shown.items(), doubt=doubt(calls), drawn=drawn(calls), link=where)


def shows() -> bool:
    """Whether the page on the screen has anything for a report."""
    return any(not isinstance(item, Headline | Metric) for _, item in on_screen())


def figures() -> list[Figure]:
    """The figures on the screen, in the order in which the page made them."""
    return [item for _, item in on_screen() if isinstance(item, Figure)]


def tables() -> list[Table]:
    """The tables on the screen, in the order in which the page made them."""
    return [item for _, item in on_screen() if isinstance(item, Table)]


def whole_finding() -> Finding:
    """What the page found."""
    return Finding.of([item for _, item in on_screen() if isinstance(item, Headline | Metric)])


def finding(key: str) -> Finding:
    """What the figure of a key shows: the lines between the figure before it and itself, sentences before metrics."""
    lines: list[Headline | Metric] = []
    for _, item in on_screen():
        if isinstance(item, Headline | Metric):
            lines.append(item)
        elif isinstance(item, Figure):
            if item.key == key:
                break
            lines = []
    return Finding.of(sorted(lines, key=lambda line: isinstance(line, Metric)))


def section() -> Section:
    """The page on the screen, as the report keeps it."""
    things = [(key, item) for key, item in on_screen() if not isinstance(item, Headline | Metric)]
    lines = [(key, item) for key, item in on_screen() if isinstance(item, Headline | Metric)]
    paths, unmoved = settings.session().get(_SLIDERS, (list, ()))
    return Section(
        title(),
        [in_document(item, key or f"item {at}") for at, (key, item) in enumerate(things)],
        {key: "\n".join(lines_of(line)) for key, line in lines},
        _settings(),
        path(),
        about=about(whole=True),
        data=rests_on(works_on()),
        measures=_measures(page for page in settings.on_screen() if page.PAGE),
        paths=Paths(paths()),
        unmoved=unmoved,
    )


def afterwards(make: Callable[[], Made]) -> Callable[[], Made]:
    """What makes something of the screen when the run is over and there is no session, as it would be made now."""
    here = {**settings.state(), **families.state(), _TITLE: title(), _SCREEN: on_screen()}
    here[_SLIDERS], address = st.session_state.get(_SLIDERS, (list, ())), settings.address()

    def made() -> Made:
        with drawing(address, here):
            return make()

    return made


def works_on() -> Collection | None:
    """What the page on the screen works on, which is not always what is open; None for a page of no data."""
    # The setting of which page is open leaves that to the page.
    here = sorted(settings.on_screen(), key=lambda shown: not isinstance(shown, Opened))
    pages = [page for page in here if page.PAGE and page.collection is not None]
    return (pages or here)[-1].works_on if here else None


def path() -> str:
    """The path that opens the view in any app, whatever its address is."""
    given = {key: texts for key, texts in settings.address().items() if key not in ("present", "entry")}
    return f"/{settings.page()}?{urlencode(given, doseq=True, safe=READ)}".removesuffix("?")


def _settings() -> dict[str, str]:
    """In words: all that the page is set to, and of what pages with data share all but choices where none is made."""
    listed: dict[str, str] = {}
    data = works_on()
    pages = [page for page in settings.on_screen() if page.PAGE or data is not None]
    for page in pages:
        kept_out = set() if page.PAGE else {field.label for name, field, _ in page.items() if name in NO_SETTING}
        info = [item for item in page.words() if page.PAGE or (item[0] not in kept_out and item[1] != NONE)]
        listed |= {plain(label): words for label, words in info}
    return listed


def document() -> Document:
    """The screens that were kept, in whatever tab of this browser."""
    return cast(Document, kept.latest(_REPORT) or Document(""))


def put(document: Document) -> None:
    kept.put(_REPORT, document)


def keep() -> None:
    """Keep the screen; its sliders are drawn beside the pages."""
    here, screen = document(), section()
    report_sliders.begin(screen.paths)
    put(replace(here, sections=[*here.sections, screen]))


def say(mark: str, **said: Any) -> None:
    """Title or note of a screen that was kept, wherever another tab has put it by now."""
    here = document()
    put(replace(here, sections=[replace(one, **said) if one.mark == mark else one for one in here.sections]))
