"""The first step: the systems that moved most, and the swaps that are decided."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.meta import swaps_in_words
from ui.address import families, site
from ui.address.families import named
from ui.moved.moved_settings import MovedSettings
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import counted, markdown
from ui.stage import show

NAMED = 5  # movers with a link of their own
HOW_DECIDED = (
    " A swap is decided if one system significantly beats the other under the first measure and loses to it under the "
    "second. Of the swaps called decided, on average at most 5 % are wrong (false discovery rate)."
)


def show_step(page: MovedSettings) -> None:
    """Show all systems, with links to those that moved most."""
    table = page.movers if page.swaps is None else line("movers", page.swaps.it.movers)
    moved = line("moved", table.it[table.it["change"] != 0])
    show.put(headline(page, table, moved))
    links(page, moved.value.head(NAMED))
    show.put(bump(page, moved))
    show.explain(
        "Each line is a system: its rank under the first measure (left) and under the second (right).",
        f"{standing_out(len(moved.value))}Systems with equal scores share the better "
        f"rank.{HOW_DECIDED * (page.swaps is not None)}",
        "Click a line, or a link above, to see the topics that moved the system.",
    )
    show.numbers(lambda: show.screen(tables(page, table)))


def headline(page: MovedSettings, table: Call[pd.DataFrame], moved: Call[pd.DataFrame]) -> Headline:
    """Name the system that moved most, and count the systems that moved and the decided swaps."""
    first, second = map(markdown, page.names)
    if moved.value.empty:
        return Headline(f"No system changes its rank between {first} and {second}.", (table,))
    top = moved.value.iloc[0]
    n_moved = call("n_moved", len, moved.it)
    words = (
        f"**{named(top.name)}** {ways(top['rank_x'], top['rank_y'])} between {first} and {second}; "
        f"**{n_moved.value}** of {counted(len(table.value), 'system')} change their rank."
    )
    if page.swaps is None:
        return Headline(words, (n_moved,))
    decided = call("decided", swaps_in_words, page.swaps.it)
    return Headline(f"{words}  \n{decided.value}", (n_moved, decided))


def ways(rank_x: int, rank_y: int) -> str:
    """Describe a system's change of rank.

    >>> ways(3, 1), ways(2, 2)
    ('rises from rank 3 to 1', 'stays at rank 2')
    """
    if rank_x == rank_y:
        return f"stays at rank {rank_x}"
    return f"{'rises' if rank_y < rank_x else 'falls'} from rank {rank_x} to {rank_y}"


def links(page: MovedSettings, moved: pd.DataFrame) -> None:
    """Show a link one step down for each of some systems."""
    if moved.empty:
        return
    with st.container(horizontal=True, gap="small", key="movers"):
        for name, row in moved.iterrows():
            label = f"{named(name)}: {row['rank_x']} → {row['rank_y']}"
            site.link("moved", label, ":material/trending_flat:", x=page.x, y=page.y, system=str(name))


def bump(page: MovedSettings, moved: Call[pd.DataFrame]) -> Figure:
    """Draw the ranks of all systems under both measures; those that moved most are in colour."""
    (first, second), (x, y) = page.names, page.scored
    means, movers = {first: x.it.mean(), second: y.it.mean()}, moved.it.index[:NAMED].tolist()
    figure = call("", figures.bump, means, selected=movers, styles=families.styles_of(page.collection))
    alt = f"Ranks of {x.value.shape[1]} systems under {first} and {second}; the values are in the table below"
    return Figure(figure, "moves", alt, page.open_system, ("points",))


def standing_out(moved: int) -> str:
    """Say which lines of the figure stand out."""
    if not moved:
        return ""
    return f"{'Systems that move' if moved <= NAMED else f'The {NAMED} largest moves'} are highlighted. "


def tables(page: MovedSettings, table: Call[pd.DataFrame]) -> Iterator[Item]:
    """Show all systems, and the pairs that swap."""
    yield Table(table, "who moved", height=320)
    if page.swaps is not None and len(page.swaps.value.table):
        pairs = line("pairs", page.swaps.it.table)
        yield Text("**Pairs that swap**")
        yield Table(pairs, "pairs that swap", index=False, height=320)
