"""Were results reproduced? Two tables of the same systems, and what of the first the second gives again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.leaderboard import Reproduction
from evalcore.meta import corrected
from evalcore.rounding import less
from ui.address.families import figure, named
from ui.computing.measures import scored
from ui.leaderboard.controls import LeaderboardSettings
from ui.screen.calls import Call, call
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, listed, measure_name

BROKEN = 2  # an effect ratio from here on, or below 0, is another result
NAMED = 4
ALPHA = 0.05


def reproduced(page: LeaderboardSettings) -> Iterator[Item]:
    """How alike the rankings are, whose improvement came back, and who broke away."""
    result = compared(page)
    reproduction = result.value
    table = result.then("systems", ".systems")
    tau = result.then("tau", ".tau")
    rmse = table.then("rmse", "['rmse'].mean()")
    ratio = table.then("ratio", "['effect_ratio'].median()")
    both = f"{counted(reproduction.n_topics, 'topic')} of both"
    text = f"By {measure_name(page.reproduced)} after {measure_name(page.measure)}, on {both}"
    yield Headline(f"{text}: {_broken(reproduction)}", (table,))
    over = named(reproduction.baseline)
    help = f"Median over systems: how much of the improvement over {over} came back; 1 is all of it"
    yield in_row(
        Metric("τ", score_text(tau.value, 3), help="Between the two rankings of systems", calls=(tau,)),
        Metric("RMSE", score_text(rmse.value), help="Of scores by topic, mean over systems", calls=(rmse,)),
        Metric("effect ratio", score_text(ratio.value, 3), help=help, calls=(ratio,)),
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
    yield Text(
        f"Improvements are over {over}. Effect ratio: the reproduced mean improvement over the original one; ΔRI: the "
        "original relative improvement less the reproduced one, 0 where it came back; limits are 95%, by leaving out "
        "each topic (Breuer et al. 2020), and lacking where no topic changes the number. p: of the paired t-test of "
        "both improvements; who broke away has one below 0.05, corrected for all systems (Holm).",
        "note",
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
    result = call("result", text, original=first, reproduced=second, **parts)
    return result.holding(result())


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
    names = listed([*map(named, sure[:NAMED]), *(["others"] if len(sure) > NAMED else [])])
    more = f"; of {chance:,} more, which may be chance" if chance else ""
    return f"{counted(len(sure), 'system')} broke away, {names}: {words}{more}."
