"""What the page Leaderboard is set to: a score, what combines its topics, what a missing one counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from evalcore.constants import RANK_TESTS
from evalcore.errors import InputError
from evalcore.leaderboard import GapRule, OverTopics
from evalcore.leaderboard.gaps import KeepGaps
from evalcore.leaderboard.over_topics import ByGroup, Mean
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure, offered, scored
from ui.screen.calls import Call, call
from ui.widgets.fields import Choice, Field, OneValue

LOOKS = RANKING, GAPS, DIFFERENCES, WINS, REPRODUCED = (
    "Ranking", "Missing scores", "Critical differences", "Pairwise wins", "Reproduction",
)  # fmt: skip
BY_HELP = "What makes one number for each system of its scores by topic, or of a model by task"
GAPS_HELP = "What becomes of a topic on which a system has no score"
LEAST = ""  # the baseline that nobody chose: the last system of the original


def _grouping(page: LeaderboardSettings) -> Field | None:
    groups = page.collection.assessments.groups
    asked = page.look == RANKING or isinstance(page.by, ByGroup)
    return Choice("Groups of topics", list(groups)) if groups and asked else None


def _reproduced(page: LeaderboardSettings) -> Field:
    """At first the next score that fits the collection."""
    others = [text for text in offered(page.collection) if text != page.measure]
    return of_measure(page.collection, "Reproduced by", others[0] if others else page.measure)


def _baseline(page: LeaderboardSettings) -> Field:
    names = {LEAST: "the last of the original"}
    return Choice(
        "Improvements over", (LEAST, *page.collection.systems), LEAST, names=lambda name: names.get(name, name)
    )


@dataclass(frozen=True)
class LeaderboardSettings(Settings, page="leaderboard"):
    """Who leads, by which rule."""

    look: str = setting(Choice("Look at", LOOKS, RANKING, segmented=True))
    measure: str = setting(lambda page: of_measure(page.collection, "Score"))
    by: OverTopics = setting(OneValue("Topics combined by", OverTopics, Mean(), help=BY_HELP))
    grouping: str | None = setting(_grouping)
    gaps: GapRule = setting(OneValue("A missing score", GapRule, KeepGaps(), help=GAPS_HELP))
    test: str | None = setting(
        Choice("Test of mean ranks", RANK_TESTS, help="Which systems share a letter, at 5%"),
        look=(RANKING, DIFFERENCES),
    )
    reproduced: str | None = setting(_reproduced, look=REPRODUCED)
    baseline: str | None = setting(_baseline, look=REPRODUCED)

    @property
    def all_measures(self) -> tuple[str, ...]:
        return (self.measure, self.reproduced) if self.reproduced else (self.measure,)

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
        text = "dict(zip({c}.topics, {c}.assessments.groups[{grouping}]))"
        return call("groups", text, c=self.collection, grouping=self.grouping)

    @property
    def by_group(self) -> Call[pd.DataFrame] | None:
        """The number of each system on each group of topics, in the order of the leaderboard, where there are groups.

        Raises InputError where the rule does not fit the scores of a group.
        """
        if self.grouping is None:
            return None
        how = {"scores": self.scores, "groups": self.grouped, "by": str(self.by), "gaps": str(self.gaps)}
        text = "ec.leaderboard.by_group({scores}, {groups}, {by}, {gaps}).reindex({table}.index)"
        return call("by_group", text, table=self.table, **how).now()

    @property
    def combined(self) -> dict[str, object]:
        """The parts of a call that says how topics are combined, and its text."""
        groups = self.groups
        return {"by": str(self.by), **({"groups": groups} if groups else {})}

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """The leaderboard. Raises InputError where the rule or the aggregate does not fit the scores."""
        how = ", groups={groups}" if self.groups else ""
        text = f"ec.leaderboard.standings({{scores}}, {{by}}, {{gaps}}{how}, test={{test}})"
        return call("table", text, scores=self.scores, gaps=str(self.gaps), test=self.test, **self.combined).now()

    @cached_property
    def filled(self) -> Call[pd.DataFrame]:
        """The scores without gaps, as the rule has it."""
        return call("filled", "ec.without_gaps({scores}, {gaps})", scores=self.scores, gaps=str(self.gaps)).now()
