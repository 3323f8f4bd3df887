"""A part of the view Ranking on the page Labels: how far another judge can be trusted at the top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from evalcore import figures
from evalcore.labels.judges import SourceRankings
from ui.labels import texts
from ui.labels.ranking_settings import RankingLook
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import score_text


def top_of(look: RankingLook, rankings: Call[SourceRankings]) -> Call[pd.DataFrame]:
    """Return the call that computes the agreement of both sources on the first k systems, one row for every k."""
    reference, test = look.pair
    return line("top", rankings.it.top(reference, test, correction=str(look.correction)))


def first_k(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the agreement of both sources on the first k systems, in words, numbers and a figure."""
    k = look.k or 2
    here: Call[Any] = line("here", top.it.loc[k])
    row, attrs = here.value, top.value.attrs
    share = line("wrong_share", here.it["wrong"] / record(max)(here.it["significant"], 1))
    yield Headline(texts.first_systems(look, row, attrs, share.value), (here, share))
    yield in_row(
        Metric("τ of the first k", score_text(row["tau"], 3), calls=(here,)),
        Metric("wrong", f"{row['wrong']:,.0f}", help=texts.WRONG, calls=(here,)),
        Metric("missed", f"{row['missed']:,.0f}", help=texts.MISSED, calls=(here,)),
    )
    figure = call("", figures.top_lines, top.it, k)
    yield Figure(figure, "top", texts.FIRST_K)


def top_tables(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the table of the numbers in the figure, for every k."""
    yield Text.note(texts.reading_first_k(look.correction))
    decimals = dict.fromkeys(("tau", "tau_test", "common", "rbo"), 3)
    yield Table(top, "the first k systems", decimals=decimals, height=320)
