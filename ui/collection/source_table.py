"""Who labelled how many documents, where an aspect has several sources of labels."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from evalcore.data.source_labels import source_table
from ui.screen.items import Table
from ui.stage import show


def draw(collection: Collection) -> None:
    """Draw the table; nothing where every aspect has one source."""
    table = source_table(collection.assessments)
    if table.empty:
        return
    columns = {
        "read": st.column_config.CheckboxColumn("default"),
        "shared": st.column_config.NumberColumn(help="Documents that the default source labelled too"),
        "alike": st.column_config.NumberColumn(help="Of the shared documents, those with the same label"),
    }
    show.put(Table(table, "sources", index=False, columns=columns))
    st.caption("Whose labels: assessors, judges, or runs of one judge. The default one decides which topics count.")
    if collection.judge_table is not None:
        show.put(Table(collection.judge_table, "what judges are"))
