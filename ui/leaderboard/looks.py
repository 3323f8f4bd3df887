"""What the page Leaderboard shows: the ranking, what gaps do to it, and who wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from evalcore import figures
from evalcore.direction import good_of
from evalcore.errors import InputError
from ui.address.families import figure, named
from ui.leaderboard.controls import GAPS, RANKING, WINS, LeaderboardSettings
from ui.screen.calls import call
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import counted, listed, markdown, percent, score_text

NAMED = 3  # systems that a sentence names
MOST_PAIRED = 100  # systems whose pairs are shown: the square of them goes to the browser
MOST_JOINED = 300  # whose ranks are joined by lines


def draw(page: LeaderboardSettings) -> Iterator[Item]:
    """The look that is chosen."""
    yield from LOOKED_AT[page.look](page)


def ranking(page: LeaderboardSettings) -> Iterator[Item]:
    """Each system's number with its interval, its rank, what it lacks, and who is not separable from it."""
    table = page.table
    lacking = call("lacking", "int(({table}['missing'] > 0).sum())", table=table)
    yield Headline(_leader(page), (table, lacking, *([page.doubt] if page.doubt else [])))
    drawn = figure(
        figures.standing_lines, "{table}, title={title}", page.collection, {}, table=table, title=str(page.by)
    )
    count = counted(len(table.value), "system")
    alt = f"{count} by {page.by}, with 95% intervals over topics; the values are in the table Leaderboard"
    yield Figure(drawn, "leaderboard", alt)


def _leader(page: LeaderboardSettings) -> str:
    """Who leads, who is not separable from it, and how much is missing."""
    table = page.table.value
    first = table.index[table["rank"] == table["rank"].min()]
    who = listed([*map(named, first[:NAMED]), *(["others"] if len(first) > NAMED else [])])
    verb = "leads" if len(first) == 1 else "lead"
    number = score_text(float(table["estimate"].iloc[0]))
    text = f"**{who}** {verb} by {markdown(page.by)}: {number}"
    if page.doubt and not page.doubt.value.too_few_topics:
        alike = len(page.doubt.value.not_separable)
        others = f"{counted(alike, 'other')} {'is' if alike == 1 else 'are'} not" if alike else "all others are"
        text += f"; {others} separable from it"
    if lacking := int((table["missing"] > 0).sum()):
        text += f".  \n{counted(lacking, 'system')} of {len(table):,} lack scores; here {_rule(page)}"
    return f"{text}."


def _rule(page: LeaderboardSettings) -> str:
    return (type(page.gaps).__doc__ or "").partition("\n")[0].rstrip(".").lower()


def tables(page: LeaderboardSettings) -> Iterator[Item]:
    """The leaderboard as a table."""
    table = page.table
    if page.doubt:
        text = "{table}.assign(letters={doubt}.table['groups'])"
        table = call("lettered", text, table=table, doubt=page.doubt)
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
    beside = "left_index=True, right_index=True, suffixes=('', ' (group)')"
    text = f"{{table}}[['rank', 'estimate']].merge({{found}}, {beside})"
    table = call("grouped_table", text, table=page.table, found=grouped)
    shown = table.value.rename(columns={"estimate": str(page.by)})
    best = dict.fromkeys(map(str, shown.columns.drop("rank")), good)
    yield Table(shown, f"leaderboard by {page.grouping}", height=320, best=best, calls=(table,))


def gaps(page: LeaderboardSettings) -> Iterator[Item]:
    """What each rule makes of the missing scores."""
    how = ", groups={groups}" if page.groups else ""
    effects = call("effects", f"ec.gap_effects({{scores}}, {{by}}{how})", scores=page.scores, **page.combined)
    frame = effects.value
    rules = [name for name in frame.columns if name != "missing"]
    missing = call("n_missing", "int({effects}['missing'].sum())", effects=effects)
    share = page.scores.then("share_missing", ".isna().to_numpy().mean()")
    if not missing.value:
        yield Headline("No score is missing: every rule gives the same order.", (missing,))
    else:
        moved = call("n_moved", _MOVED, effects=effects)
        text = (
            f"**{missing.value:,}** scores are missing ({percent(share.value)}); **{moved.value}** of "
            f"{counted(len(frame), 'system')} have another rank by some rule than by another."
        )
        yield Headline(text, (missing, share, moved))
    whole = call("ranked", _RANKED, effects=effects)
    if len(frame) > MOST_JOINED:
        first = "{{name: ranks.nsmallest({most}) for name, ranks in list({ranked}.items())[:1]}}"
        begun = call("first", first, ranked=whole, most=MOST_JOINED)
        text = "{{name: ranks[list({begun}.values())[0].index] for name, ranks in {ranked}.items()}}"
        whole = call("of_first", text, ranked=whole, begun=begun)
        yield Text.note(f"Drawn: the first {MOST_JOINED} of {len(frame):,} systems by {rules[0]}.")
    drawn = figure(figures.bump, "{ranked}", page.collection, {}, ranked=whole)
    shown = list(whole.value)
    alt = f"Ranks of {len(frame):,} systems under {len(shown)} rules for missing scores; all are in the table below"
    heads = [_WORDS.sub("<br>", rule) for rule in shown]  # of several words, each in a line
    yield Figure(drawn, "rules", alt, layout={"xaxis": {"tickangle": 0, "tickfont": {"size": 11}, "ticktext": heads}})
    if left := [name for name in rules if name not in shown]:
        yield Text.note(f"Not drawn, as systems are left out: {markdown(', '.join(left))}.")
    table = frame.sort_values(rules[0], kind="stable")
    yield Table(table, "rules for missing scores", dict.fromkeys(rules, 0), 320, calls=(effects,))


_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MOVED = "int(({effects}.drop(columns='missing').nunique(axis=1) > 1).sum())"
_WHOLE = "{effects}.dropna(axis=1).drop(columns='missing').items()"
_RANKED = f"{{{{name: ec.directed(rank, 'low') for name, rank in {_WHOLE}}}}}"


def beaten(page: LeaderboardSettings) -> Iterator[Item]:
    """Who beats whom, and on how many topics."""
    shares = call("shares", "ec.leaderboard.win_shares({scores})", scores=page.scores)
    table = shares.value
    ahead = call("n_beaten", "int(({shares}.iloc[0] > 0.5).sum())", shares=shares)
    best = named(table.index[0])
    yield Headline(
        f"**{best}** beats {ahead.value} of {counted(len(table) - 1, 'other')} on more than half of the topics that "
        "both have.",
        (ahead,),
    )
    if len(table) > MOST_PAIRED:
        shares = shares.then("shares_of_first", ".iloc[:{most}, :{most}]", most=MOST_PAIRED)
        yield Text.note(f"The first {MOST_PAIRED} of {len(table):,} systems, by mean share of topics won.")
        table = shares.value
    drawn = figure(figures.win_matrix, "{shares}", page.collection, {}, shares=shares)
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
