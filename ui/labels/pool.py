"""The view Pool and noise of Labels: the ranking without the documents of one team, or with a shallower pool."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.rounding import first_largest
from evalcore.data import Collection
from evalcore.labels.pools import Rescored, trust_in_words
from evalcore.labels.pools.reduced_pools import refuse_unlabelled
from ui.address import families
from ui.address.families import plotted_plain
from ui.address.settings import texts_of
from ui.computing import work
from ui.computing.doubt import together, verb
from ui.labels import wrong_labels
from ui.labels.pool_settings import MOST, NOISE, SYSTEM, TEAM, PoolSettings
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Headline, Height, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, sentence
from ui.shell import live
from ui.stage import show

TRUSTED = 0.95


def draw(collection: Collection) -> None:
    """Draw the view: the ranking without some of the assessments."""
    page = PoolSettings.now(collection)
    left, right = show.two_columns(name="pool")
    with left:
        page.draw("take")
    if page.take == NOISE:
        wrong_labels.draw(collection, left, right)
        return
    with left:
        page.draw("measure", "depth", "group", "within")
        how_known(page)
        page.draw("teams")
    rescored = None
    with right, show.errors():
        rescored = scored(page)
        if rescored is not None:
            table = table_of(page, rescored)
            live.follow(page, lambda page: answer(page, rescored, table), "depth")
    if rescored is None:
        return
    show.explain(*explanation(page))
    with show.errors(), st.expander("The numbers as tables"):
        show.screen(parts_table(page, rescored.value, table))
        show.screen(of_systems(page, rescored, table))


def what_is_missing(collection: Collection) -> str:
    """Say why there is nothing to show, and what to do; "" if there is something."""
    if NOISE in texts_of(PoolSettings.key("take")):
        return wrong_labels.what_is_missing(collection)
    try:
        refuse_unlabelled(collection)
    except InputError as error:
        return f"No assessments of this collection can be removed: {markdown(error)}."
    if len(collection.systems) > 1:
        return ""
    return "You need two systems for a ranking; the open collection has one. Open more runs."


def how_known(page: PoolSettings) -> None:
    """Say how the teams and the depth of the pool were found."""
    if page.take == TEAM:
        st.caption(f"{counted(len(page.grouping.names), 'team')}, {markdown(page.grouping.basis)}.")
    if page.take in (TEAM, SYSTEM):
        st.caption(f"Pool depth {page.guess.depth}, {markdown(page.guess.basis)}.")


def scored(page: PoolSettings) -> Call[Rescored] | None:
    """Return the systems' scores with each part of the assessments, kept for the next run; None if work was held."""
    return work.worked(page.rescored, page.collection, "Scoring with fewer assessments", tells="tell")


def table_of(page: PoolSettings, rescored: Call[Rescored]) -> Call[pd.DataFrame]:
    """Return a row for each team or system that is left out, or for each depth."""
    if page.take in (TEAM, SYSTEM):
        return call("table", ec.pools.without_table, page.selections.it, rescored.it, page.collection, page.measure)
    return line("table", rescored.it.table())


def answer(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """The stability of the ranking, in words and as a figure."""
    if page.take in (TEAM, SYSTEM):
        others = line("others_first", (~table.it["same first"]).sum())
        largest = line("largest", table.it["own largest"].abs())
        yield Headline(without_sentence(page, rescored.value, table.value, others.value), (others, largest))
        groups = page.teams_made.it.of if page.take == TEAM else None
        figure = families.plotted("", page.collection, rescored.it, groups=groups).here(groups=page.groups)
        alt = f"Changes of rank of {len(rescored.value.systems)} systems, leaving out each of {len(table.value)}; "
        alt += "the values are below"
        yield Figure(figure, "pool changes", alt, partial(take_group, page), ("points",))
        yield new_system(page, rescored)
        return
    yield Headline(depth_sentence(page, rescored.value, table.value), (table,))
    figure = plotted_plain("", table.it, at=page.depth)
    alt = "τ and τ_AP with the ranking by the full pool, by depth of the pool; "
    yield Figure(figure, "pool tau", f"{alt}the values are in the table below")


def take_group(page: PoolSettings, groups: list[str]) -> None:
    """Look at the group of the dot that was clicked."""
    if groups:
        page.change(group=groups[0])


def chosen_group(page: PoolSettings, table: pd.DataFrame) -> str:
    """Return the group that is looked at: the one that was chosen, or the one whose systems move farthest."""
    return str(page.group) if page.group != MOST else largest_of(table["own largest"].abs())


def without_sentence(page: PoolSettings, rescored: Rescored, table: pd.DataFrame, others: int) -> str:
    """Say what happens without the group that is looked at, and how many groups would change the winner if left out."""
    group = chosen_group(page, table)
    row = row_of(table, group)
    who = "its systems" if row["systems"] > 1 else "it"
    brought = counted(int(row["own"]), "document")
    lines = [
        f"Without **{markdown(group)}** in the pool {who} "
        f"{in_places(int(row['own largest']), len(rescored.systems), row['systems'] > 1)}, and "
        f"{first_text(rescored, group)}: τ **{tau_text(row['tau'])}** with the full pool.",
        f"By {page.name}; this removes **{brought}** that nobody else brought within rank {page.within_rank}, "
        f"{row['own relevant']:,} of them relevant.",
        f"The winner changes without **{others}** of {counted(len(table), 'team' if page.take == TEAM else 'system')}.",
    ]
    return "  \n".join(lines)


def largest_of(values: pd.Series) -> str:
    """Return the label of the largest number, the first of several."""
    return str(values.index[int(first_largest(values.to_numpy(dtype=float)))])


def tau_text(value: float) -> str:
    """Return a correlation as text; "undefined" if all systems are tied."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def row_of(table: pd.DataFrame, name: object) -> dict[str, Any]:
    """The cells of one row of a table, by their columns."""
    return dict(zip(map(str, table), table.iloc[list(table.index).index(name)], strict=True))


def in_places(change: int, of: int, several: bool) -> str:
    """Say how far systems move.

    >>> in_places(-20, 40, True), in_places(1, 40, False), in_places(0, 40, True)
    ('fall by up to **20** of 40 ranks', 'rises by **1** of 40 ranks', 'keep their ranks')
    """
    if not change:
        return "keep their ranks" if several else "keeps its rank"
    verb = "fall" if change < 0 else "rise"
    return f"{verb}{'' if several else 's'} by {'up to ' if several else ''}**{abs(change)}** of {of} ranks"


def first_text(rescored: Rescored, name: object, supposed: bool = False) -> str:
    """Name the winner with that selection of assessments, in Markdown; `supposed` says "would be"."""
    full, now = rescored.full_first, rescored.first[list(rescored.index).index(name)]
    if now == full:
        return f"{together(full)} {'would stay' if supposed else verb(full, 'stays', 'stay')} first"
    return f"{together(now)} {'would be' if supposed else verb(now, 'is', 'are')} first in place of {together(full)}"


def depth_sentence(page: PoolSettings, rescored: Rescored, table: pd.DataFrame) -> str:
    """Describe the ranking by a pool of the depth that is looked at."""
    row, total = row_of(table, page.depth), int(page.collection.assessments.judged.sum())
    first = first_text(rescored, page.depth, supposed=True)
    return (
        f"With a pool of depth **{page.depth:g}**, τ with the full pool would be **{tau_text(row['tau'])}**, and "
        f"{first}.  \nNo system would move by more than **{row['largest']}** of {len(rescored.systems)} ranks by "
        f"{page.name}.  \n**{row['assessed']:,}** of {total:,} documents would be assessed."
    )


def parts_table(page: PoolSettings, rescored: Rescored, table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Table of the numbers in the figure."""
    if ties := ec.ties_in_words("tau_ap", rescored.full, rescored.full):
        yield Text.note(sentence(markdown(ties)))
    decimals = {"tau": 3, "tau_ap": 3, "own mean": 1, "assessed": 0, "largest": 1, "same first": 2}
    height: Height = 320 if len(table.value) > 8 else "auto"
    name = "fewer assessments"
    yield Table(table, name, decimals=decimals, height=height)


def explanation(page: PoolSettings) -> tuple[str, str, str]:
    if page.take in (TEAM, SYSTEM):
        group = "team" if page.take == TEAM else "system"
        return (
            f"Each column leaves out one {group}: the documents that only it brought within rank {page.within_rank} "
            "become unassessed, as if it had not taken part. Each dot is a system and the ranks that it gains or "
            f"loses; the {group}'s own systems are coloured.",
            "If dots are near 0, the ranking is stable and a later system would be treated much the same. Coloured "
            f"dots far below 0 are systems that owe their rank to being pooled. {never(page)}",
            "Choose a deeper measure. Click a dot to see the ranks of its systems in the tables.",
        )
    return (
        "Each mark is a pool of that depth: only documents that some system ranked that high stay assessed. The "
        "vertical axis is the correlation with the ranking by all assessments; open marks have another winner.",
        "If the lines are level near 1, deeper assessments hardly change the ranking; deeper measures usually need a "
        f"deeper pool. {never(page)}",
        "Move the depth; then try a deeper measure such as AP, and a shallower one.",
    )


def never(page: PoolSettings) -> str:
    """Say how a topic without labels counts."""
    same = ", which moves none of them" if page.collection.rankings.average_over == "all" else ""
    return f"A topic without any label left scores 0 for all systems{same}."


# --- closer -----------------------------------------------------------------------------------------------------------


def of_systems(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Table of the ranks with all assessments and with the part that is looked at."""
    result = rescored.value
    at, name = part_looked_at(page, result, table.value)
    systems = pd.DataFrame(
        {
            "rank": result.full_ranks,
            f"rank {name}": result.ranks[at],
            "change": result.changes[at],
            "score": result.full,
            f"score {name}": result.means[at],
        },
        index=pd.Index(result.systems, name="system", dtype=object),
    )
    if page.take == TEAM:
        systems.insert(0, "team", [page.groups[system] for system in result.systems])
    lacking = lacking_of(page)
    systems = systems.join(lacking.value)
    yield Text.note(
        f"Ranks by {page.name} with all assessments, and {markdown(name)}. Unassessed and residual are for the full "
        "pool and show how much the score could still change."
    )
    ranks = line("ranks", (rescored.it.full_ranks, rescored.it.ranks, rescored.it.changes))
    ordered = systems.sort_values("rank", kind="stable")
    name, calls = "systems with fewer assessments", (ranks, lacking)
    yield Table(ordered, name, height=420, calls=calls)


def lacking_of(page: PoolSettings) -> Call[pd.DataFrame]:
    """Return what is unassessed of each system."""
    return call("unassessed", ec.pools.unassessed_table, page.measure, page.collection)


def part_looked_at(page: PoolSettings, rescored: Rescored, table: pd.DataFrame) -> tuple[int, str]:
    """Return the position of the part that is looked at, and its name."""
    if page.take in (TEAM, SYSTEM):
        group = chosen_group(page, table)
        return list(rescored.index).index(group), f"without {group}"
    return list(rescored.index).index(page.depth), f"to depth {page.depth:g}"


def new_system(page: PoolSettings, rescored: Call[Rescored]) -> Sentence:
    """Say how far to trust the rank of a system that had no part in the pool."""
    moves = call("moves", ec.pools.own_moves, page.selections.it, rescored.it)
    off = call("off", ec.pools.off_by, moves.it, TRUSTED)
    how, teams = "left out alone", len(page.grouping.names)
    text = (
        f"**A new system** has unassessed documents. If systems here are {{}}, {trust_in_words(moves.value, TRUSTED)}."
    )
    if page.take == TEAM:
        how = "left out with their whole team"
        text += (
            f" A later team may be off by more: in about 1 of {teams + 1:,} cases by more than the worst of the "
            f"{counted(teams, 'team')} here."
        )
    return Sentence(text.format(how), calls=(off,))
