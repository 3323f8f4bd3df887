"""Data: what was measured, how it was read, and how completely."""

from ui.shell import own_part

own_part.whole_app()
