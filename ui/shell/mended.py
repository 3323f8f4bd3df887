"""Repairs of Streamlit's markup in the browser, for keyboards and screen readers; see mended.js."""

from __future__ import annotations

from ui.widgets.component import component

mend = component("mended", __file__, "<i hidden></i>")  # repairs this page, and elements added later
