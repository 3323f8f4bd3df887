"""Data: what was measured, how it was read, and how completely."""

from ui.shell import place

place.show("data")
