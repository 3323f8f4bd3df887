"""Compare: which measures agree, who moved, and why?"""

from ui.shell import own_part

own_part.whole_app()
