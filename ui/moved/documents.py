"""The third step: the documents that the system returned for one topic, and the ranks that made the system move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.explain import read_down
from evalcore.explain.rank_by_rank import CUT
from ui.address import families, site
from ui.computing.measures import scored_on_all
from ui.computing.ranked import document_at
from ui.moved import texts
from ui.moved.moved_settings import MovedSettings
from ui.screen.calls import Call, call, keyed, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show

Walks: TypeAlias = Call[dict[str, pd.DataFrame]]
LEAST = 1e-12  # smaller losses at a rank are rounding errors


def show_step(page: MovedSettings) -> None:
    """Show the system's ranking on the topic under both measures, side by side."""
    walks = walks_of(page)
    show.screen(draw(page, walks))
    show.explain(*texts.READING_DOCUMENTS)
    both = [page.system, *page.move.value.crossed[:1]]
    site.link("topic", texts.BESIDE, ":material/search:", measure=page.y, topic=page.topic, compared=both)
    table = Table(table_of(walks.value), f"{page.system} on {page.topic}", height=320, calls=(walks,))
    show.numbers(lambda: show.put(table))


def walks_of(page: MovedSettings) -> Walks:
    """Return the call that maps each measure to a table: the system's first ranks, and what each adds to the score."""
    measures, of = dict(zip(page.names, (page.x, page.y), strict=True)), (page.system, page.topic, page.depth)
    return line("walks", mapped(measures, lambda text: record(read_down)(text, page.collection, *of)))


def draw(page: MovedSettings, walks: Walks) -> Iterator[Item]:
    """Yield the scores on the topic, the ranks behind the move, and the ranking under both measures."""
    yield Text(f"**Topic {markdown(page.topic)}** {markdown(page.collection.queries.get(page.topic, ''))}")
    yield headline(page, walks)
    styles = line("both", keyed(walks.it, lambda _: families.styles_of(page.collection)[page.system]))
    scales = record(page.collection).assessments.scales
    figure = call("", figures.ranked_lists, walks.it, scales, styles=styles.it)
    yield Figure(figure, "documents", texts.both_rankings(page.depth, page.system, page.topic))


def headline(page: MovedSettings, walks: Walks) -> Headline:
    """Return the headline with scores on this topic and the ranks behind the move.

    Under each measure, the scores are the system's own, and the mean over the systems that it swapped with.
    """
    lines, calls = list[str](), list[Call[Any]]()
    for measure, name in zip((page.x, page.y), page.names, strict=True):
        scores = line("on_topic", scored_on_all("all_topics", measure, page.collection).it.loc[page.topic])
        own: Call[Any] = line("own", scores.it[page.system])
        others: list[Call[Any]] = []
        if page.move.value.crossed:
            others = [line("others", scores.it[record(list)(page.move.it.crossed)].mean())]
        lines.append(texts.scores(name, own.value, *(mean.value for mean in others)))
        calls += [own, *others]
    change = change_of(page, walks)
    words = ranks_in_words(page, walks.value, change)
    return Headline("  \n".join([*lines, words]), (*calls, *([change] if change else ())))


def change_of(page: MovedSettings, walks: Walks) -> Call[pd.Series] | None:
    """Return the call that makes a series by rank: how much more the rank adds under the second measure than the first.

    What a rank adds is divided by the standard deviation of the systems' mean scores under the measure. Return None if
    a measure is not a sum over ranks.
    """
    if not are_sums(walks.value):
        return None
    first, second = page.names
    x, y = page.scored
    before, after = walks.it[first]["adds"], walks.it[second]["adds"]
    return line("change", after / record(np.std)(y.it.mean()) - before / record(np.std)(x.it.mean()))


def are_sums(walks: dict[str, pd.DataFrame]) -> bool:
    return all("adds" in table and CUT not in table.attrs for table in walks.values())


def ranks_in_words(page: MovedSettings, walks: dict[str, pd.DataFrame], change: Call[pd.Series] | None) -> str:
    """Name up to two ranks that explain most of the move, or explain why none can be named."""
    move = page.move.value
    if not move.crossed:
        return texts.NO_MOVE
    if change is None:
        return texts.NO_SUM
    if not all(np.std(scores.value.mean()) for scores in page.scored):
        return texts.ALL_ALIKE
    loss = -change.value if move.shift > 0 else change.value
    worst = loss[loss < -LEAST].sort_values(kind="stable").head(2)
    if worst.empty:
        return texts.NO_RANK
    aspects, table = list(page.collection.assessments.scales), walks[page.names[0]]
    lines = [f"rank {rank}, {document_at(table, rank, aspects)}" for rank in sorted(worst.index)]
    return texts.most(move.shift > 0, lines)


def table_of(walks: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a table of documents with their labels and, if both measures are sums, what each rank adds under both."""
    table = next(iter(walks.values())).drop(columns=["gain", "discount", "sum so far"], errors="ignore")
    if not are_sums(walks):
        return table
    return table.drop(columns="adds").assign(**{f"adds, {name}": walk["adds"] for name, walk in walks.items()})
