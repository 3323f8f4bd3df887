"""Rank: who leads, and how sure are we?"""

from ui.shell import own_part

own_part.whole_app()
