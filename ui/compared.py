"""The scores that a page compares: of chosen measures, and of other tools."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.meta import shared_part
from ui import score_tables
from ui.embedding_note import embedding_note
from ui.measures import chosen_scores
from ui.text import markdown


def compared(collection: Collection) -> dict[str, pd.DataFrame]:
    """Topics x systems by measure, cut to the topics and systems that all of them have; with the controls to choose."""
    measures, imports = st.columns(2)
    with imports:
        score_tables.box(collection)
    with measures:
        frames = chosen_scores(collection) | score_tables.imported(collection)
    embedding_note(collection, frames, lambda texts: st.session_state.update(measures=texts))
    try:
        shared = shared_part(frames)
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
