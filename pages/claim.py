"""Claim: what may I write?"""

from ui.shell import own_part

own_part.whole_app()
