"""Which collection is open: the sample, a folder named at the start, or an upload of this browser."""

from __future__ import annotations

import runpy
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
from ui.data import adding, own, reading
from ui.data.filter import judged_by, led_by, narrowed
from ui.data.own import Files, Own
from ui.screen.text import markdown
from ui.server import kept
from ui.server.kept import once
from ui.stage.show import show_error
from ui.widgets.callback import callback
from ui.widgets.fields import Choice

APP = Path(__file__).parents[2] / "app.py"
SAMPLE = Path(__file__).parents[2] / "sample_data" / "health"
SAMPLE_NAME, OWN = "sample data", own.NAME
BOARD_NAME, ANSWERS_NAME, DIVERSITY_NAME = "leaderboard sample", "answers sample", "diversity sample"
_FOLDERS = [(SAMPLE_NAME, "health"), (BOARD_NAME, "board"), (ANSWERS_NAME, "answers"), (DIVERSITY_NAME, "diversity")]
_OF_SUBJECTS = [(after, (name, folder)) for after, name, folder in subjects.added("SAMPLES")]
SAMPLES = {name: SAMPLE.parent / folder for name, folder in placed(_FOLDERS, _OF_SUBJECTS, lambda row: row[0])}
MOST_KEPT = 4
_ERROR, _FAILED, _GONE, _BEFORE = "opening error", "opening failed", "own collection is gone", "before files joined"
_OPEN, _CURRENT = "open collection name", "open collection"
_ASKED, _NEXT, _RUNNING = "files to open", "open next", "in the app"


@dataclass(frozen=True)
class Opened(Settings):
    """Which collection is open."""

    data: str = setting(lambda _: Choice("Collection", [*_places(), *([OWN] if own.held() or _wanted() else [])]))

    @callback
    def change(self, **changes: Any) -> None:
        """The address is written when the collection is read: it says what it is made on."""
        st.session_state[_NEXT] = changes["data"]


def pick() -> Collection:
    """Draw the picker in the sidebar; what is open, as far as the filter leaves it, which `current` then gives."""
    picked, places, mine = st.session_state.get(_NEXT), _places(), own.held()
    with st.sidebar:
        opened = Opened.read(None, settings.address())
        opened = (opened.with_(data=picked) if picked else opened).noted()
        opened.draw("data")
        # A container of its own: a bar shown once must not shift, and so close, what stands below it.
        with st.container():
            st.session_state[_GONE] = opened.data == OWN and mine is None
            name = SAMPLE_NAME if gone() else opened.data
            collection = mine.collection if mine and name == OWN else _opened(name, places)
        # Links made meanwhile are still to the files that are gone.
        settings.made_on(st.query_params.get(MADE_ON, "") if gone() else settings.fingerprint(collection))
        if picked:
            opened.show()
            st.session_state.pop(_NEXT, None)  # only now: a newer run may have ended one that was still reading
        if gone():
            part = collection  # of which nothing is shown
        else:
            _line(collection)
            site.link("collection", "How it was read", ":material/folder_open:")
            part = narrowed(collection)
            families.box(collection)
        _upload_box(collection)
    st.session_state[_OPEN], st.session_state[families.WHOLE], st.session_state[_CURRENT] = name, collection, part
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


def titled(
    page: str,
    lack: Callable[[Collection], str] | None = None,
    question: Callable[[Collection], str] | None = None,
    name: str = SAMPLE_NAME,
) -> Collection:
    """The open collection under the title of a page; a sample where the page lacks something, with what that is.

    `lack` says what a page takes that all of its kind do not, in Markdown; `question` what its title asks of the data.
    """
    opened = current()
    text = site.lack(page, opened) or (lack(opened) if lack else "")
    shown = sample(name) if text else opened
    site.title(page, question(shown) if question else "", opened)
    if text:
        _say_instead(text, name, shown)
    return shown


def instead(lack: str, name: str = SAMPLE_NAME) -> Collection:
    """A sample, for what the open collection gives nothing to show, and why."""
    shown = sample(name)
    _say_instead(lack, name, shown)
    return shown


def _say_instead(lack: str, name: str, shown: Collection) -> None:
    st.caption(f":material/info: {lack}  \nShown here: *{name}*, {markdown(shown.summary)}.")


def ranked(page: str, what: str) -> Collection:
    """The same for a page that ranks systems; `what` takes a ranking."""
    return titled(page, lambda collection: lacks_a_ranking(collection, what))


def anything() -> bool:
    """Whether this session has opened anything yet."""
    return _OPEN in st.session_state


def sample(name: str) -> Collection:
    """One of the sample collections, open or not: for a page that the open one gives nothing to show."""
    return _load(SAMPLES[name])


def whole() -> Collection:
    """The open collection without the filter."""
    collection: Collection = st.session_state[families.WHOLE]
    return collection


def judged_whole(collection: Collection) -> Collection:
    """The open collection without the filter, but with the labels and the leading aspect that a part of it has."""
    return led_by(judged_by(whole(), collection.source), collection.leading)


def gone() -> bool:
    """Whether they are to be open and this server has none of this browser; the sample is open instead."""
    return bool(st.session_state.get(_GONE))


def uploaded() -> Files | None:
    """The files of the open collection where it is an upload."""
    mine = _open_own()
    return mine.origin if mine and not isinstance(mine.origin, Path) else None


def correction() -> str | None:
    """The description of the open collection, where it is not what its files alone give."""
    mine = _open_own()
    return mine.correction if mine else None


def folder() -> Path | None:
    """The folder or zip that the open collection is read from; None for an upload."""
    mine = _open_own()
    origin = mine.origin if mine else _places()[st.session_state[_OPEN]]
    return origin if isinstance(origin, Path) else None


def named_at_the_start(place: Path) -> bool:
    """Whether a place is one of --data and no sample."""
    return place in map(Path, _folders(sys.argv[1:])) and not is_sample(place)


def is_sample(place: Path) -> bool:
    """Whether a place is the folder of a sample."""
    return place.resolve() in {sample.resolve() for sample in SAMPLES.values()}


def lacks_a_ranking(collection: Collection, what: str) -> str:
    """Why a page that ranks systems has nothing to show, and what to do; empty where it has."""
    known = collection.aspects or "scores" in collection.has
    if len(collection.systems) > 1 and collection.topics and known:
        return ""
    counts = f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}"
    return f"{what} takes two systems and an assessed topic; the open collection has {counts}. Open more runs."


def _wanted() -> bool:
    """Whether the address says that this browser's own files are to be open."""
    return st.query_params.get("data") == OWN


def _places() -> dict[str, Path]:
    """The folders that may be opened, by the name they have in a link."""
    named: dict[str, Path] = {}
    for folder in map(Path, _folders(sys.argv[1:])):
        name = readable(folder.resolve().name)
        named[name if name not in (*named, *SAMPLES, OWN) else f"{name} {len(named) + 1}"] = folder
    return {**named, **SAMPLES}


def _folders(arguments: list[str]) -> list[str]:
    """The values of --data in the command line, which may be given more than once."""
    return [value for flag, value in pairwise(arguments) if flag == "--data"]


def _opened(name: str, places: dict[str, Path]) -> Collection:
    try:
        return _load(places[name])
    except ec.InputError as error:
        if name == SAMPLE_NAME:
            raise
        show_error(error)
        st.caption("The sample data are shown instead.")
        return _load(SAMPLE)


def _load(folder: Path) -> Collection:
    """Read a folder once per server, anew when one of its files has changed."""
    kept, key = _kept(), (str(folder), stamps(folder))
    if key not in kept:
        kept[key] = _read(lambda tell: ec.load(folder, progress=tell))
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return kept[key]


@once
def _kept() -> OrderedDict[tuple[str, Stamps], Collection]:
    """Folders that were read, shared by all sessions of this server; the oldest go."""
    return OrderedDict()


def _read(read: Callable[[Progress], Collection]) -> Collection:
    return work.opening("Opening", read)


def _upload_box(collection: Collection) -> None:
    with st.expander("Open your own files", icon=":material/upload_file:", expanded=_FAILED in st.session_state):
        files = st.file_uploader(
            "Runs and assessments",
            accept_multiple_files=True,
            key="upload files",
            help="TREC runs and qrels (plain, gz, bz2), tables (CSV, Parquet), JSON, a BEIR folder, or one zip of them "
            "all; name qrels after their aspect, such as qread.txt. Or scores alone: tables, outputs of trec_eval -q.",
        )
        st.button("Open", disabled=not files, type="primary", width="stretch", on_click=_ask_to_open)
        contents = [(file.name, file.getvalue()) for file in files]
        if _about(contents) != st.session_state.get(_ERROR, (None,))[0] or adding.is_asked():
            st.session_state.pop(_ERROR, None)  # of other files, or of another wish
        adding.offer(contents, None if gone() else collection, join, undo if can_undo() else None)
        if not files:
            st.session_state.pop(_ASKED, None)
        elif _ASKED in st.session_state:
            _try(contents)
        if _ERROR in st.session_state:
            show_error(st.session_state[_ERROR][1])
            st.caption("What was open before is still open.")
        _keeping()
        if not own.held():
            st.caption("None at hand? `evalcore fetch`, on the command line, gets public collections.")


def _about(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, int], ...]:
    """What tells the files that were chosen from others: names and sizes."""
    return tuple((name, len(content)) for name, content in files)


@callback
def _ask_to_open() -> None:
    adding.forget()
    st.session_state[_ASKED] = True  # until it is done: a move meanwhile ends the run that reads


def _keeping() -> None:
    """How long files are kept; and a way to have them forgotten."""
    if own.held() and kept.browser() and not own.lasts():
        most = kept.BOUNDS.each // kept.MB
        st.caption(f":material/warning: What is open here is not kept ({most:,} MB is the most): a reload forgets it.")
    st.caption(f"Nobody else sees them. {kept.promise()}")
    if own.held():
        st.button("Forget your files", icon=":material/delete:", on_click=_forget_own, width="stretch")


@callback
def _forget_own() -> None:
    own.forget()
    if st.session_state[_OPEN] == OWN:
        st.session_state[_NEXT] = next(iter(_places()))


def _try(files: Sequence[tuple[str, bytes]]) -> None:
    """Open uploaded files; on an error all stays as it was."""
    try:
        open_files(files)
    except Exception as error:  # not the end of a run for a newer one, which opens them then
        st.session_state.pop(_ASKED, None)
        if not isinstance(error, ec.InputError):
            raise
        st.session_state[_ERROR] = _about(files), error
        st.session_state[_FAILED] = True  # from then on: whose error goes keeps the box open
        return
    st.session_state[_NEXT] = OWN  # the picker is drawn already; it takes this up in the next run
    st.session_state.pop(_ASKED, None)
    st.rerun()


def open_files(files: Sequence[tuple[str, bytes]]) -> None:
    """Make files this browser's own collection. Raises InputError and leaves all as it was."""
    collection = _read(lambda tell: reading.opened(files, None, tell))
    _keep(Own(collection, tuple(files), collection.manifest))


def join(collection: Collection, files: Sequence[tuple[str, bytes]]) -> None:
    """Make what is open with more files this browser's own collection, which can be undone."""
    st.session_state[_BEFORE] = st.session_state[_OPEN], own.held(), collection.fingerprint
    _keep(Own(collection, tuple(files), collection.manifest))
    st.session_state[_NEXT] = OWN
    st.rerun()


def can_undo() -> bool:
    """Whether what is open was joined by files just now."""
    mine, before = own.held(), st.session_state.get(_BEFORE)
    return before is not None and mine is not None and mine.collection.fingerprint == before[2]


@callback
def undo() -> None:
    """What was open before files joined it is open again."""
    name, mine, _ = st.session_state.pop(_BEFORE)
    if mine is None:
        own.forget()
    else:
        own.keep(mine)
    st.session_state[_NEXT] = name


def reopen(manifest: str) -> None:
    """Read the open collection anew as an edited `collection.toml` says. Raises InputError and leaves all as it was."""
    mine = _open_own()
    if mine is None and own.held() is not None:
        raise ec.InputError(
            "expected no files of your own, found some: what is read anew would take their place, so forget them first "
            "(in the sidebar, Open your own files)"
        )
    origin = mine.origin if mine else _places()[st.session_state[_OPEN]]
    given = mine.given if mine else whole().manifest
    _keep(Own(_read(lambda tell: own.read(origin, manifest, tell)), origin, given))
    st.session_state[_NEXT] = OWN
    st.rerun()


def _keep(mine: Own) -> None:
    st.session_state.pop(_ERROR, None)
    own.keep(mine)


def _open_own() -> Own | None:
    return own.held() if st.session_state.get(_OPEN) == OWN else None


def _counts(collection: Collection) -> list[str]:
    has = collection.has
    return [
        counted(len(collection.systems), "system") if collection.systems else "",
        counted(len(collection.topics), "topic"),
        f"{int(collection.assessments.judged.sum()):,} assessed" if "labels" in has else "",
        f"scores by {counted(len(collection.rankings.given), 'measure')}" if "scores" in has else "",
        counted(collection.n_judges, "judge") if not collection.systems and collection.n_judges else "",
    ]


def _line(collection: Collection) -> None:
    shown = [
        f"**{markdown(collection.title)}**",
        " · ".join(filter(None, _counts(collection))),
        markdown(", ".join((*collection.aspects, *collection.signals))),
    ]
    st.caption("  \n".join(filter(None, shown)))
