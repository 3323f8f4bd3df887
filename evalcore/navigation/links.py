"""Data of navigation measures: components, the links between them, and runs that keep every rank.

A component is anything that can be returned or browsed to: a page, a section, a paragraph. Unassessed components may
have links, so runs include them too. Shapes: C components, L links, S systems, T topics,
N components retrieved, P pool rows, W (topic, component) pairs with a worth of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.short_forms import shown


@shown
@dataclass(frozen=True, eq=False)
class Components:
    """Components that can be seen; NaN stands for unknown values."""

    ids: NDArray[np.object_]  # (C,)
    document: IntArray  # (C,) code of the document, -1 if unknown
    offset: FloatArray  # (C,) first character in the document, from 0
    size: FloatArray  # (C,) characters
    effort: FloatArray  # (C,) effort of reading it, if given

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def end(self) -> FloatArray:
        """The (C,) position after the last character of each component."""
        return self.offset + self.size

    @classmethod
    def plain(cls, ids: NDArray[np.object_]) -> Components:
        """Return components with these ids and everything else unknown."""
        unknown = np.full(len(ids), np.nan)
        return cls(ids, np.full(len(ids), -1), unknown, unknown, unknown)


@shown
@dataclass(frozen=True, eq=False)
class Links:
    """Links between different components, each once, in the order of their file."""

    source: IntArray  # (L,) component codes
    target: IntArray  # (L,)
    probability: FloatArray  # (L,) in [0, 1], NaN if not given
    line: IntArray  # (L,) line of the file, for errors; 0 if there is none
    where: str = ""  # the file

    def __len__(self) -> int:
        return len(self.source)

    @classmethod
    def none(cls) -> Links:
        empty = np.zeros(0, dtype=int)
        return cls(empty, empty, np.zeros(0), empty)


@shown
@dataclass(frozen=True, eq=False)
class Worths:
    """Worth of components for a topic, apart from grades: highlighted characters and given gains, NaN if unknown."""

    topic: IntArray  # (W,)
    component: IntArray  # (W,)
    rsize: FloatArray  # (W,)
    gain: FloatArray  # (W,)

    @classmethod
    def none(cls) -> Worths:
        empty = np.zeros(0, dtype=int)
        return cls(empty, empty, np.zeros(0), np.zeros(0))


@shown
@dataclass(frozen=True, eq=False)
class ComponentRuns:
    """The components that each system returned for each topic, from rank 1 on, assessed or not.

    A CSR structure whose rows are (system, topic) pairs, system by system: row `s * T + t` is
    `component[indptr[s * T + t] : indptr[s * T + t + 1]]`. -1 stands for a repeated or unknown component.
    """

    systems: tuple[str, ...]
    n_topics: int
    indptr: IntArray  # (S * T + 1,)
    component: IntArray  # (N,)

    def ranking(self, system: int, topic: int) -> IntArray:
        """Return the components of one ranking, from rank 1 on."""
        row = system * self.n_topics + topic
        return self.component[self.indptr[row] : self.indptr[row + 1]]


@shown
@dataclass(frozen=True, eq=False)
class Navigation:
    """The data that navigation adds to a collection; its topics are the topics of the assessments."""

    components: Components
    links: Links
    runs: ComponentRuns
    pool: IntArray  # (P,) the component of each pool row
    worths: Worths

    @cached_property
    def has_places(self) -> bool:
        """Return whether any component has a known position in its document."""
        return bool(np.isfinite(self.components.end).any())
