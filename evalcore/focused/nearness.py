"""Distances between the points at which systems enter documents and the best entry points, and their scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.lazy_imports import pd
from evalcore.errors import place_of
from evalcore.focused.document_scores import EntryScore
from evalcore.focused.passages import Passages

LENGTH = 1000  # characters of a document if no length is known


def nearness_curves(scores: Mapping[str, EntryScore], length: int, steps: int = 200) -> pd.DataFrame:
    """Return scores by distance from the best entry point of a document of this length: a frame, distances x names.

    Distances go from 0 to `length` characters in `steps` equal steps, or one by one in a short document. Raises
    InputError if the length is not above 0 and a score depends on it.

    >>> from evalcore.measures import Entry
    >>> nearness_curves({"A = 1": Entry(A=1)}, 100, 2)["A = 1"].round(4).to_dict()
    {0: 1.0, 50: 0.6667, 100: 0.5}
    """
    distances = np.unique(np.linspace(0, length, steps + 1).astype(int))
    lengths = np.full(len(distances), length)
    columns = {name: one.by_distance(distances, lengths) for name, one in scores.items()}
    return pd.DataFrame(columns, index=pd.Index(distances, name="distance"))


def median_length(passages: Passages) -> int:
    """Return the median length, in characters, of documents with a best entry point; 1,000 if there are none."""
    highlights = passages.highlights
    known = highlights.length[(highlights.best_entry >= 0) & (highlights.length > 0)]
    return int(np.median(known)) if len(known) else LENGTH


def entry_distances(passages: Passages, system: str) -> FloatArray:
    """Return the distances, in characters, of a system's entry points from the best entry points.

    There is one distance for each returned document with highlighted text, if both points are known. Raises InputError
    for an unknown system.
    """
    retrieved, highlights = passages.relevant_documents, passages.highlights
    own = retrieved.line // passages.parts.n_topics == place_of(system, passages.parts.systems, "a system")
    known = retrieved.at(np.flatnonzero(own & (highlights.best_entry[retrieved.row] >= 0) & (retrieved.start >= 0)))
    return np.asarray(np.abs(known.start - highlights.best_entry[known.row]), dtype=float)
