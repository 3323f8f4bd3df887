"""One ranking rank by rank, for the pages that read rankings: how deep, what is in it, what stands at a rank."""

from __future__ import annotations

import pandas as pd

import evalcore as ec
from evalcore.data import Collection
from evalcore.explain.rank_by_rank import walk
from ui.computing import parts
from ui.screen.text import markdown

DEPTHS = (10, 20, 30, 50, 100)


def read_down(collection: Collection, measure: str, system: str, topic: str, depth: int) -> pd.DataFrame:
    """The first ranks of a system on a topic under a measure, as `walk` gives them."""
    rankings, at = parts.rankings_of(collection, topic), collection.topics.index(topic)
    return walk(ec.parse(measure), collection.assessments, rankings, collection.systems.index(system), at, depth)


def document_at(table: pd.DataFrame, rank: int, aspects: list[str]) -> str:
    """What stands at a rank, with its labels, in Markdown."""
    if rank not in table.index:
        return "nothing, its list has ended"
    row = table.loc[rank]
    if not row["document"]:
        return "a document that nobody assessed"
    labels = ", ".join(f"{markdown(name)} {row[name]:.3g}" for name in aspects if pd.notna(row[name]))
    return markdown(row["document"]) + (f" ({labels})" if labels else "")
