"""Rank: who leads, and how sure are we?"""

from ui.shell import place

place.show("rank")
