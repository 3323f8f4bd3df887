"""Would the ranking stand without the documents that one team brought, with a shallower pool, or with fewer labels?"""

from __future__ import annotations

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.pools.assessed import refuse_unlabelled
from ui.data.as_python import as_python
from ui.labels.pool_answer import answer, explanation, parts_table, scored, table_of
from ui.labels.pool_looks import look_closer
from ui.labels.pool_settings import SYSTEM, TEAM, PoolSettings
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show
from ui.widgets.beside import two_columns


def draw(collection: Collection) -> None:
    """The look: the ranking without some of the assessments."""
    page = PoolSettings.now(collection)
    collection = page.collection
    left, right = two_columns(name="pool")
    with left:
        page.draw("measure", "answer", "take", "teams", "within", "depth", "share")
        page.draw("draws", "seed", "stratified", "group")
        how_known(page)
    rescored = None
    with right, show.errors():
        rescored = scored(page)
        if rescored is not None:
            table = table_of(page, rescored)
            live.follow(page, lambda page: answer(page, rescored, table), "depth", "share")
    if rescored is None:
        return
    show.screen(parts_table(page, rescored.value, table))
    show.explain(*explanation(page))
    page.draw("look")
    with show.errors():
        show.screen(look_closer(page, rescored, table))
    as_python(collection)


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    try:
        refuse_unlabelled(collection)
    except InputError as error:
        return f"Of this collection nothing can be taken away: {markdown(error)}."
    if len(collection.systems) > 1:
        return ""
    return "A ranking to compare takes two systems; the open collection has one. Open more runs."


def how_known(page: PoolSettings) -> None:
    """How teams and depth are known."""
    if page.take == TEAM:
        st.caption(f"{counted(len(page.grouping.names), 'team')}, {markdown(page.grouping.basis)}.")
    if page.take in (TEAM, SYSTEM):
        st.caption(f"Pool depth {page.guess.depth}, {markdown(page.guess.basis)}.")
