"""Invented collections of any size, as evalcore's structures, as run files, and as what other tools read.

Each assessed document has, for each system, a rank drawn between 1 and 10,000, evenly on a logarithmic scale; a ranking
of some depth holds those down to there, and unassessed documents at all other ranks. So deeper rankings retrieve more,
but hardly more of what is assessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale

DEEPEST = 10_000
SEED = 2021


@dataclass(frozen=True)
class Size:
    """How large a collection is; `assessed` documents for each topic."""

    systems: int = 10
    topics: int = 50
    depth: int = 1000
    aspects: int = 1
    assessed: int = 100

    @property
    def lines(self) -> int:
        """Lines of its run files."""
        return self.systems * self.topics * self.depth

    @staticmethod
    def of(text: str) -> Size:
        """From numbers with commas between, in the order of the fields."""
        return Size(*map(int, text.split(",")))

    def __str__(self) -> str:
        return f"{self.systems},{self.topics},{self.depth},{self.aspects},{self.assessed}"


def grades(size: Size) -> np.ndarray:
    """(aspects, topics, assessed) grades from 0 to 3."""
    rng = np.random.default_rng(SEED)
    return rng.choice(4, p=[0.6, 0.2, 0.15, 0.05], size=(size.aspects, size.topics, size.assessed)).astype(float)


def hits(size: Size, system: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of one system: topic, rank and number of the assessed document of every hit, by topic and rank."""
    rng = np.random.default_rng((SEED, system))
    drawn = np.ceil(DEEPEST ** rng.random((size.topics, size.assessed))).astype(np.int32)
    order = np.argsort(drawn, axis=1, kind="stable")
    ranks = np.take_along_axis(drawn, order, axis=1)
    kept = ranks <= size.depth
    kept[:, 1:] &= ranks[:, 1:] != ranks[:, :-1]
    topic, _ = np.nonzero(kept)
    return topic, ranks[kept], order[kept]


def collection(size: Size) -> Collection:
    """The collection in memory, without any file."""
    labels = grades(size)
    names = ["relevance", *(f"aspect{at}" for at in range(1, size.aspects))]
    scales = {name: Scale(name, grades=(0, 1, 2, 3)) for name in names}
    topic = np.repeat(np.arange(size.topics), size.assessed)
    columns = {name: values.ravel() for name, values in zip(names, labels, strict=True)}
    documents = np.array([f"assessed-{at:06d}" for at in range(size.assessed)] * size.topics, dtype=object)
    topics = tuple(f"q{at}" for at in range(size.topics))
    pool = Assessments(topics, topic, documents, columns, scales)
    found = [hits(size, system) for system in range(size.systems)]
    sizes = np.concatenate([np.bincount(topic, minlength=size.topics) for topic, _, _ in found])
    rankings = Rankings(
        systems=tuple(f"s{at:04d}" for at in range(size.systems)),
        n_topics=size.topics,
        n_pool=len(pool),
        indptr=np.append(0, np.cumsum(sizes)).astype(np.int32),
        rank=np.concatenate([rank for _, rank, _ in found]).astype(np.int32),
        row=np.concatenate([topic * size.assessed + at for topic, _, at in found]).astype(np.int32),
        length=np.full((size.systems, size.topics), size.depth, dtype=np.int32),
    )
    return Collection(str(size), pool, rankings, LoadingReport(pd.DataFrame(), pd.DataFrame()), fingerprint=str(size))


def ranked(size: Size, system: int) -> Iterator[list[str]]:
    """Of one system, the documents of each topic from rank 1 on."""
    topic, rank, at = hits(size, system)
    starts = np.searchsorted(topic, np.arange(size.topics + 1))
    plain = [f"unassessed-{number:06d}" for number in range(1, size.depth + 1)]
    for first, last in pairwise(starts.tolist()):
        documents = plain.copy()
        for place, number in zip(rank[first:last].tolist(), at[first:last].tolist(), strict=True):
            documents[place - 1] = f"assessed-{number:06d}"
        yield documents


def qrels(size: Size, aspect: int = 0) -> dict[str, dict[str, int]]:
    """The assessments of one aspect, as pytrec_eval and ranx take them."""
    labels = grades(size)[aspect]
    return {
        f"q{t}": {f"assessed-{at:06d}": int(grade) for at, grade in enumerate(row)}
        for t, row in enumerate(labels.tolist())
    }


def scored(size: Size, system: int) -> dict[str, dict[str, float]]:
    """One run, as pytrec_eval and ranx take it."""
    scores = [float(size.depth - rank) for rank in range(size.depth)]
    return {f"q{t}": dict(zip(one, scores, strict=True)) for t, one in enumerate(ranked(size, system))}


def write(folder: Path, size: Size) -> Path:
    """Run files and one file of assessments per aspect."""
    (folder / "runs").mkdir(parents=True)
    for aspect in range(size.aspects):
        name = f"aspect{aspect}" if aspect else "relevance"
        rows = [f"{t} 0 {d} {grade}\n" for t, row in qrels(size, aspect).items() for d, grade in row.items()]
        (folder / f"{name}.txt").write_text("".join(rows))
    for system in range(size.systems):
        tails = [f" {rank} {size.depth - rank:.6f} s{system}\n" for rank in range(1, size.depth + 1)]
        with (folder / "runs" / f"s{system:04d}.txt").open("w") as out:
            for t, one in enumerate(ranked(size, system)):
                out.write("".join(f"q{t} Q0 {d}{tail}" for d, tail in zip(one, tails, strict=True)))
    return folder
