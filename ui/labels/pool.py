"""The view Pool and noise on the page Labels: the ranking without a team, with a shallower pool, or with noise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.rounding import first_largest
from evalcore.data import Collection
from evalcore.labels.pools import Rescored
from evalcore.labels.pools.reduced_pools import refuse_unlabelled
from ui.address import families
from ui.address.families import plotted_plain
from ui.address.settings import texts_of
from ui.computing import work
from ui.labels import texts, wrong_labels
from ui.labels.pool_settings import MOST, NOISE, SYSTEM, TEAM, PoolSettings
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Headline, Height, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, sentence
from ui.shell import live
from ui.stage import show

TRUSTED = 0.95


def draw(collection: Collection) -> None:
    """Draw the view: the ranking without some of the assessments, or with wrong labels."""
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
    show.explain(*texts.reading_pool(page))
    with show.errors(), st.expander("The numbers as tables"):
        show.screen(parts_table(page, rescored.value, table))
        show.screen(of_systems(page, rescored, table))


def what_is_missing(collection: Collection) -> str:
    """Explain why there is nothing to show, and what to do; "" if there is something to show."""
    if NOISE in texts_of(PoolSettings.key("take")):
        return wrong_labels.what_is_missing(collection)
    try:
        refuse_unlabelled(collection)
    except InputError as error:
        return texts.not_removable(error)
    if len(collection.systems) > 1:
        return ""
    return texts.ONE_SYSTEM


def how_known(page: PoolSettings) -> None:
    """State how the teams and the depth of the pool were found."""
    if page.take == TEAM:
        st.caption(f"{counted(len(page.grouping.names), 'team')}, {markdown(page.grouping.basis)}.")
    if page.take in (TEAM, SYSTEM):
        st.caption(f"Pool depth {page.guess.depth}, {markdown(page.guess.basis)}.")


def scored(page: PoolSettings) -> Call[Rescored] | None:
    """Return the call that computes the scores with each selection of the assessments; None if the work was stopped."""
    return work.worked(page.rescored, page.collection, "Scoring with fewer assessments", tells="tell")


def table_of(page: PoolSettings, rescored: Call[Rescored]) -> Call[pd.DataFrame]:
    """Return the call that computes the table with a row for each team or system left out, or for each depth."""
    if page.take in (TEAM, SYSTEM):
        return call("table", ec.pools.without_table, page.selections.it, rescored.it, page.collection, page.measure)
    return line("table", rescored.it.table())


def answer(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the stability of the ranking, in words and as a figure."""
    if page.take in (TEAM, SYSTEM):
        others = line("others_first", (~table.it["same first"]).sum())
        largest = line("largest", table.it["own largest"].abs())
        group = chosen_group(page, table.value)
        of = (group, row_of(table.value, group), others.value, len(table.value))
        yield Headline(texts.without_group(page, rescored.value, *of), (others, largest))
        groups = page.teams_made.it.of if page.take == TEAM else None
        figure = families.plotted("", page.collection, rescored.it, groups=groups).here(groups=page.groups)
        alt = texts.changes(len(rescored.value.systems), len(table.value))
        yield Figure(figure, "pool changes", alt, partial(take_group, page), ("points",))
        yield new_system(page, rescored)
        return
    yield Headline(texts.shallower(page, rescored.value, row_of(table.value, page.depth)), (table,))
    figure = plotted_plain("", table.it, at=page.depth)
    yield Figure(figure, "pool tau", texts.DEPTHS)


def take_group(page: PoolSettings, groups: list[str]) -> None:
    """Choose the group of the clicked dot."""
    if groups:
        page.change(group=groups[0])


def chosen_group(page: PoolSettings, table: pd.DataFrame) -> str:
    """Return the chosen group; by default the one with the system that changes rank most if its group is left out."""
    moves = table["own largest"].abs()
    return str(page.group) if page.group != MOST else str(moves.index[int(first_largest(moves.to_numpy(dtype=float)))])


def row_of(table: pd.DataFrame, name: object) -> dict[str, Any]:
    """Return the row with this name as a dict from column to value."""
    return dict(zip(map(str, table), table.iloc[list(table.index).index(name)], strict=True))


def parts_table(page: PoolSettings, rescored: Rescored, table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the table of the numbers in the figure, after a note on tied systems if there are any."""
    if ties := ec.ties_in_words("tau_ap", rescored.full, rescored.full):
        yield Text.note(sentence(markdown(ties)))
    decimals = {"tau": 3, "tau_ap": 3, "own mean": 1, "assessed": 0, "largest": 1, "same first": 2}
    height: Height = 320 if len(table.value) > 8 else "auto"
    name = "fewer assessments"
    yield Table(table, name, decimals=decimals, height=height)


# --- parts below the figure -------------------------------------------------------------------------------------------


def of_systems(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the table of the ranks and scores with all assessments, and with the chosen selection of assessments."""
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
    lacking = call("unassessed", ec.pools.unassessed_table, page.measure, page.collection)
    systems = systems.join(lacking.value)
    yield Text.note(texts.ranks_with(page, name))
    ranks = line("ranks", (rescored.it.full_ranks, rescored.it.ranks, rescored.it.changes))
    ordered = systems.sort_values("rank", kind="stable")
    name, calls = "systems with fewer assessments", (ranks, lacking)
    yield Table(ordered, name, height=420, calls=calls)


def part_looked_at(page: PoolSettings, rescored: Rescored, table: pd.DataFrame) -> tuple[int, str]:
    """Return the index in `rescored` of the chosen selection of assessments, and its name as used in column heads."""
    if page.take in (TEAM, SYSTEM):
        group = chosen_group(page, table)
        return list(rescored.index).index(group), f"without {group}"
    return list(rescored.index).index(page.depth), f"to depth {page.depth:g}"


def new_system(page: PoolSettings, rescored: Call[Rescored]) -> Sentence:
    """State how far to trust the rank of a system that did not contribute to the pool."""
    moves = call("moves", ec.pools.own_moves, page.selections.it, rescored.it)
    off = call("off", ec.pools.off_by, moves.it, TRUSTED)
    return Sentence(texts.new_system(page, moves.value, TRUSTED), calls=(off,))
