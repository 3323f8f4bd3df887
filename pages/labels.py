"""Labels: can the labels be trusted?"""

from ui.shell import page_part

page_part.whole_app()
