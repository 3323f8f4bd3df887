"""Tune: what if we measured differently?"""

from ui.shell import page_part

page_part.whole_app()
