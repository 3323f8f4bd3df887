"""Settings shared by the views of Labels, and what these views require of a collection."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.data import Collection
from evalcore.labels.judges import given_sources
from ui.address.settings import Settings, setting
from ui.screen.text import counted
from ui.widgets.fields import Choice

LOOKS = AGREEMENT, RANKING, COMBINED, POOL, GRADES = (
    "Agreement",
    "Ranking",
    "Few human labels",
    "Pool and noise",
    "Grades and depth",
)

ONE_SOURCE = (
    "Every aspect of this collection has labels from one source only. Add labels of another assessor or an LLM judge."
)


@dataclass(frozen=True)
class LabelsLook(Settings, page="labels"):
    """Setting: the view of Labels. The default is Agreement, or Grades if all labels are from one source."""

    look: str = setting(
        lambda page: Choice("View", LOOKS, AGREEMENT if page.several else GRADES, segmented=True, hide_label=True)
    )

    @property
    def several(self) -> list[str]:
        """The names of the aspects with several sources of labels."""
        return having_several(self.collection)


def having_several(collection: Collection) -> list[str]:
    """Return the names of the aspects with several sources of labels."""
    return [name for name, sources in collection.assessments.sources.items() if len(sources.names) > 1]


class OfSources(Settings, page=None):
    """Settings of a view that compares the labels of several sources."""

    measure: str

    @property
    def given(self) -> tuple[str, ...]:
        """The original sources that the measure can read, without combinations; () without a measure."""
        return given_sources(self.measure, self.collection) if self.measure else ()

    @property
    def all_measures(self) -> tuple[str, ...]:
        """An empty tuple, because measures do not restrict the topics of these views.

        Sources are compared on the topics that all of them labelled.
        """
        return ()


def no_exchange(collection: Collection) -> str:
    """Explain why systems cannot be ranked with other labels, and what to do; "" if they can."""
    if len(collection.systems) < 2:
        have = counted(len(collection.systems), "system")
        return f"You need two systems for a ranking; the open collection has {have}. Open more runs."
    return ""
