"""Invented run files of any size, with assessments.

For each system, the rank of each assessed document is drawn between 1 and 10,000, uniformly on a logarithmic scale. A
ranking contains the assessed documents within its depth, and unassessed documents at all other ranks. So deeper
rankings retrieve more documents, but hardly more assessed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

DEEPEST = 10_000
SEED = 2021


@dataclass(frozen=True)
class Size:
    """Size of a collection; `assessed` is the number of assessed documents for each topic."""

    systems: int = 10
    topics: int = 50
    depth: int = 1000
    aspects: int = 1
    assessed: int = 100


def grades(size: Size) -> np.ndarray:
    """Return an array of random grades from 0 to 3, (aspects, topics, assessed documents)."""
    rng = np.random.default_rng(SEED)
    return rng.choice(4, p=[0.6, 0.2, 0.15, 0.05], size=(size.aspects, size.topics, size.assessed)).astype(float)


def hits(size: Size, system: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays for the assessed documents that a system retrieves: topic, rank, and the document's number.

    They are sorted by topic and rank.
    """
    rng = np.random.default_rng((SEED, system))
    drawn = np.ceil(DEEPEST ** rng.random((size.topics, size.assessed))).astype(np.int32)
    order = np.argsort(drawn, axis=1, kind="stable")
    ranks = np.take_along_axis(drawn, order, axis=1)
    kept = ranks <= size.depth
    kept[:, 1:] &= ranks[:, 1:] != ranks[:, :-1]
    topic, _ = np.nonzero(kept)
    return topic, ranks[kept], order[kept]


def ranked(size: Size, system: int) -> Iterator[list[str]]:
    """Yield the documents of one system for each topic, from rank 1."""
    topic, rank, at = hits(size, system)
    starts = np.searchsorted(topic, np.arange(size.topics + 1))
    plain = [f"unassessed-{number:06d}" for number in range(1, size.depth + 1)]
    for first, last in pairwise(starts.tolist()):
        documents = plain.copy()
        for place, number in zip(rank[first:last].tolist(), at[first:last].tolist(), strict=True):
            documents[place - 1] = f"assessed-{number:06d}"
        yield documents


def qrels(size: Size, aspect: int = 0) -> dict[str, dict[str, int]]:
    """Return the assessments of one aspect as {topic: {document: grade}}, the form of pytrec_eval and ranx."""
    labels = grades(size)[aspect]
    return {
        f"q{t}": {f"assessed-{at:06d}": int(grade) for at, grade in enumerate(row)}
        for t, row in enumerate(labels.tolist())
    }


def write(folder: Path, size: Size) -> Path:
    """Write the run files, and one file of assessments per aspect; return the folder."""
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
