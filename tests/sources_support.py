"""Second judges for a collection: their labels differ from the first judge's by a known confusion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evalcore.data import Collection
from evalcore.structures.sources import Sources

FIRST = "nist"


def with_sources(collection: Collection, aspect: str = "relevance", /, **labels: np.ndarray) -> Collection:
    """Return the collection with "nist" as the first judge of an aspect, and others with these labels, (P,) each."""
    pool = collection.assessments
    sources = {**pool.sources, aspect: Sources({FIRST: pool.columns[aspect], **labels}, FIRST)}
    fingerprint = f"{collection.fingerprint} by {', '.join(labels)}"
    return replace(collection, assessments=replace(pool, sources=sources), fingerprint=fingerprint)


def confused(collection: Collection, confusion: np.ndarray, aspect: str = "relevance", seed: int = 0) -> np.ndarray:
    """(P,) labels drawn for each document from its grade's row of a matrix (grades, grades), whose rows sum to 1."""
    grades = np.array(collection.assessments.scale(aspect).grades)
    given = collection.assessments.column(aspect)
    drawn = np.random.default_rng(seed).random(len(given))
    rows = np.cumsum(confusion, axis=1)[np.searchsorted(grades, np.nan_to_num(given, nan=grades[0]))]
    found = grades[(drawn[:, None] > rows[:, :-1]).sum(axis=1)]
    return np.where(np.isnan(given), np.nan, found)
