"""Would the ranking stand without the documents that one team brought, with a shallower pool, or with fewer labels?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.pools import (
    Answers,
    Rescored,
    Selections,
    Teams,
    Without,
    answers,
    compare_answers,
    contributions,
    off_by,
    own_moves,
    pool_depth,
    rescored,
    sampled_shares,
    share_bands,
    team_columns,
    teams,
    top_documents,
    trust_in_words,
    unassessed_table,
    without_groups,
    without_table,
)
from evalcore.pools.answers import ABOUT, NOTHING
from evalcore.pools.assessed import refuse_parts
from evalcore.pools.contributions import USUAL, PoolDepth
from evalcore.pools.teams import NAMES
from evalcore.progress import Tell
from evalcore.rounding import first_largest, percent
from ui.frame import live, open_collection, work
from ui.frame.as_python import as_python
from ui.widgets import show
from ui.widgets.beside import two_columns
from ui.widgets.fields import Choice, Field, Number, Stepped, Switch
from ui.widgets.measures import of_measure
from ui.widgets.settings import Settings, setting
from ui.widgets.text import counted, markdown

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
    if page.pool_measure is None:
        return None
    return Choice("An unassessed document is", list(answers(page.pool_measure, page.collection)), help=ANSWER_HELP)


def _teams(page: PoolSettings) -> Field | None:
    columns = [name for name in team_columns(page.collection) if name != NAMES]
    if not columns:
        return None
    usual = columns[0] if page.guessed_teams.said.startswith("as the column") else NAMES
    return Choice("Teams by", [NAMES, *columns], usual, help=TEAMS_HELP)


def _within(page: PoolSettings) -> Field | None:
    if page.pool_take not in (TEAM, SYSTEM):
        return None
    return Number("Brought within rank", 1, DEEPEST, page.guess.depth, 1, help=WITHIN_HELP)


def _depth(page: PoolSettings) -> Field | None:
    if page.pool_take != DEPTH:
        return None
    usual = max((one for one in page.depths if one <= page.guess.depth), default=page.depths[0])
    return Stepped("Depth of the pool", page.depths, usual)


def _group(page: PoolSettings) -> Field | None:
    if page.pool_take not in (TEAM, SYSTEM):
        return None
    named = page.teams.names if page.pool_take == TEAM else page.collection.systems
    return Choice("Without", [MOST, *(name for name in named if name != MOST)])


def _of_share(field: Field) -> object:
    return setting(lambda page: field if page.pool_take == SHARE else None)


@dataclass(frozen=True)
class PoolSettings(Settings):
    """What is taken away from the assessments, by which measure the systems are ranked, and what is looked at."""

    PAGE: ClassVar[str | None] = "labels"
    BEGIN: ClassVar[str] = "pool_"

    pool_measure: str | None = setting(_measure)
    pool_answer: str = setting(_answer)
    pool_take: str = setting(Choice("Take away by", TAKES, segmented=True, help=TAKE_HELP))
    pool_teams: str | None = setting(_teams)
    pool_within: int | None = setting(_within)
    pool_depth: float | None = setting(_depth)
    pool_share: float | None = _of_share(Stepped("Share that stays", SHARES, 0.5))  # type: ignore[assignment]
    pool_draws: int | None = _of_share(Choice("Draws of each share", (10, 20, 50, 100), 20))  # type: ignore[assignment]
    pool_seed: int | None = _of_share(Number("Seed", 0, 100, 0, 1, help="Another seed, other draws"))  # type: ignore[assignment]
    pool_stratified: bool | None = _of_share(Switch("By topic and grade", True, help=STRATIFIED_HELP))  # type: ignore[assignment]
    pool_group: str | None = setting(_group)
    pool_look: str = setting(Choice("Look closer", LOOKS, segmented=True))

    @property
    def measure(self) -> Measure:
        """The measure as it is."""
        return ec.parse(str(self.pool_measure))

    @property
    def answered(self) -> Measure:
        """The measure that takes unassessed documents for what is asked."""
        return answers(self.measure, self.collection)[self.pool_answer]

    @property
    def name(self) -> str:
        """The measure and its answer, in Markdown."""
        if self.pool_answer == NOTHING:
            return markdown(self.pool_measure)
        if self.pool_answer in ("Bpref", "infAP"):
            return markdown(self.answered)
        return f"{markdown(self.pool_measure)}, unassessed {self.pool_answer}"

    @cached_property
    def guessed_teams(self) -> Teams:
        return teams(self.collection)

    @cached_property
    def teams(self) -> Teams:
        """The teams of the systems."""
        return teams(self.collection, self.pool_teams)

    @property
    def guess(self) -> PoolDepth:
        """The depth to which the pool seems to go."""
        return _guess(self.collection.fingerprint, self.collection)

    @property
    def within(self) -> int:
        """The rank within which a system brought a document."""
        return self.pool_within or self.guess.depth

    @property
    def depths(self) -> list[int]:
        """The depths that are looked at: those of DEPTHS that the lists have, the first at least."""
        return [one for one in DEPTHS if one == 1 or one <= self.collection.rankings.depth]

    @property
    def groups(self) -> dict[str, str]:
        """The group of each system that is left out with it."""
        return dict(self.teams.of) if self.pool_take == TEAM else {name: name for name in self.collection.systems}

    @property
    def drawn(self) -> dict[str, float]:
        """What was drawn at random."""
        return {"draws": self.pool_draws or 0, "seed": self.pool_seed or 0} if self.pool_take == SHARE else {}

    def selections(self) -> Selections:
        """What is taken away."""
        if self.pool_take in (TEAM, SYSTEM):
            return without_groups(self.collection, self.groups, self.within)
        if self.pool_take == DEPTH:
            return top_documents(self.collection, self.depths)
        draws, seed = self.pool_draws or 1, self.pool_seed or 0
        return sampled_shares(self.collection, SHARES, draws, seed, stratified=bool(self.pool_stratified))

    @property
    def kept_as(self) -> tuple[Hashable, ...]:
        """What the selections depend on."""
        how = {
            TEAM: (self.within, tuple(self.groups.items())),
            SYSTEM: (self.within,),
            DEPTH: (),
            SHARE: (self.pool_draws, self.pool_seed, self.pool_stratified),
        }
        return (self.collection.fingerprint, self.pool_take, *how[self.pool_take])


@st.cache_resource(max_entries=16, show_spinner=False)
def _guess(fingerprint: str, _collection: Collection) -> PoolDepth:
    try:
        return pool_depth(_collection)
    except InputError:  # of a collection in parts, of which nothing is drawn
        return PoolDepth(pd.Series(dtype=int), USUAL, "")


def draw(collection: Collection) -> None:
    """The look: the ranking without some of the assessments."""
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    page = PoolSettings.now(collection)
    left, right = two_columns(name="pool")
    with left:
        page.draw("pool_measure", "pool_answer", "pool_take", "pool_teams", "pool_within", "pool_depth", "pool_share")
        page.draw("pool_draws", "pool_seed", "pool_stratified", "pool_group")
        how_known(page)
    with right, show.errors():
        found = scored(page)
        if found is None:
            return
        live.follow(page, lambda one: answer(one, found), "pool_depth", "pool_share")
    parts_table(page, found)
    show.explain(*explanation(page))
    page.draw("pool_look")
    with show.errors():
        {
            BROUGHT: who_brought,
            SYSTEMS: of_systems,
            ALL_ANSWERS: all_answers,
            NEW: new_system,
            UNASSESSED: unassessed,
        }[page.pool_look](page, found)
    as_python(collection, *code(page))


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    try:
        refuse_parts(collection)
    except InputError as error:
        return f"Of this collection nothing can be taken away: {markdown(error)}."
    if len(collection.systems) > 1:
        return ""
    return "A ranking to compare takes two systems; the open collection has one. Open more runs."


def how_known(page: PoolSettings) -> None:
    """How teams and depth are known."""
    if page.pool_take == TEAM:
        st.caption(f"{counted(len(page.teams.names), 'team')}, {markdown(page.teams.said)}.")
    if page.pool_take in (TEAM, SYSTEM):
        st.caption(f"Pool depth {page.guess.depth}, {markdown(page.guess.said)}.")


def scored(page: PoolSettings) -> Rescored | None:
    """The systems with each part of the assessments; kept for the next run. None where the work was held."""
    name: Hashable = ("pool", *page.kept_as, str(page.answered))
    jobs = {name: partial(_scored, page, page.answered)}
    return work.results("pool", "Scoring with fewer assessments", jobs).get(name)


def _scored(page: PoolSettings, measure: Measure, tell: Tell) -> Rescored:
    return rescored(measure, page.collection, page.selections(), tell)


def table_of(page: PoolSettings, found: Rescored) -> pd.DataFrame:
    """A row for each team or system left out, depth, or share."""
    if page.pool_take in (TEAM, SYSTEM):
        return without_table(left_out(page), found, page.collection, page.answered)
    return share_bands(found) if page.pool_take == SHARE else found.table()


def left_out(page: PoolSettings) -> Without:
    return without_groups(page.collection, page.groups, page.within)


# --- the answer -------------------------------------------------------------------------------------------------------


def answer(page: PoolSettings, found: Rescored) -> None:
    """How far the ranking stands, in words and as a figure."""
    table = table_of(page, found)
    if page.pool_take in (TEAM, SYSTEM):
        show.headline(said_without(page, found, table))
        changes, styles = found.rank_changes(), open_collection.styles(page.collection)
        figure = figures.changes_without(changes, page.groups, styles)
        alt = f"Changes of rank of {len(found.systems)} systems without each of {len(table)}; the values are below"
        show.figure(figure, "pool changes", alt, on_select=partial(take_group, page), modes=("points",))
        return
    deep = page.pool_take == DEPTH
    at = page.pool_depth if deep else page.pool_share
    show.headline(said_of_depth(page, found, table) if deep else said_of_share(page, found, table))
    title = "ranks of each system that are assessed" if deep else "share of the assessments"
    figure = figures.tau_of_parts(table, at, title, share=not deep)
    alt = f"τ and τ_AP with the ranking by the full pool, by {title}; the values are in the table below"
    show.figure(figure, "pool tau", alt, drawn=page.drawn)


def take_group(page: PoolSettings, groups: list[str]) -> None:
    """The group of the dot that was clicked is looked at."""
    if groups:
        page.change(pool_group=groups[0], pool_look=SYSTEMS)


def chosen_group(page: PoolSettings, table: pd.DataFrame) -> str:
    """The group that is looked at: the one asked for, or the one whose systems move farthest."""
    return str(page.pool_group) if page.pool_group != MOST else largest_of(table["own largest"].abs())


def said_without(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> str:
    """What leaving out the group that is looked at does, and in how many cases another is first."""
    group = chosen_group(page, table)
    row = row_of(table, group)
    others = int((~table["same first"]).sum())
    who = "its systems" if row["systems"] > 1 else "it"
    brought = f"**{row['own']:,}** documents that nobody else brought within rank {page.within}"
    lines = [
        f"Without **{markdown(group)}** and the {brought} ({row['own relevant']:,} of them relevant), {who} "
        f"{in_places(int(row['own largest']), len(found.systems), row['systems'] > 1)} by {page.name}: "
        f"τ **{said_tau(row['tau'])}** with the full pool, and {said_first(found, row)}.",
        f"Another system is first without **{others}** of {len(table):,} "
        f"{'teams' if page.pool_take == TEAM else 'systems'}.",
    ]
    return "  \n".join(lines)


def largest_of(values: pd.Series) -> str:
    """Where the largest number stands; of several the first."""
    return str(values.index[int(first_largest(values.to_numpy(dtype=float)))])


def said_tau(value: float) -> str:
    """A correlation, which there is none of where all systems are tied."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def row_of(table: pd.DataFrame, name: object) -> dict[str, Any]:
    """The cells of one row of a table, by their columns."""
    return dict(zip(map(str, table), table.iloc[list(table.index).index(name)], strict=True))


def in_places(change: int, of: int, several: bool) -> str:
    """How far systems move.

    >>> in_places(-20, 40, True), in_places(1, 40, False), in_places(0, 40, True)
    ('fall by up to **20** of 40 places', 'rises by **1** of 40 places', 'keep their places')
    """
    if not change:
        return "keep their places" if several else "keeps its place"
    verb = "fall" if change < 0 else "rise"
    return f"{verb}{'' if several else 's'} by {'up to ' if several else ''}**{abs(change)}** of {of} places"


def said_first(found: Rescored, row: Mapping[str, Any]) -> str:
    """Who is first, in Markdown."""
    full = found.systems[int(found.full_ranks.argmin())]
    if row["same first"]:
        return f"**{markdown(full)}** stays first"
    return f"**{markdown(row['first'])}** is first instead of **{markdown(full)}**"


def said_of_depth(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> str:
    """What a pool of the depth that is looked at gives."""
    row, total = row_of(table, page.pool_depth), int(page.collection.assessments.judged.sum())
    return (
        f"Had only the first **{page.pool_depth:g}** of each system been assessed, **{row['assessed']:,}** of "
        f"{total:,} documents would be: by {page.name} τ is **{said_tau(row['tau'])}** with the full pool, no system "
        f"moves by more than **{row['largest']}** of {len(found.systems)} places, and {said_first(found, row)}."
    )


def said_of_share(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> str:
    """What the share that is looked at gives."""
    row = row_of(table, page.pool_share)
    full = found.systems[int(found.full_ranks.argmin())]
    return (
        f"With **{page.pool_share:.0%}** of the assessments τ by {page.name} is **{said_tau(row['tau'])}** with the "
        f"full pool, between {said_tau(row['tau low'])} and {said_tau(row['tau high'])} in 95 % of {page.pool_draws} "
        f"draws; **{markdown(full)}** stays first in {percent(row['same first'])} of them."
    )


def parts_table(page: PoolSettings, found: Rescored) -> None:
    """The numbers of the figure."""
    table = table_of(page, found)
    if ties := ec.ties_in_words("tau_ap", found.full, found.full):
        st.caption(f"{markdown(ties)}.")
    decimals = {"tau": 3, "tau_ap": 3, "own mean": 1, "assessed": 0, "largest": 1, "same first": 2}
    decimals |= {f"{name} {end}": 3 for name in ("tau", "tau_ap") for end in ("low", "high")}
    height = 320 if len(table) > 8 else "auto"
    show.table(table, "fewer assessments", decimals=decimals, height=height, drawn=page.drawn)  # type: ignore[arg-type]


def explanation(page: PoolSettings) -> tuple[str, str, str]:
    if page.pool_take in (TEAM, SYSTEM):
        group = "team" if page.pool_take == TEAM else "system"
        return (
            f"Each column is a {group} left out: the documents that it alone brought within rank {page.within} become "
            "unassessed, as if it had not taken part. Each dot is a system, and how many places it gains or loses by "
            f"that; in colour those of the {group} itself.",
            "Dots near 0: the ranking stands, and a system that came later would hardly be treated otherwise. Coloured "
            f"dots far below: these systems owe their places to having been pooled. {never(page)}",
            "Let unassessed documents be left out: do systems without a part in the pool then fall less? Click a dot "
            "to see all ranks. Then look at a new system.",
        )
    if page.pool_take == DEPTH:
        return (
            "Each mark is a pool: only documents that some system ranked so high stay assessed. Up: how alike the "
            "ranking of systems is to that by all assessments. Open marks: another system is first.",
            "Where the lines are level near 1, deeper assessments hardly change the ranking; a measure that looks "
            f"deeper mostly needs a deeper pool. {never(page)}",
            "Move the depth, then take a measure that looks deeper, such as AP, and one that looks less deep.",
        )
    return (
        "Each mark is a share of the assessments, drawn at random again and again: the mean of τ and τ_AP over the "
        "draws; the band holds the middle 95 % of τ. Open marks: in most draws another system is first.",
        f"Where the band ends well below 0.9, so few labels rank the systems in another order. {never(page)}",
        "Try infAP, which was made for pools of which only a sample is judged, against the measure as it is: All "
        "answers.",
    )


def never(page: PoolSettings) -> str:
    """What becomes of a topic without labels."""
    same = ", which moves none of them" if page.collection.rankings.average_over == "all" else ""
    return f"A topic that has no label left scores 0 for all systems{same}."


# --- closer looks -----------------------------------------------------------------------------------------------------


def who_brought(page: PoolSettings, found: Rescored) -> None:
    table = contributions(page.collection, page.teams, page.within, page.answered)
    nobody, total = table.attrs["nobody"], table.attrs["assessed"]
    own = int(table["own"].sum())
    st.markdown(
        f"Of **{total:,}** assessed documents one team alone brought **{own:,}** within rank {page.within}, several "
        f"**{total - nobody - own:,}**, and none **{nobody:,}**: these were found deeper, or came in some other way."
    )
    alt = f"Assessed documents that each of {len(table)} teams brought; the values are in the table below"
    show.figure(figures.contribution_bars(table), "pool brought", alt)
    left, right = st.columns(2, gap="medium")
    with left:
        show.table(table, "who brought what")
        st.caption(f"Teams are {markdown(page.teams.said)}. Relevant is what gains something by {page.name}.")
    with right:
        show.table(page.guess.systems.to_frame(), "assessed to", height=320)
        st.caption(
            "assessed to: the deepest rank to which 95 % of a system's documents are assessed; 0: not even the first"
        )


def of_systems(page: PoolSettings, found: Rescored) -> None:
    """Ranks with all assessments and with the part that is looked at."""
    at, name = part_looked_at(page, found)
    table = pd.DataFrame(
        {
            "rank": found.full_ranks,
            f"rank {name}": found.ranks[at],
            "change": found.changes[at],
            "score": found.full,
            f"score {name}": found.means[at],
        },
        index=pd.Index(found.systems, name="system", dtype=object),
    )
    if page.pool_take == TEAM:
        table.insert(0, "team", [page.groups[system] for system in found.systems])
    table = table.join(unassessed_table(page.measure, page.collection))
    drawn = " (the first draw)" if page.pool_take == SHARE else ""
    st.caption(
        f"Ranks by {page.name} with all assessments, and {markdown(name)}{drawn}. Unassessed and residual are those of "
        "the full pool: what could still change the score."
    )
    show.table(table.sort_values("rank", kind="stable"), "systems with fewer assessments", height=420, drawn=page.drawn)


def part_looked_at(page: PoolSettings, found: Rescored) -> tuple[int, str]:
    """The place of the part that is looked at, and what it is."""
    if page.pool_take in (TEAM, SYSTEM):
        group = chosen_group(page, table_of(page, found))
        return list(found.index).index(group), f"without {group}"
    if page.pool_take == DEPTH:
        return list(found.index).index(page.pool_depth), f"to depth {page.pool_depth:g}"
    return list(found.index).index((page.pool_share, 0)), f"with {page.pool_share:.0%}"


def all_answers(page: PoolSettings, found: Rescored) -> None:
    """Each answer for unassessed documents, side by side."""
    name = ("pool answers", *page.kept_as, str(page.measure))
    compared = work.results("answers", "Comparing answers", {name: partial(_compared, page)}).get(name)
    if compared is None:
        return
    table, means = compared.table(), compared.means()
    if page.pool_take == SHARE:
        table = table.groupby(level=["share", "answer"], sort=False).mean()
    best = largest_of(means["tau own"])
    own = {name: row_of(means, name)["tau own"] for name in (best, NOTHING)}
    show.headline(
        f"The answer that changes its own ranking least is **{markdown(best)}**: mean τ **{said_tau(own[best])}** "
        f"with its ranking by the full pool; {markdown(page.pool_measure)} as it is has "
        f"{said_tau(own[NOTHING])}."
    )
    title = str(table.index.names[0])
    figure = figures.answers_of_parts(table, title, column="tau own")
    alt = f"τ of {len(means)} answers with their own rankings by the full pool; the values are in the tables below"
    show.figure(figure, "pool answers", alt, drawn=page.drawn)
    st.caption(
        f"tau: with the ranking by {markdown(page.pool_measure)} and the full pool. tau own (in the figure): with the "
        "ranking by the answer itself and the full pool, which says how much fewer labels change, not whether the "
        "answer is right. largest: the largest change of rank from that ranking. "
        + "; ".join(f"{name}: {markdown(ABOUT[name])}" for name in means.index)
        + "."
    )
    decimals = {"tau": 3, "tau own": 3, "largest": 1}
    show.table(means, "answers", decimals=decimals, drawn=page.drawn)
    show.table(
        table.reset_index(), "answers of each part", decimals=decimals, index=False, height=320, drawn=page.drawn
    )


def _compared(page: PoolSettings, tell: Tell) -> Answers:
    return compare_answers(page.measure, page.collection, page.selections(), tell)


def new_system(page: PoolSettings, found: Rescored) -> None:
    """How far the place of a system can be trusted that had no part in the pool."""
    both = {take: page.with_(pool_take=take, pool_within=page.within) for take in (SYSTEM, TEAM)}
    results = {take: scored(one) for take, one in both.items()}
    if any(one is None for one in results.values()):
        return
    moves = {take: own_moves(left_out(both[take]), one) for take, one in results.items() if one is not None}
    alone, whole = moves[SYSTEM], moves[TEAM]
    show.headline(
        f"By {page.name}, left out alone {trust_in_words(alone, TRUSTED)}.  \n"
        f"With its whole team left out, {trust_in_words(whole, TRUSTED)}."
    )
    kinds = {"left out alone": alone, "with its whole team": whole}
    alt = "How many systems are how many places off when they are left out; the values are in the table below"
    show.figure(figures.places_off(kinds, off_by(alone, TRUSTED)), "pool new", alt)
    st.caption(
        "Each system once: the documents that only it (or only its team) brought become unassessed, and its place is "
        "compared with that in the full pool. It stands for a new system, whose own documents nobody assessed. "
        f"Dotted: 95 % of the systems left out alone are off by no more. Brought within rank {page.within}."
    )
    table = pd.DataFrame(kinds)
    table.insert(0, "team", [page.teams.of[name] for name in table.index])
    show.table(table.rename_axis("system"), "places of a new system", height=320)


def unassessed(page: PoolSettings, found: Rescored) -> None:
    """What of each system nobody assessed, beside its rank."""
    table = unassessed_table(page.measure, page.collection)
    share = table.columns[0]
    table.insert(0, "rank", found.full_ranks)
    table.insert(1, "score", found.full)
    most = largest_of(table[share])
    st.markdown(
        f"**{markdown(most)}** has the largest share of unassessed documents, {percent(table[share].max())} of its "
        f"first {str(share).partition('@')[2]}; the mean over systems is {percent(table[share].mean())}."
    )
    ordered = table.sort_values("rank", kind="stable")
    show.table(ordered, "what is unassessed", decimals={str(share): 3}, height=420)
    if "residual" in table:
        st.caption("residual: how much the score would rise if every unassessed document were worth 1.")


# --- as Python --------------------------------------------------------------------------------------------------------


def code(page: PoolSettings) -> list[str]:
    """What recomputes the headline, the table and the closer look that is open."""
    answered = f"pools.answers({str(page.measure)!r}, c)[{page.pool_answer!r}]"
    lines = [
        "from evalcore import pools",
        "",
        f"measure = {answered}",
        f"teams = pools.teams(c, {page.pool_teams!r})",
        f"selections = {_selections_code(page)}",
        "found = pools.rescored(measure, c, selections)",
    ]
    if page.pool_take in (TEAM, SYSTEM):
        lines += [
            "table = pools.without_table(selections, found, c, measure)",
            "largest, other_first = table['own largest'].abs(), (~table['same first']).sum()",
        ]
    else:
        lines += [f"table = {'pools.share_bands(found)' if page.pool_take == SHARE else 'found.table()'}"]
    return [*lines, *_look_code(page)]


def _selections_code(page: PoolSettings) -> str:
    if page.pool_take in (TEAM, SYSTEM):
        return f"pools.without_groups(c, {'teams.of' if page.pool_take == TEAM else None}, {page.within})"
    if page.pool_take == DEPTH:
        return f"pools.top_documents(c, {page.depths!r})"
    drawn = f"{page.pool_draws}, {page.pool_seed}, stratified={bool(page.pool_stratified)}"
    return f"pools.sampled_shares(c, {list(SHARES)!r}, {drawn})"


def _look_code(page: PoolSettings) -> list[str]:
    if page.pool_look == BROUGHT:
        return [
            f"brought = pools.contributions(c, teams, {page.within}, measure)",
            "assessed, nobody, own = brought.attrs['assessed'], brought.attrs['nobody'], brought['own'].sum()",
            "several = assessed - nobody - own",
            "depth = pools.pool_depth(c)",
        ]
    if page.pool_look == ALL_ANSWERS:
        return [
            f"compared = pools.compare_answers({str(page.measure)!r}, c, selections)",
            "answers, means = compared.table(), compared.means()",
            *(
                ["by_share = answers.groupby(level=['share', 'answer'], sort=False).mean()"]
                if page.pool_take == SHARE
                else []
            ),
        ]
    if page.pool_look == NEW:
        return [
            "moves = []",
            "for groups in (None, teams.of):",
            f"    without = pools.without_groups(c, groups, {page.within})",
            "    moves.append(pools.own_moves(without, pools.rescored(measure, c, without)))",
            f"off = [pools.off_by(one, {TRUSTED}) for one in moves]",
        ]
    return [
        f"unassessed = pools.unassessed_table({str(page.measure)!r}, c)",
        "ranks, changes = (found.full_ranks, found.ranks), found.rank_changes()",
    ]
