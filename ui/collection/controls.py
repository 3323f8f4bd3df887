"""What was measured: the settings of the page Collection."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ui.address.settings import Settings, setting
from ui.widgets.fields import Choice, Field


def _pair(page: CollectionSettings) -> Field | None:
    pairs = list(combinations((*page.collection.aspects, *page.collection.signals), 2))
    return Choice("Aspects", pairs, names=" and ".join) if pairs else None


def _file(page: CollectionSettings) -> Field | None:
    files = list(page.collection.report.provenance)
    return Choice("File", files) if len(files) > 1 else None


@dataclass(frozen=True)
class CollectionSettings(Settings, page="collection"):
    """What is looked at."""

    pair: tuple[str, str] | None = setting(_pair)
    file: str | None = setting(_file)
