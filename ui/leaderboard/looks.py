"""What the page Leaderboard shows: the ranking, what gaps do to it, and who wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.direction import good_of
from evalcore.errors import InputError
from ui.address.families import named, styles_of
from ui.computing.doubt import in_words
from ui.leaderboard.controls import GAPS, RANKING, WINS, LeaderboardSettings
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import counted, listed, markdown, percent, score_text

NAMED = 3  # systems that a sentence names
MOST_PAIRED = 100  # systems whose pairs are shown: the square of them goes to the browser
MOST_JOINED = 300  # whose ranks are joined by lines


def draw(page: LeaderboardSettings) -> Iterator[Item]:
    """The look that is chosen."""
    yield from LOOKED_AT[page.look](page)


def ranking(page: LeaderboardSettings) -> Iterator[Item]:
    """Each system's number with its interval, its rank, what it lacks, and who may be the best."""
    table = page.table
    lacking = call("lacking", int, (table.it["missing"] > 0).sum())
    yield Headline(_leader(page), (table, lacking, *([page.doubt] if page.doubt else [])))
    drawn = call("", figures.standing_lines, table.it, title=str(page.by), styles=styles_of(page.collection))
    count = counted(len(table.value), "system")
    alt = f"{count} by {page.by}, with 95% intervals over topics; the values are in the table Leaderboard"
    yield Figure(drawn, "leaderboard", alt)


def _leader(page: LeaderboardSettings) -> str:
    """Who leads, who may be the best, and how much is missing."""
    table = page.table.value
    first = table.index[table["rank"] == table["rank"].min()]
    who = listed([*map(named, first[:NAMED]), *(["others"] if len(first) > NAMED else [])])
    verb = "leads" if len(first) == 1 else "lead"
    number = score_text(float(table["estimate"].iloc[0]))
    text = in_words(page.doubt.value) if page.doubt else f"**{who}** {verb} by {markdown(page.by)}: {number}"
    if lacking := int((table["missing"] > 0).sum()):
        text += f".  \n{counted(lacking, 'system')} of {len(table):,} lack scores; here {_rule(page)}"
    return f"{text}."


def _rule(page: LeaderboardSettings) -> str:
    return (type(page.gaps).__doc__ or "").partition("\n")[0].rstrip(".").lower()


def tables(page: LeaderboardSettings) -> Iterator[Item]:
    """The leaderboard as a table."""
    table = page.table
    if page.doubt:
        table = line("lettered", table.it.assign(letters=page.doubt.it.table["groups"]))
    letters = ["letters"] if page.doubt else []
    columns = ["rank", "estimate", "low", "high", *letters, "missing"]
    shown = table.value[columns].rename(columns={"estimate": str(page.by)})
    yield Table(shown, "leaderboard", height=420, best={str(page.by): good_of(table.value)}, calls=(table,))
    if page.doubt:
        yield Text.note("Two systems that share a letter are not separable by their means, among all pairs.")
    with suppress(InputError):
        yield from _by_group(page)


def _by_group(page: LeaderboardSettings) -> Iterator[Item]:
    """The leaderboard again, with a column for each group of topics. Raises InputError where a group has too little."""
    grouped, good = page.by_group, good_of(page.table.value)
    if grouped is None:
        return
    own, suffixes = page.table.it[["rank", "estimate"]], ("", " (group)")
    merged = own.merge(grouped.it, left_index=True, right_index=True, suffixes=suffixes)
    table = line("grouped_table", merged)
    shown = table.value.rename(columns={"estimate": str(page.by)})
    best = dict.fromkeys(map(str, shown.columns.drop("rank")), good)
    yield Table(shown, f"leaderboard by {page.grouping}", height=320, best=best, calls=(table,))


def gaps(page: LeaderboardSettings) -> Iterator[Item]:
    """What each rule makes of the missing scores."""
    groups = page.groups.it if page.groups else None
    effects = call("effects", ec.gap_effects, page.scores.it, str(page.by), groups=groups)
    frame = effects.value
    rules = [name for name in frame.columns if name != "missing"]
    missing = call("n_missing", int, effects.it["missing"].sum())
    share = line("share_missing", page.scores.it.isna().to_numpy().mean())
    if not missing.value:
        yield Headline("No score is missing: every rule gives the same order.", (missing,))
    else:
        moved = call("n_moved", int, (effects.it.drop(columns="missing").nunique(axis=1) > 1).sum())
        text = (
            f"**{missing.value:,}** scores are missing ({percent(share.value)}); **{moved.value}** of "
            f"{counted(len(frame), 'system')} have another rank by some rule than by another."
        )
        yield Headline(text, (missing, share, moved))
    by_rule: Any = effects.it.dropna(axis=1).drop(columns="missing")
    whole: Call[dict[str, pd.Series]] = line("ranked", mapped(by_rule, lambda rank: record(ec.directed)(rank, "low")))
    if len(frame) > MOST_JOINED:
        first = line("first", whole.it[rules[0]].sort_values(kind="stable").index[:MOST_JOINED])
        whole = line("of_first", mapped(whole.it, lambda ranks: ranks[first.it]))
        yield Text.note(f"Drawn: the first {MOST_JOINED} of {len(frame):,} systems by {rules[0]}.")
    drawn = call("", figures.bump, whole.it, styles=styles_of(page.collection))
    shown = list(whole.value)
    alt = f"Ranks of {len(frame):,} systems under {len(shown)} rules for missing scores; all are in the table below"
    heads = [_WORDS.sub("<br>", rule) for rule in shown]  # of several words, each in a line
    yield Figure(drawn, "rules", alt, layout={"xaxis": {"tickangle": 0, "tickfont": {"size": 11}, "ticktext": heads}})
    if left := [name for name in rules if name not in shown]:
        yield Text.note(f"Not drawn, as systems are left out: {markdown(', '.join(left))}.")
    table = frame.sort_values(rules[0], kind="stable")
    yield Table(table, "rules for missing scores", dict.fromkeys(rules, 0), 320, calls=(effects,))


_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def beaten(page: LeaderboardSettings) -> Iterator[Item]:
    """Who beats whom, and on how many topics."""
    shares = call("shares", ec.leaderboard.win_shares, page.scores.it)
    table = shares.value
    ahead = call("n_beaten", int, (shares.it.iloc[0] > 0.5).sum())
    best = named(table.index[0])
    yield Headline(
        f"**{best}** beats {ahead.value} of {counted(len(table) - 1, 'other')} on more than half of the topics that "
        "both have.",
        (ahead,),
    )
    if len(table) > MOST_PAIRED:
        shares = line("shares_of_first", shares.it.iloc[:MOST_PAIRED, :MOST_PAIRED])
        yield Text.note(f"The first {MOST_PAIRED} of {len(table):,} systems, by mean share of topics won.")
        table = shares.value
    drawn = call("", figures.win_matrix, shares.it, styles=styles_of(page.collection))
    alt = (
        f"Share of topics on which each of {len(table):,} systems beats each other; all are in the table Pairwise wins"
    )
    yield Figure(drawn, "wins", alt)
    yield Table(table, "pairwise wins", decimals=dict.fromkeys(map(str, table.columns), 3), height=320, calls=(shares,))


LOOKED_AT: Mapping[str, Callable[[LeaderboardSettings], Iterator[Item]]] = {
    RANKING: ranking,
    GAPS: gaps,
    WINS: beaten,
}


def why_not(page: LeaderboardSettings) -> str:
    """Why a look has nothing to show, and what to do; empty where it has."""
    try:
        if page.look == RANKING:
            _ = page.table
        elif page.look == GAPS:
            _ = page.groups
    except InputError as error:
        return str(error)
    return ""
