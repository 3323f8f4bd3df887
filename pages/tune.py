"""Tune: what if we measured otherwise?"""

from ui.shell import place

place.show("tune")
