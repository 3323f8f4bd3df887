"""Parts put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evalcore.structures.documents import Rankings


def joined_rankings(parts: Sequence[Rankings], n_pool: int) -> Rankings:
    """Rankings of consecutive topics as one, over the pool of them all."""
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
    return replace(parts[0], n_topics=topic, n_pool=n_pool, indptr=indptr, rank=rank, row=row, length=length)
