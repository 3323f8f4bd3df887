"""Labels: can the labels be trusted?"""

from ui.shell import place

place.show("labels")
