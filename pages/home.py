"""Home: what the app is for, and the first figure of the open data."""

from ui.shell import page_part

page_part.whole_app()
