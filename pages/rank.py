"""Rank: who leads, and how sure are we?"""

from ui.shell import page_part

page_part.whole_app()
