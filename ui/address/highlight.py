"""The systems that are emphasised in all figures of all pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from evalcore.data import Collection
from ui.address import families
from ui.address.settings import Settings, setting
from ui.widgets.fields import Many


@dataclass(frozen=True)
class Highlight(Settings, lasts=True):
    """Setting of the highlighted systems.

    On a sample shown in place of the open data, no system is highlighted, because other pages do not show that sample.
    """

    systems: tuple[str, ...] = setting(
        lambda v: Many(
            "Highlight systems",
            v.collection.systems if _is_open(v.collection) else (),
            called=families.all_short,
            placeholder="all; click or lasso some in the figure",
        )
    )

    @classmethod
    def now(cls, collection: Collection | None) -> Self:
        return super().now(collection) if _is_open(collection) else cls.read(collection, {})

    def take(self, systems: list[str]) -> None:
        """Highlight these systems, which were clicked or lassoed in a figure."""
        self.change(systems=tuple(systems))


def _is_open(collection: Collection | None) -> bool:
    whole = families.whole()
    return collection is None or whole is None or set(collection.systems) <= set(whole.systems)
