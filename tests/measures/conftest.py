"""The real data, read once for all tests of measures."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import evalcore as ec
from evalcore import Collection

Lists = dict[str, dict[str, float]]  # topic -> document -> score or grade


@pytest.fixture(scope="session")
def clef(data_folder: Path) -> Collection:
    """CLEF eHealth 2015: 40 runs, 66 topics; ordered by score, read anew."""
    return ec.load(data_folder / "clef2015", order="score", use_cache=False)


@pytest.fixture(scope="session")
def clef_qrels(data_folder: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    with open(data_folder / "clef2015" / "qrels.eng.clef2015.qtest.graded.txt") as lines:
        for topic, _, document, grade in map(str.split, lines):
            qrels.setdefault(_digits(topic), {})[document] = int(grade)
    return qrels


@pytest.fixture(scope="session")
def clef_runs(data_folder: Path, clef: Collection) -> dict[str, Lists]:
    """The runs as plain dicts, read by a loop. Topics are bare numbers, as gdeval.pl wants them."""
    return {name: _run(data_folder / "clef2015" / "runs" / f"{name}.dat.gz") for name in map(_stem, clef.systems)}


def _run(path: Path) -> Lists:
    run: Lists = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, _, document, _, score = line.split()[:5]
            run.setdefault(_digits(topic), {})[document] = float(score)
    return run


def untied(run: Lists) -> Lists:
    """The same order by scores n, n - 1, ... 1: trec_eval's, by 32-bit score, ties by document id descending."""
    return {topic: _renumbered(scores) for topic, scores in run.items()}


def _renumbered(scores: dict[str, float]) -> dict[str, float]:
    order = sorted(scores, key=lambda document: (np.float32(scores[document]), document), reverse=True)
    return {document: float(len(order) - at) for at, document in enumerate(order)}


def _digits(topic: str) -> str:
    return topic.rpartition(".")[2]


def _stem(system: str) -> str:
    return system.removesuffix(".dat")
