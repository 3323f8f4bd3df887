"""Claim: what may I write?"""

from ui.shell import page_part

page_part.whole_app()
