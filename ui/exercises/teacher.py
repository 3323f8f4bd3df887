"""For teachers: a set of one's own, and links for a class with settings locked and answers hidden."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.exercises import FILE_NAME
from ui.address import settings
from ui.address.settings import LOCKED, Settings
from ui.address.site import PAGES
from ui.address.teaching import HIDDEN, SHOWN, answers_hidden
from ui.exercises import sets
from ui.exercises.controls import ExerciseSettings
from ui.guided_path import LESSONS
from ui.screen.items import Text
from ui.screen.text import counted, markdown
from ui.server import kept
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.download import download

_FILE, _ERROR, _LINKS = "exercises file", "error in exercises file", "links for a class"
ON_A_DAY = "from a day on"
GUIDED = "guided_path"
WHEN = {SHOWN: "at once", HIDDEN: "never", ON_A_DAY: ON_A_DAY}


def teacher(page: ExerciseSettings) -> None:
    """A set of one's own at the left, links at the right."""
    own, made = st.columns([0.42, 0.58], gap="large")
    with own:
        own_set(page)
    with made:
        builder(page)


def own_set(page: ExerciseSettings) -> None:
    """A file to open, and what one is."""
    show.put(Text("Questions of your own", "heading"))
    show.put(
        Text(
            f"Questions are a text file, `{FILE_NAME}`: what to look at, what is asked, how the right answer is "
            "computed from the open collection, which guess gets which hint. Put it beside `collection.toml`, or "
            "open it here; `docs/exercises.md` says what may stand in it."
        )
    )
    hidden = answers_hidden()  # it says them
    example = sets.read(sets.SHIPPED).text
    download("An example to begin from", example, FILE_NAME, hidden or None, disabled=hidden != "")

    @callback
    def take() -> None:
        file = st.session_state.get(_FILE)
        st.session_state.pop(_ERROR, None)
        if file is None:
            return
        try:
            sets.keep(file.name, file.getvalue())
        except InputError as error:
            st.session_state[_ERROR] = error
            return
        page.change(set_name=sets.OWN)

    error = st.session_state.get(_ERROR)
    with st.expander("Open a file", icon=":material/upload_file:", expanded=error is not None):
        st.file_uploader("A file of exercises", type=["toml"], key=_FILE, on_change=take)
        if error is not None:
            show.show_error(error)
    if mine := sets.uploaded():
        st.caption(f"{markdown(mine.name)} is open as “{sets.OWN}”. {kept.promise()}")
        st.button("Forget this file", icon=":material/delete:", on_click=sets.forget)


def builder(page: ExerciseSettings) -> None:
    """Links to pages and steps, with what is locked on them and when their answers are shown."""
    show.put(Text("Links for a class", "heading"))
    show.put(
        Text(
            "A link opens a page as you last saw it in this visit. Settings can be locked (shown, but not to be "
            "moved), and answers hidden. That is a courtesy: the address says it, and anybody can edit an address."
        )
    )
    targets = all_targets()
    chosen = st.multiselect("Pages and steps", list(targets), key="class pages", placeholder="choose one or more")
    locked = _locked(page, [targets[name] for name in chosen])
    when, day = st.columns([0.66, 0.34], vertical_alignment="bottom")
    answers = when.radio("Show answers", list(WHEN), format_func=WHEN.__getitem__, key="class answers", horizontal=True)
    if answers == ON_A_DAY:
        answers = day.date_input("Day", key="class day", value="today", format="YYYY-MM-DD").isoformat()
    made = {name: link_to(targets[name], locked.get(name, ()), answers, here()) for name in chosen}

    @callback
    def add() -> None:
        st.session_state[_LINKS] = {**st.session_state.get(_LINKS, {}), **made}

    @callback
    def clear() -> None:
        st.session_state[_LINKS] = {}

    listed: dict[str, str] = st.session_state.get(_LINKS, {})
    with st.container(horizontal=True):
        st.button("Add to the list", icon=":material/add_link:", on_click=add, disabled=not made, type="primary")
        lines = "".join(f"{name}\n{link}\n\n" for name, link in listed.items())
        download("Download the list", lines, "links.txt", disabled=not listed)
        st.button("Clear the list", icon=":material/delete:", on_click=clear, disabled=not listed)
    for name, link in (listed or made).items():
        st.caption(markdown(name))
        st.code(link, language=None, wrap_lines=True)
    if listed:
        st.caption(f"{counted(len(listed), 'link')}; each has a button to copy it.")


def _locked(page: ExerciseSettings, targets: list[Target]) -> dict[str, list[str]]:
    """The keys that are locked on each page: some of one page, all or none of several."""
    if len(targets) == 1:
        names = settings_of(targets[0], page.collection)
        keys = st.multiselect(
            "Lock",
            list(names),
            format_func=names.__getitem__,
            key=f"class lock {targets[0].name}",
            placeholder="nothing",
        )
        return {targets[0].name: keys}
    every = st.toggle("Lock all their settings", key="class lock all", disabled=not targets)
    return {target.name: list(settings_of(target, page.collection)) if every else [] for target in targets}


@dataclass(frozen=True)
class Target:
    """What a link opens: a page, and the settings that it opens with."""

    name: str
    stem: str
    settings: dict[str, list[str]]
    kinds: tuple[type[Settings], ...]


def all_targets() -> dict[str, Target]:
    """The steps of the guided path, then all other pages, by their names."""
    seen, listed = settings.remembered(), {}
    for lesson in LESSONS:
        given = {**seen(GUIDED), f"{GUIDED}.step": [lesson.name]}
        known = {lesson.settings.key(name) for name in lesson.settings._makes()}
        own = {key: texts for key, texts in given.items() if "." not in key or key in known}
        name = f"{PAGES[GUIDED].name}: {lesson.name}"
        listed[name] = Target(name, GUIDED, own, (lesson.settings,))
    for stem, page in PAGES.items():
        if stem != GUIDED:
            kinds = tuple(kind for kind in settings.kinds(stem) if stem == kind.PAGE)
            listed[page.name] = Target(page.name, stem, seen(stem), kinds)
    return listed


def settings_of(target: Target, collection: Collection) -> dict[str, str]:
    """What can be locked on a page: the label of each setting by its key."""
    labels: dict[str, str] = {}
    for kind in target.kinds:
        with suppress(InputError):  # what is set does not fit what is open: there is nothing to lock
            page = kind.read(collection, target.settings)
            labels |= {page.key(name): field.label for name, field, _ in page.items()}
    return labels


def link_to(target: Target, locked: Sequence[str], answers: str, base: str) -> str:
    """The address; `answers` as `ui.address.teaching.Until` reads it.

    >>> link_to(Target("x", "toma", {"toma.look": ["Order"]}, ()), ["toma.look"], "hidden", "http://here")
    'http://here/toma?toma.look=Order&locked=toma.look&answers=hidden'
    """
    given = {key: texts for key, texts in target.settings.items() if key not in (LOCKED, "answers")}
    given |= {LOCKED: list(locked)} if locked else {}
    given |= {} if answers == SHOWN else {"answers": [answers]}
    path = "" if target.stem == "home" else target.stem
    return f"{base}/{path}" + (f"?{urlencode(given, doseq=True)}" if given else "")


def here() -> str:
    """The address of the app, without a page."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
