"""Where Streamlit's own markup keeps out who uses keys or a screen reader, mended in the browser; see mended.js."""

from __future__ import annotations

from ui.widgets.component import component

mend = component("mended", __file__, "<i hidden></i>")  # this page, and what will come to it
