"""Compare: which measures agree, who moved, and why?"""

from ui.shell import place

place.show("compare")
