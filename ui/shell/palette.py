"""A box that finds pages, settings, measures, systems, topics and words, and goes there: Ctrl K.

The browser does it by itself (palette.js): it is given all names once, and with each run the addresses of the other
pages as they were last seen, as the menu is. Settings it finds by the labels of the controls that it shows. Only to
highlight a system it asks the server.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.notation.values import Value
from ui.address import settings
from ui.address.findable import FINDABLE
from ui.address.highlight import Highlight
from ui.address.site import PAGES
from ui.computing.cached import cached
from ui.widgets.callback import callback
from ui.widgets.component import component

_mount = component("palette", __file__, Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))


def box(collection: Collection) -> None:
    """The button that opens it."""
    _mount(key="palette", data=_names(collection), width="content", on_system_change=lambda: _highlight(collection))
    # Beside the names and not among them, which would be sent anew with every page.
    st.html(f'<i class="palette-seen" data-seen="{escape(json.dumps(seen()))}"></i>')


def seen() -> dict[str, dict[str, list[str]]]:
    """What all pages share, by an empty name, and the own settings of each other page as it was last seen."""
    remembered, here = settings.remembered(), settings.page()
    others = [stem for stem in PAGES if stem != here]
    own = {stem: {key: texts for key, texts in remembered(stem).items() if "." in key} for stem in others}
    return {"": settings.shared(settings.address()), **{stem: texts for stem, texts in own.items() if texts}}


@callback
def _highlight(collection: Collection) -> None:
    """A system that was chosen stands out alone, as one clicked in a figure does."""
    Highlight.read(collection, settings.address()).change(systems=(st.session_state["palette"]["system"],))


@cached(16)
def _names(collection: Collection) -> bytes:
    return json.dumps(names(collection), ensure_ascii=False, separators=(",", ":")).encode()


def names(collection: Collection) -> dict[str, Any]:
    """What can be found, by kind: each a name, or a name and what else finds it; and where it leads."""
    settings.load()
    return {
        "page": [[page.stem, page.name, page.question] for page in PAGES.values()],
        "system": list(collection.systems),
        "heads": [*(name for name, cls in Value.registry.items() if issubclass(cls, Measure)), *Value.aliases],
        "leads": {kind: finder.leads for kind, finder in FINDABLE.items()},
        **{kind: list(finder.names(collection)) for kind, finder in FINDABLE.items()},
    }
