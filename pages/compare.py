"""Compare: which measures agree, who moved, and why?"""

from ui.shell import page_part

page_part.whole_app()
