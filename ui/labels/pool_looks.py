"""Closer at a ranking with a part of the assessments: who brought what, each system, other answers, a new system."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.pools import (
    Answers,
    Rescored,
    compare_answers,
    contributions,
    off_by,
    own_moves,
    trust_in_words,
    unassessed_table,
)
from evalcore.pools.answering import ABOUT, NOTHING
from evalcore.progress import Tell
from evalcore.rounding import percent
from ui.computing import work
from ui.labels.pool_answer import chosen_group, largest_of, row_of, said_tau, scored
from ui.labels.pool_settings import (
    ALL_ANSWERS,
    BROUGHT,
    DEPTH,
    NEW,
    SHARE,
    SYSTEM,
    SYSTEMS,
    TEAM,
    TRUSTED,
    PoolSettings,
)
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import markdown
from ui.stage import show


def look_closer(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> None:
    """The look that is open; `table` has a row for each part that is taken away."""
    if page.look == BROUGHT:
        who_brought(page)
    elif page.look == SYSTEMS:
        of_systems(page, found, table)
    elif page.look == ALL_ANSWERS:
        all_answers(page)
    elif page.look == NEW:
        new_system(page)
    else:
        unassessed(page, found)


def who_brought(page: PoolSettings) -> None:
    table = contributions(page.collection, page.grouping, page.within_rank, page.answered)
    nobody, total = table.attrs["nobody"], table.attrs["assessed"]
    own = int(table["own"].sum())
    st.markdown(
        f"Of **{total:,}** assessed documents one team alone brought **{own:,}** within rank {page.within_rank}, "
        f"several **{total - nobody - own:,}**, and none **{nobody:,}**: these were found deeper, or came in "
        "some other way."
    )
    alt = f"Assessed documents that each of {len(table)} teams brought; the values are in the table below"
    show.put(Figure(figures.contribution_bars(table), "pool brought", alt))
    left, right = st.columns(2, gap="medium")
    with left:
        show.put(Table(table, "who brought what"))
        st.caption(f"Teams are {markdown(page.grouping.said)}. Relevant is what gains something by {page.name}.")
    with right:
        show.put(Table(page.guess.systems.to_frame(), "assessed to", height=320))
        st.caption(
            "assessed to: the deepest rank to which 95% of a system's documents are assessed; 0: not even the first"
        )


def of_systems(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> None:
    """Ranks with all assessments and with the part that is looked at."""
    at, name = part_looked_at(page, found, table)
    systems = pd.DataFrame(
        {
            "rank": found.full_ranks,
            f"rank {name}": found.ranks[at],
            "change": found.changes[at],
            "score": found.full,
            f"score {name}": found.means[at],
        },
        index=pd.Index(found.systems, name="system", dtype=object),
    )
    if page.take == TEAM:
        systems.insert(0, "team", [page.groups[system] for system in found.systems])
    systems = systems.join(unassessed_table(page.parsed, page.collection))
    drawn = " (the first draw)" if page.take == SHARE else ""
    st.caption(
        f"Ranks by {page.name} with all assessments, and {markdown(name)}{drawn}. Unassessed and residual are those of "
        "the full pool: what could still change the score."
    )
    show.put(
        Table(
            systems.sort_values("rank", kind="stable"), "systems with fewer assessments", height=420, drawn=page.drawn
        )
    )


def part_looked_at(page: PoolSettings, found: Rescored, table: pd.DataFrame) -> tuple[int, str]:
    """The place of the part that is looked at, and what it is."""
    if page.take in (TEAM, SYSTEM):
        group = chosen_group(page, table)
        return list(found.index).index(group), f"without {group}"
    if page.take == DEPTH:
        return list(found.index).index(page.depth), f"to depth {page.depth:g}"
    return list(found.index).index((page.share, 0)), f"with {page.share:.0%}"


def all_answers(page: PoolSettings) -> None:
    """Each answer for unassessed documents, side by side."""
    name = ("pool answers", *page.kept_as, str(page.parsed))
    compared = work.results("answers", "Comparing answers", {name: partial(_compared, page)}).get(name)
    if compared is None:
        return
    table, means = compared.table(), compared.means()
    if page.take == SHARE:
        table = table.groupby(level=["share", "answer"], sort=False).mean()
    best = largest_of(means["tau own"])
    own = {name: row_of(means, name)["tau own"] for name in (best, NOTHING)}
    show.put(
        Headline(
            f"The answer that changes its own ranking least is **{markdown(best)}**: mean τ **{said_tau(own[best])}** "
            f"with its ranking by the full pool; {markdown(page.measure)} as it is has "
            f"{said_tau(own[NOTHING])}."
        )
    )
    figure = figures.answers_of_parts(table, column="tau own")
    alt = f"τ of {len(means)} answers with their own rankings by the full pool; the values are in the tables below"
    show.put(Figure(figure, "pool answers", alt, drawn=page.drawn))
    st.caption(
        f"tau: with the ranking by {markdown(page.measure)} and the full pool. tau own (in the figure): with the "
        "ranking by the answer itself and the full pool, which says how much fewer labels change, not whether the "
        "answer is right. largest: the largest change of rank from that ranking. "
        + "; ".join(f"{name}: {markdown(ABOUT[name])}" for name in means.index)
        + "."
    )
    decimals = {"tau": 3, "tau own": 3, "largest": 1}
    show.put(Table(means, "answers", decimals=decimals, drawn=page.drawn))
    show.put(
        Table(table.reset_index(), "answers of each part", decimals=decimals, index=False, height=320, drawn=page.drawn)
    )


def _compared(page: PoolSettings, tell: Tell) -> Answers:
    return compare_answers(page.parsed, page.collection, page.selections(), tell)


def new_system(page: PoolSettings) -> None:
    """How far the place of a system can be trusted that had no part in the pool."""
    both = {take: page.with_(take=take, within=page.within_rank) for take in (SYSTEM, TEAM)}
    results = {take: scored(one) for take, one in both.items()}
    if any(one is None for one in results.values()):
        return
    moves = {take: own_moves(both[take].left_out, one) for take, one in results.items() if one is not None}
    alone, whole = moves[SYSTEM], moves[TEAM]
    show.put(
        Headline(
            f"By {page.name}, left out alone {trust_in_words(alone, TRUSTED)}.  \n"
            f"With its whole team left out, {trust_in_words(whole, TRUSTED)}."
        )
    )
    kinds = {"left out alone": alone, "with its whole team": whole}
    alt = "How many systems are how many places off when they are left out; the values are in the table below"
    show.put(Figure(figures.places_off(kinds, off_by(alone, TRUSTED)), "pool new", alt))
    st.caption(
        "Each system once: the documents that only it (or only its team) brought become unassessed, and its place is "
        "compared with that in the full pool. It stands for a new system, whose own documents nobody assessed. "
        f"Dotted: 95% of the systems left out alone are off by no more. Brought within rank {page.within_rank}."
    )
    table = pd.DataFrame(kinds)
    table.insert(0, "team", [page.grouping.of[name] for name in table.index])
    show.put(Table(table.rename_axis("system"), "places of a new system", height=320))


def unassessed(page: PoolSettings, found: Rescored) -> None:
    """What of each system nobody assessed, beside its rank."""
    table = unassessed_table(page.parsed, page.collection)
    share = table.columns[0]
    table.insert(0, "rank", found.full_ranks)
    table.insert(1, "score", found.full)
    most = largest_of(table[share])
    st.markdown(
        f"**{markdown(most)}** has the largest share of unassessed documents, {percent(table[share].max())} of its "
        f"first {str(share).partition('@')[2]}; the mean over systems is {percent(table[share].mean())}."
    )
    ordered = table.sort_values("rank", kind="stable")
    show.put(Table(ordered, "what is unassessed", decimals={str(share): 3}, height=420))
    if "residual" in table:
        st.caption("residual: how much the score would rise if every unassessed document were worth 1.")
