"""Passages: how much of what was returned was worth reading?"""

from ui.shell import own_part

own_part.whole_app()
