"""Which of the names in tables of scores are systems: as read, turned round, or with judges in names of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from evalcore.data import Collection
from evalcore.data.collection_scores import crossed
from evalcore.data.kinds import kind_of
from evalcore.data.manifest import Manifest, Scored, write_manifest
from evalcore.data.sources import Source, from_bytes, from_path
from evalcore.errors import counted
from ui.computing.cached import cached
from ui.data import open_collection
from ui.screen.text import markdown
from ui.stage import show


def draw(collection: Collection, manifest: Manifest) -> None:
    """The readings to choose from; another than that which is open reads the files again by it."""
    readings = [manifest.scores, *_others(collection, manifest)]
    captions = [_in_words(collection.systems, collection.topics), _in_words(collection.topics, collection.systems)]
    captions += [_of_judges(reading) for reading in readings[2:]]
    chosen = st.radio(
        "Which are the systems?",
        range(len(readings)),
        format_func=lambda at: markdown(captions[at]),
        key=f"systems {collection.fingerprint}",
    )
    if chosen:
        with show.errors():
            open_collection.reopen(write_manifest(replace(manifest, scores=readings[chosen])))


def _others(collection: Collection, manifest: Manifest) -> list[tuple[Scored, ...]]:
    turned = tuple(replace(score, transposed=not score.transposed) for score in manifest.scores)
    asked = any(note.kind == "question" for note in collection.report.notes)
    return [turned, *filter(None, [_crossed(collection) if asked else ()])]


@cached(8)
def _crossed(collection: Collection) -> tuple[Scored, ...]:
    """What its files of scores are if their names are of systems and judges; the files are read once."""
    return crossed(_outputs())


def _outputs() -> list[Source]:
    """The files of scores of the open collection."""
    folder = open_collection.folder()
    sources = from_path(folder) if folder else from_bytes(open_collection.uploaded() or [])
    return [source for source in sources if kind_of(source).purpose == "scores"]


def _in_words(systems: Sequence[str], topics: Sequence[str]) -> str:
    of_topics = f"{counted(len(topics), 'topic')} such as {topics[0]}"
    return f"{counted(len(systems), 'system')} such as {systems[0]}, on {of_topics}"


def _of_judges(scores: Sequence[Scored]) -> str:
    measures = {score.read_as for score in scores}
    judges = counted(len(scores) // len(measures), "judge")
    return f"the systems under {judges}, as names of files cross: {', '.join(score.name for score in scores[:3])}"
