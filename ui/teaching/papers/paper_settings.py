"""Settings of the *The papers* page: the choice of a paper's table or figure."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.teaching.papers import exhibits
from ui.address.settings import Settings, setting
from ui.widgets.fields import Choice

NAMES = {exhibit.key: f"{exhibit.document}: {exhibit.place}" for exhibit in exhibits()}


@dataclass(frozen=True)
class PapersSettings(Settings, page="papers"):
    """Setting: the table or figure that is shown."""

    exhibit: str = setting(
        Choice(
            "Table or figure",
            list(NAMES),
            reads=NAMES.__getitem__,
            also=tuple((name, key) for key, name in NAMES.items()),  # names in older links
        )
    )
