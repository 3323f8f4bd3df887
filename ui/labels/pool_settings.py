"""Settings of the view Pool and noise on the page Labels: the assessments to leave out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import evalcore as ec
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.labels.pools import Rescored, Teams, pool_depth, team_columns, teams
from evalcore.labels.pools.depth_of_pool import PoolDepth
from evalcore.labels.pools.team_names import NAMES
from ui.address.settings import Settings, setting
from ui.computing.cached import cached
from ui.computing.measures import of_measure
from ui.screen.calls import Call, call
from ui.screen.text import measure_name
from ui.widgets.fields import Choice, Field, Number, Stepped

TAKES = TEAM, SYSTEM, DEPTH, NOISE = "Team", "System", "Depth", "Wrong labels"
FEWER = TEAM, SYSTEM, DEPTH  # these leave out assessments; noise keeps them all and makes some wrong
DEPTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
MOST = "what changes most"
DEEPEST = 100  # largest depth to which systems may have contributed documents
TAKE_HELP = (
    "**Team**: leave out one team at a time; documents that only this team contributed become unassessed.  \n"
    "**System**: leave out one system at a time.  \n"
    "**Depth**: keep only the labels of documents that some system ranked near the top.  \n"
    "**Wrong labels**: keep all labels, and make some of them wrong at random."
)
TEAMS_HELP = "The teams, by how the systems' names begin. A column `team` in systems.csv (page Data) is more reliable."
WITHIN_HELP = "The depth to which a system contributed documents to the pool; the default is the estimated pool depth"


def _measure(page: PoolSettings) -> Field | None:
    aspects = page.collection.aspects
    return of_measure(page.collection, "Measure", str(ec.parse("RBP").with_(aspect=aspects[0]))) if aspects else None


def _teams(page: PoolSettings) -> Field | None:
    columns = [name for name in team_columns(page.collection) if name != NAMES]
    if not columns:
        return None
    usual = columns[0] if page.guessed_teams.basis.startswith("as the column") else NAMES
    return Choice("Teams by", [NAMES, *columns], usual, help=TEAMS_HELP)


def _within(page: PoolSettings) -> Field:
    return Number("Brought within rank", 1, DEEPEST, page.guess.depth, 1, help=WITHIN_HELP)


def _depth(page: PoolSettings) -> Field:
    usual = max((depth for depth in page.depths if depth <= page.guess.depth), default=page.depths[0])
    return Stepped("Depth of the pool", page.depths, usual)


def _group(page: PoolSettings) -> Field:
    named = page.grouping.names if page.take == TEAM else page.collection.systems
    return Choice("Without", [MOST, *(name for name in named if name != MOST)])


@dataclass(frozen=True)
class PoolSettings(Settings, page="labels", prefix="pool_"):
    """Settings of the view: the assessments to leave out, and the measure that ranks the systems."""

    take: str = setting(Choice("Vary", TAKES, help=TAKE_HELP))
    measure: str = setting(_measure, take=FEWER)
    teams: str | None = setting(_teams, take=FEWER)
    within: int | None = setting(_within, take=(TEAM, SYSTEM))
    depth: float | None = setting(_depth, take=DEPTH)
    group: str | None = setting(_group, take=(TEAM, SYSTEM))

    @property
    def name(self) -> str:
        """The measure's name in Markdown."""
        return measure_name(self.measure)

    @cached_property
    def guessed_teams(self) -> Teams:
        return teams(self.collection)

    @cached_property
    def teams_made(self) -> Call[Teams]:
        return call("teams", ec.pools.teams, self.collection, self.teams)

    @property
    def grouping(self) -> Teams:
        """The teams to which the systems belong."""
        return self.teams_made.value

    @property
    def guess(self) -> PoolDepth:
        """The estimated depth of the pool."""
        return _guess(self.collection)

    @property
    def within_rank(self) -> int:
        """The rank down to which a system contributed documents to the pool."""
        return self.within or self.guess.depth

    @property
    def depths(self) -> list[int]:
        """The depths to compare: those in DEPTHS that the rankings reach, and always depth 1."""
        return [depth for depth in DEPTHS if depth == 1 or depth <= self.collection.rankings.depth]

    @property
    def groups(self) -> dict[str, str]:
        """Map each system to its group, which is left out as a whole: its team, or only the system itself."""
        return dict(self.grouping.of) if self.take == TEAM else {name: name for name in self.collection.systems}

    @cached_property
    def selections(self) -> Call[Any]:
        """The call that computes the assessments that remain without each group, or down to each depth."""
        if self.take == TEAM:
            teams, within = self.teams_made, self.within_rank
            return call("without", ec.pools.without_groups, self.collection, teams.it.of, within)
        if self.take == SYSTEM:
            return call("without", ec.pools.without_groups, self.collection, None, self.within_rank)
        return call("to_depths", ec.pools.top_documents, self.collection, self.depths)

    @property
    def rescored(self) -> Call[Rescored]:
        """The call that computes the systems' scores with each of the `selections` of assessments."""
        return call("rescored", ec.pools.rescored, self.measure, self.collection, self.selections.it)


@cached(16)
def _guess(collection: Collection) -> PoolDepth:
    return pool_depth(collection)
