"""Which collection is open: the sample, a folder named at the start, or an upload of this session."""

from __future__ import annotations

import os
import runpy
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore.data import Collection
from evalcore.figures import system_styles
from evalcore.figures.style import SystemStyle
from ui import parts, settings
from ui.fields import Choice
from ui.filter import averaged_over, narrowed
from ui.settings import Settings, setting
from ui.show import show_error
from ui.text import markdown
from ui.work import Tell

APP = Path(__file__).parents[1] / "app.py"
SAMPLE = Path(__file__).parents[1] / "sample_data" / "health"
SAMPLE_NAME, OWN = "sample data", "your files"
FOCUSED_NAME, NAVIGATION_NAME = "focused sample", "navigation sample"
SAMPLES = {
    SAMPLE_NAME: SAMPLE,
    FOCUSED_NAME: SAMPLE.parent / "manual",
    NAVIGATION_NAME: SAMPLE.parent / "site",
}
MOST_KEPT = 4
_OWN, _ORIGIN, _ERROR = "own collection", "origin of the own collection", "opening error"
_OPEN, _WHOLE, _CURRENT = "open collection name", "whole collection", "open collection"
_NEXT, _RUNNING = "open next", "in the app"


@dataclass(frozen=True)
class Opened(Settings):
    """Which collection is open."""

    data: str = setting(lambda _: Choice("Collection", [*_places(), *([OWN] if _OWN in st.session_state else [])]))

    def change(self, **changes: Any) -> None:
        """The address is written when the collection is read: it says what it is made on."""
        st.session_state[_NEXT] = changes["data"]


def pick() -> Collection:
    """Draw the picker in the sidebar; what is open, as far as the filter leaves it, which `current` then gives."""
    picked, places = st.session_state.pop(_NEXT, None), _places()
    with st.sidebar:
        opened = Opened.read(None, settings.address())
        opened = (opened.with_(data=picked) if picked else opened).noted()
        opened.draw("data")
        # A container of its own: a bar shown once must not shift, and so close, what stands below it.
        with st.container():
            collection = st.session_state[_OWN] if opened.data == OWN else _opened(opened.data, places)
        settings.made_on(collection.fingerprint[:8])
        if picked:
            opened.show()
        _line(collection)
        part = narrowed(collection)
        _upload_box()
    st.session_state[_OPEN], st.session_state[_WHOLE], st.session_state[_CURRENT] = opened.data, collection, part
    return part


@contextmanager
def in_the_app() -> Iterator[None]:
    """Around the run of a page: tells `current` that app.py has drawn what belongs to every page."""
    st.session_state[_RUNNING] = True
    try:
        yield
    finally:
        del st.session_state[_RUNNING]


def current() -> Collection:
    """The open collection. A page calls this first."""
    if _RUNNING not in st.session_state:
        # A server just started (and AppTest) runs a linked page by itself, as it has not seen st.navigation yet.
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()
    collection: Collection = st.session_state[_CURRENT]
    return collection


def sample(name: str) -> Collection:
    """One of the sample collections, open or not: for a page that the open one gives nothing to show."""
    return _load(SAMPLES[name])


def styles(collection: Collection) -> dict[str, SystemStyle]:
    """Colours and marks of the collection's systems, the same whatever the filter leaves of it."""
    whole: Collection = st.session_state.get(_WHOLE, collection)
    return _styles(whole.systems if set(collection.systems) <= set(whole.systems) else collection.systems)


def whole() -> Collection:
    """The open collection without the filter."""
    collection: Collection = st.session_state[_WHOLE]
    return collection


def over_all(collection: Collection) -> Collection:
    """The collection with means over all topics, whatever the filter says."""
    return averaged_over(collection, "all")


def origin() -> str:
    """What `ec.load` takes to open the collection again: a folder below the project, or its name."""
    name: str = st.session_state[_OPEN]
    folder = _places().get(name)
    if folder is None:
        return "a-folder-with-your-files"
    return folder.relative_to(APP.parent).as_posix() if folder.is_relative_to(APP.parent) else folder.name


def for_sweeps(collection: Collection, tell: Tell) -> Collection:
    """What a sweep over the open collection, or what the filter leaves of it, is computed on."""
    return parts.swept(collection, whole(), tell)


def _places() -> dict[str, Path]:
    """The folders that may be opened, by the name they have in a link."""
    named: dict[str, Path] = {}
    for folder in map(Path, _folders(sys.argv[1:])):
        name = folder.resolve().name
        named[name if name not in (*named, *SAMPLES, OWN) else f"{name} {len(named) + 1}"] = folder
    return {**named, **SAMPLES}


def _folders(arguments: list[str]) -> list[str]:
    """The values of --data in the command line, which may be given more than once."""
    return [value for flag, value in pairwise(arguments) if flag == "--data"]


def _opened(name: str, places: dict[str, Path]) -> Collection:
    try:
        return _load(places[name])
    except ec.DataError as error:
        if name == SAMPLE_NAME:
            raise
        show_error(error)
        st.caption("The sample data are shown instead.")
        return _load(SAMPLE)


def _load(folder: Path) -> Collection:
    """Read a folder once per server, anew when one of its files has changed."""
    kept, key = _kept(), (str(folder), _version(folder))
    if key not in kept:
        kept[key] = _with_progress(lambda tell: parts.opened(folder, tell))
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return kept[key]


@st.cache_resource(show_spinner=False)
def _kept() -> OrderedDict[tuple[str, str], Collection]:
    """Folders that were read, shared by all sessions of this server; the oldest go."""
    return OrderedDict()


def _with_progress(read: Callable[[Callable[[float, str], None]], Collection]) -> Collection:
    bar = st.progress(0.0, "Opening")
    try:
        return read(lambda share, text: _tell(bar, share, text))
    finally:
        bar.empty()


def _tell(bar: DeltaGenerator, share: float, text: str) -> None:
    bar.progress(share, markdown(text))


def _version(folder: Path) -> str:
    if not folder.exists():
        return "missing"
    times = [folder.stat().st_mtime_ns] if folder.is_file() else list(_times(folder))
    return f"{len(times)} {max(times, default=0)}"


def _times(folder: str | Path) -> Iterator[int]:
    """When each file below a folder was last written."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _times(entry.path)
            elif entry.is_file():
                yield entry.stat().st_mtime_ns


@st.cache_resource(max_entries=8, show_spinner=False)
def _styles(systems: tuple[str, ...]) -> dict[str, SystemStyle]:
    return system_styles(systems)


def _upload_box() -> None:
    with st.expander("Open your own files", icon=":material/upload_file:", expanded=_ERROR in st.session_state):
        files = st.file_uploader(
            "Runs and assessments",
            accept_multiple_files=True,
            key="upload files",
            help="TREC runs and qrels (plain, gz, bz2), tables (CSV, Parquet), JSON, a BEIR folder, or one zip of them "
            "all; name qrels after their aspect, such as qread.txt. They stay in this session.",
        )
        if st.button("Open", disabled=not files, type="primary", width="stretch"):
            _own([(file.name, file.getvalue()) for file in files])
        if error := st.session_state.get(_ERROR):
            show_error(error)
            st.caption("What was open before is still open.")


def _own(files: list[tuple[str, bytes]]) -> None:
    """Open uploaded files as this session's own collection; on an error all stays as it was."""
    try:
        collection = _with_progress(lambda tell: ec.load_files(files, progress=tell))
    except ec.DataError as error:
        st.session_state[_ERROR] = error
        return
    _show_own(collection, files)


def reopen(manifest: str) -> None:
    """Read the open collection anew as an edited `collection.toml` says. Raises DataError and leaves all as it was."""
    name = st.session_state[_OPEN]
    origin: Path | list[tuple[str, bytes]] = st.session_state[_ORIGIN] if name == OWN else _places()[name]
    if isinstance(origin, Path):
        folder = origin
        collection = _with_progress(lambda tell: ec.load(folder, manifest=manifest, progress=tell))
    else:
        files = origin
        collection = _with_progress(lambda tell: ec.load_files(files, manifest=manifest, progress=tell))
    _show_own(collection, origin)


def _show_own(collection: Collection, origin: Path | list[tuple[str, bytes]]) -> None:
    """Make a collection this session's own; `origin`, its folder or files, is what `reopen` reads."""
    st.session_state.pop(_ERROR, None)
    st.session_state[_OWN], st.session_state[_ORIGIN] = collection, origin
    st.session_state[_NEXT] = OWN  # the picker is drawn already; it takes this up in the next run
    st.rerun()


def _line(collection: Collection) -> None:
    shown = [
        f"**{markdown(collection.title)}**",
        f"{len(collection.systems):,} systems · {len(collection.topics):,} topics · "
        f"{int(collection.assessments.judged.sum()):,} assessed",
        markdown(", ".join((*collection.aspects, *collection.signals))),
        parts.described(collection),
    ]
    st.caption("  \n".join(filter(None, shown)))
