"""A closer look at Ranking: how far another judge can be trusted at the top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from evalcore import figures
from evalcore.labels.judges import SourceRankings
from ui.address.families import named
from ui.labels.ranking_settings import RankingLook
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown, percent, score_text

WRONG_HELP = "Significant under the test, but under the reference not significant or reversed"
MISSED_HELP = "Significant under the reference only"


def top_of(look: RankingLook, rankings: Call[SourceRankings]) -> Call[pd.DataFrame]:
    """Return how far the first k systems agree, for every k."""
    reference, test = look.pair
    return line("top", rankings.it.top(reference, test, correction=str(look.correction)))


def first_k(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """The agreement of both sources on the first k systems, in words, numbers and a figure."""
    k = look.k or 2
    here: Call[Any] = line("here", top.it.loc[k])
    row, attrs = here.value, top.value.attrs
    reference, test = map(markdown, look.pair)
    share = line("wrong_share", here.it["wrong"] / record(max)(here.it["significant"], 1))
    fate = "stays first" if attrs["winner_kept"] else f"has rank {attrs['rank_of_winner']} by {reference}"
    text = (
        f"The winner by {test}, **{named(attrs['winner'])}**, {fate}.  \nOf the first **{k}** systems by {reference}, "
        f"{percent(float(row['common']))} are also among the first by {test}, and τ of their orders is "
        f"**{score_text(row['tau'], 3)}**.  \nOf {counted(int(row['pairs']), 'pair')} of them {test} calls "
        f"**{row['significant']:,.0f}** significantly different, **{row['wrong']:,.0f}** wrongly "
        f"({percent(share.value)}), and misses **{row['missed']:,.0f}** of {row['significant_reference']:,.0f}."
    )
    yield Headline(text, (here, share))
    yield in_row(
        Metric("τ of the first k", score_text(row["tau"], 3), calls=(here,)),
        Metric("wrong", f"{row['wrong']:,.0f}", help=WRONG_HELP, calls=(here,)),
        Metric("missed", f"{row['missed']:,.0f}", help=MISSED_HELP, calls=(here,)),
    )
    figure = call("", figures.top_lines, top.it, k)
    alt = "Agreement on the first k systems, and pairs wrongly significant or missed, over k; the values are below"
    yield Figure(figure, "top", alt)


def top_tables(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """Table of the numbers in the figure, for every k."""
    yield Text.note(
        f"Paired t-tests over topics at 0.05, corrected for all pairs of systems ({look.correction}). tau: for the "
        "first k by the reference; tau_test: for the first k by the test; common: the share of the first k that both "
        "have; rbo: rank-biased overlap, p = 1 - 1/k; wrong includes reversed, pairs significant under both in "
        "opposite directions."
    )
    decimals = dict.fromkeys(("tau", "tau_test", "common", "rbo"), 3)
    yield Table(top, "the first k systems", decimals=decimals, height=320)
