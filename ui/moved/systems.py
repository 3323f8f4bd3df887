"""The first step: the systems that moved most, and the significant swaps."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.meta import swaps_in_words
from ui.address import families, site
from ui.address.families import named
from ui.moved import texts
from ui.moved.moved_settings import MovedSettings
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show


def show_step(page: MovedSettings) -> None:
    """Show all systems, with links to those that moved most."""
    table = page.movers if page.swaps is None else line("movers", page.swaps.it.movers)
    moved = line("moved", table.it[table.it["change"] != 0])
    show.put(headline(page, table, moved))
    links(page, moved.value.head(texts.NAMED))
    show.put(bump(page, moved))
    show.explain(*texts.reading_systems(len(moved.value), page.swaps is not None))
    show.numbers(lambda: show.screen(tables(page, table)))


def headline(page: MovedSettings, table: Call[pd.DataFrame], moved: Call[pd.DataFrame]) -> Headline:
    """Name the system that moved most, and state how many systems moved and how many swaps are significant."""
    first, second = map(markdown, page.names)
    if moved.value.empty:
        return Headline(texts.nobody_moves(first, second), (table,))
    top = moved.value.iloc[0]
    n_moved = call("n_moved", len, moved.it)
    words = texts.moves(top, first, second, n_moved.value, len(table.value))
    if page.swaps is None:
        return Headline(words, (n_moved,))
    decided = call("decided", swaps_in_words, page.swaps.it)
    return Headline(f"{words}  \n{decided.value}", (n_moved, decided))


def links(page: MovedSettings, moved: pd.DataFrame) -> None:
    """Show a link for each system in `moved`: it opens the step with the topics that moved the system."""
    if moved.empty:
        return
    with st.container(horizontal=True, gap="small", key="movers"):
        for name, row in moved.iterrows():
            label = f"{named(name)}: {row['rank_x']} → {row['rank_y']}"
            site.link("moved", label, ":material/trending_flat:", x=page.x, y=page.y, system=str(name))


def bump(page: MovedSettings, moved: Call[pd.DataFrame]) -> Figure:
    """Return the figure of the ranks of all systems under both measures, with those that moved most in colour."""
    (first, second), (x, y) = page.names, page.scored
    means, movers = {first: x.it.mean(), second: y.it.mean()}, moved.it.index[: texts.NAMED].tolist()
    figure = call("", figures.bump, means, selected=movers, styles=families.styles_of(page.collection))
    alt = texts.ranks(x.value.shape[1], first, second)
    return Figure(figure, "moves", alt, page.open_system, ("points",))


def tables(page: MovedSettings, table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Yield the table of all systems, and the table of pairs that swap."""
    yield Table(table, "who moved", height=320)
    if page.swaps is not None and len(page.swaps.value.table):
        pairs = line("pairs", page.swaps.it.table)
        yield Text("**Pairs that swap**")
        yield Table(pairs, "pairs that swap", index=False, height=320)
