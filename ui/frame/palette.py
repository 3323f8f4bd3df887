"""A box that finds pages, settings, measures, systems, topics and words, and goes there: Ctrl K.

The browser searches by itself (palette.js): it is given all names once, and asks the server only to go to what was
chosen. Settings it finds by the labels of the controls that it shows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components import v2

from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.notation.values import Value
from ui.frame.highlight import Highlight
from ui.frame.site import PAGES, by_place
from ui.glossary.words import GlossarySettings, entries
from ui.measures.controls import KNOWN, Built
from ui.topic.controls import TopicSettings
from ui.widgets import settings
from ui.widgets.callback import callback
from ui.widgets.measures import offered
from ui.widgets.settings import Address

LONGEST = 80  # characters of a query
_HERE = Path(__file__)
_mount = v2.component(
    "palette",
    html=_HERE.with_suffix(".html").read_text(encoding="utf-8"),
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def box(sections: dict[str, list[Any]], collection: Collection) -> None:
    """The button that opens it; a page that was chosen is gone to at once."""
    chosen = _mount(
        key="palette",
        data=_names(collection.fingerprint, collection),
        width="content",
        on_go_change=lambda: None,
        on_system_change=lambda: _highlight(collection),
    )
    if chosen.go:
        kind, name = chosen.go
        if found := target(kind, name, collection):
            page, said = found
            st.switch_page(by_place(sections)["" if page == "home" else page], query_params=said)


def target(kind: str, name: str, collection: Collection) -> tuple[str, Address] | None:
    """The page that shows what was chosen, and its address: as the menu opens it, but for what was chosen."""
    seen, here = settings.remembered(), settings.shared(settings.address())
    if kind == "page" and name in PAGES:
        return name, seen(name)
    if kind == "topic" and name in collection.topics:
        kept = {key: texts for key, texts in seen("topic").items() if key != TopicSettings.key("look")}
        return "topic", {**kept, TopicSettings.key("topic"): [name]}
    if kind == "word":
        return "glossary", {**here, GlossarySettings.key("term"): [name]}
    if kind == "measure" and name in KNOWN:
        return "measures", {**here, Built.key("start"): [name]}
    if kind == "measure":
        return "measures", {**seen("measures"), Built.key("other"): [name]}
    return None


@callback
def _highlight(collection: Collection) -> None:
    """A system that was chosen stands out alone, as one clicked in a figure does."""
    Highlight.read(collection, settings.address()).change(systems=(st.session_state["palette"]["system"],))


@st.cache_resource(max_entries=16, show_spinner=False)
def _names(fingerprint: str, _collection: Collection) -> bytes:
    return json.dumps(names(_collection), ensure_ascii=False, separators=(",", ":")).encode()


def names(collection: Collection) -> dict[str, list[Any]]:
    """What can be found, by kind: each a name, or a name and what else finds it."""
    measures = (name for name, cls in Value.registry.items() if issubclass(cls, Measure))
    return {
        "page": [[page.stem, page.name, page.question] for page in PAGES.values()],
        "measure": list(dict.fromkeys([*KNOWN, *(offered(collection) if collection.aspects else [])])),
        "system": list(collection.systems),
        "topic": [[topic, collection.queries.get(topic, "")[:LONGEST]] for topic in collection.topics],
        "word": [[one.name, ", ".join(one.also)] for one in entries().values()],
        "heads": [*measures, *Value.aliases],
    }
