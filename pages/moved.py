"""Who moved, and why? From systems to topics to documents, a step at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.meta import Move, Swaps, swaps_in_words, swaps_of_in_words
from ui.address import families, site
from ui.address.families import named, short
from ui.computing.ranked import document_at, read_down
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.moved.controls import MovedSettings
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.beside import two_columns

NAMED = 5  # movers with a link of their own
_HOW_DECIDED = (
    " A swap is decided where the one system beats the other by the first measure and is beaten by the second, in "
    "tests over topics that are corrected for all pairs under both. That the lead changed says less: it is another, "
    "whoever is ahead."
)


def main() -> None:
    collection = open_collection.current()
    site.title("moved")
    if lack := open_collection.lacks_a_ranking(collection, "To move"):
        st.info(lack, icon=":material/info:")
        return
    page = MovedSettings.now(collection)
    collection = page.collection
    left, right = two_columns(0.27)
    with left:
        page.draw("x", "y", "system", "topic")
        if page.topic:
            page.draw("depth")
    if page.x == page.y:
        right.info("Choose two different measures.", icon=":material/info:")
        return
    with right, show.errors():
        breadcrumb(page)
        if not page.system:
            systems(page)
        elif not page.topic:
            topics(page)
        else:
            documents(page)
    as_python(collection, *python_lines(page))


def breadcrumb(page: MovedSettings) -> None:
    """The way down to here; each step but the last is a link."""
    both = {"x": page.x, "y": page.y}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="steps"):
        if page.system:
            site.link("moved", "All systems", **both)
            st.markdown("›", width="content")
        if page.topic:
            site.link("moved", named(page.system), **both, system=page.system)
            st.markdown("›", width="content")
        last = f"Topic {markdown(page.topic)}" if page.topic else named(page.system) if page.system else "All systems"
        st.markdown(f"**{last}**", width="content")


def ways(rank_x: int, rank_y: int) -> str:
    """What became of a system's rank, in words."""
    if rank_x == rank_y:
        return f"stays at rank {rank_x}"
    return f"{'rises' if rank_y < rank_x else 'falls'} from rank {rank_x} to {rank_y}"


def systems(page: MovedSettings) -> None:
    """Who moved most."""
    decided, (x, y) = page.swaps, page.frames
    table = page.movers if decided is None else decided.movers
    moved = table[table["change"] != 0]
    first, second = map(markdown, page.names)
    if moved.empty:
        show.put(Headline(f"No system changes its rank between {first} and {second}."))
    else:
        top = moved.iloc[0]
        how_sure = "" if decided is None else f"  \n{swaps_in_words(decided)}"
        show.put(
            Headline(
                f"**{named(moved.index[0])}** {ways(top['rank_x'], top['rank_y'])} between {first} and {second}; "
                f"**{len(moved)}** of {counted(len(table), 'system')} change their rank.{how_sure}"
            )
        )
        with st.container(horizontal=True, gap="small", key="movers"):
            for name, row in moved.head(NAMED).iterrows():
                label = f"{named(name)}: {row['rank_x']} → {row['rank_y']}"
                site.link("moved", label, ":material/trending_flat:", x=page.x, y=page.y, system=str(name))
    columns = dict(zip(page.names, (x.mean(), y.mean()), strict=True))
    figure = figures.bump(columns, open_collection.styles(page.collection), list(map(str, moved.index[:NAMED])))
    alt = f"Ranks of {len(table)} systems under {page.names[0]} and {page.names[1]}; the values are in the table below"
    show.put(Figure(figure, "moves", alt, on_select=page.open_system, modes=("points",)))
    show.explain(
        "Each line is a system: its rank under the first measure at the left, under the second at the right.",
        f"{_standing_out(len(moved))}Systems of the same score share the better rank.{_HOW_DECIDED * bool(decided)}",
        "Click a line, or one of the links above: which topics moved this system?",
    )
    show.put(Table(table, "who moved", height=320))
    if decided is not None and len(decided.table):
        st.markdown("**Pairs that swap**")
        show.put(Table(decided.table, "pairs that swap", index=False, height=320))


def _standing_out(moved: int) -> str:
    """Which lines of the figure stand out."""
    if not moved:
        return ""
    return "Those that move stand out. " if moved <= NAMED else f"The {NAMED} that move most stand out. "


def topics(page: MovedSettings) -> None:
    """Which topics moved one system."""
    move = page.move
    if not move.crossed:
        show.put(Headline(f"**{named(page.system)}** {ways(move.rank_x, move.rank_y)}: there is nothing to explain."))
        return
    decided = page.swaps
    how_sure = "" if decided is None else markdown(swaps_of_in_words(_short(decided), short(page.system)))
    show.put(Headline("  \n".join(line for line in (_passed(move), how_sure, _shares(move)) if line)))
    table = move.topics
    figure = figures.shifts(table, "what it adds to the move")
    alt = f"What {len(table)} topics add to the move of {page.system}; the values are in the table below"
    show.put(Figure(figure, "shifts", alt, on_select=page.open_topic, modes=("points",)))
    show.explain(
        "Each bar is a topic: the change of the system's mean lead over those that it crossed. All bars add up to the "
        "change of the lead. Unit: the standard deviation of the systems' means, of each measure its own.",
        "Red lets the system fall, blue lets it rise. One long bar: a single topic did it; many short ones: a habit of "
        "the system.",
        "Click a bar: which documents did it?",
    )
    show.put(Table(table.assign(share=shares(move)), "topics of the move", height=320))
    if decided is not None and len(decided.of(page.system)):
        st.markdown(f"**Swaps of {named(page.system)}**")
        show.put(Table(decided.of(page.system), "its swaps", index=False, height=320))


def shares(move: Move) -> pd.Series:
    """What each topic contributes, as a share of the whole; topics against the move have shares below 0."""
    return move.topics["shift"] / move.shift if move.shift else move.topics["shift"] * 0.0


def _short(found: Swaps) -> Swaps:
    """By short names."""
    return replace(
        found, table=found.table.assign(**{one: found.table[one].map(short) for one in ("system_a", "system_b")})
    )


def _passed(move: Move) -> str:
    name, count = named(move.system), len(move.crossed)
    some = ", ".join(map(named, move.crossed[:3])) + (f" and {count - 3} more" if count > 3 else "")
    way = "passes" if move.rank_y < move.rank_x else "is passed by"
    return f"**{name}** {ways(move.rank_x, move.rank_y)}: it {way} {some}."


def _shares(move: Move) -> str:
    found = shares(move)
    topic, share = markdown(str(found.index[0])), float(found.iloc[0])
    if not share > 0:
        return "On the topics that both have, no topic goes with the move."
    if share > 1:
        return f"Topic **{topic}** alone would do more than that ({share:.0%}): other topics work against it."
    half = int(np.searchsorted(found.cumsum().to_numpy(), 0.5)) + 1
    rest = f"; {half} of {len(found)} topics make up half of it" if half > 1 else ""
    return f"Topic **{topic}** alone accounts for {share:.0%} of it{rest}."


def documents(page: MovedSettings) -> None:
    """Which ranks and documents of the system did it on one topic, under both measures side by side."""
    move, collection = page.move, page.collection
    query = collection.queries.get(page.topic, "")
    st.markdown(f"**Topic {markdown(page.topic)}** {markdown(query)}")
    walks = [read_down(collection, one, page.system, page.topic, page.depth) for one in (page.x, page.y)]
    show.put(Headline("  \n".join([*_on_topic(page, move), _ranks(page, walks)])))
    style = open_collection.styles(collection)[page.system]
    drawn = dict(zip(page.names, walks, strict=True))
    scales = dict(collection.assessments.scales)
    figure = figures.ranked_lists(drawn, scales, dict.fromkeys(drawn, style))
    alt = f"The first {page.depth} ranks of {page.system} on topic {page.topic} under both measures; values below"
    show.put(Figure(figure, "documents", alt))
    show.explain(
        "The same ranking twice: its documents with their labels, and the bars of what each rank adds to the score by "
        "either measure.",
        "Where a bar at the left has no partner at the right, the second measure takes back what the first gave.",
        "Compare with a system that it crossed: the page Topic shows both rank by rank.",
    )
    rival = list(move.crossed[:1])
    site.link(
        "topic",
        "Rank by rank, beside another system",
        ":material/search:",
        measure=page.y,
        topic=page.topic,
        compared=[page.system, *rival],
    )
    table = walks[0].drop(columns=["gain", "discount", "sum so far"], errors="ignore")
    if all("adds" in one for one in walks):
        table = table.drop(columns="adds").assign(
            **{f"adds, {name}": one["adds"] for name, one in zip(page.names, walks, strict=True)}
        )
    show.put(Table(table, f"{page.system} on {page.topic}", height=320))


def _on_topic(page: MovedSettings, move: Move) -> list[str]:
    """The scores of the system and of those it crossed, on this topic, by both measures."""
    lines = []
    for text, name in zip((page.x, page.y), page.names, strict=True):
        on = page.on_topic(text)
        others = on[list(move.crossed)].mean() if move.crossed else np.nan
        beside = f", those that it crossed {score_text(others)} on average" if move.crossed else ""
        lines.append(f"By {markdown(name)} it scores **{score_text(on[page.system])}** here{beside}.")
    return lines


def _ranks(page: MovedSettings, walks: list[pd.DataFrame]) -> str:
    """The ranks at which the second measure gives least, or most, beside the first."""
    if not page.move.crossed:
        return "Its rank is the same by both: there is no move that a rank could explain."
    if not all("adds" in one for one in walks):
        return "One of the two is no sum over ranks: labels are shown, what each rank adds is not."
    (sd_x, sd_y), (x, y) = page.spreads, walks
    if not (sd_x and sd_y):
        return "A measure scores all systems alike."
    change = y["adds"] / sd_y - x["adds"] / sd_x
    if page.move.shift > 0:
        change = -change
    worst = change[change < -1e-12].sort_values(kind="stable").head(2)
    if worst.empty:
        return "No rank down to here goes with the move: what others returned did it."
    aspects = list(page.collection.assessments.scales)
    named = [f"rank {rank}, {document_at(x, rank, aspects)}" for rank in sorted(worst.index)]
    verb = "gains most" if page.move.shift > 0 else "loses most"
    return f"It {verb} by {' and by '.join(named)}."


def python_lines(page: MovedSettings) -> list[str]:
    """What recomputes each number of the step."""
    lines = [f"x, y = ec.evaluate({page.x!r}, c), ec.evaluate({page.y!r}, c)"]
    if not page.system:
        how = ["swaps = ec.swaps(x, y)", "pairs, table = swaps.table, swaps.movers"]
        how += ["n_swaps, n_decided, n_changes = len(pairs), swaps.n_decided, swaps.n_changes"]
        table = ["table = ec.movers(x.mean(), y.mean())"] if page.swaps is None else how
        table += ["moved = (table['change'] != 0).sum()"]
        return [
            "from evalcore import figures",
            "",
            *lines,
            *table,
            f"means = dict(zip({page.names!r}, (x.mean(), y.mean())))",
            *families.code(page.collection),
            f"figures.bump(means, styles, list(table.index[table['change'] != 0][:{NAMED}]))",
        ]
    lines += [
        f"move = ec.move(x, y, {page.system!r})",
        "shares = move.topics['shift'] / move.shift if move.shift else 0 * move.topics['shift']",
    ]
    if not page.topic:
        own = [] if page.swaps is None else [f"own = ec.swaps(x, y).of({page.system!r})", "n_own = len(own)"]
        own += ["n_changes = own['change decided'].sum()"] if own else []
        return [*lines, *own, "ec.plot(move)"]
    return [
        "from evalcore import figures",
        "from evalcore.explain.rank_by_rank import walk",
        "",
        *lines,
        f'on_x = ec.evaluate({page.x!r}, c, topics="all").loc[{page.topic!r}]',
        f'on_y = ec.evaluate({page.y!r}, c, topics="all").loc[{page.topic!r}]',
        "others = [on[list(move.crossed)].mean() for on in (on_x, on_y)]",
        f"at = c.systems.index({page.system!r}), c.topics.index({page.topic!r})",
        f"walks = [walk(ec.parse(text), c.assessments, c.rankings, *at, {page.depth})",
        f"         for text in {[page.x, page.y]!r}]",
        f"read = dict(zip({page.names!r}, walks))",
        *families.code(page.collection),
        f"figures.ranked_lists(read, c.assessments.scales, dict.fromkeys(read, styles[{page.system!r}]))",
    ]


main()
