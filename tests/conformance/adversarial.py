"""Random collections in the shapes of other people's files: how they are drawn, and how they come in.

A `World` is qrels and runs as plain dicts, the form that every peer takes. The same seed draws the same worlds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

import evalcore as ec
from evalcore.structures.documents import Collection

Grades = dict[str, dict[str, int]]  # topic -> document -> grade
Lists = dict[str, dict[str, float]]  # topic -> document -> score

SCALES: tuple[tuple[int, ...], ...] = (
    (0, 1),
    (0, 1, 2),
    (0, 1, 2, 3, 4),
    (-2, 0, 1, 2, 3, 4),  # TREC Web
    (-1, 0, 1),
    (-2, -1, 1, 3),  # negative, but no 0
    (1, 2),  # no 0
    (1, 2, 3, 4),
    (4,),
    (0,),  # one label
    (1,),
    (2,),
    (-1,),
    (-2, -1),  # nobody judged anything
    (-2, 0),
    (-1, 2),
    (0, 2),  # gaps
    (0, 3, 7),
    (2, 5),
    (0, 100),
    tuple(range(-3, 26)),  # more than can be named one by one
)
SMALL_SCALES = tuple(scale for scale in SCALES if max(scale) <= 4)  # what gdeval.pl reads

DOCUMENTS: tuple[tuple[str, ...], ...] = (
    tuple(f"d{at}" for at in range(1, 15)),  # d10 before d2
    tuple(str(at) for at in range(95, 109)),
    ("1", "01", "001", "1.0", "1e0", "+1", "-1", "0x1", "1_0", "10", "1e", "e1", "00", "0"),
    ("NA", "N/A", "nan", "NaN", "null", "None", "none", "inf", "-inf", "True", "true", "#", "-", "Q0"),
    ("a", "A", "b", "B", "aB", "Ab", "ab", "AB", "a-b", "a_b", "a.b", "a/b", "a:b", "a,b"),
    ("é", "e\u0301", "ß", "ss", "ſ", "Ω", "ω", "日本", "日", "本", "\U0001f989", "\uffee", "я", "z"),
    tuple("clueweb09-en" + "0" * zeros for zeros in range(14)),  # each the beginning of the next
    tuple("same-first-eight-" + letter for letter in "abcdefghijklmn"),
    tuple("x" * 300 + str(at) for at in range(14)),
    ('"', "'", '""', "'a'", "a;b", "a|b", "{a}", "[1]", "(1)", "=1+1", "@x", "%s", "\\", "<b>"),
    (
        "a",
        "aa",
        "aaa",
        "aaaaaaaa",
        "aaaaaaaaa",
        "aaaaaaaab",
        "aaaaaaaa\u00e9",
        "b",
        "ba",
        "\u00e9a",
        "~",
        "!",
        "$",
        "^",
    ),
)
TOPICS: tuple[tuple[str, ...], ...] = (
    ("1", "2", "10", "11"),
    ("1", "01", "001", "1.0"),
    ("301", "300", "9", "0"),
    ("q2", "q10", "q1", "Q1"),
    ("clef2015.test.1", "clef2015.test.2", "clef2015.test.10", "test"),
    ("é", "e\u0301", "日本", "\U0001f989"),
    ("nan", "NA", "null", "-1"),
    ("a-very-long-topic-id-of-more-than-32-letters-1", "a-very-long-topic-id-of-more-than-32-letters-2", "a", "b"),
)

BELOW_FLOAT = 1e-9  # a difference of doubles near 1 that no 32-bit float holds
Scores = Callable[[Random, int], list[float]]


def _of(values: Sequence[float]) -> Scores:
    return lambda random, count: random.choices(values, k=count)


SCORES: tuple[Scores, ...] = (
    lambda random, count: [float(value) for value in random.sample(range(count), count)],
    lambda random, count: [random.gauss(0, 1) for _ in range(count)],
    lambda random, count: [-random.random() for _ in range(count)],
    lambda random, count: [random.choice((1.0, -3.5, 0.0))] * count,
    _of((0.0, 1.0)),
    _of((1.0, 2.0, 3.0, 4.0)),
    _of((0.0, -0.0)),
    _of((0.0, -0.0, 1e-300, -1e-300, 5e-324, -5e-324, 1e-46, 1e-45, 2e-45, 1e-40, -1e-40)),
    _of((1e300, -1e300, 1.5e308, -1.5e308, 3.4028234e38, 3.4028235e38, 3.4028236e38, 1e38, -1e39)),
    lambda random, count: [1 + BELOW_FLOAT * random.randrange(4) for _ in range(count)],
    lambda random, count: [0.1 + 1e-8 * random.randrange(4) for _ in range(count)],
    lambda random, count: [16_777_215.0 + random.randrange(5) for _ in range(count)],  # 2^24 + 1 is no 32-bit float
    _of((1e300, 5e-324, 1.0, 1 + BELOW_FLOAT, 0.0, -0.0, -1.0, -1e300, 123456789.0, 0.1, 0.3, 0.1 + 0.2)),
)


WORLDS = int(os.environ.get("CONFORMANCE_WORLDS", "300"))


@dataclass(frozen=True)
class World:
    """Qrels and runs. A run may lack a topic, list nothing for one, and know topics that nobody assessed."""

    qrels: Grades
    runs: dict[str, Lists]

    @property
    def highest(self) -> int:
        return max(grade for documents in self.qrels.values() for grade in documents.values())

    def about(self, system: str, topic: str) -> str:
        """Ranking and grades that a reader needs to follow one score by hand."""
        return f"{system} on {topic}: {self.runs[system].get(topic)}, assessed {self.qrels[topic]}"


def worlds(seed: int, count: int, scales: Sequence[Sequence[int]] = SCALES) -> list[World]:
    """Small ones, each on one scale: 1 to 4 topics, 1 to 3 systems."""
    random = Random(seed)
    return [_world(random, random.choice(scales)) for _ in range(count)]


def _world(random: Random, scale: Sequence[int]) -> World:
    topics = random.sample(random.choice(TOPICS), k=4)
    documents = random.choice(DOCUMENTS)
    assessed = topics[: random.randint(1, 4)]
    qrels = {topic: _grades(random, documents, scale) for topic in assessed}
    names = [f"s{at}" for at in range(random.randint(1, 3))]
    runs = {name: _run(random, topics, qrels, documents) for name in names}
    first = runs[names[0]]  # what has no topic in common with the qrels is no collection
    if not any(first.get(topic) for topic in assessed):
        first[assessed[0]] = _scored(random, [random.choice(documents)])
    return World(qrels, runs)


def _grades(random: Random, documents: Sequence[str], scale: Sequence[int]) -> dict[str, int]:
    count = random.choice((1, 1, 2, 3, 5, 8, len(documents)))
    return {document: random.choice(scale) for document in random.sample(documents, count)}


def _run(random: Random, topics: Sequence[str], qrels: Grades, documents: Sequence[str]) -> Lists:
    run = {topic: _scored(random, _listed(random, qrels.get(topic, {}), documents)) for topic in topics}
    return {topic: scores for topic, scores in run.items() if random.random() < 0.85}


def _listed(random: Random, assessed: Iterable[str], documents: Sequence[str]) -> list[str]:
    """Draw what is retrieved: anything, all, only assessed or only unassessed documents, one, none."""
    known = set(assessed)
    judged, others = (
        sorted(document for document in documents if (document in known) is side) for side in (True, False)
    )
    some = random.sample(documents, random.randint(1, len(documents)))
    return random.choice((some, some, some, list(documents), judged, others, some[:1], judged[:1], []))


def _scored(random: Random, documents: Sequence[str]) -> dict[str, float]:
    shuffled = random.sample(documents, len(documents))
    return dict(zip(shuffled, random.choice(SCORES)(random, len(shuffled)), strict=True))


def joined(parts: Sequence[World]) -> tuple[World, list[dict[str, str]]]:
    """Join all topics in one world, numbered from 1, with the number of each part's topics, so that peers run once."""
    numbers: list[dict[str, str]] = []
    count = 0
    for part in parts:
        topics = [*part.qrels, *{topic: None for run in part.runs.values() for topic in run if topic not in part.qrels}]
        numbers.append({topic: str(count + at) for at, topic in enumerate(topics, start=1)})
        count += len(topics)
    pairs = list(zip(parts, numbers, strict=True))
    systems = sorted({system for part in parts for system in part.runs})
    qrels = {number[topic]: grades for part, number in pairs for topic, grades in part.qrels.items()}
    runs = {
        system: {number[topic]: one for part, number in pairs for topic, one in part.runs.get(system, {}).items()}
        for system in systems
    }
    return World(qrels, runs), numbers


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Order documents as trec_eval does: by score as a 32-bit float, ties by id descending, byte by byte."""
    with np.errstate(over="ignore", under="ignore"):
        keys = {document: (float(np.float32(score)), document.encode()) for document, score in scores.items()}
    return sorted(keys, key=keys.__getitem__, reverse=True)


def untied(world: World) -> World:
    """The same rankings for a tool that breaks ties otherwise: lists with ties are scored n, n - 1, ... 1."""
    return World(world.qrels, {name: {t: _untied(one) for t, one in run.items()} for name, run in world.runs.items()})


def _untied(scores: dict[str, float]) -> dict[str, float]:
    order = ranked(scores)
    with np.errstate(over="ignore", under="ignore"):
        distinct = len({float(np.float32(score)) for score in scores.values()}) == len(scores)
    return scores if distinct else {document: float(len(order) - at) for at, document in enumerate(order)}


def through_files(world: World, folder: Path, seed: int = 0) -> Collection:
    """Write a world to a folder as people write such files, and load it: every second run by inference, others by name.

    Runs that list nothing at all are left out, as an empty file is an error.
    """
    random = Random(seed)
    (folder / "runs").mkdir(parents=True)
    rows = [f"{topic} 0 {document} {grade}" for topic, one in world.qrels.items() for document, grade in one.items()]
    _write(folder / "qrels.txt", rows, random)
    for name, run in world.runs.items():
        lines = [
            f"{topic} Q0 {document} {rank} {_number(score, random)} tag"
            for topic, scores in run.items()
            for rank, (document, score) in enumerate(scores.items(), start=random.choice((0, 1)))
        ]
        if lines:
            _write(folder / "runs" / f"{name}.txt", lines, random)
    if random.random() < 0.5:
        return ec.load(folder, use_cache=False)
    return ec.load(runs=folder / "runs", aspects={"relevance": folder / "qrels.txt"}, use_cache=False)


def _write(path: Path, lines: list[str], random: Random) -> None:
    """Write lines in any order, with tabs or spaces, and ends of line as on any system."""
    if random.random() < 0.5:
        random.shuffle(lines)
    separator, end = random.choice((" ", "\t", "  ")), random.choice(("\n", "\r\n"))
    text = end.join(separator.join(line.split(" ")) for line in lines) + random.choice(("", end))
    path.write_bytes(text.encode())


def _number(value: float, random: Random) -> str:
    """Print a number as one tool or another does, so that it reads back without loss."""
    return random.choice((repr(value), f"{value:.17g}", f"{value:.17e}", f"{value:.16E}"))


def in_memory(world: World) -> Collection:
    """Make the same collection without files; runs that list nothing at all are left out here too."""
    runs = {name: run for name, run in world.runs.items() if any(run.values())}
    return ec.collection(runs=runs, aspects={"relevance": world.qrels}, title="In memory")
