"""The systems that stand out in every figure; all pages share them."""

from __future__ import annotations

from dataclasses import dataclass

from ui.address.settings import Settings, setting
from ui.widgets.fields import Many


@dataclass(frozen=True)
class Highlight(Settings, lasts=True):
    """Which systems stand out."""

    systems: tuple[str, ...] = setting(
        lambda v: Many("Highlight systems", v.collection.systems, placeholder="all; or click or lasso in the figure")
    )

    def take(self, systems: list[str]) -> None:
        """Systems clicked or lassoed in a figure become the highlighted ones."""
        self.change(systems=tuple(systems))
