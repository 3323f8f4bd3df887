"""The third step: the ranks and documents of the system that made it move on one topic."""

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
from ui.moved.moved_settings import MovedSettings
from ui.screen.calls import Call, call, keyed, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown, score_text
from ui.stage import show

Walks: TypeAlias = Call[dict[str, pd.DataFrame]]
LEAST = 1e-12  # smaller losses at a rank are rounding


def show_step(page: MovedSettings) -> None:
    """Show the ranking of the system under both measures side by side."""
    walks = walks_of(page)
    show.screen(draw(page, walks))
    show.explain(
        "The same ranking under both measures: its documents with their labels; bars show what each rank adds to the "
        "score.",
        "A bar on the left without a partner on the right is credit that only the first measure gives.",
        "Compare with a system it swapped with: the link below shows both rank by rank.",
    )
    label = "Rank by rank, beside another system"
    both = [page.system, *page.move.value.crossed[:1]]
    site.link("topic", label, ":material/search:", measure=page.y, topic=page.topic, compared=both)
    table = Table(table_of(walks.value), f"{page.system} on {page.topic}", height=320, calls=(walks,))
    show.numbers(lambda: show.put(table))


def walks_of(page: MovedSettings) -> Walks:
    """The first ranks of the system with what each adds to the score, by the names of both measures."""
    measures, of = dict(zip(page.names, (page.x, page.y), strict=True)), (page.system, page.topic, page.depth)
    return line("walks", mapped(measures, lambda text: record(read_down)(text, page.collection, *of)))


def draw(page: MovedSettings, walks: Walks) -> Iterator[Item]:
    """Show the scores on the topic, the ranks behind the move, and the ranking under both measures."""
    yield Text(f"**Topic {markdown(page.topic)}** {markdown(page.collection.queries.get(page.topic, ''))}")
    yield headline(page, walks)
    styles = line("both", keyed(walks.it, lambda _: families.styles_of(page.collection)[page.system]))
    scales = record(page.collection).assessments.scales
    figure = call("", figures.ranked_lists, walks.it, scales, styles=styles.it)
    alt = f"The first {page.depth} ranks of {page.system} on topic {page.topic} under both measures; values below"
    yield Figure(figure, "documents", alt)


def headline(page: MovedSettings, walks: Walks) -> Headline:
    """Give both scores on this topic, of the system and of those it crossed, and the ranks behind the move."""
    crossed, lines, calls = list(page.move.value.crossed), list[str](), list[Call[float]]()
    for measure, name in zip((page.x, page.y), page.names, strict=True):
        all_topics = scored_on_all("all_topics", measure, page.collection)
        scores = line("on_topic", all_topics.it.loc[page.topic])
        own: Call[Any] = line("own", scores.it[page.system])
        words = f"Under {markdown(name)} it scores **{score_text(own.value)}** on this topic"
        calls.append(own)
        if crossed:
            others: Call[Any] = line("others", scores.it[record(list)(page.move.it.crossed)].mean())
            words += f", the systems it swapped with {score_text(others.value)} on average"
            calls.append(others)
        lines.append(f"{words}.")
    change = change_of(page, walks)
    words = ranks_in_words(page, walks.value, change)
    return Headline("  \n".join([*lines, words]), (*calls, *([change] if change else ())))


def change_of(page: MovedSettings, walks: Walks) -> Call[pd.Series] | None:
    """Subtract what each rank adds under the first measure from what it adds under the second.

    The unit is the standard deviation of the systems' means, for each measure its own. None if a measure is no sum over
    ranks.
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
    """Name up to two ranks that explain most of the move, or say why there are none."""
    move = page.move.value
    if not move.crossed:
        return "Its rank is the same under both measures, so there is no move to explain."
    if change is None:
        return "One of the measures is not a sum over ranks, so the share of each rank is not shown."
    if not all(np.std(scores.value.mean()) for scores in page.scored):
        return "A measure scores all systems alike."
    loss = -change.value if move.shift > 0 else change.value
    worst = loss[loss < -LEAST].sort_values(kind="stable").head(2)
    if worst.empty:
        return "No rank down to here explains the move; it comes from the documents that other systems returned."
    aspects, table = list(page.collection.assessments.scales), walks[page.names[0]]
    lines = [f"rank {rank}, {document_at(table, rank, aspects)}" for rank in sorted(worst.index)]
    return f"It {'gains' if move.shift > 0 else 'loses'} most by {' and by '.join(lines)}."


def table_of(walks: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """List the documents with their labels, and what each rank adds under both measures if these are sums."""
    table = next(iter(walks.values())).drop(columns=["gain", "discount", "sum so far"], errors="ignore")
    if not are_sums(walks):
        return table
    return table.drop(columns="adds").assign(**{f"adds, {name}": walk["adds"] for name, walk in walks.items()})
