"""Restricting a collection to some of its systems or topics."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.errors import InputError, refuse_no_collection, shorten
from evalcore.structures.documents import Assessments, Collection, Rankings
from evalcore.subjects import data_of


def restrict(
    collection: Collection, systems: Iterable[str] | None = None, topics: Iterable[str] | None = None
) -> Collection:
    """Return the collection with only these systems and topics, in the order of the collection; None keeps all.

    The scores of the systems and topics that are kept do not change. Raises InputError for a name that the collection
    does not have, and for an empty list of systems or topics.
    """
    refuse_no_collection(collection)
    s = places(collection.systems, systems, "systems")
    t = places(collection.topics, topics, "topics")
    if len(s) == len(collection.systems) and len(t) == len(collection.topics):
        return collection
    kept = [collection.systems[at] for at in s]
    identity = "\n".join([collection.fingerprint, *kept, "", *map(str, t)])
    subtopics = collection.subtopics
    pool, rows = pool_of(collection.assessments, t)
    report = collection.report
    return replace(
        collection,
        assessments=pool,
        rankings=_rankings(collection.rankings, s, t, rows, len(pool)),
        report=replace(report, systems=report.systems.loc[report.systems.index.isin(kept)]),
        fingerprint=hashlib.sha256(identity.encode()).hexdigest(),
        more={name: data_of(name).restricted(value, s, t, rows >= 0) for name, value in collection.more.items()},
        system_table=None if collection.system_table is None else collection.system_table.iloc[s],
        subtopics=None if subtopics is None else subtopics[subtopics["topic"].isin(pool.topics)],
        topics_before=max(collection.topics_before, len(collection.topics)),
    )


def places(known: Sequence[str], wanted: Iterable[str] | None, what: str) -> IntArray:
    """Return the positions of the wanted names among the known ones; if `wanted` is None, all positions.

    Raises InputError for an unknown name, and if `wanted` is empty.
    """
    if wanted is None:
        return np.arange(len(known))
    chosen = set(wanted)
    if unknown := sorted(chosen - set(known)):
        raise InputError(f"expected {what} of this collection, found {shorten(', '.join(unknown))}")
    if not chosen:
        raise InputError(f"expected at least one of the {len(known)} {what}, found none")
    return np.array([at for at, name in enumerate(known) if name in chosen])


def pool_of(pool: Assessments, topics: IntArray) -> tuple[Assessments, IntArray]:
    """Return the pool of the topics at these positions, and the new row of each old row (-1 if it is left out)."""
    kept = np.isin(pool.topic, topics)
    rows = np.where(kept, np.cumsum(kept) - 1, -1)
    return replace(
        pool,
        topics=tuple(pool.topics[at] for at in topics),
        topic=np.searchsorted(topics, pool.topic[kept]),
        documents=pool.documents[kept],
        columns={name: values[kept] for name, values in pool.columns.items()},
        sources={name: sources.take(kept) for name, sources in pool.sources.items()},
        groups={name: tuple(of[at] for at in topics) for name, of in pool.groups.items()},
    ), rows


def _rankings(rankings: Rankings, systems: IntArray, topics: IntArray, rows: IntArray, n_pool: int) -> Rankings:
    indptr, taken = lines_of(rankings.indptr, rankings.n_topics, systems, topics)
    cells = np.ix_(systems, topics)
    return Rankings(
        systems=tuple(rankings.systems[at] for at in systems),
        n_topics=len(topics),
        n_pool=n_pool,
        indptr=indptr,
        rank=rankings.rank[taken],
        row=rows[rankings.row[taken]],
        length=rankings.length[cells],
        average_over=rankings.average_over,
        given={name: replace(score, values=score.values[cells]) for name, score in rankings.given.items()},
    )


def lines_of(indptr: IntArray, n_topics: int, systems: IntArray, topics: IntArray) -> tuple[IntArray, IntArray]:
    """Return the CSR rows of some systems and topics, as the new indptr and the old positions of the entries."""
    lines = (systems[:, None] * n_topics + topics).ravel()
    counts = np.diff(indptr)[lines]
    starts = np.concatenate([[0], np.cumsum(counts)])
    taken = np.repeat(indptr[lines] - starts[:-1], counts) + np.arange(starts[-1])
    return starts, taken
