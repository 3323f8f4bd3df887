"""Home: what this is, and the first picture of the open data."""

from ui.shell import page_part

page_part.whole_app()
