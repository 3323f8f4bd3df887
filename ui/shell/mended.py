"""Repairs, in the browser, of Streamlit markup that shuts out users of keys or a screen reader; see mended.js."""

from __future__ import annotations

from ui.widgets.component import component

mend = component("mended", __file__, "<i hidden></i>")  # repairs this page, and elements added later
