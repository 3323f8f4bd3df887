"""Invented collections that differ in everything from topic to topic; and a test that two of them are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np
import pandas as pd
from measures.small import SCALES

from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale


def invented(seed: int, systems: int = 5, topics: int = 11, deepest: int = 40) -> Collection:
    """Pools and rankings of very different sizes, some empty; some labels are missing, or belong to one topic alone."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 3 * deepest, topics)
    topic = np.repeat(np.arange(topics), sizes)
    columns = {name: _column(rng, scale, topic) for name, scale in SCALES.items()}
    documents = np.array([f"d{rng.integers(10**9)}-{at}" for at in range(len(topic))], dtype=object)
    pool = Assessments(tuple(f"t{at}" for at in range(topics)), topic, documents, columns, SCALES)
    lengths = rng.integers(0, deepest, (systems, topics)) * (rng.random((systems, topics)) > 0.1)
    lines = [_line(rng, length, pool.topic_start[t : t + 2]) for row in lengths for t, length in enumerate(row)]
    rank, row = (np.concatenate([line[at] for line in lines]).astype(np.int32) for at in (0, 1))
    indptr = np.cumsum([0, *(len(line[0]) for line in lines)]).astype(np.int32)
    names = tuple(f"s{at}" for at in range(systems))
    rankings = Rankings(names, topics, len(pool), indptr, rank, row, lengths.astype(np.int32))
    facts = pd.DataFrame({"tag": names}, index=pd.Index(names, name="system", dtype=object))
    report = LoadingReport(facts, pd.DataFrame({"good": "high"}, index=pd.Index(list(SCALES), name="column")))
    return Collection("Invented", pool, rankings, report, fingerprint=f"{seed:032x}", queries={"t1": "why?"})


def _column(rng: np.random.Generator, scale: Scale, topic: np.ndarray) -> np.ndarray:
    values = (
        rng.uniform(0, 30, len(topic)) * (1 + topic) if scale.kind == "signal" else rng.choice(scale.grades, len(topic))
    )
    values = np.where(topic > 2, values, np.minimum(values, 1)).astype(float)  # the first topics know low grades alone
    return np.where(rng.random(len(topic)) < 0.1, np.nan, values)


def _line(rng: np.random.Generator, length: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranks and pool rows of the assessed among the documents of a ranking."""
    known = rng.permutation(np.arange(*rows))[: rng.integers(0, length + 1)]
    return np.sort(rng.permutation(length)[: len(known)] + 1), known


def assert_same(one: object, other: object, name: str = "collection") -> None:
    """Assert that two collections, or parts of them, hold the same, in the same types; their origin does not count."""
    if is_dataclass(one):
        assert type(one) is type(other), name
        for field in fields(one):
            if field.name not in ("seconds", "from_cache"):
                assert_same(getattr(one, field.name), getattr(other, field.name), f"{name}.{field.name}")
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        assert one.keys() == other.keys(), name
        for key in one:
            assert_same(one[key], other[key], f"{name}[{key!r}]")
    elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        np.testing.assert_array_equal(one, other, name)
        assert one.dtype == other.dtype, name
    elif isinstance(one, pd.DataFrame) and isinstance(other, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, obj=name)
    else:
        assert one == other, name
