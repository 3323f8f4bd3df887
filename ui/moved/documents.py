"""The third step: which ranks and documents of the system did it on one topic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.explain import read_down
from evalcore.explain.rank_by_rank import CUT
from ui.address import families, site
from ui.computing.measures import scored_on_all
from ui.computing.ranked import document_at
from ui.moved.controls import MovedSettings
from ui.screen.calls import Call, call
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown, score_text
from ui.stage import show

Walks: TypeAlias = Call[dict[str, pd.DataFrame]]
LEAST = 1e-12  # what a rank loses that is no rounding


def show_step(page: MovedSettings) -> None:
    """The ranking of the system, by both measures side by side."""
    walks = walks_of(page)
    show.screen(draw(page, walks))
    show.explain(
        "The same ranking twice: its documents with their labels, and the bars of what each rank adds to the score by "
        "either measure.",
        "Where a bar at the left has no partner at the right, the second measure takes back what the first gave.",
        "Compare with a system that it crossed: the page Topic shows both rank by rank.",
    )
    label = "Rank by rank, beside another system"
    both = [page.system, *page.move.value.crossed[:1]]
    site.link("topic", label, ":material/search:", measure=page.y, topic=page.topic, compared=both)
    show.put(Table(table_of(walks.value), f"{page.system} on {page.topic}", height=320, calls=(walks,)))


def walks_of(page: MovedSettings) -> Walks:
    """The first ranks of the system with what each adds, by the names of both measures."""
    text = "{{name: {read_down}(text, {c}, {system}, {topic}, {depth}) for name, text in {measures}.items()}}"
    parts = {"system": page.system, "topic": page.topic, "depth": page.depth}
    measures = dict(zip(page.names, (page.x, page.y), strict=True))
    return call("walks", text, read_down=read_down, c=page.collection, measures=measures, **parts)


def draw(page: MovedSettings, walks: Walks) -> Iterator[Item]:
    """Scores on the topic, the ranks that did it, and the ranking by both measures."""
    yield Text(f"**Topic {markdown(page.topic)}** {markdown(page.collection.queries.get(page.topic, ''))}")
    yield headline(page, walks)
    own = families.styles_call(page.collection)
    styles = call("both", "dict.fromkeys({walks}, {own}[{system}])", walks=walks, own=own, system=page.system)
    parts = {"walks": walks, "c": page.collection, "styles": styles}
    figure = families.figure(figures.ranked_lists, "{walks}, {c}.assessments.scales", page.collection, {}, **parts)
    alt = f"The first {page.depth} ranks of {page.system} on topic {page.topic} under both measures; values below"
    yield Figure(figure, "documents", alt)


def headline(page: MovedSettings, walks: Walks) -> Headline:
    """The scores of the system and of those it crossed, on this topic, by both measures; and the ranks that did it."""
    crossed, lines, calls = list(page.move.value.crossed), list[str](), list[Call[float]]()
    for measure, name in zip((page.x, page.y), page.names, strict=True):
        all_topics = scored_on_all("all_topics", measure, page.collection)
        scores = all_topics.then("on_topic", ".loc[{topic}]", topic=page.topic)
        own = scores.then("own", "[{system}]", system=page.system)
        words = f"By {markdown(name)} it scores **{score_text(own.value)}** here"
        calls.append(own)
        if crossed:
            others = scores.then("others", "[list({move}.crossed)].mean()", move=page.move)
            words += f", those that it crossed {score_text(others.value)} on average"
            calls.append(others)
        lines.append(f"{words}.")
    change = change_of(page, walks)
    words = ranks_in_words(page, walks.value, change)
    return Headline("  \n".join([*lines, words]), (*calls, *([change] if change else ())))


def change_of(page: MovedSettings, walks: Walks) -> Call[pd.Series] | None:
    """What each rank adds by the second measure less what it adds by the first, in standard deviations of the means.

    None where a measure is no sum over ranks.
    """
    if not are_sums(walks.value):
        return None
    first, second = page.names
    text = "{walks}[{second}]['adds'] / np.std({y}.mean()) - {walks}[{first}]['adds'] / np.std({x}.mean())"
    return page.of_both("change", text, walks=walks, first=first, second=second)


def are_sums(walks: dict[str, pd.DataFrame]) -> bool:
    return all("adds" in table and CUT not in table.attrs for table in walks.values())


def ranks_in_words(page: MovedSettings, walks: dict[str, pd.DataFrame], change: Call[pd.Series] | None) -> str:
    """The ranks at which the second measure gives least, or most, beside the first."""
    move = page.move.value
    if not move.crossed:
        return "Its rank is the same by both: there is no move that a rank could explain."
    if change is None:
        return "One of the two is no sum over ranks: labels are shown, what each rank adds is not."
    if not all(np.std(scores.value.mean()) for scores in page.scored):
        return "A measure scores all systems alike."
    loss = -change.value if move.shift > 0 else change.value
    worst = loss[loss < -LEAST].sort_values(kind="stable").head(2)
    if worst.empty:
        return "No rank down to here goes with the move: what others returned did it."
    aspects, table = list(page.collection.assessments.scales), walks[page.names[0]]
    lines = [f"rank {rank}, {document_at(table, rank, aspects)}" for rank in sorted(worst.index)]
    return f"It {'gains' if move.shift > 0 else 'loses'} most by {' and by '.join(lines)}."


def table_of(walks: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The documents with their labels, and what each rank adds by both measures where these are sums."""
    table = next(iter(walks.values())).drop(columns=["gain", "discount", "sum so far"], errors="ignore")
    if not are_sums(walks):
        return table
    return table.drop(columns="adds").assign(**{f"adds, {name}": walk["adds"] for name, walk in walks.items()})
