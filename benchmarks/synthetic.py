"""Invented runs and assessments as large as those of CLEF eHealth 2015, for machines without the real data."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray

SEED = 2015
ASSESSED = 132  # assessed documents per topic
CANDIDATES = 3  # candidates per topic, as a multiple of the depth of a ranking


def write(folder: Path, systems: int = 40, topics: int = 66, depth: int = 1000) -> Path:
    """Write runs/systemNN.txt.gz, qrels.txt and qread.txt into a folder, always the same ones; return the folder."""
    rng = np.random.default_rng(SEED)
    (folder / "runs").mkdir(parents=True)
    documents = _ids(rng, topics, depth * CANDIDATES)
    grades = rng.choice(4, p=[0.7, 0.15, 0.1, 0.05], size=(topics, ASSESSED))
    understood = rng.choice(4, size=(topics, ASSESSED))
    _write_qrels(folder / "qrels.txt", documents, grades)
    _write_qrels(folder / "qread.txt", documents, understood)
    worth = np.zeros((topics, depth * CANDIDATES))
    worth[:, :ASSESSED] = 1.0 + 0.3 * grades  # assessed documents tend to be ranked high
    for system in range(systems):
        scores = rng.uniform(0.3, 1.5) * worth + rng.normal(size=worth.shape)
        _write_run(folder / "runs" / f"system{system + 1:02d}.txt.gz", documents, scores, depth)
    return folder


def _ids(rng: np.random.Generator, topics: int, count: int) -> NDArray[np.str_]:
    sites = np.array([f"site{number:04d}_12" for number in range(500)])
    names = np.char.add(rng.choice(sites, size=(topics, count)), "_")
    return np.char.add(names, np.char.zfill(np.arange(topics * count).astype(str), 6).reshape(topics, count))


def _write_qrels(path: Path, documents: NDArray[np.str_], grades: IntArray) -> None:
    with path.open("w") as out:
        for topic, row in enumerate(grades):
            out.writelines(f"q{topic + 1} 0 {documents[topic, at]} {grade}\n" for at, grade in enumerate(row))


def _write_run(path: Path, documents: NDArray[np.str_], scores: FloatArray, depth: int) -> None:
    tag = path.name.split(".")[0]
    with gzip.open(path, "wt", compresslevel=6) as out:
        for topic, row in enumerate(scores):
            best = np.argsort(-row)[:depth]
            lines = zip(documents[topic, best].tolist(), row[best].tolist(), strict=True)
            out.writelines(
                f"q{topic + 1} Q0 {name} {at} {score:.12f} {tag}\n" for at, (name, score) in enumerate(lines, 1)
            )
