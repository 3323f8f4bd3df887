"""What the page Labels looks at."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.data import Collection
from evalcore.labels.judges import given_sources
from ui.address.settings import Settings, setting
from ui.screen.text import counted
from ui.widgets.fields import Choice

LOOKS = AGREEMENT, RANKING, COMBINED, NOISE, POOL = "Agreement", "Ranking", "Few human labels", "Noise", "Pool"


@dataclass(frozen=True)
class LabelsLook(Settings, page="labels"):
    """Labels of several sources, what they do to the ranking, and what fewer or wrong labels would do."""

    look: str = setting(
        lambda page: Choice(
            "Look at", LOOKS, AGREEMENT if page.collection.assessments.sources else POOL, segmented=True
        )
    )


class OfSources(Settings, page=None):
    """Settings of a look at labels of several sources."""

    measure: str

    @property
    def given(self) -> tuple[str, ...]:
        """The sources that the measure reads; none where there is no measure."""
        return given_sources(self.measure, self.collection) if self.measure else ()

    @property
    def all_measures(self) -> tuple[str, ...]:
        """None: sources are compared on the topics that each of them labelled."""
        return ()


def no_exchange(collection: Collection) -> str:
    """Why systems cannot be ranked anew by other labels, and what to do; empty where they can."""
    if len(collection.systems) < 2:
        return f"A ranking takes two systems; the open collection has {counted(len(collection.systems), 'system')}."
    return ""
