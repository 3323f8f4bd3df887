"""Presentation mode: a figure, table or text fills the screen above its caption; keys and swipes change views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode

import pandas as pd
import streamlit as st

from evalcore.common.latex import under
from evalcore.data import Collection
from evalcore.figures.document import Section, in_texts
from ui.address import places, settings
from ui.address.settings import Settings, page, setting
from ui.data import open_collection
from ui.screen.items import Finding
from ui.stage import report
from ui.widgets.component import component
from ui.widgets.fields import Line, Switch

MOST_ROWS = 60  # most rows of a table in presentation mode
PRESENT, ENTRY = "present", "entry"  # keys in the address
_STEPS = "steps on stage"
HELP = "Show kept views one by one: ← → or a clicker, Shift + ← → for other figures, C controls, N notes, Esc to leave"
_mount = component("present", __file__, "<div></div>")


@dataclass(frozen=True)
class Stage(Settings, lasts=True):
    """Settings of the presentation, in the address: whether it is on, and which view of the list is shown."""

    present: bool = setting(
        Switch("Present", help="Show one figure on the whole screen: ← → for other figures, C controls, Esc to leave")
    )
    entry: str = setting(Line("View of the list"))


def switch(collection: Collection) -> None:
    """Draw the switch that turns presentation mode on; in that mode it is hidden, because Esc leaves the mode."""
    stage = Stage.read(collection, settings.address())
    if not stage.present:
        stage.draw("present")


def box(collection: Collection) -> None:
    """Send the browser everything that presentation mode shows."""
    stage = Stage.now(collection)
    about = report.about(whole=True)
    figures = [
        {"key": figure.key, "usual": composed(report.finding(figure.key), figure.about, about)}
        for figure in report.figures()
    ]
    shown = {**on_stage(), "list": list_shown(stage.entry)} if stage.present else {}
    _mount(
        key="stage",
        data={
            "on": stage.present,
            "page": page(),
            "found": " ".join(report.whole_finding().lines),
            "figures": figures,
            **shown,
        },
        on_left_change=lambda: stage.change(present=False, entry=""),
    )


def lead(question: str, back: Mapping[str, Sequence[str]] | None, onward: Mapping[str, Sequence[str]] | None) -> None:
    """Present the page as one of several steps: its question is the title, and the next step follows its figures.

    `back` and `onward` are the addresses of the previous and the next step; None if there is none.
    """
    here, ends = settings.page(), {"back": back, "onward": onward}
    queries = {name: urlencode({**end, PRESENT: "true"}, doseq=True) for name, end in ends.items() if end}
    steps = {name: f"./{here}?{query}" for name, query in queries.items()}
    st.session_state[_STEPS] = here, {"question": question, **steps}


def _steps() -> dict[str, str] | None:
    """Return the question and addresses set by `lead` for the page on the screen; None if the page is not a step."""
    of, steps = st.session_state.pop(_STEPS, ("", None))
    return steps if of == settings.page() else None


def on_stage() -> dict[str, Any]:
    """Return what presentation mode shows besides figures, as a dict: tables and texts, with captions."""
    result, about = report.whole_finding(), report.about(whole=True)
    return {
        "tables": [
            {
                "caption": composed(result, table.about, about),
                **sheet(table.frame, table.decimals, table.index),
            }
            for table in report.tables()
        ],
        "about": about,
        "steps": _steps(),
    }


def composed(finding: Finding, what: str, about: str) -> str:
    """Return a caption: the finding, then the kind of figure (`what`), then the data, measures and settings (`about`).

    >>> print(composed(Finding(["First: a", "Second: b"], ["τ: 0.9"]), "Scores", "Collection: Health."))
    First: a · Second: b
    τ: 0.9
    Scores. Collection: Health.
    """
    title, more = map(in_one, (finding.seen, finding.more))
    rest = [title, more, under(what, about)] if title else [under(what, ""), about]
    return "\n".join(filter(None, rest))


def in_one(lines: Sequence[str]) -> str:
    """Join lines into one, with a dot between two lines unless the first of them ends with a full stop.

    >>> in_one(["a 0.5", "b 0.4"]), in_one(["It holds.", "It depends."])
    ('a 0.5 · b 0.4', 'It holds. It depends.')
    """
    joints = ["" if not at else " " if lines[at - 1].endswith(".") else " · " for at in range(len(lines))]
    return "".join([f"{joint}{line}" for joint, line in zip(joints, lines, strict=True)])


def sheet(frame: pd.DataFrame, decimals: Mapping[str, int], index: bool) -> dict[str, Any]:
    """Return a table as a dict: the texts of its "heads", and of its first "rows", cell by cell.

    "numeric" has True for each column of numbers, else False; "of" is the number of all rows.
    """
    shown = frame.head(MOST_ROWS)
    heads, rows = in_texts(shown, decimals, index)
    levels = [shown.index.get_level_values(at).dtype for at in range(shown.index.nlevels if index else 0)]
    numeric = [pd.api.types.is_numeric_dtype(kind) for kind in [*levels, *shown.dtypes]]
    return {"heads": heads, "rows": rows, "numeric": numeric, "of": len(frame)}


# --- the list of kept views, one by one; a reload stays at the view that the address names -


def link(views: Sequence[Section]) -> None:
    """Draw a link that presents the kept views, beginning with the first of `views`."""
    stem, texts = _target(views[0])
    icon = ":material/slideshow:"
    st.page_link(places.file_of(stem), label="Present the list", icon=icon, query_params=texts, help=HELP)


def view_of(word: str) -> Section | None:
    """Return the kept view with this mark; None if the report has none."""
    return next((view for view in report.document().sections if view.mark == word), None)


def list_shown(word: str) -> dict[str, Any] | None:
    """Return the data of the list of kept views, for the browser to present the view with this mark.

    None if no kept view has the mark.
    """
    views, now = report.document().sections, view_of(word)
    if now is None:
        return None
    lacks = missing(now)
    here = settings.page() == _place(now)[0] or lacks
    return {
        "word": word,
        "views": [{"word": view.mark, "title": view.title, "address": _address(view)} for view in views],
        "title": now.title if here else "",
        "note": now.note,
        "missing": lacks and f"{lacks} Press → for the next view.",
    }


def missing(view: Section) -> str:
    """Return why a view cannot be shown with the open data; "" if it can."""
    if _place(view)[0] not in places.PLACES:
        return "This view belongs to a page that this app does not have."
    data = view.data
    needed, (_, texts) = data.facts.get("Fingerprint", ""), _place(view)
    opened = open_collection.whole()
    at_hand = {opened.fingerprint, *(data.fingerprint for data in [report.works_on()] if data is not None)}
    same = "".join(texts.get(settings.MADE_ON, ())) == settings.fingerprint(opened)
    if not needed or needed in at_hand or same:
        return ""
    return f"This view needs {data.title} (fingerprint {needed[:8]}), which is not open here. Open it in the sidebar."


def _address(view: Section) -> str:
    """Return the address that presents a kept view, relative to the app."""
    stem, texts = _target(view)
    return f"./{'' if stem == 'home' else stem}?{urlencode(texts, doseq=True)}"


def _target(view: Section) -> tuple[str, dict[str, list[str]]]:
    """Return the page that presents a view, and the texts of its address; Home if the app does not have the page."""
    stem, given = _place(view)
    known = settings.declared(stem) if stem in places.PLACES else ()
    of_page = {key: texts for key, texts in given.items() if key in known}
    return (stem if stem in places.PLACES else "home"), {**of_page, PRESENT: ["true"], ENTRY: [view.mark]}


def _place(view: Section) -> tuple[str, Mapping[str, list[str]]]:
    page, _, query = view.link.lstrip("/").partition("?")
    return places.now(page or "home", parse_qs(query, keep_blank_values=True))[:2]
