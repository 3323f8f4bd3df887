"""What the files hold: the settings of the page Data."""

from __future__ import annotations

from dataclasses import dataclass

from ui.address.settings import Settings, setting
from ui.widgets.fields import Choice, Field


def _file(page: CollectionSettings) -> Field | None:
    files = list(page.collection.report.provenance)
    return Choice("File", files) if len(files) > 1 else None


@dataclass(frozen=True)
class CollectionSettings(Settings, page="collection"):
    """What is looked at."""

    file: str | None = setting(_file)
