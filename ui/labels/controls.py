"""What the page Labels looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ui.widgets.fields import Choice
from ui.widgets.settings import Settings, setting

LOOKS = AGREEMENT, RANKING, NOISE, POOL = "Agreement", "Ranking", "Noise", "Pool"


@dataclass(frozen=True)
class LabelsLook(Settings):
    """Labels of several sources, what they do to the ranking, and what fewer or wrong labels would do."""

    PAGE: ClassVar[str] = "labels"
    BEGIN: ClassVar[str] = "look"

    look: str = setting(
        lambda page: Choice(
            "Look at", LOOKS, AGREEMENT if page.collection.assessments.sources else POOL, segmented=True
        )
    )
