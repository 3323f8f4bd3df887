"""Home: what this is, and the first picture of the open data."""

from ui.shell import own_part

own_part.whole_app()
