"""What the page Leaderboard shows: the ranking, what gaps do to it, which systems differ, who wins, what came back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.direction import good_of
from evalcore.errors import InputError
from evalcore.leaderboard import CriticalDifference, Reproduction
from evalcore.meta import corrected
from evalcore.meta.comparisons import fewest_topics
from evalcore.meta.intervals_of_ranks import quickly_resampled
from evalcore.rounding import less
from ui.address.families import figure, named
from ui.computing.cached import cached_call
from ui.computing.measures import scored
from ui.leaderboard.controls import DIFFERENCES, GAPS, RANKING, REPRODUCED, WINS, LeaderboardSettings
from ui.screen.calls import Call, call
from ui.screen.elsewhere import elsewhere
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, listed, markdown, measure_name, percent, score_text

NAMED = 3  # systems that a sentence names
MOST_PAIRED = 100  # systems whose pairs are shown: the square of them goes to the browser
MOST_JOINED = 300  # whose ranks are joined by lines
LEAST_P = 0.0001  # that a sentence writes
BROKEN = 2  # an effect ratio from here on, or below 0, is another result
MOST_BROKEN = 4
ALPHA = 0.05


def draw(page: LeaderboardSettings) -> Iterator[Item]:
    """The look that is chosen."""
    yield from LOOKED_AT[page.look](page)


def ranking(page: LeaderboardSettings) -> Iterator[Item]:
    """Each system's number with its interval, its rank, what it lacks, and who is not separable from it."""
    table = page.table
    lacking = call("lacking", "int(({table}['missing'] > 0).sum())", table=table)
    yield Headline(_leader(page), (table, lacking))
    drawn = figure(
        figures.standing_lines, "{table}, title={title}", page.collection, {}, table=table, title=str(page.by)
    )
    count = counted(len(table.value), "system")
    alt = f"{count} by {page.by}, with 95% intervals over topics; the values are in the table Leaderboard"
    yield Figure(drawn, "leaderboard", alt)


def _leader(page: LeaderboardSettings) -> str:
    """Who leads, who shares a letter with it, and how much is missing."""
    table = page.table.value
    first = table.index[table["rank"] == table["rank"].min()]
    who = listed([*map(named, first[:NAMED]), *(["others"] if len(first) > NAMED else [])])
    verb = "leads" if len(first) == 1 else "lead"
    number = score_text(float(table["estimate"].iloc[0]))
    text = f"**{who}** {verb} by {markdown(page.by)}: {number}"
    best = set(table["letters"].iloc[0])
    if best:
        alike = int(sum(bool(best & set(letters)) for letters in table["letters"])) - 1
        others = f"{counted(alike, 'other')} {'is' if alike == 1 else 'are'} not" if alike else "all others are"
        text += f"; {others} separable from it by {page.test}'s test"
    if lacking := int((table["missing"] > 0).sum()):
        text += f".  \n{counted(lacking, 'system')} of {len(table):,} lack scores; here {_rule(page)}"
    return f"{text}."


def _rule(page: LeaderboardSettings) -> str:
    return (type(page.gaps).__doc__ or "").partition("\n")[0].rstrip(".").lower()


def tables(page: LeaderboardSettings) -> Iterator[Item]:
    """The leaderboard as a table."""
    table = page.table
    columns = ["rank", "estimate", "low", "high", *_lettered(page), "missing"]
    shown = table.value[columns].rename(columns={"estimate": str(page.by)})
    yield Table(shown, "leaderboard", height=420, best={str(page.by): good_of(table.value)}, calls=(table,))
    with suppress(InputError):
        yield from _by_group(page)
    if not _lettered(page):
        yield Text.note(
            "No letters: a test of mean ranks takes three systems (500 at most), two topics, and a score in every "
            "cell; choose what a missing score counts."
        )


def _lettered(page: LeaderboardSettings) -> list[str]:
    """The column of letters, where some system has one."""
    return ["letters"] if page.table.value["letters"].any() else []


def _by_group(page: LeaderboardSettings) -> Iterator[Item]:
    """The leaderboard again, with a column for each group of topics. Raises InputError where a group has too little."""
    grouped, good = page.by_group, good_of(page.table.value)
    if grouped is None:
        return
    beside = "left_index=True, right_index=True, suffixes=('', ' (group)')"
    text = f"{{table}}[{['rank', 'estimate', *_lettered(page)]}].merge({{found}}, {beside})"
    table = call("grouped_table", text, table=page.table, found=grouped)
    shown = table.value.rename(columns={"estimate": str(page.by)})
    best = dict.fromkeys(map(str, shown.columns.drop(["rank", *_lettered(page)])), good)
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


def differences(page: LeaderboardSettings) -> Iterator[Item]:
    """Which mean ranks differ, and which scores do by the project's own test beside it."""
    tests = tested(page)
    result = tests.value
    by_means = quickly_resampled(page.filled.value)
    ranks = call("rank_doubt", "ec.rank_intervals({filled})", filled=page.filled) if by_means else None
    numbers = call("friedman", "({found}.statistic, {found}.p, {found}.p_corrected, {found}.difference)", found=tests)
    yield Headline(_friedman(result), (numbers,))
    groups = ", groups={ranks}.groups" if ranks else ""
    parts: dict[str, Any] = {"found": tests} | ({"ranks": ranks} if ranks else {})
    drawn = figure(figures.critical_differences, f"{{found}}{groups}", page.collection, {}, **parts)
    alt = f"Mean ranks of {len(result.ranks):,} systems, and who is not separable; they are in the table Mean ranks"
    yield Figure(drawn, "critical differences", alt)
    letters = call("letters", "ec.leaderboard.letters({found}, {found}.ranks.index)", found=tests)
    means = ", **{{'letters by means': {ranks}.table['groups']}}" if ranks else ""
    text = f"{{found}}.ranks.to_frame().assign(letters={{letters}}{means})"
    yield Table(call("mean_ranks", text, letters=letters, **parts), "mean ranks", height=320)
    yield Text.note(_who_shares(result, ranks.value.table if ranks else None))


def _who_shares(result: CriticalDifference, own: pd.DataFrame | None) -> str:
    """What a common letter says, by the test of mean ranks and by the means."""
    shared = "Two systems that share a letter are not separable: by their mean ranks"
    least = fewest_topics(result.alpha)
    few = f" (no two are on fewer than {least})" if result.n_topics < least else ""
    how = (
        f"over {result.n_topics:,} topics{few} ({result.by}, and by flipped signs of the topics, α = {result.alpha:g})"
    )
    if own is None:
        return (
            f"{shared} {how}. By the means of their scores so many systems are compared in Python: ec.rank_intervals."
        )
    differ = "both find the same groups" if _same(result, own) else "they do not find the same groups"
    return (
        f"{shared} {how}, and by the means of their scores, as ranks with their doubt have it everywhere in this app. "
        f"Here {differ}: ranks forget by how much a system is ahead."
    )


def _same(tests: CriticalDifference, own: pd.DataFrame) -> bool:
    together = {frozenset(pair) for group in tests.groups for pair in pairwise(group)}
    letters = own["groups"].to_dict()
    names = list(tests.ranks.index)
    return together == {frozenset((a, b)) for a, b in pairwise(names) if set(letters[a]) & set(letters[b])}


def tested(page: LeaderboardSettings) -> Call[CriticalDifference]:
    """Friedman's test and that of each pair. Raises InputError for scores with gaps, and too few of them."""
    test = call("found", "ec.critical_difference({filled}, by={test})", filled=page.filled, test=page.test)
    if elsewhere():  # not kept
        return test.now()
    return cached_call(test, page.collection, "Comparing mean ranks")


def _friedman(tests: CriticalDifference) -> str:
    """Whether any systems differ, and from which difference of mean ranks on two do."""
    differ = "Some systems differ" if less(tests.p_corrected, tests.alpha) else _NONE_DIFFERS
    corrected = f", corrected {_p(tests.p_corrected)} as systems do not vary alike"
    text = f"{differ} (Friedman's χ² {tests.statistic:.3f}, {_p(tests.p)}{corrected})"
    if tests.difference == tests.difference:
        text += f"; two may where their mean ranks are **{tests.difference:.3f}** apart"
    return f"{text}."


_NONE_DIFFERS = "No system is shown to differ from the others"


def _p(p: float) -> str:
    return f"p = {p:.3g}" if p >= LEAST_P else f"p < {LEAST_P:g}"


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


def reproduced(page: LeaderboardSettings) -> Iterator[Item]:
    """How alike the rankings are, whose improvement came back, and who broke away."""
    result = compared(page)
    reproduction = result.value
    table = result.then("systems", ".systems")
    rmse = table.then("rmse", "['rmse'].mean()")
    ratio = table.then("ratio", "['effect_ratio'].median()")
    both = f"{counted(reproduction.n_topics, 'topic')} of both"
    text = f"By {measure_name(page.reproduced)} after {measure_name(page.measure)}, on {both}"
    yield Headline(f"{text}: {_broken(reproduction)}", (table,))
    over = named(reproduction.baseline)
    help = f"Median over systems: how much of the improvement over {over} came back; 1 is all of it"
    yield in_row(
        Metric.of("τ", result.then("tau", ".tau"), "Between the two rankings of systems"),
        Metric.of("RMSE", rmse, "Of scores by topic, mean over systems", form=".4f"),
        Metric.of("effect ratio", ratio, help),
    )
    drawn = figure(
        figures.scatter,
        "{systems}['original'], {{'reproduced': {systems}['reproduced']}}",
        page.collection,
        {"x_title": "original mean", "y_title": "reproduced mean"},
        systems=table,
    )
    alt = f"Original and reproduced means of {len(reproduction.systems):,} systems; they are in the table Reproduction"
    yield Figure(drawn, "reproduction", alt)
    shown = reproduction.systems.sort_values("original_rank", kind="stable")
    yield Table(shown, "reproduction", height=320, calls=(table,))
    yield Text.note(
        f"Improvements are over {over}. Effect ratio: the reproduced mean improvement over the original one; ΔRI: the "
        "original relative improvement less the reproduced one, 0 where it came back; limits are 95%, by leaving out "
        "each topic (Breuer et al. 2020), and lacking where no topic changes the number. p: of the paired t-test of "
        "both improvements; who broke away has one below 0.05, corrected for all systems (Holm)."
    )


def compared(page: LeaderboardSettings) -> Call[Reproduction]:
    """The two tables set against each other. Raises InputError where they share too little."""
    other = scored("again", page.reproduced or page.measure, page.collection)
    known = "{scores}.dropna(axis=1, how='all').columns.intersection({again}.dropna(axis=1, how='all').columns)"
    shared = call("shared", known, scores=page.scores, again=other)
    first, second = (
        call(name, "ec.without_gaps({scores}[{shared}], {rule})", scores=scores, shared=shared, rule=str(page.gaps))
        for name, scores in (("original", page.scores), ("reproduced", other))
    )
    more = ", {baseline}" if page.baseline else ""
    text = f"ec.reproduction({{original}}, {{reproduced}}{more})"
    parts = {"baseline": page.baseline} if page.baseline else {}
    return call("result", text, original=first, reproduced=second, **parts).now()


def _broken(reproduction: Reproduction) -> str:
    """The systems whose improvement turned round, or became twice as large, and of how many that may be chance."""
    table = reproduction.systems
    ratio, p = table["effect_ratio"], table["p"].dropna()
    away = ratio[np.isfinite(ratio) & ((ratio < 0) | (ratio >= BROKEN))].index
    if not len(away):
        return f"no system's improvement over {named(reproduction.baseline)} turned round or doubled."
    sure = away.intersection(p.index[less(corrected(p, "Holm"), ALPHA)], sort=False)
    chance = len(away) - len(sure)
    words = "the improvement turned round, or doubled"
    if not len(sure):
        return f"no system is shown to break away. Of {counted(chance, 'system')} {words}, which may be chance."
    names = listed([*map(named, sure[:MOST_BROKEN]), *(["others"] if len(sure) > MOST_BROKEN else [])])
    more = f"; of {chance:,} more, which may be chance" if chance else ""
    return f"{counted(len(sure), 'system')} broke away, {names}: {words}{more}."


LOOKED_AT: Mapping[str, Callable[[LeaderboardSettings], Iterator[Item]]] = {
    RANKING: ranking,
    GAPS: gaps,
    DIFFERENCES: differences,
    WINS: beaten,
    REPRODUCED: reproduced,
}


def why_not(page: LeaderboardSettings) -> str:
    """Why a look has nothing to show, and what to do; empty where it has."""
    try:
        if page.look == DIFFERENCES:
            tested(page)
        elif page.look == RANKING:
            _ = page.table
        elif page.look == GAPS:
            _ = page.groups
    except InputError as error:
        return str(error)
    return ""
