"""Links: what is a result worth if people follow its links?"""

from ui.shell import page_part

page_part.whole_app()
