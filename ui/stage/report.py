"""The report of this browser (a document of the screens that people added to it), and the items on the screen."""

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
from ui.screen.drawing_ahead import drawing
from ui.screen.items import Figure, Finding, Headline, Item, Metric, Table, in_document, lines_of
from ui.screen.items import key_of as screen_key
from ui.screen.random_steps import doubt, drawn
from ui.screen.text import counted, plain
from ui.server import browser_store
from ui.stage import report_sliders
from ui.stage.report_sliders import Paths

Made = TypeVar("Made")
MOST = 20
LONGEST = 200  # most characters of a title
_SCREEN, _TAKEN, _TITLE = "on the screen", "keys on the screen", "title on the screen"
_REPORT, _SLIDERS = "report", "sliders on the screen"
NO_SETTING = {"data", "present", "entry"}  # the collection is reported elsewhere; presentation changes nothing
NONE = "none"
SHORT = 60  # captions omit default values with more characters
READ = "()[]{}<>,:;=*'|/@!$?^~"  # characters left unescaped in a path, for readability; browsers accept them


def begin(title: str) -> None:
    """Begin a run of a page, with nothing on the screen yet."""
    st.session_state[_SCREEN], st.session_state[_SLIDERS], st.session_state[_TAKEN] = [], (list, ()), {}
    st.session_state[_TITLE] = title


def taken() -> dict[str, str]:
    """Map the key of each item shown so far to the name from which the key was made."""
    keys: dict[str, str] = st.session_state.setdefault(_TAKEN, {})
    return keys


def key_of(item: Item) -> str:
    """Return the key for the next item on the page, and record it as taken."""
    return screen_key(item, taken())


def shown(key: str, item: Item) -> None:
    """Record an item of the screen as it is shown: a figure is made, and a table is cut to its visible rows."""
    st.session_state[_SCREEN].append((key, item))


def on_screen() -> list[tuple[str, Item]]:
    """Return all items shown so far in this run, with their keys."""
    return list(settings.session().get(_SCREEN, ()))


def calls_on_screen() -> list[tuple[Item, Call[Any]]]:
    """Return a pair (item, call) for each call of each item on the screen."""
    return [(item, call) for _, item in on_screen() for call in getattr(item, "calls", ())]


def sliding(paths: Callable[[], list[Path]], unmoved: Sequence[str]) -> None:
    """Store the function that returns the paths of the page's sliders, and the keys of figures that no slider moves."""
    st.session_state[_SLIDERS] = paths, unmoved


def title() -> str:
    """Return the title of the current page."""
    return str(settings.session().get(_TITLE, ""))


def about(drawn: Mapping[str, float] | None = None, *, whole: bool = False) -> str:
    """Return a description of the screen: collection, measures, settings, and what was drawn at random.

    `whole` adds the fingerprint of the collection, and the settings that are at their default.
    """
    here, data = settings.on_screen(), works_on()
    pages = [page for page in here if page.PAGE and page.collection is not None]
    of = f"{data.title}, {counted(len(data.systems), 'system')}, {data.topics_in_words}" if data else ""
    of += f", fingerprint {settings.fingerprint(data)}" if data and whole else ""
    info = {plain(label): words for page in here for label, words in page.words_beside()}
    return caption("", of, _measures(pages), info.items(), drawn, _usual(info).items() if whole else ())


def _usual(set_here: Mapping[str, str]) -> dict[str, str]:
    """Map the label of each setting at its default to the value in words, for settings not in `set_here`.

    Settings whose value is off, none or a long text are left out.
    """
    pages = [page for page in settings.on_screen() if page.PAGE]
    listed = {plain(label): words for page in pages for label, words in page.words_beside(all=True)}
    off = (NONE, "off")
    return {key: text for key, text in listed.items() if key not in set_here and len(text) < SHORT and text not in off}


def _measures(pages: Iterable[settings.Settings]) -> list[str]:
    """Return the texts of the measures that these pages use, without repetitions."""
    return list(dict.fromkeys(text for page in pages for text in page.measured()))


def methods() -> str:
    """Return a paragraph that describes the screen, for the methods section of a paper; "" on a page without data."""
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
    """Return True if the screen has any item besides headlines and metrics."""
    return any(not isinstance(item, Headline | Metric) for _, item in on_screen())


def figures() -> list[Figure]:
    """Return the figures on the screen, in order."""
    return [item for _, item in on_screen() if isinstance(item, Figure)]


def tables() -> list[Table]:
    """Return the tables on the screen, in order."""
    return [item for _, item in on_screen() if isinstance(item, Table)]


def whole_finding() -> Finding:
    """Return the finding of the whole page: the lines of all its headlines and metrics."""
    return Finding.of([item for _, item in on_screen() if isinstance(item, Headline | Metric)])


def finding(key: str) -> Finding:
    """Return the finding of the figure with this key: the lines since the previous figure, headlines before metrics."""
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
    """Return the screen as a section of the report."""
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
    """Return a function that calls `make` with this run's screen and settings, after the run and without a session."""
    here = {**settings.state(), **families.state(), _TITLE: title(), _SCREEN: on_screen()}
    here[_SLIDERS], address = st.session_state.get(_SLIDERS, (list, ())), settings.address()

    def made() -> Made:
        with drawing(address, here):
            return make()

    return made


def works_on() -> Collection | None:
    """Return the data of the current page, which need not be the open collection; None on a page without data."""
    # The setting of the open collection is sorted first, so that the page's own settings decide.
    here = sorted(settings.on_screen(), key=lambda shown: not isinstance(shown, Opened))
    pages = [page for page in here if page.PAGE and page.collection is not None]
    return (pages or here)[-1].works_on if here else None


def path() -> str:
    """Return the path and the query that open the view, relative to any address of the app."""
    given = {key: texts for key, texts in settings.address().items() if key not in ("present", "entry")}
    return f"/{settings.page()}?{urlencode(given, doseq=True, safe=READ)}".removesuffix("?")


def _settings() -> dict[str, str]:
    """Map the label of each setting to its value in words.

    These are the settings of the page and, on a page with data, the shared settings that are set.
    """
    listed: dict[str, str] = {}
    data = works_on()
    pages = [page for page in settings.on_screen() if page.PAGE or data is not None]
    for page in pages:
        kept_out = set() if page.PAGE else {field.label for name, field, _ in page.items() if name in NO_SETTING}
        info = [item for item in page.words() if page.PAGE or (item[0] not in kept_out and item[1] != NONE)]
        listed |= {plain(label): words for label, words in info}
    return listed


def document() -> Document:
    """Return this browser's report, which is the same in all of its tabs."""
    return cast(Document, browser_store.latest(_REPORT) or Document(""))


def put(document: Document) -> None:
    browser_store.put(_REPORT, document)


def keep() -> None:
    """Add the screen to the report; the positions of its sliders are drawn later, in the background."""
    here, screen = document(), section()
    report_sliders.begin(screen.paths)
    put(replace(here, sections=[*here.sections, screen]))


def say(mark: str, **said: Any) -> None:
    """Change the title or the note of the kept screen with this mark, even if a different tab has moved it."""
    here = document()
    put(replace(here, sections=[replace(one, **said) if one.mark == mark else one for one in here.sections]))
