"""What a page lets the palette find: names of one kind, and the setting that shows what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalcore.data import Collection
from ui.address.settings import Settings


@dataclass(frozen=True)
class Findable:
    """Names of a kind that a collection has, each alone or with what else finds it, and where they are shown.

    `name` is the setting that takes what was chosen; `resets` are the others of the page that fall back to their
    default, None for all.
    """

    names: Callable[[Collection], Sequence[str | list[str]]]
    page: type[Settings]
    name: str
    resets: tuple[str, ...] | None = None

    @property
    def leads(self) -> tuple[str, str, list[str] | None]:
        """The page, the key of its setting, and the keys of those that are reset."""
        resets = None if self.resets is None else [self.page.key(reset) for reset in self.resets]
        return self.page.PAGE or "", self.page.key(self.name), resets


FINDABLE: dict[str, Findable] = {}
"""By kind; each is registered where the settings of its page are defined."""
