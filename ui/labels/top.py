"""Can another judge be trusted at the top, and where systems rank by its own labels? Closer looks at Ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from evalcore import figures
from evalcore.judges import SourceRankings, circularity, judge_errors
from ui.address.families import named
from ui.labels.ranking_settings import RankingLook
from ui.screen.calls import Call, call, call_of
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown, percent, score_text

WRONG_HELP = "Significant by the test, and by the reference not significant or the other way round"
MISSED_HELP = "Significant by the reference alone"


def top_of(look: RankingLook, rankings: Call[SourceRankings]) -> Call[pd.DataFrame]:
    """How far the first systems agree, for every k."""
    reference, test = look.pair
    text = "{rankings}.top({reference}, {test}, correction={correction})"
    return call("top", text, rankings=rankings, reference=reference, test=test, correction=look.correction)


def first_k(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """What the judge says of the first k systems."""
    k = look.k or 2
    here = top.then("here", ".loc[{k}]", k=k)
    row, attrs = here.value, top.value.attrs
    reference, test = map(markdown, look.pair)
    share = call("wrong_share", "{here}['wrong'] / max({here}['significant'], 1)", here=here)
    fate = "stays first" if attrs["winner_kept"] else f"has rank {attrs['rank_of_winner']} by {reference}"
    text = (
        f"The winner by {test}, **{named(attrs['winner'])}**, {fate}.  \nOf the first **{k}** systems by {reference}, "
        f"{percent(float(row['common']))} are among the first by {test}, and their order has τ "
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
    figure = call_of("", figures.top_lines, "{top}, {k}", top=top, k=k)
    alt = "Agreement on the first k systems, and pairs wrongly significant or missed, over k; the values are below"
    yield Figure(figure, "top", alt)


def top_tables(look: RankingLook, top: Call[pd.DataFrame]) -> Iterator[Item]:
    """Every k, and where the judge errs."""
    reference, test = look.pair
    yield Text.note(
        f"Paired t-tests over topics at 0.05, corrected for all pairs of systems ({look.correction}). tau: of the "
        "first k by the reference; tau_test: of those by the test; common: the share of the first k that both have; "
        "rbo: rank-biased overlap, p = 1 - 1/k; wrong, of which reversed are significant by both, in opposite "
        "directions."
    )
    decimals = dict.fromkeys(("tau", "tau_test", "common", "rbo"), 3)
    yield Table(top, "the first k systems", decimals=decimals, height=320)
    parts: dict[str, Any] = {"measure": look.measure, "c": look.collection, "judge": test, "reference": reference}
    errors = call_of("errors", judge_errors, "{measure}, {c}, {judge}, {reference}", **parts)
    yield Text.note(
        f"Where {markdown(test)} errs: by the label of {markdown(reference)}, by topic (thirds, by the systems' mean "
        "score), and by how high all systems rank a document. bias: its label less the reference's, in grades."
    )
    three = {"same": 3, "bias": 3, "size": 3}
    yield Table(errors.value.reset_index(), "where the judge errs", decimals=three, index=False, calls=(errors,))


def circular(look: RankingLook) -> Call[pd.DataFrame]:
    """What becomes of the ranking when systems re-rank by the judge."""
    reference, test = look.pair
    parts = {"measure": look.measure, "c": look.collection, "judge": test, "reference": reference}
    return call_of("circular", circularity, "{measure}, {c}, {judge}, {reference}", **parts)


def at_depth(look: RankingLook, table: Call[pd.DataFrame]) -> Iterator[Item]:
    """The scores and the ranking where every system has its first documents in the judge's order."""
    depth = look.depth or 0
    here = table.then("here", ".loc[{depth}]", depth=depth)
    plain = table.then("plain", ".loc[0]")
    row, before = here.value, plain.value
    reference, test = map(markdown, look.pair)
    text = (
        f"When every system re-ranks its first **{depth}** document{'s' * (depth != 1)} by the labels of {test}, "
        f"τ of the two rankings goes from {score_text(before['tau'], 3)} to **{score_text(row['tau'], 3)}**.  \n"
        f"First by {test}: **{named(row['winner'])}**, rank {row['rank_of_winner']} by {reference}.  \n"
        f"The mean score by {test} goes from {score_text(before['judge'], 3)} to **{score_text(row['judge'], 3)}**, "
        f"by {reference} from {score_text(before['reference'], 3)} to **{score_text(row['reference'], 3)}**."
    )
    yield Headline(text, (here, plain))
    figure = call_of("", figures.circular_lines, "{circular}, {depth}", circular=table, depth=depth)
    alt = "τ and mean scores over the number of documents that are re-ranked; the values are in the table below"
    yield Figure(figure, "circularity", alt)


def circular_table(table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Every depth, and what that proves."""
    yield Text.note(PROOF)
    yield Table(table, "re-ranked by the judge", decimals=dict.fromkeys(("tau", "judge", "reference", "apart"), 3))


PROOF = (
    "A system may use the same model to rank as the judge does to label. Then the judge finds what it likes where it "
    "looks first: its scores rise towards the best there is, and systems come to lie close together (apart: their "
    "standard deviation). Where its errors are, people's scores do not follow, and the order of the systems says ever "
    "less of what people would say. No agreement measured on systems of today, which do not rank by the judge, warns "
    "of that: a high τ is about these systems alone. A judge must have no part in what it judges."
)
