"""Closer at a ranking with a part of the assessments: who brought what, each system, other answers, a new system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from evalcore import figures
from evalcore.pools import Rescored, trust_in_words
from evalcore.pools.answering import ABOUT, NOTHING
from evalcore.rounding import percent
from ui.address.families import plotted_plain
from ui.computing import work
from ui.labels.pool_answer import chosen_group, largest_of, row_of, scored, tau_text
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
from ui.screen.calls import Call, call, call_of
from ui.screen.items import Columns, Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, measure_name


def look_closer(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """The look that is open; `table` has a row for each part that is taken away."""
    if page.look == BROUGHT:
        return who_brought(page)
    if page.look == SYSTEMS:
        return of_systems(page, rescored, table)
    if page.look == ALL_ANSWERS:
        return all_answers(page)
    return new_system(page) if page.look == NEW else unassessed(page, rescored)


def who_brought(page: PoolSettings) -> Iterator[Item]:
    text = "ec.pools.contributions({c}, {teams}, {k}, {measure})"
    parts = {"c": page.collection, "teams": page.teams_made, "k": page.within_rank, "measure": page.answered}
    brought = call("brought", text, **parts)
    total, nobody = (brought.then(name, f".attrs[{name!r}]") for name in ("assessed", "nobody"))
    own = brought.then("own", "['own'].sum()")
    several = total.then("several", " - {nobody} - {own}", nobody=nobody, own=own)
    yield Sentence(
        f"Of **{total.value:,}** assessed documents one team alone brought **{own.value:,}** within rank "
        f"{page.within_rank}, several **{several.value:,}**, and none **{nobody.value:,}**: these were found deeper, "
        "or came in some other way.",
        calls=(several,),
    )
    figure = plotted_plain("", "{brought}", brought=brought)
    alt = f"Assessed documents that each of {len(brought.value)} teams brought; the values are in the table below"
    yield Figure(figure, "pool brought", alt)
    depth = call("depth", "ec.pools.pool_depth({c})", c=page.collection)
    note = f"Teams are {markdown(page.grouping.basis)}. Relevant is what gains something by {page.name}."
    assessed_to = "the deepest rank to which 95% of a system's documents are assessed; 0: not even the first"
    yield Columns(
        (
            (Table(brought.value, "who brought what", calls=(brought,)), Text(note, "note")),
            (
                Table(page.guess.systems.to_frame(), "assessed to", height=320, calls=(depth,)),
                Text(f"assessed to: {assessed_to}", "note"),
            ),
        ),
        gap="medium",
    )


def of_systems(page: PoolSettings, rescored: Call[Rescored], table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Ranks with all assessments and with the part that is looked at."""
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
    draw = " (the first draw)" if page.take == SHARE else ""
    yield Text(
        f"Ranks by {page.name} with all assessments, and {markdown(name)}{draw}. Unassessed and residual are those of "
        "the full pool: what could still change the score.",
        "note",
    )
    ranks = call("ranks", "({rescored}.full_ranks, {rescored}.ranks, {rescored}.changes)", rescored=rescored)
    ordered = systems.sort_values("rank", kind="stable")
    name, calls = "systems with fewer assessments", (ranks, lacking)
    yield Table(ordered, name, height=420, drawn=page.drawn, calls=calls)


def lacking_of(page: PoolSettings) -> Call[pd.DataFrame]:
    """What of each system nobody assessed."""
    return call("unassessed", "ec.pools.unassessed_table({measure}, {c})", measure=page.measure, c=page.collection)


def part_looked_at(page: PoolSettings, rescored: Rescored, table: pd.DataFrame) -> tuple[int, str]:
    """The place of the part that is looked at, and what it is."""
    if page.take in (TEAM, SYSTEM):
        group = chosen_group(page, table)
        return list(rescored.index).index(group), f"without {group}"
    if page.take == DEPTH:
        return list(rescored.index).index(page.depth), f"to depth {page.depth:g}"
    return list(rescored.index).index((page.share, 0)), f"with {page.share:.0%}"


def all_answers(page: PoolSettings) -> Iterator[Item]:
    """Each answer for unassessed documents, side by side."""
    text = "ec.pools.compare_answers({measure}, {c}, {selections})"
    made = call("compared", text, measure=page.measure, c=page.collection, selections=page.selections)
    compared = work.worked(made, page.collection, "Comparing answers", tells="tell")
    if compared is None:
        return
    table = compared.then("answers", ".table()")
    means = compared.then("means", ".means()")
    if page.take == SHARE:
        text = "{answers}.groupby(level=['share', 'answer'], sort=False).mean()"
        table = call("by_share", text, answers=table)
    best = largest_of(means.value["tau own"])
    own = {name: row_of(means.value, name)["tau own"] for name in (best, NOTHING)}
    yield Headline(
        f"The answer that changes its own ranking least is **{markdown(best)}**: mean τ **{tau_text(own[best])}** "
        f"with its ranking by the full pool.  \n{measure_name(page.measure)} as it is has {tau_text(own[NOTHING])}.",
        (means,),
    )
    figure = plotted_plain("", "{table}, column='tau own'", table=table)
    alt = (
        f"τ of {len(means.value)} answers with their own rankings by the full pool; the values are in the tables below"
    )
    yield Figure(figure, "pool answers", alt, drawn=page.drawn)
    yield Text(
        f"tau: with the ranking by {measure_name(page.measure)} and the full pool. tau own (in the figure): with the "
        "ranking by the answer itself and the full pool, which says how much fewer labels change, not whether the "
        "answer is right. largest: the largest change of rank from that ranking. "
        + "; ".join(f"{name}: {markdown(ABOUT[name])}" for name in means.value.index)
        + ".",
        "note",
    )
    how: dict[str, Any] = {"decimals": {"tau": 3, "tau own": 3, "largest": 1}, "drawn": page.drawn}
    yield Table(means.value, "answers", **how, calls=(means,))
    listed = table.value.reset_index()
    yield Table(listed, "answers of each part", index=False, height=320, **how, calls=(table,))


def new_system(page: PoolSettings) -> Iterator[Item]:
    """How far the place of a system can be trusted that had no part in the pool."""
    alone, whole = (own_moves(page.with_(take=take, within=page.within_rank)) for take in (SYSTEM, TEAM))
    if alone is None or whole is None:
        return
    kinds = {"left out alone": alone, "with its whole team": whole}
    off = call("off", "ec.pools.off_by({moves}, {share})", moves=alone, share=TRUSTED)
    off_whole = call("off_team", "ec.pools.off_by({moves}, {share})", moves=whole, share=TRUSTED)
    yield Headline(
        f"By {page.name}, left out alone {trust_in_words(alone.value, TRUSTED)}.  \n"
        f"With its whole team left out, {trust_in_words(whole.value, TRUSTED)}.  \n"
        f"{_of_another_team(len(page.grouping.names))}",
        (off, off_whole),
    )
    figure = call_of("", figures.places_off, "{kinds}, {off}", kinds=kinds, off=off)
    alt = "How many systems are how many places off when they are left out; the values are in the table below"
    yield Figure(figure, "pool new", alt)
    yield Text(
        "Each system once: the documents that only it (or only its team) brought become unassessed, and its place is "
        "compared with that in the full pool. It stands for a new system, whose own documents nobody assessed. "
        f"Dotted: 95% of the systems left out alone are off by no more. Brought within rank {page.within_rank}.",
        "note",
    )
    table = pd.DataFrame({name: moves.value for name, moves in kinds.items()})
    table.insert(0, "team", [page.grouping.of[name] for name in table.index])
    calls = (alone, whole)
    yield Table(table.rename_axis("system"), "places of a new system", height=320, calls=calls)


def _of_another_team(teams: int) -> str:
    """How much the teams there are say of another one: its largest move is above all of theirs in 1 of so many."""
    return (
        f"A team that comes later may be off by more: than the worst of {counted(teams, 'team')} in about 1 of "
        f"{teams + 1:,} cases."
    )


def own_moves(page: PoolSettings) -> Call[pd.Series] | None:
    """How many places each system moves when its own group is left out; None where the work was held."""
    rescored = scored(page)
    if rescored is None:
        return None
    text = "ec.pools.own_moves({selections}, {rescored})"
    return call("moves", text, selections=page.selections, rescored=rescored)


def unassessed(page: PoolSettings, rescored: Call[Rescored]) -> Iterator[Item]:
    """What of each system nobody assessed, beside its rank."""
    lacking = lacking_of(page)
    table = lacking.value.copy()
    share = str(table.columns[0])
    table.insert(0, "rank", rescored.value.full_ranks)
    table.insert(1, "score", rescored.value.full)
    most = largest_of(table[share])
    how = {"unassessed": lacking, "share": share}
    largest = call("most_unassessed", "{unassessed}[{share}].max()", **how)
    mean = call("mean_unassessed", "{unassessed}[{share}].mean()", **how)
    yield Sentence(
        f"**{markdown(most)}** has the largest share of unassessed documents, {percent(largest.value)} of its "
        f"first {share.partition('@')[2]}; the mean over systems is {percent(mean.value)}.",
        calls=(largest, mean),
    )
    ordered = table.sort_values("rank", kind="stable")
    ranks = call("ranks", "({rescored}.full_ranks, {rescored}.full)", rescored=rescored)
    yield Table(ordered, "what is unassessed", decimals={share: 3}, height=420, calls=(ranks, lacking))
    if "residual" in table:
        yield Text("residual: how much the score would rise if every unassessed document were worth 1.", "note")
