"""Scores from other tools, uploaded and compared with our own measures; kept for this browser."""

from __future__ import annotations

import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import InputError
from evalcore.common.constants import Missing
from evalcore.data import Collection, ScoreTables, aligned, as_averaged, read_score_tables
from evalcore.data.sources import from_bytes
from evalcore.direction import Good, good_of
from evalcore.measures.base import good_end
from ui.address.settings import session
from ui.data import open_collection, texts
from ui.screen.text import markdown
from ui.server import browser_store
from ui.stage.show import show_error
from ui.widgets.callback import callback

MARK = " (imported)"  # marks a measure of another tool, as ours may have the same name
MOST = 8  # imported measures that are compared by default
_FILES, _DIGEST, _MISSING, _CHOSEN = "imported files", "imported digest", "imported missing", "imported chosen"
_READ, _UPLOAD, _LOW = "imported tables", "score files", "imported low"
_KEPT = "imported scores"


def imported(collection: Collection) -> dict[str, pd.DataFrame]:
    """Scores, topics x systems, of each imported measure chosen for comparison, cut to the collection.

    Files that cannot be read give nothing here; `box` says why.
    """
    _take_up()
    try:
        scores = _tables(collection).scores
    except InputError:
        return {}
    chosen = session().get(_CHOSEN, list(scores)[:MOST])
    return {name + MARK: frame for name, frame in scores.items() if name in chosen}


def state() -> dict[str, Any]:
    """Return the part of the session state that says which scores are imported, for drawing outside the session."""
    _take_up()
    keys = (_FILES, _DIGEST, _MISSING, _CHOSEN, _LOW, _READ)
    return {_FILES: [], **{key: st.session_state[key] for key in keys if key in st.session_state}}


def known_by() -> tuple[str, ...]:
    """Identify the imported scores that are compared."""
    return digest(), *st.session_state.get(_CHOSEN, ())


def digest() -> str:
    """Identify the imported files, for a cache, with the two settings that change how their scores are read."""
    _take_up()
    low = ", ".join(sorted(session().get(_LOW) or ()))
    return f"{session().get(_DIGEST, '')}{session().get(_MISSING, False)}{low}"


def box(collection: Collection) -> None:
    """Draw the upload, what was read, and the choice of measures to compare. Call it before `imported`."""
    _take_up()
    with st.popover("Import", icon=":material/upload_file:", width="stretch", help="Scores of other tools"):
        st.file_uploader("Scores of other tools", accept_multiple_files=True, key=_UPLOAD, on_change=_take)
        st.caption(markdown(f"{texts.FORMATS} {browser_store.promise()}"))
        if not st.session_state.get(_FILES):
            return
        zero = st.toggle("A missing score is 0", st.session_state.get(_MISSING, False), help=texts.MISSING)
        st.session_state[_MISSING] = zero
        try:
            _low(_tables(collection))
            _summary(_tables(collection))
        except InputError as error:
            show_error(error)
            st.session_state.pop(_LOW, None)  # so that the next run reads them
        _keep()
        if st.button("Remove these scores", icon=":material/delete:"):
            _forget()
            st.rerun()


def _low(tables: ScoreTables) -> None:
    """Ask for which measures low scores are good; our own measures are recognised by their names."""
    names = list(tables.scores)
    if names:
        known = [name for name in names if good_of(tables.scores[name]) == "low"]
        low = st.multiselect("Low scores are good", names, default=known, help=texts.LOW)
        st.session_state[_LOW] = low


def _good(name: str) -> Good:
    low: list[str] | None = session().get(_LOW)
    return good_end(name) if low is None else "low" if name in low else "high"


def _summary(tables: ScoreTables) -> None:
    names = list(tables.scores)
    if names:
        chosen = [name for name in st.session_state.get(_CHOSEN, names[:MOST]) if name in names]
        st.session_state[_CHOSEN] = st.multiselect("Imported measures to compare", names, default=chosen)
    by_text: dict[str, list[str]] = {}
    for note in tables.notes:
        by_text.setdefault(note.text, []).append(note.where)
    for text, where in by_text.items():
        st.caption(f"**{markdown(', '.join(where))}**: {markdown(text)}")


@callback
def _take() -> None:
    """Keep the uploaded files, which Streamlit forgets with the page; if none are left, forget what was read."""
    _forget()
    files = [(file.name, file.getvalue()) for file in st.session_state[_UPLOAD]]
    if files:
        st.session_state[_FILES] = files
        # With the names: systems are named after files, and all sessions share results under this digest.
        parts = (hashlib.sha256(part).digest() for name, content in files for part in (name.encode(), content))
        st.session_state[_DIGEST] = hashlib.sha256(b"".join(parts)).hexdigest()


def _forget() -> None:
    browser_store.drop(_KEPT)
    for key in (_FILES, _DIGEST, _CHOSEN, _READ, _LOW):
        st.session_state.pop(key, None)


def _keep() -> None:
    """Keep files and choices for this browser."""
    now = {key: st.session_state[key] for key in (_FILES, _DIGEST, _MISSING, _CHOSEN, _LOW) if key in st.session_state}
    if now != browser_store.get(_KEPT):
        browser_store.put(_KEPT, now, now.get(_FILES))


def _take_up() -> None:
    """Restore, in a new session, what this browser imported before."""
    if _FILES not in session():
        session().update(browser_store.get(_KEPT) or {})


def _tables(collection: Collection) -> ScoreTables:
    """Read the tables, cut to the collection; read them again if files, collection or settings change."""
    files: list[tuple[str, bytes]] = session().get(_FILES, [])
    if not files:
        return ScoreTables({})
    key = (digest(), collection.fingerprint)
    if session().get(_READ, (None,))[0] != key:
        session()[_READ] = (key, _read(files, collection))
    tables: ScoreTables | InputError = session()[_READ][1]
    if isinstance(tables, InputError):
        raise tables
    return tables


def _read(files: list[tuple[str, bytes]], collection: Collection) -> ScoreTables | InputError:
    try:
        retrieved = collection.rankings.average_over == "retrieved"
        missing: Missing = "leave-out" if retrieved else "refuse"
        if session().get(_MISSING, False):
            missing = "zero"
        tables = read_score_tables(from_bytes(files), missing, open_collection.whole().systems, _good)
        tables = aligned(tables, collection.topics, collection.systems)
        return as_averaged(tables, collection.rankings, collection.topics)
    except InputError as error:
        return error
