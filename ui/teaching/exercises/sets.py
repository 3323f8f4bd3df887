"""Sets of exercises: the shipped one, the one in the open collection, and the one uploaded in this browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from weakref import ref

import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.data.sources import from_bytes, from_path
from evalcore.teaching.exercises import FILE_NAME, Exercise, Solved, measures_in, parse_exercise, shipped, solve
from ui.computing.cached import cached
from ui.data import open_collection
from ui.server import browser_store
from ui.server.limits import LIMITS

SHIPPED, BESIDE, OWN = "guided path", "of the open collection", "your file"
_KEPT, _PACKED = "own exercises", "exercises packed with the open collection"


@dataclass(frozen=True)
class Uploaded:
    """This browser's uploaded file of exercises."""

    name: str
    text: str


def uploaded() -> Uploaded | None:
    """Return this browser's uploaded file of exercises; None without one."""
    mine: Uploaded | None = browser_store.get(_KEPT)
    return mine


def keep(name: str, content: bytes) -> None:
    """Keep a file of exercises for this browser.

    Raises InputError if the file cannot be read as exercises; the previous file is then kept.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("expected exercises in UTF-8, found a different encoding; save them as UTF-8", name) from None
    _read(name, text)
    browser_store.put(_KEPT, Uploaded(name, text))


def forget() -> None:
    """Forget this browser's uploaded file."""
    browser_store.drop(_KEPT)


def texts() -> dict[str, tuple[str, str]]:
    """Map each set to the name and the text of its file; both are "" for the shipped set."""
    files = {SHIPPED: ("", "")}
    if beside := _beside():
        files[BESIDE] = beside
    if mine := uploaded():
        files[OWN] = mine.name, mine.text
    return files


def read(name: str) -> Exercise:
    """Return the set with this name. Raises InputError, which names the file and the question, if it cannot be read."""
    file, text = texts()[name]
    return _read(file, text)


def collection_of(name: str) -> Collection:
    """Return the collection of a set: the sample for the shipped set, otherwise the whole open collection."""
    return open_collection.sample(open_collection.SAMPLE_NAME) if name == SHIPPED else open_collection.whole()


def solved(exercise: Exercise, name: str, collection: Collection) -> Solved:
    """Return a question with its answer. Raises InputError if the collection lacks what the question needs."""
    return _solved(exercise.digest, name, collection, exercise)


@cached(16)
def _read(file: str, text: str) -> Exercise:
    if not file:
        return shipped()
    exercise = parse_exercise(text, file)
    for answer in exercise.answers:
        for measure in measures_in(answer):
            LIMITS.check_measure(ec.parse(measure))
    return exercise


@cached(500)
def _solved(digest: str, name: str, collection: Collection, _exercise: Exercise) -> Solved:
    return solve(_exercise[name], collection)


def _beside() -> tuple[str, str] | None:
    """Return the name and the text of the exercises in the open collection; None without a readable file."""
    if not open_collection.anything():
        return None
    folder, files = open_collection.folder(), open_collection.uploaded()
    if folder is not None and folder.is_dir():
        try:
            return _decoded(FILE_NAME, (folder / FILE_NAME).read_bytes())
        except OSError:  # the file is missing or unreadable
            return None
    return _packed(open_collection.whole(), folder, files)


def _packed(
    collection: Collection, zipped: Path | None, files: tuple[tuple[str, bytes], ...] | None
) -> tuple[str, str] | None:
    """Return the name and the text of the exercises in a zip or an upload; None without exercises.

    The session keeps them for this collection object, because the fingerprint does not cover exercises.
    """
    packed: tuple[str, str] | None
    of, packed = st.session_state.get(_PACKED, (None, None))
    if of is None or of() is not collection:
        sources = from_path(zipped) if zipped is not None else from_bytes(files or ())
        named = (source for source in sources if PurePosixPath(source.name).name == FILE_NAME)
        file = next(named, None)
        packed = None if file is None else _decoded(file.name, file.raw())
        st.session_state[_PACKED] = ref(collection), packed
    return packed


def _decoded(name: str, content: bytes) -> tuple[str, str]:
    return name, content.decode("utf-8", errors="replace").removeprefix("\ufeff")


def problems() -> Mapping[str, InputError]:
    """Map the name of each set that cannot be read to the error."""
    errors = {}
    for name in texts():
        try:
            read(name)
        except InputError as error:
            errors[name] = error
    return errors
