"""Finding the pool rows of (topic, document) pairs for millions of run lines at once.

A dict would need a Python object per line. Here each line has a 64-bit key of its topic and document (`hashed`), and
all lines of a block go through three steps, each of which leaves fewer lines: a filter (most lines are for documents
that nobody assessed), a binary search among the keys of the pool, and a comparison of the ids themselves, word by word.
Keys only exclude lines; the comparison makes certain that a line belongs to its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.progress import checkpoint
from evalcore.limits import refuse_more
from evalcore.structures.documents import Assessments

_FILTER_BITS = 20  # 1 MiB, which fits a processor's cache; with 100,000 pool rows, a tenth of other lines pass
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2 ** 64 / the golden ratio, odd: spreads small differences over all bits


@dataclass(frozen=True, eq=False)
class PoolIndex:
    """An index of the pool by (topic, document): a filter for most lines, a binary search, then an exact comparison."""

    topics: Mapping[bytes, int]
    keys: NDArray[np.uint64]  # (P,) sorted
    rows: NDArray[np.int64]  # (P,) pool row of each key
    words: Sequence[NDArray[np.uint64]]  # ids of the documents, by pool row
    topic: IntArray  # (P,) by pool row
    maybe: BoolArray  # filter over the top bits of a key
    salt: int
    documents: NDArray[np.object_]  # (P,) by pool row

    @staticmethod
    def of(pool: Assessments) -> PoolIndex:
        """Return the index of a pool."""
        checkpoint()
        words = id_words(pool.documents)
        checkpoint()
        salt, keys = _distinct_keys(words, pool.topic)
        order = np.argsort(keys, kind="stable")
        maybe = np.zeros(1 << _FILTER_BITS, dtype=bool)
        maybe[_slot(keys)] = True
        topics = {name.encode(): code for code, name in enumerate(pool.topics)}
        return PoolIndex(topics, keys[order], order, words, pool.topic, maybe, salt, pool.documents)

    def keys_of(self, words: Sequence[NDArray[np.uint64]], topic: IntArray) -> NDArray[np.uint64]:
        """Return a 64-bit key for each (topic, document)."""
        return _keys(words, topic, self.salt)

    def find(
        self, keys: NDArray[np.uint64], words: Sequence[NDArray[np.uint64]], topic: IntArray
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions of the lines whose document is in the pool, and their pool rows."""
        lines = np.flatnonzero(self.maybe[_slot(keys)])
        first = np.searchsorted(self.keys, keys[lines])
        # The place of an equal key, else of the next greater one (which `_same` refuses), else the length.
        lines, first = lines[first < len(self.keys)], first[first < len(self.keys)]
        rows = self.rows[first]
        same = self._same(rows, lines, words, topic)
        return lines[same], rows[same]

    def _same(
        self, rows: NDArray[np.int64], lines: NDArray[np.int64], words: Sequence[NDArray[np.uint64]], topic: IntArray
    ) -> BoolArray:
        same: BoolArray = self.topic[rows] == topic[lines]
        for position in range(max(len(self.words), len(words))):
            same &= _at(self.words, position, rows) == _at(words, position, lines)
        return same


def _distinct_keys(words: Sequence[NDArray[np.uint64]], topic: IntArray) -> tuple[int, NDArray[np.uint64]]:
    """Return a salt, and a different key for each pool row; if two keys collide, the next salt is tried.

    Each key must lead to only one row, as `find` does not compare any other. Of P keys, two collide with a probability
    of about P ** 2 / 2 ** 65, so the loop practically always ends at once.
    """
    salt = 0
    while len(np.unique(keys := _keys(words, topic, salt))) < len(keys):
        salt += 1
    return salt, keys


def _keys(words: Sequence[NDArray[np.uint64]], topic: IntArray, salt: int) -> NDArray[np.uint64]:
    salted = [word + np.uint64(salt) for word in words[:1]]
    return hashed([*salted, *words[1:]], topic.astype(np.uint64))


def hashed(words: Sequence[NDArray[np.uint64]], seed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix words and a seed per row into one 64-bit number per row; zero words (padding) change nothing.

    So the hash of an id does not depend on the width of its column, which differs from block to block.
    """
    # Each word is folded (upper half onto lower), multiplied by a number for its position (so the order of words
    # matters), and folded again. All of this can be undone, so single words never collide. Sums of several words may
    # collide, rarely or by intent, so `PoolIndex` compares what it finds. The number is a power of `_MIX` and so odd:
    # only a multiplication by an odd number can be undone.
    mixed = seed * _MIX
    for position, word in enumerate(words):
        term = (word ^ (word >> np.uint64(32))) * np.uint64(pow(int(_MIX), 2 * position + 3, 1 << 64))
        mixed += term ^ (term >> np.uint64(29))
    return (mixed ^ (mixed >> np.uint64(32))) * _MIX


def id_words(ids: NDArray[np.object_]) -> list[NDArray[np.uint64]]:
    """Return ids as zero-filled little-endian 8-byte words, in an array for each position."""
    longest = max((len(text.encode()) for text in ids), default=0)
    refuse_more("ids", len(ids), longest)
    raw = np.array([text.encode() for text in ids], dtype=bytes)
    width = max(-(-raw.dtype.itemsize // 8), 1)
    table = raw.astype(f"S{8 * width}").view("<u8").reshape(len(raw), width)
    return [np.ascontiguousarray(table[:, position]) for position in range(width)]


def _slot(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the position of a key in the filter: its top bits, which the last step of `hashed` mixes best."""
    return (keys >> np.uint64(64 - _FILTER_BITS)).view(np.int64)


def _at(words: Sequence[NDArray[np.uint64]], position: int, rows: NDArray[np.int64]) -> NDArray[np.uint64] | np.uint64:
    return words[position][rows] if position < len(words) else np.uint64(0)
