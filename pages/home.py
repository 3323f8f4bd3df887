"""Home: what this is, and the first picture of the open data."""

from ui.shell import place

place.show("home")
