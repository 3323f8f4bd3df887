"""The open collection: a sample, a folder named on the command line, or this browser's upload."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore.common.progress import Progress
from evalcore.data import Collection
from evalcore.data.sources import Stamps, stamps
from evalcore.errors import counted, readable
from evalcore.subjects import placed
from ui import subjects
from ui.address import families, settings, site
from ui.address.settings import MADE_ON, Settings, setting
from ui.computing import work
from ui.data import adding, browser_files, reading, texts
from ui.data.browser_files import Files, Own
from ui.data.filter import judged_by, led_by, narrowed
from ui.screen.text import markdown
from ui.server import browser_store
from ui.server.browser_store import once
from ui.stage.show import show_error
from ui.widgets.callback import callback
from ui.widgets.fields import Choice

SAMPLE = Path(__file__).parents[2] / "sample_data" / "health"
SAMPLE_NAME, OWN = "sample data", browser_files.NAME
BOARD_NAME, ANSWERS_NAME, DIVERSITY_NAME = "leaderboard sample", "answers sample", "diversity sample"
_FOLDERS = [(SAMPLE_NAME, "health"), (BOARD_NAME, "board"), (ANSWERS_NAME, "answers"), (DIVERSITY_NAME, "diversity")]
_OF_SUBJECTS = [(after, (name, folder)) for after, name, folder in subjects.added("SAMPLES")]
SAMPLES = {name: SAMPLE.parent / folder for name, folder in placed(_FOLDERS, _OF_SUBJECTS, lambda row: row[0])}
MOST_KEPT = 4
_ERROR, _FAILED, _GONE, _BEFORE = "opening error", "opening failed", "own collection is gone", "before files joined"
_OPEN, _CURRENT = "open collection name", "open collection"
_ASKED, _NEXT = "files to open", "open next"


@dataclass(frozen=True)
class Opened(Settings):
    """Setting that names the open collection."""

    data: str = setting(
        lambda _: Choice("Collection", [*_places(), *([OWN] if browser_files.held() or _wanted() else [])])
    )

    @callback
    def change(self, **changes: Any) -> None:
        """Remember the choice of a collection for the next run.

        The address is written only after the collection is read, because it contains the collection's fingerprint.
        """
        st.session_state[_NEXT] = changes["data"]


def pick() -> Collection:
    """Draw the choice of a collection and the filter in the sidebar; return the filtered collection."""
    picked, places, mine = st.session_state.get(_NEXT), _places(), browser_files.held()
    with st.sidebar:
        opened = Opened.read(None, settings.address())
        opened = (opened.with_(data=picked) if picked else opened).noted()
        opened.draw("data")
        # A separate container: a progress bar that appears must not shift the elements below, which would close them.
        with st.container():
            st.session_state[_GONE] = opened.data == OWN and mine is None
            name = SAMPLE_NAME if gone() else opened.data
            collection = mine.collection if mine and name == OWN else _opened(name, places)
        # Links made meanwhile still refer to the missing files.
        settings.made_on(st.query_params.get(MADE_ON, "") if gone() else settings.fingerprint(collection))
        if picked:
            opened.show()
            st.session_state.pop(_NEXT, None)  # only now, as a newer run may interrupt one that is still reading
        if gone():
            part = collection  # not shown
        else:
            _line(collection)
            part = narrowed(collection)
            families.Families.now(collection)
        _upload_box(collection)
    st.session_state[_OPEN], st.session_state[families.WHOLE], st.session_state[_CURRENT] = name, collection, part
    return part


def current() -> Collection:
    """Return the open collection after the filter. Every page calls this, directly or through `titled`."""
    collection: Collection = st.session_state[_CURRENT]
    return collection


def titled(
    page: str,
    lack: Callable[[Collection], str] | None = None,
    question: Callable[[Collection], str] | None = None,
    name: str = SAMPLE_NAME,
) -> Collection:
    """Draw a page's title and return the open collection; if the page cannot use it, say why and return a sample.

    `lack` returns, in Markdown, what the page needs beyond its declared data; `question` returns the question in the
    title.
    """
    opened = current()
    text = site.lack(page, opened) or (lack(opened) if lack else "")
    shown = sample(name) if text else opened
    site.title(page, question(shown) if question else "", opened)
    if text:
        _say_instead(text, name, shown)
    return shown


def instead(lack: str, name: str = SAMPLE_NAME) -> Collection:
    """Return a sample in place of an open collection that has nothing to show, and state the reason, `lack`."""
    shown = sample(name)
    _say_instead(lack, name, shown)
    return shown


def _say_instead(lack: str, name: str, shown: Collection) -> None:
    st.caption(f":material/info: {lack}  \nShown here: *{name}*, {markdown(shown.summary)}.")


def ranked(page: str, what: str) -> Collection:
    """Draw the title and return the collection as `titled` does; `what` names the page's part that needs a ranking."""
    return titled(page, lambda collection: lacks_a_ranking(collection, what))


def anything() -> bool:
    """Return True if this session has opened a collection."""
    return _OPEN in st.session_state


def sample(name: str) -> Collection:
    """Return the sample collection with this name, for pages that cannot use the open one."""
    return _load(SAMPLES[name])


def whole() -> Collection:
    """Return the open collection without the filter."""
    collection: Collection = st.session_state[families.WHOLE]
    return collection


def judged_whole(collection: Collection) -> Collection:
    """Return the unfiltered open collection with the source of labels and leading aspect of its part `collection`."""
    return led_by(judged_by(whole(), collection.source), collection.leading)


def gone() -> bool:
    """Return True if the link needs this browser's files and the server lacks them; a sample is then open instead."""
    return bool(st.session_state.get(_GONE))


def uploaded() -> Files | None:
    """Return the files of the open collection if it is an upload, else None."""
    mine = _open_own()
    return mine.origin if mine and not isinstance(mine.origin, Path) else None


def correction() -> str | None:
    """Return the corrected description of the open collection; None if it was not corrected."""
    mine = _open_own()
    return mine.correction if mine else None


def folder() -> Path | None:
    """Return the folder or zip of the open collection; None for an upload."""
    mine = _open_own()
    origin = mine.origin if mine else _places()[st.session_state[_OPEN]]
    return origin if isinstance(origin, Path) else None


def is_sample(place: Path) -> bool:
    """Return True if a folder is the folder of a sample."""
    return place.resolve() in {sample.resolve() for sample in SAMPLES.values()}


def lacks_a_ranking(collection: Collection, what: str) -> str:
    """Explain why a page that ranks systems has nothing to show, and what to do; "" if it can show something."""
    known = collection.aspects or "scores" in collection.has
    if len(collection.systems) > 1 and collection.topics and known:
        return ""
    return texts.needs_a_ranking(what, len(collection.systems), len(collection.topics))


def _wanted() -> bool:
    """Return True if the address asks for this browser's own files."""
    return st.query_params.get("data") == OWN


def _places() -> dict[str, Path]:
    """Map the names that collections have in links to their folders."""
    named: dict[str, Path] = {}
    for folder in map(Path, _folders(sys.argv[1:])):
        name = readable(folder.resolve().name)
        named[name if name not in (*named, *SAMPLES, OWN) else f"{name} {len(named) + 1}"] = folder
    return {**named, **SAMPLES}


def _folders(arguments: list[str]) -> list[str]:
    """Return the values of every `--data` on the command line."""
    return [value for flag, value in pairwise(arguments) if flag == "--data"]


def _opened(name: str, places: dict[str, Path]) -> Collection:
    try:
        return _load(places[name])
    except ec.InputError as error:
        if name == SAMPLE_NAME:
            raise
        show_error(error)
        st.caption(texts.SAMPLE)
        return _load(SAMPLE)


def _load(folder: Path) -> Collection:
    """Return the collection in a folder, which is read once per server, and again if one of its files has changed."""
    kept, key = _kept(), (str(folder), stamps(folder))
    if key not in kept:
        kept[key] = _read(lambda tell: ec.load(folder, progress=tell))
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return kept[key]


@once
def _kept() -> OrderedDict[tuple[str, Stamps], Collection]:
    """Return the cache of the folders read, for all sessions of this server; the oldest folders are dropped."""
    return OrderedDict()


def _read(read: Callable[[Progress], Collection]) -> Collection:
    return work.opening("Opening", read)


def _upload_box(collection: Collection) -> None:
    with st.expander("Open your own files", icon=":material/upload_file:", expanded=_FAILED in st.session_state):
        label = "Runs and assessments"
        files = st.file_uploader(label, accept_multiple_files=True, key="upload files", help=texts.FILES)
        st.button("Open", disabled=not files, type="primary", width="stretch", on_click=_ask_to_open)
        contents = [(file.name, file.getvalue()) for file in files]
        if _about(contents) != st.session_state.get(_ERROR, (None,))[0] or adding.is_asked():
            st.session_state.pop(_ERROR, None)  # the error was about other files or another request
        adding.offer(contents, None if gone() else collection, join, undo if can_undo() else None)
        if not files:
            st.session_state.pop(_ASKED, None)
        elif _ASKED in st.session_state:
            _try(contents)
        if _ERROR in st.session_state:
            show_error(st.session_state[_ERROR][1])
            st.caption(texts.NOT_OPENED)
        _keeping()
        if not browser_files.held():
            st.caption(texts.NO_FILES)


def _about(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, int], ...]:
    """Return the name and the size in bytes of each chosen file, as a key."""
    return tuple((name, len(content)) for name, content in files)


@callback
def _ask_to_open() -> None:
    adding.forget()
    st.session_state[_ASKED] = True  # kept until done: a control that is moved ends the run that reads


def _keeping() -> None:
    """State how long files are kept, and offer to forget them."""
    if browser_files.held() and browser_store.browser() and not browser_files.lasts():
        st.caption(texts.too_large(browser_store.BOUNDS.each // browser_store.MB))
    st.caption(f"Only you can see your files. {browser_store.promise()}")
    if browser_files.held():
        st.button("Forget your files", icon=":material/delete:", on_click=_forget_own, width="stretch")


@callback
def _forget_own() -> None:
    browser_files.forget()
    if st.session_state[_OPEN] == OWN:
        st.session_state[_NEXT] = next(iter(_places()))


def _try(files: Sequence[tuple[str, bytes]]) -> None:
    """Open uploaded files; if they raise InputError, keep the error and leave the open collection as it is."""
    try:
        open_files(files)
    except Exception as error:  # not the end of this run: the newer run then opens the files
        st.session_state.pop(_ASKED, None)
        if not isinstance(error, ec.InputError):
            raise
        st.session_state[_ERROR] = _about(files), error
        st.session_state[_FAILED] = True  # stays set, so that the box stays open without the error
        return
    st.session_state[_NEXT] = OWN  # the choice is drawn already; the next run opens it
    st.session_state.pop(_ASKED, None)
    st.rerun()


def open_files(files: Sequence[tuple[str, bytes]]) -> None:
    """Open files as this browser's own collection. If they raise InputError, nothing changes."""
    collection = _read(lambda tell: reading.opened(files, None, tell))
    _keep(Own(collection, tuple(files), collection.manifest))


def join(collection: Collection, files: Sequence[tuple[str, bytes]]) -> None:
    """Open a collection to which files were added as this browser's own; `undo` reverses this."""
    st.session_state[_BEFORE] = st.session_state[_OPEN], browser_files.held(), collection.fingerprint
    _keep(Own(collection, tuple(files), collection.manifest))
    st.session_state[_NEXT] = OWN
    st.rerun()


def can_undo() -> bool:
    """Return True if the open collection was made by adding files."""
    mine, before = browser_files.held(), st.session_state.get(_BEFORE)
    return before is not None and mine is not None and mine.collection.fingerprint == before[2]


@callback
def undo() -> None:
    """Open again the collection that was open before files were added."""
    name, mine, _ = st.session_state.pop(_BEFORE)
    if mine is None:
        browser_files.forget()
    else:
        browser_files.keep(mine)
    st.session_state[_NEXT] = name


def reopen(manifest: str) -> None:
    """Read the open collection again with an edited `collection.toml`. If it raises InputError, nothing changes."""
    mine = _open_own()
    if mine is None and browser_files.held() is not None:
        raise ec.InputError(texts.OWN_FILES)
    origin = mine.origin if mine else _places()[st.session_state[_OPEN]]
    given = mine.given if mine else whole().manifest
    _keep(Own(_read(lambda tell: browser_files.read(origin, manifest, tell)), origin, given))
    st.session_state[_NEXT] = OWN
    st.rerun()


def _keep(mine: Own) -> None:
    st.session_state.pop(_ERROR, None)
    browser_files.keep(mine)


def _open_own() -> Own | None:
    return browser_files.held() if st.session_state.get(_OPEN) == OWN else None


def _counts(collection: Collection) -> list[str]:
    has = collection.has
    return [
        counted(len(collection.systems), "system") if collection.systems else "",
        counted(len(collection.topics), "topic"),
        f"{int(collection.assessments.judged.sum()):,} assessed" if "labels" in has else "",
        f"scores under {counted(len(collection.rankings.given), 'measure')}" if "scores" in has else "",
        counted(collection.n_judges, "judge") if not collection.systems and collection.n_judges else "",
    ]


def _line(collection: Collection) -> None:
    """Show the open collection: its title, a link to the loading report, and its size."""
    site.link("collection", markdown(collection.title), ":material/folder_open:")
    aspects = markdown(", ".join((*collection.aspects, *collection.signals)))
    st.caption("  \n".join(filter(None, (" · ".join(filter(None, _counts(collection))), aspects))))
