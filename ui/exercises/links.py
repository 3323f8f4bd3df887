"""Links for a class: to a page as it was last seen, with settings locked and answers hidden."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from ui.address import settings
from ui.address.settings import LOCKED, Settings
from ui.address.site import PAGES
from ui.address.teaching import SHOWN
from ui.guided_path import LESSONS

GUIDED = "guided_path"


@dataclass(frozen=True)
class Target:
    """What a link opens: a page, and the settings that it opens with."""

    name: str
    stem: str
    settings: dict[str, list[str]]
    kinds: tuple[type[Settings], ...]


def targets() -> dict[str, Target]:
    """The steps of the guided path, then all other pages, by their names."""
    seen, found = settings.remembered(), {}
    for lesson in LESSONS:
        given = {**seen(GUIDED), f"{GUIDED}.step": [lesson.name]}
        known = {lesson.settings.key(name) for name in lesson.settings._makes()}
        own = {key: texts for key, texts in given.items() if "." not in key or key in known}
        name = f"{PAGES[GUIDED].name}: {lesson.name}"
        found[name] = Target(name, GUIDED, own, (lesson.settings,))
    for stem, page in PAGES.items():
        if stem != GUIDED:
            kinds = tuple(kind for kind in settings.kinds(stem) if stem == kind.PAGE)
            found[page.name] = Target(page.name, stem, seen(stem), kinds)
    return found


def settings_of(target: Target, collection: Collection) -> dict[str, str]:
    """What can be locked on a page: the label of each setting by its key."""
    found: dict[str, str] = {}
    for kind in target.kinds:
        with suppress(InputError):  # what is set does not fit what is open: there is nothing to lock
            page = kind.read(collection, target.settings)
            found |= {page.key(name): field.label for name, field, _ in page.items()}
    return found


def link(target: Target, locked: Sequence[str], answers: str, base: str) -> str:
    """The address; `answers` as `ui.address.teaching.Until` reads it.

    >>> link(Target("x", "toma", {"toma.look": ["Order"]}, ()), ["toma.look"], "hidden", "http://here")
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
