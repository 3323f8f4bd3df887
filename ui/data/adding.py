"""Adding files to the open collection, with a preview and an undo."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import ref

import streamlit as st

from evalcore import InputError
from evalcore.common.progress import Progress
from evalcore.data import Collection
from evalcore.data.adding import Addition, files_of, origin_of, topic_text
from evalcore.explain.unassessed import place
from ui.computing import work
from ui.data import reading, texts
from ui.screen.text import markdown
from ui.server import browser_store
from ui.stage.show import show_error
from ui.widgets.callback import callback

_ASKED, _JOIN, _JOINED = "files to add", "files that join", "collection with added files"


Files = Sequence[tuple[str, bytes]]
Join = Callable[[Collection, Files], object]  # opens a collection, given all its files


@dataclass(frozen=True)
class Joined:
    """The open collection with files added to it, all its files, and a description of each addition."""

    collection: Collection
    files: Files
    texts: Sequence[str]


def offer(files: Files, collection: Collection | None, join: Join, undo: Callable[[], None] | None) -> None:
    """Draw the button that adds files, the preview of what they would add, and, with `undo`, an undo button."""
    if undo is not None:
        st.button(texts.UNDO, icon=":material/undo:", on_click=undo, width="stretch")
    can_join = bool(files) and origin_of(collection) is not None
    st.button("Add to the open collection", disabled=not can_join, on_click=_ask, width="stretch", help=texts.ADD)
    if not can_join or collection is None:
        forget()
    elif is_asked():
        _preview(files, collection, join)


def is_asked() -> bool:
    """Return True if a preview of added files was requested."""
    return _ASKED in st.session_state


def _preview(files: Files, collection: Collection, join: Join) -> None:
    try:
        joined = _joined(files, collection)
    except InputError as error:
        show_error(error)
        st.caption(texts.NOT_ADDED)
        return
    for text in joined.texts:
        st.caption(f":material/add: {markdown(text)}")
    if st.session_state.pop(_JOIN, False):
        forget()
        join(joined.collection, joined.files)
    st.button("Add", type="primary", on_click=_join)
    st.button("Not now", on_click=forget)


def _joined(files: Files, collection: Collection) -> Joined:
    """Return the collection with the files, which are read only once. Raises InputError if they cannot be read."""
    named = _digest(files), ref(collection)
    before, joined = browser_store.get(_JOINED) or (None, None)
    if before != named:
        joined = work.found_or_why(lambda: work.opening("Adding", lambda tell: _read(files, collection, tell)))
        browser_store.put(_JOINED, (named, joined), files)
    if isinstance(joined, InputError):
        raise joined
    assert isinstance(joined, Joined)
    return joined


def _read(files: Files, collection: Collection, tell: Progress) -> Joined:
    joined, additions = reading.added(collection, files, tell)
    return Joined(joined, files_of(joined), [in_words(joined, addition) for addition in additions])


def _digest(files: Files) -> bytes:
    """Return a digest of files, from their names and contents."""
    digest = hashlib.blake2b(digest_size=16)
    for name, content in files:
        digest.update(f"{name}\n{len(content)}\n".encode(errors="replace") + content)
    return digest.digest()


def in_words(collection: Collection, addition: Addition) -> str:
    """Describe what a file adds; for a run, also its topics and its rank among the systems."""
    topics = topic_text(collection, addition)
    text = f"{addition.file}: {addition.text}{f', {topics}' if topics else ''}"
    stands = addition.system and collection.aspects and len(collection.systems) > 1
    return f"{text}. {place(collection, addition.system).in_words}" if stands else text


@callback
def _ask() -> None:
    browser_store.drop(_JOINED)  # files that took too long to read may be tried again
    st.session_state[_ASKED] = True


@callback
def _join() -> None:
    st.session_state[_JOIN] = True


@callback
def forget() -> None:
    """Forget the request for a preview."""
    for key in (_ASKED, _JOIN):
        st.session_state.pop(key, None)
    browser_store.drop(_JOINED)
