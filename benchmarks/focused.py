"""Measures of focused retrieval on invented runs as large as a track's, against a plain loop over parts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.data import Place
from benchmarks.tables import Table, number
from benchmarks.timing import cpu_seconds
from evalcore.focused.passages import Highlights, Parts, Passages
from evalcore.measures import AgP, Entry, EntryScreen, TextAP, TextP, TextR, gP, gR, iAP, iP
from evalcore.measures.base import Measure

SEED = 2007
SYSTEMS, TOPICS, PARTS = 50, 100, 1500
ASSESSED, CANDIDATES = 600, 3000  # documents per topic that are assessed, and that a system may return
LENGTH = 8000  # mean number of characters of a document
RELEVANT = 0.15  # share of the assessed documents with highlighted text
MEASURES: tuple[Measure, ...] = (
    *(iP(recall=level) for level in (0.0, 0.01, 0.05, 0.1)), iAP(), TextP(cutoff=10), TextR(cutoff=1500), TextAP(),
    *(gP(cutoff=cutoff) for cutoff in (5, 10, 25, 50)), AgP(), gR(cutoff=100),
    *(gP(Entry(), cutoff=cutoff) for cutoff in (5, 10, 25, 50)), AgP(Entry()), AgP(EntryScreen()),
)  # fmt: skip
LOOPED = 200  # rankings (of 5,000) that the loop scores; its total time is extrapolated


def run(place: Place) -> Iterator[Table]:
    """Yield a table of CPU times: of all measures, scored twice, and of three measures beside a plain loop."""
    passages = invented()
    collection: Any = SimpleNamespace(passages=passages)
    cold = cpu_seconds(lambda: [one.scores_on(collection) for one in MEASURES])
    warm = cpu_seconds(lambda: [one.scores_on(collection) for one in MEASURES])
    rows = [[f"all {len(MEASURES)}, first time", number(cold * 1e3), ""]]
    rows.append([f"all {len(MEASURES)}, again", number(warm * 1e3), ""])
    for measure, loop in LOOPS.items():
        own = min(cpu_seconds(partial(measure.scores_on, collection)) for _ in range(5))
        looped, difference = _looped(measure, loop, passages)
        rows.append([str(measure), number(own * 1e3), number(looped), f"{looped / own:,.0f}", f"{difference:.0e}"])
    rows = [[*row, *[""] * (5 - len(row))] for row in rows]
    heading = ("measure", "evalcore CPU ms", "plain loop CPU s", "ratio", "largest difference")
    remarks = (
        f"{SYSTEMS} systems x {TOPICS} topics x {PARTS} parts = {len(passages.parts):,} parts; "
        f"{len(passages.parts.relevant.line):,} of them hold highlighted text; invented, seed {SEED}.",
        f"The loop scores {LOOPED} of {SYSTEMS * TOPICS:,} lists; its time is extrapolated to all of them.",
        "The first time groups parts by document and adds them up; later measures find that done.",
    )
    yield Table("Focused retrieval", heading, rows, remarks)


def invented() -> Passages:
    """Return invented passages: the highlights of assessed documents, and parts that systems return at random."""
    rng = np.random.default_rng(SEED)
    highlights = _highlights(rng)
    n = SYSTEMS * TOPICS * PARTS
    topic = np.tile(np.repeat(np.arange(TOPICS), PARTS), SYSTEMS)
    # Fewer documents are assessed at lower ranks.
    depth = np.tile(np.arange(PARTS), SYSTEMS * TOPICS)
    reach = ASSESSED + (CANDIDATES - ASSESSED) * depth // PARTS
    candidate = (rng.random(n) * reach).astype(np.int64)
    row = np.where(candidate < ASSESSED, topic * ASSESSED + np.minimum(candidate, ASSESSED - 1), -1)
    size = rng.integers(100, 2000, n)
    held = np.where(row >= 0, highlights.relevant[row], 0) * rng.uniform(0, 0.15, n)  # several parts share it
    rsize = np.minimum(held, size).astype(np.int64)
    parts = Parts(
        tuple(f"s{at}" for at in range(SYSTEMS)),
        TOPICS,
        np.arange(SYSTEMS * TOPICS + 1) * PARTS,
        topic * CANDIDATES + candidate,
        row,
        rng.integers(0, LENGTH // 2, n),
        size,
        rsize,
    )
    return Passages(highlights, parts, np.array([], dtype=object))


def _highlights(rng: np.random.Generator) -> Highlights:
    rows = TOPICS * ASSESSED
    length = rng.integers(LENGTH // 2, LENGTH * 2, rows)
    relevant = np.where(rng.random(rows) < RELEVANT, (length * rng.random(rows) * 0.5).astype(np.int64) + 1, 0)
    entry = np.where(relevant > 0, (length * rng.random(rows) * 0.5).astype(np.int64), -1)
    none = np.zeros(0, dtype=np.int64)
    topics = tuple(f"t{at}" for at in range(TOPICS))
    ids = np.array([f"d{at}" for at in range(rows)], dtype=object)
    topic = np.repeat(np.arange(TOPICS), ASSESSED)
    return Highlights(topics, topic, ids, length, relevant, entry, np.zeros(rows + 1, dtype=np.int64), none, none)


# --- the plain loop ---------------------------------------------------------------------------------------------------


def _iap(sizes: list[int], rsizes: list[int], trel: int) -> float:
    size = rsize = 0
    points = []
    for one, relevant in zip(sizes, rsizes, strict=True):
        size, rsize = size + one, rsize + relevant
        points.append((rsize / trel, rsize / size))
    return sum(max((p for r, p in points if r >= level / 100), default=0.0) for level in range(101)) / 101


def _ip(sizes: list[int], rsizes: list[int], trel: int) -> float:
    size = rsize = 0
    best = 0.0
    for one, relevant in zip(sizes, rsizes, strict=True):
        size, rsize = size + one, rsize + relevant
        if rsize / trel >= 0.01:
            best = max(best, rsize / size)
    return best


def _agp(documents: list[int], sizes: list[int], rsizes: list[int], trel: dict[int, int]) -> float:
    returned: dict[int, list[int]] = {}
    for document, size, rsize in zip(documents, sizes, rsizes, strict=True):
        both = returned.setdefault(document, [0, 0])
        both[0] += size
        both[1] += rsize
    total = score = 0.0
    for rank, (document, (size, rsize)) in enumerate(returned.items(), start=1):
        if document in trel:
            p, r = rsize / size, rsize / trel[document]
            total += 2 * p * r / (p + r) if rsize else 0.0
            score += total / rank
    return score / len(trel)


LOOPS: dict[Measure, Any] = {iP(recall=0.01): _ip, iAP(): _iap, AgP(): _agp}


def _looped(measure: Measure, loop: Any, passages: Passages) -> tuple[float, float]:
    """Return the loop's seconds, scaled up to all rankings, and its largest difference from our scores."""
    collection: Any = SimpleNamespace(passages=passages)
    ours = measure.scores_on(collection).ravel()
    parts, highlights, seconds, differences = passages.parts, passages.highlights, 0.0, []
    for line in range(LOOPED):
        rows = slice(parts.indptr[line], parts.indptr[line + 1])
        topic = line % TOPICS
        lists = [parts.size[rows].tolist(), parts.rsize[rows].tolist()]
        if loop is _agp:
            own = np.flatnonzero((highlights.topic == topic) & (highlights.relevant > 0))
            known = {int(topic * CANDIDATES + at - topic * ASSESSED): int(highlights.relevant[at]) for at in own}
            arguments = (parts.document[rows].tolist(), *lists, known)
        else:
            arguments = (*lists, int(highlights.relevant_text[topic]))
        begun = time.process_time()
        score = loop(*arguments)
        seconds += time.process_time() - begun
        differences.append(abs(score - ours[line]))
    return seconds * SYSTEMS * TOPICS / LOOPED, max(differences)
