"""Settings of the view Ranking on the page Labels."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from evalcore.data import Collection
from evalcore.labels.judges import given_sources, read_sources
from evalcore.meta import CORRECTIONS
from ui.address.settings import ANY, setting
from ui.computing.measures import of_measure, offered
from ui.data.compared import one_of
from ui.labels.source_settings import OfSources
from ui.widgets.fields import Choice, Field, Many, Number

RESAMPLES = 1000
SOURCES_HELP = (
    "The sources to compare. Majority, median, mean, union and agreed combine all sources, document by document."
)
CORRECTION_HELP = "The correction of the p values for the number of pairs of systems"


def usual_measure(collection: Collection) -> str:
    """Return the text of the first suggested measure that reads an aspect with several sources; "" if none does."""
    known = (text for text in offered(collection) if len(given_sources(text, collection)) > 1)
    return next(known, "")


def of_both(look: RankingLook) -> list[str]:
    """Return the sources whose labels the measure can use; [] without a measure, or if each aspect has one source."""
    return list(read_sources(look.measure, look.collection)) if look.measure else []


def _sources(look: RankingLook) -> Field | None:
    usual = look.given
    return Many("Sources", of_both(look), usual, least=2, help=SOURCES_HELP) if len(usual) > 1 else None


def _k(look: RankingLook) -> Field | None:
    count = len(look.collection.systems)
    if count < 3:
        return None
    return Number("First k systems", 2, count, min(10, count), 1, help="The number of top systems under the reference")


@dataclass(frozen=True)
class RankingLook(OfSources, page="labels", prefix="ranking_"):
    """Settings of the view: the measure, the sources to compare, and the number k of top systems to test."""

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    sources: tuple[str, ...] | None = setting(_sources)
    reference: str | None = one_of("Reference", 0, attrgetter("sources"), "The source whose labels count as the truth")
    test: str | None = one_of("Compared with", 1, attrgetter("sources"))
    k: int | None = setting(_k)
    correction: str | None = setting(Choice("Correction", list(CORRECTIONS), "Holm", help=CORRECTION_HELP), k=ANY)
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="A different seed draws different resamples"))

    @property
    def pair(self) -> tuple[str, str]:
        """The reference source and the test source."""
        return str(self.reference), str(self.test)

    @property
    def drawn(self) -> dict[str, int]:
        """The number of resamples and the seed, by name."""
        return {"resamples": RESAMPLES, "seed": self.seed}
