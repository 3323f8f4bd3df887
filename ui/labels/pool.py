"""Would the ranking stand without the documents that one team brought, with a shallower pool, or with fewer labels?"""

from __future__ import annotations

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.pools.assessed import refuse_parts
from ui.address import families
from ui.data.as_python import as_python
from ui.labels.pool_answer import answer, explanation, parts_table, scored, table_of
from ui.labels.pool_looks import look_closer
from ui.labels.pool_settings import ALL_ANSWERS, BROUGHT, DEPTH, NEW, SHARE, SHARES, SYSTEM, TEAM, TRUSTED, PoolSettings
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show
from ui.widgets.beside import two_columns


def draw(collection: Collection) -> None:
    """The look: the ranking without some of the assessments."""
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    page = PoolSettings.now(collection)
    collection = page.collection
    left, right = two_columns(name="pool")
    with left:
        page.draw("measure", "answer", "take", "teams", "within", "depth", "share")
        page.draw("draws", "seed", "stratified", "group")
        how_known(page)
    found = table = None
    with right, show.errors():
        found = scored(page)
        if found is not None:
            table = table_of(page, found)
            live.follow(page, lambda one: answer(one, found, table), "depth", "share")
    if found is None or table is None:
        return
    parts_table(page, found, table)
    show.explain(*explanation(page))
    page.draw("look")
    with show.errors():
        look_closer(page, found, table)
    as_python(collection, *code(page))


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    try:
        refuse_parts(collection)
    except InputError as error:
        return f"Of this collection nothing can be taken away: {markdown(error)}."
    if len(collection.systems) > 1:
        return ""
    return "A ranking to compare takes two systems; the open collection has one. Open more runs."


def how_known(page: PoolSettings) -> None:
    """How teams and depth are known."""
    if page.take == TEAM:
        st.caption(f"{counted(len(page.grouping.names), 'team')}, {markdown(page.grouping.said)}.")
    if page.take in (TEAM, SYSTEM):
        st.caption(f"Pool depth {page.guess.depth}, {markdown(page.guess.said)}.")


# --- as Python --------------------------------------------------------------------------------------------------------


def code(page: PoolSettings) -> list[str]:
    """What recomputes the headline, the table and the closer look that is open."""
    answered = f"pools.answers({str(page.parsed)!r}, c)[{page.answer!r}]"
    lines = [
        f"from evalcore import {'figures, ' if page.look == NEW else ''}pools",
        "",
        f"measure = {answered}",
        f"teams = pools.teams(c, {page.teams!r})",
        f"selections = {_selections_code(page)}",
        "found = pools.rescored(measure, c, selections)",
    ]
    if page.take in (TEAM, SYSTEM):
        lines += [
            "table = pools.without_table(selections, found, c, measure)",
            "largest, other_first = table['own largest'].abs(), (~table['same first']).sum()",
        ]
    else:
        lines += [f"table = {'pools.share_bands(found)' if page.take == SHARE else 'found.table()'}"]
    return [*lines, *_look_code(page), *_figure_code(page)]


def _selections_code(page: PoolSettings) -> str:
    if page.take in (TEAM, SYSTEM):
        return f"pools.without_groups(c, {'teams.of' if page.take == TEAM else None}, {page.within_rank})"
    if page.take == DEPTH:
        return f"pools.top_documents(c, {page.depths!r})"
    drawn = f"{page.draws}, {page.seed}, stratified={bool(page.stratified)}"
    return f"pools.sampled_shares(c, {list(SHARES)!r}, {drawn})"


def _figure_code(page: PoolSettings) -> list[str]:
    if page.take in (TEAM, SYSTEM):
        groups = "teams.of" if page.take == TEAM else "{name: name for name in c.systems}"
        return families.plot_code(page.collection, f"found, groups={groups}")
    return [f"ec.plot(table, at={page.depth if page.take == DEPTH else page.share})"]


def _look_code(page: PoolSettings) -> list[str]:
    if page.look == BROUGHT:
        return [
            f"brought = pools.contributions(c, teams, {page.within_rank}, measure)",
            "assessed, nobody, own = brought.attrs['assessed'], brought.attrs['nobody'], brought['own'].sum()",
            "several = assessed - nobody - own",
            "depth = pools.pool_depth(c)",
            "closer = ec.plot(brought)",
        ]
    if page.look == ALL_ANSWERS:
        return [
            f"compared = pools.compare_answers({str(page.parsed)!r}, c, selections)",
            "answers, means = compared.table(), compared.means()",
            *(
                ["by_share = answers.groupby(level=['share', 'answer'], sort=False).mean()"]
                if page.take == SHARE
                else []
            ),
            f"closer = ec.plot({'by_share' if page.take == SHARE else 'answers'}, column='tau own')",
        ]
    if page.look == NEW:
        return [
            "moves = []",
            "for groups in (None, teams.of):",
            f"    without = pools.without_groups(c, groups, {page.within_rank})",
            "    moves.append(pools.own_moves(without, pools.rescored(measure, c, without)))",
            f"off = [pools.off_by(one, {TRUSTED}) for one in moves]",
            "kinds = dict(zip(('left out alone', 'with its whole team'), moves))",
            "closer = figures.places_off(kinds, off[0])",
        ]
    return [
        f"unassessed = pools.unassessed_table({str(page.parsed)!r}, c)",
        "ranks, changes = (found.full_ranks, found.ranks), found.rank_changes()",
    ]
