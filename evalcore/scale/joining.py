"""Parts put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evalcore.structures.documents import Assessments, Rankings
from evalcore.structures.sources import Sources


def joined_pool(pools: Sequence[Assessments]) -> Assessments:
    """Pools of consecutive topics as one."""
    starts = np.cumsum([0, *(len(pool.topics) for pool in pools)])
    return replace(
        pools[0],
        topics=tuple(topic for pool in pools for topic in pool.topics),
        topic=np.concatenate([pool.topic + start for pool, start in zip(pools, starts, strict=False)]),
        documents=np.concatenate([pool.documents for pool in pools]),
        columns={name: np.concatenate([pool.columns[name] for pool in pools]) for name in pools[0].scales},
        sources={name: _joined_sources([pool.sources[name] for pool in pools]) for name in pools[0].sources},
    )


def _joined_sources(parts: Sequence[Sources]) -> Sources:
    labels = {name: np.concatenate([part.labels[name] for part in parts]) for name in parts[0].labels}
    return Sources(labels, parts[0].default)


def joined_rankings(parts: Sequence[Rankings]) -> Rankings:
    """Rankings of consecutive topics as one, over the pools of their parts put together."""
    systems = parts[0].systems
    sizes = np.concatenate([np.diff(part.indptr).reshape(len(systems), -1) for part in parts], axis=1)
    indptr = np.append(0, np.cumsum(sizes)).astype(np.int32)
    starts = indptr[:-1].reshape(sizes.shape)
    rank, row = np.empty(indptr[-1], dtype=np.int32), np.empty(indptr[-1], dtype=np.int32)
    topic = pool = 0
    for part in parts:
        own = starts[:, topic : topic + part.n_topics].ravel()
        to = np.repeat(own - part.indptr[:-1], np.diff(part.indptr)) + np.arange(len(part.rank))
        rank[to], row[to] = part.rank, part.row + pool
        topic, pool = topic + part.n_topics, pool + part.n_pool
    length = np.concatenate([part.length for part in parts], axis=1)
    return replace(parts[0], n_topics=topic, n_pool=pool, indptr=indptr, rank=rank, row=row, length=length)
