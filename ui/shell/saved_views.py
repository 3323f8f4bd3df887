"""A view as a small file: which page, which settings, on which data; saved and opened again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.data.json_text import parse_json
from evalcore.schema import TEXT, TEXTS
from ui.address.settings import LINK_ICON, MADE_ON, address, declared, fingerprint, reset_page, unknown
from ui.data import open_collection
from ui.data.own import Correction
from ui.screen.text import markdown
from ui.stage import report
from ui.stage.show import show_error
from ui.widgets.download import download

LARGEST = 100_000
CITE_BOX = "cite box"
PARTS = ("page", "settings", "collection", "fingerprint", "evalcore", "correction")  # of the file
_SAID = "said of a saved view"


@dataclass(frozen=True)
class Saved:
    """A saved view: the page, its settings, the keys that are not declared for it, and a corrected description."""

    page: str
    settings: dict[str, list[str]]
    left_out: tuple[str, ...] = ()
    correction: Correction | None = None


def say_other_data(collection: Collection) -> None:
    """Warn while the address says that it was made on other data; the next change makes it true again."""
    made_on, now = "".join(st.query_params.get_all(MADE_ON)), fingerprint(collection)
    if made_on and made_on != now:
        own = open_collection.uploaded() is not None
        or_described = " or on another description of them" if own else ""
        st.warning(
            f"This link was made on other data than {markdown(collection.title)} as it is open here{or_described} "
            f"(fingerprint {markdown(made_on)}, here {now}): figures will differ from what its sender saw.",
            icon=LINK_ICON,
        )


def say_opened() -> None:
    """What the saved view that was just opened brought along; once."""
    if text := st.session_state.pop(_SAID, None):
        st.info(text, icon=":material/edit_note:")


def box(page: str, pages: Mapping[str, Any], collection: Collection) -> None:
    """Save this view, open a saved one; drawn in the sidebar. `pages` are the app's, by their place in a link."""
    settings = {key: texts for key, texts in address().items() if key != MADE_ON}
    correction = open_collection.correction()
    with st.sidebar.expander("Views", icon=":material/bookmark:", key="views box"):
        st.button(
            "Reset this page",
            icon=":material/restart_alt:",
            on_click=reset_page,
            key="reset page",
            width="stretch",
            help="This page as it opens on what is open; the browser's Back undoes it",
        )
        download(
            "Save this view",
            lambda: write(page, settings, collection, correction),
            "view.json",
            "A small file with the page and its settings, not the data; the address bar holds the same as a link, "
            "but for a description that you corrected",
            width="stretch",
        )
        if report.works_on() is not None:
            _cite()
        file = st.file_uploader("Open a saved view", type="json", key="view file")
        if file is not None and st.button("Open this view", width="stretch", type="primary"):
            _open(file.getvalue(), file.name, pages)


def _cite() -> None:
    icon = ":material/format_quote:"
    with st.popover("Cite this view", icon=icon, width="stretch", key=CITE_BOX, on_change="rerun") as box:
        if box.open:
            st.caption("For a methods section: versions, data, measures and settings of this view.")
            st.code(report.methods(), language=None, wrap_lines=True)


def write(
    page: str, settings: Mapping[str, list[str]], collection: Collection, correction: Correction | None = None
) -> str:
    """The text of a saved view; `correction` is of the collection's description."""
    made_on = {"collection": collection.title, "fingerprint": fingerprint(collection), "evalcore": ec.__version__}
    corrected = {"correction": asdict(correction)} if correction else {}
    return json.dumps({"page": page, "settings": dict(settings), **made_on, **corrected}, indent=2, ensure_ascii=False)


def read(content: bytes, where: str, pages: Mapping[str, Any]) -> Saved:
    """A saved view from the bytes of its file. Raises InputError saying what was expected and found."""
    if len(content) > LARGEST:
        raise InputError(f"expected a saved view of at most {LARGEST:,} bytes, found {len(content):,}", where)
    view = parse_json(content, where, what="a saved view", kind=dict)
    page, settings = view.get("page"), view.get("settings")
    if not isinstance(page, str) or page not in pages:
        listed = ", ".join(filter(None, pages))
        raise InputError(f"expected page to be one of {listed}, found {str(page)[:40]!r}", where)
    if not isinstance(settings, dict) or not all(map(TEXTS.fits, settings.values())):
        raise InputError("expected settings to be lists of texts by name", where)
    made_on = TEXT.read(view.get("fingerprint", ""), where, "fingerprint")
    known = declared(page)
    taken = {key: texts for key, texts in settings.items() if key in known} | {MADE_ON: [made_on]}
    left_out = (*(key for key in settings if key not in known), *(key for key in view if key not in PARTS))
    return Saved(page, taken, left_out, _correction(view.get("correction"), where))


def _correction(entry: Any, where: str) -> Correction | None:
    if entry is None:
        return None
    names = [field.name for field in fields(Correction)]
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in names):
        raise InputError(f"expected correction to have the texts {', '.join(names)}", where)
    return Correction(**{name: entry[name] for name in names})


def _open(content: bytes, where: str, pages: Mapping[str, Any]) -> None:
    try:
        saved = read(content, where, pages)
        sentences, settings = _apply(saved.correction)
    except InputError as error:
        show_error(error)
        return
    if saved.left_out:
        sentences = [f"{unknown(saved.left_out, 'this saved view')}.", *sentences]
    st.session_state[_SAID] = "  \n".join(sentences)
    st.switch_page(pages[saved.page], query_params={**saved.settings, **settings})


def _apply(correction: Correction | None) -> tuple[list[str], dict[str, list[str]]]:
    """Read the open collection as a saved view describes it, if it is the one; what to say of it and what to open."""
    if correction is None or correction == open_collection.correction():
        return [], {}
    corrected = f"a corrected description of {markdown(correction.name)} ({markdown(correction.fingerprint[:8])})"
    if not open_collection.fits(correction):
        return [
            f"The saved view holds {corrected}, which is not open here, so it was left out: open those files, then "
            "the view again."
        ], {}
    if open_collection.would_lose_own():
        return [
            f"The saved view holds {corrected}. To read it by that would have taken the place of your own files, so "
            "it was left out: forget your files, then open the view again."
        ], {}
    open_collection.correct(correction.manifest)
    return [
        "The saved view holds a corrected description of these files, and they were read again by it: see *What the "
        "files mean* on the page Collection."
    ], {"data": [open_collection.OWN]}
