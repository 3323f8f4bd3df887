"""Data: what was measured, how it was read, and how completely."""

from ui.shell import page_part

page_part.whole_app()
