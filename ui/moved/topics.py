"""The second step: the topics that moved one system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.meta import Swaps, swaps_of_in_words
from ui.address.families import named, plotted_plain, short
from ui.moved import texts
from ui.moved.moved_settings import MovedSettings
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show


def show_step(page: MovedSettings) -> None:
    """Show the move, and each topic's share of it."""
    move = page.move.value
    if not move.crossed:
        show.put(Headline(texts.stays(move), (page.move,)))
        return
    shares = line("shares", page.move.it.shares)
    show.screen(draw(page, shares))
    show.explain(*texts.READING_TOPICS)
    show.numbers(lambda: show.screen(tables(page, shares)))


def draw(page: MovedSettings, shares: Call[pd.Series]) -> Iterator[Item]:
    """Yield the systems passed and the topics behind the move, and a figure of each topic's share."""
    words, calls = [texts.passed(page.move.value)], list[Call[Any]]([page.move])
    if page.swaps is not None:
        words.append(markdown(swaps_of_in_words(by_short_names(page.swaps.value), short(page.system))))
        calls.append(call("decided", swaps_of_in_words, page.swaps.it, page.system))
    half = line("half", record(int)(record(np.searchsorted)(shares.it.cumsum(), 0.5)) + 1)
    first, share = str(shares.value.index[0]), float(shares.value.iloc[0])
    words.append(texts.share_of_topics(first, share, half.value, len(shares.value)))
    yield Headline("  \n".join(filter(None, words)), (*calls, shares, half))
    figure = plotted_plain("", page.move.it).here(title="share of the move")
    yield Figure(figure, "shifts", texts.shares(len(shares.value), page.system), page.open_topic, ("points",))


def by_short_names(swaps: Swaps) -> Swaps:
    """Return the swaps with the short names that figures use in place of the full names of systems."""
    both = {side: swaps.table[side].map(short) for side in ("system_a", "system_b")}
    return replace(swaps, table=swaps.table.assign(**both))


def tables(page: MovedSettings, shares: Call[pd.Series]) -> Iterator[Item]:
    """Yield the table of topic shares, and the swaps of the system."""
    topics = page.move.value.topics.assign(share=shares.value)
    yield Table(topics, "topics of the move", height=320, calls=(page.move, shares))
    if page.swaps is None:
        return
    own = line("own", page.swaps.it.of(page.system))
    if len(own.value):
        yield Text(f"**Swaps of {named(page.system)}**")
        yield Table(own, "its swaps", index=False, height=320)
