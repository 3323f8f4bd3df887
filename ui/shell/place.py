"""What the files in pages/ do: draw the page of their place that is open."""

from __future__ import annotations

from importlib import import_module

from ui.address import site
from ui.data import open_collection


def show(stem: str) -> None:
    """Draw the open page of a place, known by its stem."""
    page = site.opened(stem, open_collection.current())
    import_module(page.module or f"ui.{page.stem}.page").main()
