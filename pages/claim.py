"""Claim: what may I write?"""

from ui.shell import place

place.show("claim")
