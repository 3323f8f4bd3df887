"""The second step: the topics that moved one system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.meta import Move, Swaps, swaps_of_in_words
from ui.address.families import named, plotted_plain, short
from ui.moved.moved_settings import MovedSettings
from ui.moved.systems import ways
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show


def show_step(page: MovedSettings) -> None:
    """Show the move, and what each topic adds to it."""
    move = page.move.value
    if not move.crossed:
        words = f"**{named(page.system)}** {ways(move.rank_x, move.rank_y)}, so there is no move to explain."
        show.put(Headline(words, (page.move,)))
        return
    shares = line("shares", page.move.it.shares)
    show.screen(draw(page, shares))
    show.explain(
        "Each bar shows how much one topic changes the system's mean lead over the systems it swapped with. The unit "
        "is the standard deviation of the systems' means under each measure.",
        "Red bars push the system down, blue bars up. One long bar means that a single topic caused the move; many "
        "short bars mean a habit of the system.",
        "Click a bar to see the documents behind it.",
    )
    show.numbers(lambda: show.screen(tables(page, shares)))


def draw(page: MovedSettings, shares: Call[pd.Series]) -> Iterator[Item]:
    """Name the systems that were crossed and the topics behind the move, and draw what each topic adds."""
    words, calls = [passed(page.move.value)], list[Call[Any]]([page.move])
    if page.swaps is not None:
        words.append(markdown(swaps_of_in_words(by_short_names(page.swaps.value), short(page.system))))
        calls.append(call("decided", swaps_of_in_words, page.swaps.it, page.system))
    half = line("half", record(int)(record(np.searchsorted)(shares.it.cumsum(), 0.5)) + 1)
    words.append(of_topics(shares.value, half))
    yield Headline("  \n".join(filter(None, words)), (*calls, shares, half))
    figure = plotted_plain("", page.move.it).here(title="share of the move")
    alt = f"Shares of {len(shares.value)} topics in the move of {page.system}; the values are in the table below"
    yield Figure(figure, "shifts", alt, page.open_topic, ("points",))


def passed(move: Move) -> str:
    """Name the systems that a system passed, or that passed it."""
    name, count = named(move.system), len(move.crossed)
    some = ", ".join(map(named, move.crossed[:3])) + (f" and {count - 3} more" if count > 3 else "")
    way = "passes" if move.rank_y < move.rank_x else "is passed by"
    return f"**{name}** {ways(move.rank_x, move.rank_y)}: it {way} {some}."


def by_short_names(swaps: Swaps) -> Swaps:
    """Replace the names of systems in swaps by those in figures."""
    both = {side: swaps.table[side].map(short) for side in ("system_a", "system_b")}
    return replace(swaps, table=swaps.table.assign(**both))


def of_topics(shares: pd.Series, half: Call[int]) -> str:
    """Say how much of the move the first topic accounts for, and how many topics make up half of it."""
    topic, share = markdown(str(shares.index[0])), float(shares.iloc[0])
    if not share > 0:
        return "No topic that both measures score explains the move."
    if share > 1:
        return f"Topic **{topic}** alone would move it further ({share:.0%} of the move); other topics work against it."
    rest = f"; {half.value} of {len(shares)} topics make up half of it" if half.value > 1 else ""
    return f"Topic **{topic}** alone accounts for {share:.0%} of it{rest}."


def tables(page: MovedSettings, shares: Call[pd.Series]) -> Iterator[Item]:
    """Show what each topic adds, and the swaps of the system."""
    topics = page.move.value.topics.assign(share=shares.value)
    yield Table(topics, "topics of the move", height=320, calls=(page.move, shares))
    if page.swaps is None:
        return
    own = line("own", page.swaps.it.of(page.system))
    if len(own.value):
        yield Text(f"**Swaps of {named(page.system)}**")
        yield Table(own, "its swaps", index=False, height=320)
