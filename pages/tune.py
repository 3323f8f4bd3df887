"""Tune: what if we measured otherwise?"""

from ui.shell import own_part

own_part.whole_app()
