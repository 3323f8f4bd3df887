"""What the page Leaderboard is set to: a score, what combines its topics, what a missing one counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

import evalcore as ec
from evalcore.errors import InputError
from evalcore.leaderboard import GapRule, OverTopics
from evalcore.leaderboard.gaps import KeepGaps
from evalcore.leaderboard.over_topics import ByGroup, Mean
from evalcore.meta import RankIntervals
from ui.address.settings import Settings, setting
from ui.computing.doubt import intervals_of
from ui.computing.measures import of_measure, scored
from ui.screen.calls import Call, call, line, record
from ui.widgets.fields import Choice, Field, OneValue

LOOKS = RANKING, GAPS, WINS = ("Ranking", "Missing scores", "Pairwise wins")
BY_HELP = "What makes one number for each system of its scores by topic, or of a model by task"
GAPS_HELP = "What becomes of a topic on which a system has no score"


def _grouping(page: LeaderboardSettings) -> Field | None:
    groups = page.collection.assessments.groups
    asked = page.look == RANKING or isinstance(page.by, ByGroup)
    return Choice("Groups of topics", list(groups)) if groups and asked else None


@dataclass(frozen=True)
class LeaderboardSettings(Settings, page="leaderboard"):
    """Who leads, by which rule."""

    look: str = setting(Choice("Look at", LOOKS, RANKING, segmented=True))
    measure: str = setting(lambda page: of_measure(page.collection, "Score"))
    by: OverTopics = setting(OneValue("Topics combined by", OverTopics, Mean(), help=BY_HELP))
    grouping: str | None = setting(_grouping)
    gaps: GapRule = setting(OneValue("A missing score", GapRule, KeepGaps(), help=GAPS_HELP))

    @cached_property
    def scores(self) -> Call[pd.DataFrame]:
        return scored("scores", self.measure, self.collection)

    @cached_property
    def groups(self) -> Call[Mapping[str, str]] | None:
        """The group of each topic, where something asks for it. Raises InputError where the collection has none."""
        if not isinstance(self.by, ByGroup):
            return None
        if self.grouping is None:
            raise InputError("expected groups of the topics (a table topics.csv or tasks.csv), found none", "ByGroup")
        return self.grouped

    @cached_property
    def grouped(self) -> Call[Mapping[str, str]]:
        """The group of each topic, by the grouping that is chosen."""
        c = record(self.collection)
        return call("groups", dict, record(zip)(c.topics, c.assessments.groups[self.grouping]))

    @property
    def by_group(self) -> Call[pd.DataFrame] | None:
        """The number of each system on each group of topics, in the order of the leaderboard, where there are groups.

        Raises InputError where the rule does not fit the scores of a group.
        """
        if self.grouping is None:
            return None
        of = (self.scores.it, self.grouped.it, str(self.by), str(self.gaps))
        made = line("by_group", record(ec.leaderboard.by_group)(*of).reindex(self.table.it.index))
        return made.known(made.value)

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """The leaderboard. Raises InputError where the rule or the aggregate does not fit the scores."""
        of, groups = (self.scores.it, str(self.by), str(self.gaps)), self.groups
        made = call("table", ec.leaderboard.standings, *of, groups=groups.it if groups else None)
        return made.known(made.value)

    @cached_property
    def doubt(self) -> Call[RankIntervals] | None:
        """Who may be the best, and which pairs are separable; None by another rule, or if nothing says so."""
        if self.by != Mean():
            return None
        made = call("filled", ec.without_gaps, self.scores.it, str(self.gaps))
        return intervals_of(made)
