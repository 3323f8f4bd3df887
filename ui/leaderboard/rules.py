"""The page Rules: the order of systems under each rule that combines topics or treats missing scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from ui.address.families import all_short, styles_of
from ui.data import open_collection
from ui.leaderboard import texts
from ui.leaderboard.leaderboard_settings import RulesSettings
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.shell import live
from ui.stage import show

MOST_JOINED = 300  # most systems drawn as lines
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def main() -> None:
    page = RulesSettings.now(open_collection.ranked("rules", "A leaderboard"))
    left, right = show.two_columns()
    with left:
        page.draw("measure", "grouping", "gaps")
        with st.expander("More settings"):
            page.draw("by")
    with right, show.errors():
        live.follow(page, draw)
    show.explain(*texts.READING_THE_RULES)


def draw(page: RulesSettings) -> Iterator[Item]:
    """Yield the leaders under each rule for topics, then a figure and a table of all ranks under each rule.

    If scores are missing, the figure and the table also have ranks under the rules for missing scores.
    """
    groups = page.grouped.it if page.grouping else None
    by_rule = call("by_rule", ec.leaderboard.aggregate_effects, page.scores.it, gaps=str(page.gaps), groups=groups)
    missing = line("n_missing", record(int)(page.scores.it.isna().to_numpy().sum()))
    ranks = by_rule
    if missing.value:
        own = page.groups.it if page.groups else None
        by_gaps = call("by_gaps", ec.gap_effects, page.scores.it, str(page.by), groups=own)
        others = by_gaps.it.drop(columns=["missing", str(page.gaps)], errors="ignore")
        ranks = line("ranks", by_rule.it.join(others))
    frame = ranks.value.sort_values(str(ranks.value.columns[0]), kind="stable")
    moved = line("n_moved", record(int)((ranks.it.nunique(axis=1) > 1).sum()))
    share = page.scores.value.isna().to_numpy().mean()
    ways = texts.moved(moved.value, len(frame), missing.value, share)
    winners = Counter(tuple(map(str, column.index[column == 1])) for _, column in by_rule.value.items())
    first = texts.winners(winners.most_common(), len(by_rule.value.columns))
    yield Headline(f"{first}. {ways}", (by_rule, missing, moved))
    yield from joined(page, ranks)
    shown, whole = frame.rename(index=all_short()), dict.fromkeys(map(str, frame), 0)
    yield Table(shown, "ranks by rule", whole, 320, download=frame.reset_index(), calls=(ranks,))


def joined(page: RulesSettings, ranks: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the figure of ranks as lines from rule to rule, without the rules that leave systems out."""
    frame, kept = ranks.value, ranks.value.columns[ranks.value.notna().all()]
    if len(frame) > MOST_JOINED:
        first = frame.iloc[:, 0].sort_values(kind="stable").index[:MOST_JOINED]
        ranks = line("of_first", ranks.it.loc[list(map(str, first))])
        yield Text.note(texts.only_the_best(MOST_JOINED, len(frame), frame.columns[0]))
    good: Any = ranks.it[list(map(str, kept))]
    turned = line("ranked", mapped(good, lambda rank: record(ec.directed)(rank, "low")))
    drawn = call("", figures.bump, turned.it, styles=styles_of(page.collection))
    heads = [_WORDS.sub("<br>", str(rule).partition("(")[0]) for rule in kept]  # one word per line
    alt = texts.lines(len(frame), len(kept))
    yield Figure(drawn, "rules", alt, layout={"xaxis": {"tickangle": 0, "tickfont": {"size": 11}, "ticktext": heads}})
    if left := [str(rule) for rule in frame.columns.drop(kept)]:
        yield Text.note(texts.not_drawn(left))
