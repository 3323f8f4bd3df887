"""The page Table: one row per system, with its interval, and one column per measure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import quote

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.direction import good_of
from evalcore.errors import InputError
from evalcore.leaderboard.over_topics import Mean
from evalcore.meta.intervals_of_ranks import ranks_table
from ui.address import families, site
from ui.address.families import all_short
from ui.computing.doubt import in_words
from ui.computing.measures import draw_measures, say_left_out
from ui.data import open_collection
from ui.leaderboard import texts
from ui.leaderboard.leaderboard_settings import LeaderboardSettings
from ui.leaderboard.texts import INTERVAL, MAY
from ui.screen.calls import Call, call, line
from ui.screen.items import At, Headline, Item, Table, Text
from ui.screen.text import markdown, score_text
from ui.shell import live
from ui.stage import show

BAR = (112, 29, 7)  # pixels of a drawn interval: width, height (limited by a table row), margin
FIXED = ("rank", INTERVAL, MAY, "missing")  # columns that are not measures
TAKEN = (*FIXED, "estimate", "low", "high", "error", "may_be_best")  # names that a measure's column must not use
BLUE, GREY = "#2f6fd0", "#8a94a0"  # may be the best; cannot be the best (visible on light and dark)


def main() -> None:
    page = LeaderboardSettings.now(open_collection.ranked("leaderboard", "A leaderboard"))
    finding = st.container()
    knobs(page)
    say_left_out(page.answers[1])
    try:
        _ = page.table
    except InputError as error:  # the rule does not fit the scores
        st.info(markdown(error), icon=":material/info:")
    else:
        with show.errors():
            live.follow(page, draw, places={"finding": finding})
            ways(page)
    show.explain(*texts.READING_THE_TABLE)


def knobs(page: LeaderboardSettings) -> None:
    """Draw the choice of measures, the search for systems and, behind a button, the rules."""
    left, right = st.columns([2, 1.2], vertical_alignment="bottom")
    with left, st.container(key="side-by-side"):
        page.draw_in_row("measure", "find")
    with right, st.container(horizontal=True):
        draw_measures(page)
        with st.popover("More settings", icon=":material/tune:", width="stretch"):
            page.draw("by", "grouping", "gaps")


def draw(page: LeaderboardSettings) -> Iterator[Item]:
    """Yield the leader, the table, and the table by group. Raises InputError if the rule does not fit the scores."""
    table = page.table
    lacking = call("lacking", int, (table.it["missing"] > 0).sum())
    yield At("finding", (Headline(leader(page), (table, lacking, *([page.doubt] if page.doubt else []))),))
    yield of_systems(page)
    with suppress(InputError):
        yield from by_group(page)


def leader(page: LeaderboardSettings) -> str:
    """Name the leader and the systems that may be the best, and state how many systems lack scores."""
    table = page.table.value
    first = table.index[table["rank"] == table["rank"].min()]
    number = score_text(float(table["estimate"].iloc[0]))
    text = in_words(page.doubt.value) if page.doubt else texts.leaders(first, page.by, number)
    if lacking := int((table["missing"] > 0).sum()):
        rule = (type(page.gaps).__doc__ or "").partition("\n")[0].rstrip(".").lower()
        text += f".  \n{texts.lacking(lacking, len(table), rule)}"
    return f"{text}."


def of_systems(page: LeaderboardSettings) -> Table:
    """Return the table of the systems that the search finds: rank, interval, score by measure, missing scores."""
    heads = {text: heading(page, text) for text in page.columns}
    whole = page.table
    if page.doubt:
        whole = line("leaderboard", whole.it.join(page.doubt.it.table["may_be_best"]))
    if page.answers[0]:
        whole = line("leaderboard", whole.it.join(page.means.it))
    full = whole.value[[found(page.find, name) for name in whole.value.index]].rename(columns=heads)
    own = heads[page.measure]
    full = full.rename(columns={"estimate": own})
    lacking = ["missing"] if full["missing"].any() else []
    made = full.assign(**{INTERVAL: list(map(span, full["low"], full["high"]))})
    if page.doubt:
        made[MAY] = np.where(full["may_be_best"] == True, "yes", "")  # noqa: E712  (unknown for some)
    shown = made[[name for name in (*FIXED[:3], *heads.values(), *lacking) if name in made]]
    best = {heads[text]: good_of(frame) for text, frame in page.answers[0].items()}
    doubt = page.doubt.value if page.doubt else None
    settings = {name: st.column_config.Column(help=help) for name, help in texts.COLUMNS.items()}
    longest = max((len(families.short(name)) for name in shown.index), default=0)
    settings["system"] = st.column_config.Column(width=min(max(30 + 7 * longest, 90), 200))
    settings[INTERVAL] = st.column_config.ImageColumn(help=texts.COLUMNS[INTERVAL], width=BAR[0] + 20)
    return Table(
        shown.rename(index=all_short()),
        "leaderboard",
        height=min(38 + 35 * max(len(shown), 1), 528),
        columns=settings,
        download=full.reset_index(),
        best={own: good_of(page.table.value), **best},
        pictures={INTERVAL: bars(page, shown.index)},
        on_click=partial(look_into, page, list(map(str, shown.index)), heads),
        with_doubt=partial(ranks_table, doubt.table, own, page.collection.title, doubt.level, all_short())
        if doubt
        else None,
        calls=(whole,),
    )


def span(low: float, high: float) -> str:
    """Return an interval as text; "" if it is unknown."""
    return "" if math.isnan(low) or math.isnan(high) else f"{score_text(low)} to {score_text(high)}"


def heading(page: LeaderboardSettings, text: str) -> str:
    """Return the heading of a measure's column: its short name, or its full text if that name is in `TAKEN`.

    The heading of the ranking measure begins with the rule for topics, unless that is the mean.
    """
    name = page.names[text] if page.names[text] not in TAKEN else text
    return f"{page.by} of {name}" if text == page.measure and page.by != Mean() else name


def found(part: str, system: object) -> bool:
    """Return True if the full or short name of a system contains the text `part`, ignoring case."""
    return part.casefold() in f"{system}\n{families.short(system)}".casefold()


def look_into(
    page: LeaderboardSettings, systems: Sequence[str], heads: Mapping[str, str], row: int, column: str
) -> None:
    """Select the system of a clicked cell, and the measure of its column, to be shown in detail."""
    measures = {head: text for text, head in heads.items()}
    page.change(system=systems[row], score=measures.get(column, page.measure))


def bars(page: LeaderboardSettings, systems: pd.Index) -> list[str]:
    """Return a small picture of each interval, on one scale, with a grey dot for a system that cannot be the best."""
    table = page.table.value[["low", "estimate", "high"]]
    values = table.to_numpy()[np.isfinite(table.to_numpy())]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    width, height, margin = BAR
    places = (table - low) / ((high - low) or 1.0) * (width - 2 * margin) + margin
    may = set(map(str, page.doubt.value.may_be_best if page.doubt else table.index))
    leader = f'<path d="M{places.to_numpy()[0, 1]:.1f} 0V{height}" stroke="{BLUE}" stroke-width="2"/>'
    pictures = []
    for name, (start, middle, end) in zip(map(str, systems), places.loc[systems].to_numpy(), strict=True):
        marks = ""
        if np.isfinite([start, end]).all():
            marks = f'<path d="M{start:.1f} {height / 2}H{end:.1f}" stroke="{GREY}" stroke-width="4"/>'
        if np.isfinite(middle):
            marks += f'<circle cx="{middle:.1f}" cy="{height / 2}" r="5" fill="{BLUE if name in may else GREY}"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{leader}{marks}</svg>'
        pictures.append(f"data:image/svg+xml;utf8,{quote(svg)}")
    return pictures


def by_group(page: LeaderboardSettings) -> Iterator[Item]:
    """Yield the table with a column for each group of topics. Raises InputError if a group has too few scores."""
    grouped, good = page.by_group, good_of(page.table.value)
    if grouped is None:
        return
    own, suffixes = page.table.it[["rank", "estimate"]], ("", " (group)")
    merged = own.merge(grouped.it, left_index=True, right_index=True, suffixes=suffixes)
    table: Call[pd.DataFrame] = line("grouped_table", merged)
    shown = table.value.rename(columns={"estimate": str(page.by)}, index=all_short())
    best = dict.fromkeys(map(str, shown.columns.drop("rank")), good)
    yield Text(f"By {page.grouping}", "heading")
    yield Table(shown, f"leaderboard by {page.grouping}", height=320, best=best, calls=(table,))


def ways(page: LeaderboardSettings) -> None:
    """Draw a link from one system's score to the topics and documents, and one to the system's change of rank.

    The second link compares with the measure of the first other column; there is none without another column.
    """
    system, others = page.looked_into, [text for text in page.columns if text != page.score]
    left, middle, right = st.columns([1.4, 1, 1.2], gap="medium", vertical_alignment="bottom")
    with left:
        page.draw_in_row("system", "score")
    with middle:
        if site.works("topic", page.collection):
            site.drill(page.score, [system])
    with right:
        if others:
            label = texts.moves(system, page.names[others[0]])
            site.link("moved", label, ":material/swap_vert:", x=page.score, y=others[0], system=system)
