"""Settings of the pages Table and Rules: the measures, how topics are combined, and how missing scores are treated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore.common.cached import cached_property
from evalcore.errors import InputError
from evalcore.leaderboard import GapRule, OverTopics
from evalcore.leaderboard.gaps import KeepGaps
from evalcore.leaderboard.over_topics import ByGroup, Mean
from evalcore.measures import short_names
from evalcore.meta import RankIntervals
from ui.address.families import all_short
from ui.address.settings import Settings, setting
from ui.computing.doubt import intervals_of
from ui.computing.measures import answered, of_measure, of_measures, scored, scored_by
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.text import reading_name
from ui.widgets.fields import Choice, Field, Line, OneValue

BY_HELP = "The rule that turns a system's scores over topics, or a model's scores over tasks, into one number"
LEADER = ""  # stands for the leader, the default of `system`
GAPS_HELP = "The treatment of topics on which a system has no score"


def _grouping(page: LeaderboardSettings) -> Field | None:
    groups = page.collection.assessments.groups
    return Choice("Groups of topics", list(groups)) if groups else None


def _system(page: LeaderboardSettings) -> Field:
    known = (LEADER, *page.collection.systems)
    return Choice("Look into", known, LEADER, names=lambda name: name or "the leader", called=all_short)


def _score(page: LeaderboardSettings) -> Field:
    texts = list(dict.fromkeys((page.measure, *page.measures)))
    return Choice("by", texts, page.measure, reads=reading_name)


@dataclass(frozen=True)
class LeaderboardSettings(Settings, page="leaderboard"):
    """Settings: the measure and the rules that rank the systems, further measures, and the system shown in detail."""

    measure: str = setting(lambda page: of_measure(page.collection, "Ranked by"))
    measures: tuple[str, ...] = setting(lambda page: of_measures(page.collection, "Columns"))
    by: OverTopics = setting(OneValue("Combine topics by", OverTopics, Mean(), help=BY_HELP))
    grouping: str | None = setting(_grouping)
    gaps: GapRule = setting(OneValue("Missing scores", GapRule, KeepGaps(), help=GAPS_HELP))
    find: str = setting(Line("Find systems", placeholder="part of a name"))
    system: str = setting(_system)
    score: str = setting(_score)

    @cached_property
    def scores(self) -> Call[pd.DataFrame]:
        return scored("scores", self.measure, self.collection)

    @cached_property
    def groups(self) -> Call[Mapping[str, str]] | None:
        """The call that maps each topic to its group; None if the rule for topics does not use groups.

        Raises InputError if the rule uses groups but the collection has none.
        """
        if not isinstance(self.by, ByGroup):
            return None
        if self.grouping is None:
            raise InputError("the topics have no groups; add a table topics.csv or tasks.csv with groups", "ByGroup")
        return self.grouped

    @cached_property
    def grouped(self) -> Call[Mapping[str, str]]:
        """The call that maps each topic to its group in the chosen grouping."""
        c = record(self.collection)
        return call("groups", dict, record(zip)(c.topics, c.assessments.groups[self.grouping]))

    @property
    def by_group(self) -> Call[pd.DataFrame] | None:
        """The call that computes the score of each system on each group of topics; systems are in the table's order.

        None if the topics have no groups.         Raises InputError if the rule does not fit the scores of a group.
        """
        if self.grouping is None:
            return None
        of = (self.scores.it, self.grouped.it, str(self.by), str(self.gaps))
        made = line("by_group", record(ec.leaderboard.by_group)(*of).reindex(self.table.it.index))
        return made.known(made.value)

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """The call that computes the leaderboard. Raises InputError if the rule does not fit the scores."""
        of, groups = (self.scores.it, str(self.by), str(self.gaps)), self.groups
        made = call("table", ec.leaderboard.standings, *of, groups=groups.it if groups else None)
        return made.known(made.value)

    @cached_property
    def doubt(self) -> Call[RankIntervals] | None:
        """The call that computes the rank intervals and the systems that may be the best.

        None if the intervals are unknown, or if the rule for topics is not the mean.
        """
        if self.by != Mean():
            return None
        made = call("filled", ec.without_gaps, self.scores.it, str(self.gaps))
        return intervals_of(made)

    @property
    def looked_into(self) -> str:
        """The system shown in detail."""
        return self.system or str(self.table.value.index[0])

    @cached_property
    def answers(self) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
        """Two dicts by measure, for the other columns: the scores, and the error of each measure that has no scores."""
        return answered(self.collection, [text for text in self.measures if text != self.measure])

    @cached_property
    def means(self) -> Call[pd.DataFrame]:
        """The call that computes the mean scores under the measures of the other columns, systems x measures."""
        frames = scored_by("others", list(self.answers[0]), self.collection)
        return line("means", record(pd.DataFrame)(mapped(frames.it, lambda frame: frame.mean())))

    @property
    def columns(self) -> list[str]:
        """The texts of the measures of all columns, in the order in which they were chosen."""
        chosen = self.measures if self.measure in self.measures else (self.measure, *self.measures)
        return [text for text in chosen if text == self.measure or text in self.answers[0]]

    @cached_property
    def names(self) -> dict[str, str]:
        """Map the text of the measure of each column to its short name."""
        return short_names(self.columns)


@dataclass(frozen=True)
class RulesSettings(LeaderboardSettings):
    """The same settings for the page Rules, which uses only one measure."""

    @property
    def all_measures(self) -> tuple[str, ...]:
        return (self.measure,)
