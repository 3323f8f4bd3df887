"""Choice between rows and columns as the systems of a table of scores: as read, or transposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from evalcore.data import Collection
from evalcore.data.manifest import Manifest, write_manifest
from evalcore.errors import counted
from ui.data import open_collection
from ui.screen.text import markdown
from ui.stage import show


def draw(collection: Collection, manifest: Manifest) -> None:
    """Draw both readings of the tables; choosing the other one reads the files again."""
    turned = tuple(replace(score, transposed=not score.transposed) for score in manifest.scores)
    readings = [manifest.scores, turned]
    captions = [_in_words(collection.systems, collection.topics), _in_words(collection.topics, collection.systems)]
    chosen = st.radio(
        "Which are the systems?",
        range(len(readings)),
        format_func=lambda at: markdown(captions[at]),
        key=f"systems {collection.fingerprint}",
    )
    if chosen:
        with show.errors():
            open_collection.reopen(write_manifest(replace(manifest, scores=readings[chosen])))


def _in_words(systems: Sequence[str], topics: Sequence[str]) -> str:
    of_topics = f"{counted(len(topics), 'topic')} such as {topics[0]}"
    return f"{counted(len(systems), 'system')} such as {systems[0]}, on {of_topics}"
