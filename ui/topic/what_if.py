"""The view What if? of the page Topic: the scores if documents had different ranks or labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.explain import read_down
from evalcore.explain.what_if import Insert, MoveTo, Regrade, Remove, Reorder, WhatIf, edited, parse_edit, what_if
from evalcore.figures.style import LINE, SystemStyle
from evalcore.measures.base import unwrapped
from ui.address import families
from ui.address.edits import MOST
from ui.address.edits import buttons as edit_buttons
from ui.address.families import named
from ui.computing import work
from ui.computing.measures import NOT_YET
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown, measure_name, score_text
from ui.server.browser_store import once
from ui.stage import show
from ui.topic import texts
from ui.topic.rank_by_rank import are_sums, titled
from ui.topic.topic_settings import TopicSettings
from ui.widgets.ranking_table import ranking_table, rows_of

AS_IT_IS = "as it is"


@once
def _kept() -> work.ResultCache:
    """Return the cache of results, made on the first call. It is small, because every edit needs new results."""
    return work.ResultCache(32)


def draw(page: TopicSettings) -> None:
    """Draw the view What if?

    Raises InputError if the collection cannot be edited, or if it has no scores under the measure.
    """
    collection = page.collection
    after = call("after", edited, collection, list(page.made))
    result, walks = answer(page), walks_of(page, after)
    walk = walks.value[page.system]
    show.screen(headline(page, result))
    buttons(page, walk)
    ranking_table("ranking table", rows_of(collection, page.made, page.system, page.topic, walk, MOST), page.make)
    notes(page, after.value)
    show.screen(curves(page, walks))
    show.screen(answers(page, result))


def walks_of(page: TopicSettings, after: Call[Collection]) -> Call[dict[str, pd.DataFrame]]:
    """Return the call that maps `AS_IT_IS` and the system's name to tables of its first ranks.

    The first table is before the edits, the second after them.
    """
    both, of = {AS_IT_IS: page.collection, page.system: after.it}, (page.system, page.topic, page.depth)
    return line("walks", mapped(both, lambda data: record(read_down)(page.measure, data, *of)))


def answer(page: TopicSettings) -> Call[WhatIf]:
    """Return the call that computes the scores before and after the edits.

    The result is cached, so that undo and redo are fast. Raises InputError if it is not computed yet.
    """
    made = call("result", what_if, page.measure, page.collection, list(page.made))
    result = work.worked(made, page.collection, f"Scoring by {measure_name(page.measure)}", cache=_kept())
    if result is None:
        raise InputError(NOT_YET)
    return result


def headline(page: TopicSettings, result: Call[WhatIf]) -> Iterator[Item]:
    """Yield the topic, how many systems moved, and the system's score and τ, on the topic and over all topics."""
    yield titled(page)
    on_topic, means = tables(page, result)
    moved = line("moved", [(on_topic.it['change'] != 0).sum(), (means.it['change'] != 0).sum()])  # fmt: skip
    if not page.made:
        yield Headline(texts.NO_EDITS)
    else:
        words = texts.edited(len(page.made), page.system, on_topic.value, *moved.value)
        yield Headline(words, (on_topic, moved))
    on = line("tau_on_topic", result.it.tau_on(page.topic))
    tau = line("tau", result.it.tau)
    yield in_row(*metrics(page, "on the topic", on_topic, on), *metrics(page, "mean", means, tau))


def tables(page: TopicSettings, result: Call[WhatIf]) -> tuple[Call[pd.DataFrame], Call[pd.DataFrame]]:
    """Return two calls, each of a table of scores and ranks before and after the edits.

    The first table has the scores on the topic, the second the mean scores over topics.
    """
    on_topic = line("on_topic", result.it.on_topic(page.topic))
    return on_topic, line("means", result.it.in_the_mean)


def metrics(page: TopicSettings, words: str, table: Call[pd.DataFrame], tau: Call[float]) -> tuple[Metric, Metric]:
    """Return two metrics: the system's score with its change, and τ between the rankings before and after."""
    row: Call[Any] = line("row", table.it.loc[page.system])
    change = line("change", row.it["score_y"] - row.it["score_x"])
    score, by = row.value, change.value
    ranks = f"Rank {score['rank_y']:.0f} of {len(table.value)} (before: {score['rank_x']:.0f})"

    changed = f"{by:+.4f}" if np.isfinite(by) and by else None
    return (
        Metric(f"Score {words}", score_text(score["score_y"]), changed, help=ranks, calls=(row, change)),
        Metric.of(f"τ {words}", tau, texts.tau(words)),
    )


def buttons(page: TopicSettings, walk: pd.DataFrame) -> None:
    """Draw the buttons that undo and redo edits, and the button that puts the best gains first."""
    with st.container(horizontal=True, gap="small"):
        edit_buttons(page)
        ranks = best_order(walk)
        same = ranks == tuple(range(1, len(walk) + 1)) or len(page.made) >= MOST
        st.button(
            "Best gains first",
            icon=":material/sort:",
            disabled=same,
            on_click=page.add,
            args=(Reorder(page.topic, page.system, ranks),),
            help=texts.BEST_FIRST,
            key="edits best",
        )


def best_order(walk: pd.DataFrame) -> tuple[int, ...]:
    """Return the current ranks in descending order of gain; in the current order if the measure has no gains."""
    if "gain" not in walk:
        return tuple(walk.index.tolist())
    return tuple(walk["gain"].sort_values(ascending=False, kind="stable").index.tolist())


def notes(page: TopicSettings, after: Collection) -> None:
    """Show notes on what the edits affect, and a list of the edits."""
    source = unwrapped(ec.parse(page.measure))[1]
    if source:
        st.caption(texts.labels_read(source))
    st.caption(texts.ONLY_HERE)
    if not page.made:
        return
    with st.expander(f"{counted(len(page.made), 'edit')}, in order"):
        st.markdown("\n".join(f"{at}. {in_words(text)}" for at, text in enumerate(page.made, start=1)))


def in_words(text: str) -> str:
    """Return an edit in words, in Markdown."""
    match parse_edit(text):
        case MoveTo(topic, system, rank, to):
            words = f"{named(system)} on {markdown(topic)}: from rank {rank} to {to}"
        case Reorder(topic, system, ranks):
            words = f"{named(system)} on {markdown(topic)}: the first {len(ranks)} documents reordered"
        case Insert(topic, system, document, rank):
            words = f"{named(system)} on {markdown(topic)}: {markdown(document)} inserted at rank {rank}"
        case Remove(topic, system, rank):
            words = f"{named(system)} on {markdown(topic)}: document at rank {rank} removed"
        case Regrade(topic, document, aspect, grade):
            label = "not assessed" if grade is None else f"{grade:g}"
            words = f"{markdown(document)} on {markdown(topic)}: {markdown(aspect)} is {label}"
        case _:
            words = markdown(text)
    return words


def curves(page: TopicSettings, walks: Call[dict[str, pd.DataFrame]]) -> Iterator[Item]:
    """Yield the figure of the score as it grows from rank to rank, before and after the edits.

    If the score is not a sum over ranks, yield a note.
    """
    if not are_sums(walks.value):
        yield Text.note(f"{measure_name(page.measure)}{texts.NO_SUM}")
        return
    own = families.styles(page.collection)[page.system]
    as_it_is = {AS_IT_IS: record(SystemStyle)("", LINE, "circle-open")}
    made = call("", figures.running_sums, walks.it, styles=families.styles_of(page.collection) | as_it_is)
    figure = made.here(styles={AS_IT_IS: SystemStyle("", LINE, "circle-open"), page.system: own})
    yield Figure(figure, "edited sums", f"{texts.sums(page.measure)}, before and after")


def answers(page: TopicSettings, result: Call[WhatIf]) -> Iterator[Item]:
    """Yield the effect on all systems: a figure of their ranks on the topic, and a table that includes the means."""
    if len(page.collection.systems) > 1:
        both = {"as it is": result.it.before.T[page.topic], "edited": result.it.after.T[page.topic]}
        own = families.styles_of(page.collection)
        figure = call("", figures.bump, both, selected=[page.system], styles=own)
        yield Figure(figure, "edited ranks", texts.edited_ranks(page.topic))
    made = tables(page, result)
    yield Table(beside(*(table.value for table in made)), f"what if on {page.topic}", height=320, calls=made)


def beside(on_topic: pd.DataFrame, means: pd.DataFrame) -> pd.DataFrame:
    """Return a table of scores and ranks before and after the edits: on the topic, and for the means over topics.

    The systems that moved most on the topic come first.
    """
    names = {"score_x": "score", "score_y": "score edited", "rank_x": "rank", "rank_y": "rank edited"}
    means = means.rename(columns={old: f"mean {new}" for old, new in names.items()} | {"change": "mean places"})
    table = on_topic.rename(columns={**names, "change": "places"}).join(means)
    order = np.lexsort([table["rank edited"], -table["places"].abs()])
    return table.iloc[order]
