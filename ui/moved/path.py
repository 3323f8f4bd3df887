"""The path of Compare: all measures, two measures, a system that moved between them, a topic, and its documents."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.address.families import named
from ui.address.settings import address
from ui.computing.measures import MOST, of_measures
from ui.moved.moved_settings import MovedSettings
from ui.screen.text import markdown


def path(page: MovedSettings, beyond: str = "") -> None:
    """Show the steps down to the current one, all but the last as links. `beyond` names a step after the documents."""
    both: dict[str, str | list[str]] = {"x": page.x, "y": page.y}
    seen = {key.partition(".")[2]: texts for key, texts in address().items() if key.startswith("correlations.")}
    chosen = (seen.get("measures") or list(of_measures(page.collection).usual))[: MOST - len(both)]
    measures = list(dict.fromkeys([*chosen, page.x, page.y]))
    matrix: dict[str, str | list[str]] = {**seen, "measures": measures, "reference": page.x, "test": page.y}
    first, second = page.names
    steps = [("correlations", "Measures", matrix), ("moved", f"{markdown(first)} and {markdown(second)}", both)]
    if page.system:
        steps.append(("moved", named(page.system), {**both, "system": page.system}))
    if page.topic:
        steps.append(("moved", f"Topic {markdown(page.topic)}", {**both, "system": page.system, "topic": page.topic}))
    last = beyond or steps.pop()[1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="steps"):
        for stem, label, settings in steps:
            site.link(stem, label, None, **settings)
            st.markdown("›", width="content")
        st.markdown(f"**{last}**", width="content")
