"""Data: the open collection, how its files were read, and how complete its labels are."""

from ui.shell import page_part

page_part.whole_app()
