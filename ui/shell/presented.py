"""The presenter's list, live: its views one after the other as pages of the app, each with its note and its caption.

The address says which view it is by a word that the list knows: so a reload stays there and Back leads back, and where
the list is not, the link is that view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from evalcore.figures.report import Rests
from ui.address import settings, teaching
from ui.address.site import FOLDER, PAGES
from ui.data import open_collection
from ui.stage import report
from ui.stage.report_sliders import Kept

PRESENT, ENTRY = "present", "entry"  # keys of the address
HELP = "View by view in the app: ← → or a clicker lead on, Shift: other figures; C: controls, N: notes, Esc: leave"


def link(views: Sequence[Kept]) -> None:
    """A link that presents the list from its first view on."""
    stem, said = _target(views[0])
    icon = ":material/slideshow:"
    st.page_link(FOLDER / f"{stem}.py", label="Present the list", icon=icon, query_params=said, help=HELP)


def entry(word: str) -> Kept | None:
    """The view of a word, where the list has it."""
    return next((one for one in report.kept_views() if one.mark == word), None)


def told(word: str) -> dict[str, Any] | None:
    """What the browser is told of the list where one of its views is presented."""
    views, now = report.kept_views(), entry(word)
    if now is None:
        return None
    lacks = missing(now)
    here = settings.page() == _place(now)[0] or lacks
    return {
        "word": word,
        "views": [{"word": one.mark, "title": one.title, "address": _address(one)} for one in views],
        "title": now.title if here else "",
        "note": now.note,
        "missing": lacks and f"{lacks} → leads on to the next one.",
    }


def missing(view: Kept) -> str:
    """Why a view cannot be shown on what is open; "" where it can."""
    if _place(view)[0] not in PAGES:
        return "This view is of a page that is not in this app."
    data = view.data or Rests()
    needed, (_, said) = data.facts.get("Fingerprint", ""), _place(view)
    opened = open_collection.whole()
    at_hand = {opened.fingerprint, *(one.fingerprint for one in [report.works_on()] if one is not None)}
    same = "".join(said.get(settings.MADE_ON, ())) == settings.fingerprint(opened)
    if not needed or needed in at_hand or same:
        return ""
    return (
        f"This view was made on {data.title} (fingerprint {needed[:8]}), which is not open here: open it, in the "
        "sidebar, to see the view."
    )


def _address(view: Kept) -> str:
    """Where a view is presented, below the address of the app."""
    stem, said = _target(view)
    return f"./{'' if stem == 'home' else stem}?{urlencode(said, doseq=True)}"


def _target(view: Kept) -> tuple[str, dict[str, list[str]]]:
    """The page that presents a view and what its address says; the first page where the app has not the view's."""
    stem, said = _place(view)
    known = settings.declared(stem) if stem in PAGES else ()
    kept = {key: texts for key, texts in said.items() if key in known}
    return (stem if stem in PAGES else "home"), teaching.kept({**kept, PRESENT: ["true"], ENTRY: [view.mark]})


def _place(view: Kept) -> tuple[str, Mapping[str, list[str]]]:
    page, _, said = view.link.lstrip("/").partition("?")
    return page or "home", parse_qs(said, keep_blank_values=True)
