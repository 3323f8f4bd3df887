"""The view Ranking on the page Labels: the ranking according to another judge."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.progress import Tell, part, telling
from evalcore.data import Collection
from evalcore.labels.judges import SourceRankings
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing import work
from ui.computing.cached import cached_call
from ui.computing.doubt import doubt_of, firsts
from ui.labels import texts
from ui.labels.ranking_settings import RankingLook, usual_measure
from ui.labels.source_settings import ONE_SOURCE, no_exchange
from ui.labels.top_systems import first_k, top_of, top_tables
from ui.screen.calls import Call, call, line
from ui.screen.items import Calls, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import markdown, percent, score_text
from ui.shell import live
from ui.stage import show


def draw(collection: Collection) -> None:
    """Draw the view Ranking."""
    left, right = show.two_columns(name="ranking")
    with left:
        look, highlight = RankingLook.now(collection), Highlight.now(collection)
        look.draw("measure", "sources", "reference", "test")
        highlight.draw("systems")
        with st.expander("More settings"):
            look.draw("correction", "seed")
    if not look.sources:
        right.info(texts.NO_SOURCES)
        return
    if look.reference == look.test:
        right.info(texts.TWO_SOURCES, icon=":material/info:")
        return
    rankings = None
    with right, show.errors():
        rankings = ranked(look)
        if rankings is not None:
            show.screen(pair(look, rankings, highlight))
    if rankings is None:
        return
    show.explain(*texts.READING_RANKING)
    with show.errors():
        top = draw_top(look, rankings)
        with st.expander("All pairs of sources"):
            show.screen(every_two(look, rankings))
        with st.expander("The numbers as tables"):
            show.screen(rank_changes(look, rankings))
            if top is not None:
                show.screen(top_tables(look, top))


def what_is_missing(collection: Collection) -> str:
    """Explain why there is nothing to show, and what to do; "" if there is something to show."""
    if lack := no_exchange(collection):
        return lack
    return "" if usual_measure(collection) else ONE_SOURCE


# --- the pair ---------------------------------------------------------------------------------------------------------


def ranked(look: RankingLook) -> Call[SourceRankings] | None:
    """Return the call that computes scores with each source's labels, and their agreement; None if work was stopped."""
    how = {"n_resamples": look.drawn["resamples"], "seed": look.drawn["seed"]}
    made = call("rankings", ec.source_rankings, look.measure, look.collection, list(look.sources or ()), **how)
    name = (look.collection.fingerprint, made.key)
    rankings = work.result(made.name, "Scoring under each source", name, partial(_with_pairs, made))
    return None if rankings is None else made.known(rankings)


def _with_pairs(made: Call[SourceRankings], tell: Tell) -> SourceRankings:
    """Return the scores with their agreement, computed as one job, so that users are asked for consent once."""
    with telling(tell):
        with part(0, 2):
            rankings = made()
        with part(1, 2):
            _ = rankings.pairs, rankings.gaps  # cached properties: computed here and kept
    return rankings


def pairs_of(rankings: Call[SourceRankings]) -> Call[pd.DataFrame]:
    """Return the call that computes the agreement of every pair of sources, which is cached with the rankings."""
    return line("pairs", rankings.it.pairs)


def pair(look: RankingLook, rankings: Call[SourceRankings], highlight: Highlight) -> Iterator[Item]:
    """Yield the winners and the changes in words, and the scatter of systems with both sources."""
    reference, test = look.pair
    doubt = doubt_of(*(line("", rankings.it.scores[name]) for name in look.pair))
    gap = cached_call(line("gap", rankings.it.gap(reference, test)), look.collection)
    made: Calls = (pairs_of(rankings), changes(look, rankings), gap, *([doubt] if doubt else []))
    yield Headline(sentences(look, rankings.value, gap.value), made)
    yield in_row(*split(look, rankings, gap))
    options = {"pair": look.pair, "doubt": doubt.it if doubt else None}
    figure = families.plotted("", look.collection, rankings.it, **options).here(selected=highlight.systems)
    alt = texts.scatter(len(look.collection.systems), reference, test)
    yield Figure(figure, "two sources", alt, on_select=highlight.take, drawn=look.drawn)


def changes(look: RankingLook, rankings: Call[SourceRankings]) -> Call[pd.DataFrame]:
    """Return the call that computes the ranks of the systems with both sources."""
    reference, test = look.pair
    return line("changes", rankings.it.changes(reference, test))


def split(look: RankingLook, rankings: Call[SourceRankings], gap: Call[pd.Series]) -> Iterator[Metric]:
    """Yield τ of the rankings and the share of documents labelled by both sources.

    If that share is below 1, also yield τ for missing labels alone and τ for different labels alone.
    """
    tau = score_text(pair_row(rankings.value, *look.pair)["tau"], 3)
    yield Metric("τ", tau, help=texts.TAU_SOURCES, calls=(pairs_of(rankings),))
    share = percent(gap.value["labelled"])
    yield Metric("labelled by both", share, help=texts.labelled_by_both(*look.pair), calls=(gap,))
    if gap.value["labelled"] < 1:
        yield Metric.of("τ, gaps alone", line("tau_gaps", gap.it["tau_gaps"]), texts.gaps_alone(*look.pair))
        yield Metric.of("τ, judgement alone", line("tau_shared", gap.it["tau_shared"]), texts.SHARED)


def sentences(look: RankingLook, rankings: SourceRankings, gap: pd.Series) -> str:
    """Return lines on the winner with each source, the main cause of changes, and the system that moves most."""
    reference, test = look.pair
    lines = firsts({f"labels of {markdown(name)}": rankings.scores[name] for name in look.pair})
    row = pair_row(rankings, reference, test)
    if gap["labelled"] < 1:
        lines.append(f"{texts.of_gaps(look, gap)}.")
    ranks = rankings.changes(reference, test).loc[row["mover"]] if row["moved"] else None
    lines.append(texts.rankings_of_two(row, rankings.scores[test].shape[1], ranks))
    if len(look.collection.topics) > len(rankings.topics):
        lines.append(texts.shared_topics(len(rankings.topics)))
    return "  \n".join(lines)


def pair_row(rankings: SourceRankings, reference: str, test: str) -> dict[Hashable, Any]:
    """Return the row of two sources, in either order, from the table of pairs, as a dict from column to value.

    Raises InputError if the table has no row for them.
    """
    for row in rankings.pairs.to_dict("records"):
        if {row["reference"], row["test"]} == {reference, test}:
            return row
    raise InputError(f"{reference!r} and {test!r} are not both among the compared sources; choose two of them")


# --- parts below the figure -------------------------------------------------------------------------------------------


def every_two(look: RankingLook, rankings: Call[SourceRankings]) -> Iterator[Item]:
    """Yield tables of all pairs of sources (agreement of rankings, effect of missing labels), and of winners."""
    yield Text.note(texts.READING_PAIRS)
    pairs, winners = pairs_of(rankings), line("winners", rankings.it.winners)
    decimals = dict.fromkeys(map(str, pairs.value), 3)
    yield Table(pairs, "every two sources", decimals=decimals, index=False, drawn=look.drawn)
    gaps = line("gaps", rankings.it.gaps)
    yield Table(gaps, "gaps and judgement", decimals=dict.fromkeys(map(str, gaps.value), 3), index=False)
    yield Table(winners, "winner by source", decimals={"share_first": 3}, drawn=look.drawn)


def rank_changes(look: RankingLook, rankings: Call[SourceRankings]) -> Iterator[Item]:
    """Yield the table of the systems' ranks with the labels of each of the two chosen sources.

    If there are more than two sources, also yield a table of the ranks with every source.
    """
    yield Table(changes(look, rankings), "rank changes between sources", height=320)
    if len(rankings.value.sources) > 2:
        yield Table(line("ranks", rankings.it.ranks), "ranks by source", height=320)


def draw_top(look: RankingLook, rankings: Call[SourceRankings]) -> Call[pd.DataFrame] | None:
    """Draw the section on how far to trust the judge at the top; return the call that computes the section's table.

    With fewer than 3 systems, draw nothing and return None.
    """
    if look.k is None:
        return None
    table = top_of(look, rankings)
    st.header(texts.TRUST, anchor=False)
    look.draw("k")
    live.follow(look, lambda look: first_k(look, table), "k")
    return table
