"""The two structures that measures read: the pool of assessments and the rankings over it.

Shapes: P pool rows (assessed topic-document pairs), S systems, T topics, H hits (assessed documents retrieved).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from evalcore.direction import Good as Good
from evalcore.errors import DataError

if TYPE_CHECKING:
    from evalcore.data.components import Navigation
    from evalcore.data.passages import Passages

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


@dataclass(frozen=True)
class Scale:
    """What the numbers in one column of the pool mean.

    `kind` is "grades" (given by an assessor) or "signal" (a continuous number of the document). `good` says which end
    is the good one. `gains`, where declared, are the default gains of the grades in ascending order of grade.
    `threshold` is the declared border of the good side; the border itself counts as high.
    """

    name: str
    kind: Literal["grades", "signal"] = "grades"
    good: Good = "high"
    grades: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    gains: tuple[float, ...] = ()
    threshold: float | None = None
    unit: str = ""

    MANY = 20  # from this many grades on, a scale is treated as continuous

    @property
    def continuous(self) -> bool:
        """Whether grades are too many (or not there) to name one by one."""
        return self.kind == "signal" or len(self.grades) > self.MANY

    @property
    def low(self) -> float:
        return self.grades[0] if self.grades else 0.0

    @property
    def high(self) -> float:
        return self.grades[-1] if self.grades else 0.0

    @property
    def border(self) -> float:
        """The declared threshold, else the first grade of the upper half of the scale.

        >>> Scale("understandability", grades=(0, 1, 2, 3)).border
        2
        """
        if self.threshold is not None:
            return self.threshold
        middle = (self.low + self.high) / 2
        return next((grade for grade in self.grades if grade >= middle and grade > self.low), middle)


@dataclass(frozen=True, eq=False)
class Assessments:
    """The pool: one row per assessed (topic, document), one column per aspect or signal.

    Rows are sorted by topic. A document that one aspect leaves out has NaN there.
    """

    topics: tuple[str, ...]
    topic: Integers  # (P,) index into topics, ascending
    documents: NDArray[np.object_]  # (P,) ids
    columns: Mapping[str, Floats]  # name -> (P,)
    scales: Mapping[str, Scale]

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def aspects(self) -> tuple[str, ...]:
        return tuple(name for name, scale in self.scales.items() if scale.kind == "grades")

    @property
    def signals(self) -> tuple[str, ...]:
        return tuple(name for name, scale in self.scales.items() if scale.kind == "signal")

    def column(self, name: str) -> Floats:
        """One aspect or signal, (P,). Raises DataError naming what there is."""
        self.scale(name)
        return self.columns[name]

    def scale(self, name: str) -> Scale:
        """The scale of one aspect or signal. Raises DataError naming what there is."""
        if name not in self.scales:
            known = ", ".join(self.scales) or "none"
            raise DataError(f"expected an aspect or signal of this collection ({known}), found {name!r}")
        return self.scales[name]

    @cached_property
    def topic_start(self) -> Integers:
        """(T + 1,) pool rows of topic t are topic_start[t]:topic_start[t + 1]."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    def frame(self) -> pd.DataFrame:
        """The pool as a table, for a look or an export."""
        names = np.array(self.topics, dtype=object)
        return pd.DataFrame({"topic": names[self.topic], "document": self.documents, **self.columns})


@dataclass(frozen=True, eq=False)
class Rankings:
    """Where each system ranked the assessed documents of each topic; unassessed ones only keep their rank.

    A CSR structure whose rows are (system, topic) pairs, system by system: the hits of row `s * T + t` are
    `indptr[s * T + t] : indptr[s * T + t + 1]`, by ascending rank.
    """

    systems: tuple[str, ...]
    n_topics: int
    n_pool: int
    indptr: Integers  # (S * T + 1,)
    rank: Integers  # (H,) from 1
    row: Integers  # (H,) pool rows
    length: Integers  # (S, T) documents retrieved

    @cached_property
    def depth(self) -> int:
        """The deepest rank that holds an assessed document."""
        return int(self.rank.max(initial=0))

    def hits(self, system: int, topic: int, depth: int) -> tuple[Integers, Integers]:
        """Places, from 0, and pool rows of the assessed documents among the first `depth` of one ranking."""
        at = system * self.n_topics + topic
        hits = slice(self.indptr[at], self.indptr[at + 1])
        inside = self.rank[hits] <= depth
        return self.rank[hits][inside] - 1, self.row[hits][inside]

    def matrix(self, values: Floats) -> sparse.csr_array:
        """(S * T, P) with one value per hit: what a discounted gain is read through."""
        return self._csr(values, self.indptr)

    def system_matrix(self, values: Floats) -> sparse.csr_array:
        """(S, P), topics summed: the short way to a mean over topics."""
        return self._csr(values, self.indptr[:: self.n_topics])

    @cached_property
    def rank_matrix(self) -> sparse.csr_array:
        """(S * depth, P) how often each system put each document at each rank: what sweeps read gains through."""
        line = (self.hit_row // self.n_topics) * self.depth + self.rank - 1
        ones = np.ones(len(line))
        return sparse.csr_array((ones, (line, self.row)), shape=(len(self.systems) * self.depth, self.n_pool))

    def _csr(self, values: Floats, indptr: Integers) -> sparse.csr_array:
        return sparse.csr_array((values, self.row, indptr), shape=(len(indptr) - 1, self.n_pool), copy=False)

    @cached_property
    def hit_row(self) -> Integers:
        """(H,) the (system, topic) row of every hit."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    def assessed_share(self, depths: Sequence[int]) -> pd.DataFrame:
        """Share of the retrieved documents down to each depth that are assessed; systems x depths.

        Pooled over topics: assessed documents in the top d / documents in the top d. A system without documents has 0.
        """
        shares = np.zeros((len(self.systems), len(depths)))
        for column, depth in enumerate(depths):
            found = np.bincount(self.hit_row[self.rank <= depth] // self.n_topics, minlength=len(self.systems))
            retrieved = np.minimum(self.length, depth).sum(axis=1)
            shares[:, column] = found / np.maximum(retrieved, 1)
        return pd.DataFrame(shares, index=pd.Index(self.systems, name="system"), columns=list(depths))


@dataclass(frozen=True)
class Note:
    """One thing the loader inferred, repaired or dropped, and why."""

    kind: Literal["inferred", "repaired", "dropped", "warning"]
    where: str
    text: str


@dataclass(frozen=True, eq=False)
class LoadingReport:
    """What was read: a table of systems, a table of aspects and signals, and the notes."""

    systems: pd.DataFrame
    columns: pd.DataFrame
    notes: tuple[Note, ...] = ()
    seconds: float = 0.0
    from_cache: bool = False


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs and assessments that belong together, ready for measures."""

    title: str
    assessments: Assessments
    rankings: Rankings
    report: LoadingReport
    description: str = ""
    manifest: str = ""
    fingerprint: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)
    passages: Passages | None = None
    navigation: Navigation | None = None

    @property
    def topics(self) -> tuple[str, ...]:
        return self.assessments.topics

    @property
    def systems(self) -> tuple[str, ...]:
        return self.rankings.systems

    @property
    def aspects(self) -> tuple[str, ...]:
        return self.assessments.aspects

    @property
    def signals(self) -> tuple[str, ...]:
        return self.assessments.signals

    def __repr__(self) -> str:
        return f"<Collection {self.title!r}: {self.summary}>"

    @property
    def summary(self) -> str:
        """What is loaded, in one line."""
        counts = [
            f"{len(self.systems):,} systems",
            f"{len(self.topics):,} topics",
            f"{len(self.assessments):,} assessed documents",
        ]
        return " · ".join([*counts, ", ".join((*self.aspects, *self.signals))])


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sort key that puts q2 before q10.

    >>> sorted(["q10", "q2"], key=natural_key)
    ['q2', 'q10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    # Python reads no number of more than 4,300 digits.
    return [(0, int(part[:4000]), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]
