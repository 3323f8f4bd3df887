"""Tune: what if we measured otherwise?"""

from ui.shell import page_part

page_part.whole_app()
