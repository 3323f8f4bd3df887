"""Passages: how much of what was returned was worth reading?"""

from ui.shell import place

place.show("passages")
