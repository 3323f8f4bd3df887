"""Who moved, and why? From systems to topics to documents, a step at a time."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.address.families import named
from ui.data import open_collection
from ui.moved import documents, systems, topics
from ui.moved.controls import MovedSettings
from ui.screen.text import markdown
from ui.stage import show


def main() -> None:
    page = MovedSettings.now(open_collection.ranked("moved", "To move"))
    left, right = show.two_columns(0.27)
    with left:
        page.draw("x", "y", "system", "topic")
        if page.topic:
            page.draw("depth")
    if page.x == page.y:
        right.info("Choose two different measures.", icon=":material/info:")
        return
    with right, show.errors():
        breadcrumb(page)
        step = systems if not page.system else topics if not page.topic else documents
        step.show_step(page)


def breadcrumb(page: MovedSettings) -> None:
    """The way down to here; each step but the last is a link."""
    both = {"x": page.x, "y": page.y}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="steps"):
        if page.system:
            site.link("moved", "All systems", **both)
            st.markdown("›", width="content")
        if page.topic:
            site.link("moved", named(page.system), **both, system=page.system)
            st.markdown("›", width="content")
        last = f"Topic {markdown(page.topic)}" if page.topic else named(page.system) if page.system else "All systems"
        st.markdown(f"**{last}**", width="content")
