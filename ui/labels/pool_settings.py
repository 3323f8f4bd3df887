"""What is taken away from the assessments: the settings of the look Pool of the page Labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.pools import (
    Selections,
    Teams,
    Without,
    answers,
    pool_depth,
    sampled_shares,
    team_columns,
    teams,
    top_documents,
    without_groups,
)
from evalcore.pools.answering import ABOUT, NOTHING
from evalcore.pools.contributing import USUAL, PoolDepth
from evalcore.pools.grouping import NAMES
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Number, Stepped, Switch

TAKES = TEAM, SYSTEM, DEPTH, SHARE = ("Team", "System", "Depth", "Share")
LOOKS = BROUGHT, SYSTEMS, ALL_ANSWERS, NEW, UNASSESSED = (
    "Who brought what",
    "Systems",
    "All answers",
    "A new system",
    "What is unassessed",
)
DEPTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MOST = "what changes most"
DEEPEST = 100  # rank within which systems are asked to have brought a document, at most
TRUSTED = 0.95
TAKE_HELP = (
    "**Team**: the documents that it alone brought become unassessed, one team after the other.  \n"
    "**System**: the same of each system.  \n"
    "**Depth**: only what some system ranked near its top stays assessed.  \n"
    "**Share**: a random part of the assessments stays."
)
TEAMS_HELP = (
    "Systems of one team. Systems whose names begin alike are taken as one team; a column team in systems.csv (page "
    "Collection) says it better"
)
WITHIN_HELP = "A system brought the documents that it ranked so high. At first the depth to which the pool seems to go"
ANSWER_HELP = "  \n".join(f"**{name}**: {markdown(said)}" for name, said in ABOUT.items())
STRATIFIED_HELP = "Of each topic and grade the same share is kept; else of all documents together"


def _measure(page: PoolSettings) -> Field | None:
    aspects = page.collection.aspects
    return of_measure(page.collection, "Measure", str(ec.parse("RBP").with_(aspect=aspects[0]))) if aspects else None


def _answer(page: PoolSettings) -> Field | None:
    if page.measure is None:
        return None
    return Choice("An unassessed document is", list(answers(page.measure, page.collection)), help=ANSWER_HELP)


def _teams(page: PoolSettings) -> Field | None:
    columns = [name for name in team_columns(page.collection) if name != NAMES]
    if not columns:
        return None
    usual = columns[0] if page.guessed_teams.said.startswith("as the column") else NAMES
    return Choice("Teams by", [NAMES, *columns], usual, help=TEAMS_HELP)


def _within(page: PoolSettings) -> Field | None:
    if page.take not in (TEAM, SYSTEM):
        return None
    return Number("Brought within rank", 1, DEEPEST, page.guess.depth, 1, help=WITHIN_HELP)


def _depth(page: PoolSettings) -> Field | None:
    if page.take != DEPTH:
        return None
    usual = max((one for one in page.depths if one <= page.guess.depth), default=page.depths[0])
    return Stepped("Depth of the pool", page.depths, usual)


def _group(page: PoolSettings) -> Field | None:
    if page.take not in (TEAM, SYSTEM):
        return None
    named = page.grouping.names if page.take == TEAM else page.collection.systems
    return Choice("Without", [MOST, *(name for name in named if name != MOST)])


def _of_share(field: Field) -> object:
    return setting(lambda page: field if page.take == SHARE else None)


@dataclass(frozen=True)
class PoolSettings(Settings):
    """What is taken away from the assessments, by which measure the systems are ranked, and what is looked at."""

    PAGE: ClassVar[str | None] = "labels"
    PREFIX: ClassVar[str] = "pool_"

    measure: str | None = setting(_measure)
    answer: str = setting(_answer)
    take: str = setting(Choice("Take away by", TAKES, segmented=True, help=TAKE_HELP))
    teams: str | None = setting(_teams)
    within: int | None = setting(_within)
    depth: float | None = setting(_depth)
    share: float | None = _of_share(Stepped("Share that stays", SHARES, 0.5))  # type: ignore[assignment]
    draws: int | None = _of_share(Choice("Draws of each share", (10, 20, 50, 100), 20))  # type: ignore[assignment]
    seed: int | None = _of_share(Number("Seed", 0, 100, 0, 1, help="Another seed, other draws"))  # type: ignore[assignment]
    stratified: bool | None = _of_share(Switch("By topic and grade", True, help=STRATIFIED_HELP))  # type: ignore[assignment]
    group: str | None = setting(_group)
    look: str = setting(Choice("Details", LOOKS, segmented=True))

    @property
    def parsed(self) -> Measure:
        """The measure as it is."""
        return ec.parse(str(self.measure))

    @property
    def answered(self) -> Measure:
        """The measure that takes unassessed documents for what is asked."""
        return answers(self.parsed, self.collection)[self.answer]

    @property
    def name(self) -> str:
        """The measure and its answer, in Markdown."""
        if self.answer == NOTHING:
            return markdown(self.measure)
        if self.answer in ("Bpref", "infAP"):
            return markdown(self.answered)
        return f"{markdown(self.measure)}, unassessed {self.answer}"

    @cached_property
    def guessed_teams(self) -> Teams:
        return teams(self.collection)

    @cached_property
    def grouping(self) -> Teams:
        """The teams of the systems."""
        return teams(self.collection, self.teams)

    @property
    def guess(self) -> PoolDepth:
        """The depth to which the pool seems to go."""
        return _guess(self.collection.fingerprint, self.collection)

    @property
    def within_rank(self) -> int:
        """The rank within which a system brought a document."""
        return self.within or self.guess.depth

    @property
    def depths(self) -> list[int]:
        """The depths that are looked at: those of DEPTHS that the lists have, the first at least."""
        return [one for one in DEPTHS if one == 1 or one <= self.collection.rankings.depth]

    @property
    def groups(self) -> dict[str, str]:
        """The group of each system that is left out with it."""
        return dict(self.grouping.of) if self.take == TEAM else {name: name for name in self.collection.systems}

    @property
    def drawn(self) -> dict[str, float]:
        """What was drawn at random."""
        return {"draws": self.draws or 0, "seed": self.seed or 0} if self.take == SHARE else {}

    @cached_property
    def left_out(self) -> Without:
        """Each team or system taken away."""
        return without_groups(self.collection, self.groups, self.within_rank)

    def selections(self) -> Selections:
        """What is taken away."""
        if self.take in (TEAM, SYSTEM):
            return self.left_out
        if self.take == DEPTH:
            return top_documents(self.collection, self.depths)
        draws, seed = self.draws or 1, self.seed or 0
        return sampled_shares(self.collection, SHARES, draws, seed, stratified=bool(self.stratified))

    @property
    def kept_as(self) -> tuple[Hashable, ...]:
        """What the selections depend on."""
        how = {
            TEAM: (self.within_rank, tuple(self.groups.items())),
            SYSTEM: (self.within_rank,),
            DEPTH: (),
            SHARE: (self.draws, self.seed, self.stratified),
        }
        return (self.collection.fingerprint, self.take, *how[self.take])


@st.cache_resource(max_entries=16, show_spinner=False)
def _guess(fingerprint: str, _collection: Collection) -> PoolDepth:
    try:
        return pool_depth(_collection)
    except InputError:  # of a collection in parts, of which nothing is drawn
        return PoolDepth(pd.Series(dtype=int), USUAL, "")
