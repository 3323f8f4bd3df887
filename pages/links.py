"""Links: what is a result worth if people follow its links?"""

from ui.shell import place

place.show("links")
