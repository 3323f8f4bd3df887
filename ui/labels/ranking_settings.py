"""What the look *Ranking* of Labels is set to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from evalcore.data import Collection
from evalcore.data.families import by_names
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.labels.judges import given_sources, read_sources
from evalcore.labels.judges.favouring import FEWEST
from evalcore.meta import CORRECTIONS
from ui.address.families import NAMES, NOTHING
from ui.address.settings import setting
from ui.computing.measures import of_measure, offered
from ui.data.compared import one_of
from ui.labels.controls import OfSources
from ui.screen.calls import Call, call, record
from ui.widgets.fields import Choice, Field, Many, Number, Switch

LOOKS = EVERY_TWO, RANKS, TOP, FAVOUR = "Every two sources", "Rank changes", "At the top", "Favour"
RESAMPLES, PERMUTATIONS = 1000, (200, 1000, 5000)
ALPHA = 0.05
LEVEL_MEASURED = (
    "Of simulated collections in which the judge favours nobody, some mark was filled in 2 to 8 of 100, with a "
    "reference that is right and with one that errs: docs/doubt.md."
)
NAMED = 5  # systems that stand out, or that a sentence names
SOURCES_HELP = (
    "Whose labels are compared. Majority, median, mean, union and agreed are made of all that gave labels, document by "
    "document."
)
GROUPS_HELP = (
    "Systems that may be favoured together: those whose names begin alike, or that systems.csv says the same of"
)
ERRS_HELP = (
    "Where the reference wrongly calls documents not relevant, another judge raises good systems, as these find them. "
    "On: what goes with the quality of systems counts as such errors, not as favour, and true labels are drawn as both "
    "judges make them likely. Off: the reference is the truth."
)
CORRECTION_HELP = "Of the p of all pairs of systems, for their number"
PERMUTATIONS_HELP = "Of labels among like documents. The smallest p is one in so many."


def usual_measure(collection: Collection) -> str:
    """The first measure that is offered and reads an aspect of several sources; "" where none does."""
    known = (text for text in offered(collection) if len(given_sources(text, collection)) > 1)
    return next(known, "")


def of_both(look: RankingLook) -> list[str]:
    """The sources that the measure could be read with; none where there is no measure."""
    return list(read_sources(look.measure, look.collection)) if look.measure else []


def _sources(look: RankingLook) -> Field | None:
    usual = look.given
    return Many("Sources", of_both(look), usual, least=2, help=SOURCES_HELP) if len(usual) > 1 else None


def _groups(look: RankingLook) -> Field:
    systems = look.collection.systems
    families = len(set(by_names(systems).values()))
    columns = [name for name in grouping_columns(look.collection.system_table) if name not in (NAMES, NOTHING)]
    usual = NAMES if 1 < families < len(systems) else NOTHING
    return Choice("Groups", [NAMES, *columns, NOTHING], usual, help=GROUPS_HELP)


def _k(look: RankingLook) -> Field | None:
    count = len(look.collection.systems)
    if count < 3:
        return None
    return Number("First k systems", 2, count, min(10, count), 1, help="By the reference")


def _errs(look: RankingLook) -> Field | None:
    enough = len(look.collection.systems) >= FEWEST
    return Switch("The reference may err", True, help=ERRS_HELP) if enough else None


@dataclass(frozen=True)
class RankingLook(OfSources, page="labels", prefix="ranking_"):
    """Which sources are compared, by what measure, and what is looked at closely."""

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    sources: tuple[str, ...] | None = setting(_sources)
    reference: str | None = one_of("Reference", 0, attrgetter("sources"), "Whose labels are taken as the truth")
    test: str | None = one_of("Set against", 1, attrgetter("sources"))
    look: str = setting(Choice("Details", LOOKS, segmented=True))
    k: int | None = setting(_k, look=TOP)
    correction: str | None = setting(Choice("Correction", list(CORRECTIONS), "Holm", help=CORRECTION_HELP), look=TOP)
    groups: str | None = setting(_groups, look=FAVOUR)
    errs: bool | None = setting(_errs, look=FAVOUR)
    permutations: int | None = setting(
        Choice("Permutations", PERMUTATIONS, 1000, names="{:,}".format, help=PERMUTATIONS_HELP), look=FAVOUR
    )
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="Another seed, other resamples and permutations"))

    @property
    def pair(self) -> tuple[str, str]:
        """Reference and test."""
        return str(self.reference), str(self.test)

    @cached_property
    def group_of(self) -> Call[dict[str, str]] | None:
        """The group of each system."""
        table = self.collection.system_table
        if self.groups in (None, NOTHING):
            return None
        if self.groups == NAMES or table is None:
            return call("groups", by_names, record(self.collection).systems)
        return call("groups", in_words, record(self.collection).system_table[self.groups])

    @property
    def drawn(self) -> dict[str, int]:
        """What was drawn at random."""
        return {"resamples": RESAMPLES, "seed": self.seed}
