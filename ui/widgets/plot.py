"""A plotly figure that is updated in place, so that zoom, hidden legend entries and hover survive a rerun.

`st.plotly_chart` treats a figure with different data as a different element, and mounts it anew. Here, the key alone
identifies the element, and plot.js passes each new figure to `Plotly.react`. save.js saves it as a file, in light
colours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from plotly.io import templates, to_json
from streamlit.delta_generator import DeltaGenerator

from evalcore.figures import style
from evalcore.figures.draw import Drawn
from ui.server import library
from ui.widgets.callback import callback
from ui.widgets.component import component
from ui.widgets.fields import put_on_screen

# Figures are made without a template, because Streamlit's theme would replace it.
templates.default = None

# The box has plotly's class from the start, so that scripts that wait for figures find it.
_mount = component("plot", __file__, '<div class="plot js-plotly-plot"></div>')


def plot(
    figure: Drawn,
    key: str,
    alt: str,
    name: str,
    config: dict[str, Any],
    on_select: Callable[[list[str]], None] | None = None,
) -> None:
    """Show a figure; `config` is passed to plotly.js, and `name` is the name of saved images.

    Settings of the figure itself override Streamlit's theme. `on_select` is called before the rerun with the first
    customdata of each selected point; an empty list means that the selection was cancelled. The selection shown
    afterwards is the one in the next figure (its `selectedpoints`, or its drawing), not the one in the browser.
    """
    spec = figure.to_dict()
    for handle in (spec["layout"].get("meta") or {}).get("handles", ()):
        put_on_screen(handle["key"])
    spec |= {"alt": alt, "name": name, "config": config, "library": library.ADDRESS}
    spec |= {"light": light_theme(), "saving": library.SAVING}
    if on_select is None:
        _mount(key=key, data=_encoded({**spec, "selections": None}))
        return
    count = f"{key} selections"

    @callback
    def selected() -> None:
        st.session_state[count] = st.session_state.get(count, 0) + 1
        on_select(st.session_state[key]["selected"])

    _mount(key=key, data=_encoded({**spec, "selections": st.session_state.get(count, 0)}), on_selected_change=selected)


@cache
def light_theme() -> dict[str, str]:
    """Map the names of the browser's theme variables to the colours that the light theme has for them."""
    return {
        "text-color": st.get_option("theme.light.textColor") or "#000000",
        "background-color": st.get_option("theme.light.backgroundColor") or "#ffffff",
        "secondary-background-color": st.get_option("theme.light.secondaryBackgroundColor") or "#ffffff",
        "border-color": st.get_option("theme.light.borderColor") or style.LINE,
        "border-color-light": style.GRID,
        "chart-categorical-colors": ",".join(st.get_option("theme.chartCategoricalColors") or style.PALETTE),
    }


def _encoded(spec: dict[str, Any]) -> bytes:
    # Streamlit would encode a dict twice, to send it and to hash it; bytes are used as they are.
    text: str = to_json(spec, validate=False)
    return text.encode()


_mount_beside = component("beside", Path(__file__).with_name("beside"))


def two_columns(share: float = 0.3, name: str = "") -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two columns: one for controls on the left, and one for a figure, which stays visible during scrolling.

    `share` is the share of the width for the controls. If a page has several of these pairs, `name` distinguishes them.
    """
    controls, figure = st.columns([share, 1 - share], gap="medium")
    with figure:
        _mount_beside(key=f"beside {name}".strip())
    return controls, figure
