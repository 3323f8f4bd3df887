"""Labels: can the labels be trusted?"""

from ui.shell import own_part

own_part.whole_app()
