"""Passages: how much of what was returned was worth reading?"""

from ui.shell import page_part

page_part.whole_app()
