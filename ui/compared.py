"""The scores that a page compares: of chosen measures, and of other tools."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.meta import shared_part
from ui import score_tables
from ui.embedding_note import embedding_note
from ui.measures import draw_measures, frames
from ui.settings import Settings
from ui.text import markdown


def compared(settings: Settings) -> dict[str, pd.DataFrame]:
    """Topics x systems by measure, cut to the topics and systems that all of them have; with the controls to choose.

    The settings have `measures`.
    """
    collection: Collection = settings.collection
    measures, imports = st.columns(2)
    with imports:
        score_tables.box(collection)
    with measures:
        draw_measures(settings)
        found = frames(collection, getattr(settings, "measures")) | score_tables.imported(collection)  # noqa: B009
    embedding_note(collection, list(found), lambda texts: settings.change(measures=tuple(texts)))
    try:
        shared = shared_part(found)
    except ValueError as error:
        st.warning(markdown(error), icon=":material/join_inner:")
        return {}
    topics, systems = next(iter(shared.values())).shape if shared else (0, 0)
    if shared and (topics, systems) != (len(collection.topics), len(collection.systems)):
        st.caption(
            f"On the {systems} of {len(collection.systems)} systems and {topics} of {len(collection.topics)} topics "
            "that all these measures have."
        )
    return shared
