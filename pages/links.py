"""Links: what is a result worth if people follow its links?"""

from ui.shell import own_part

own_part.whole_app()
