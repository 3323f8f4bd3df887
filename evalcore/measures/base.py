"""What a measure is: a value that turns a pool and rankings into one score per system and topic.

Shapes: P pool rows, S systems, T topics. Scores are (S, T). A document nobody assessed gains 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from evalcore.arrays import FloatArray
from evalcore.structures.documents import Assessments, Good, Rankings, Scale, assumed_grades
from evalcore.errors import InputError, refuse_huge
from evalcore.notation.formula import name_latex
from evalcore.measures.parts.gains import Gain
from evalcore.notation.values import Value, parse_value


class HasPoolAndRankings(Protocol):
    """What measures need of a collection."""

    @property
    def assessments(self) -> Assessments: ...
    @property
    def rankings(self) -> Rankings: ...


@dataclass(frozen=True)
class Measure(Value, abstract=True):
    """A measure of rankings. Subclasses say which columns they read and how they score."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    good: ClassVar[Good] = "high"  # which of its scores are the good ones
    source: ClassVar[str] = ""
    unread: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # by part: those of its parameters that are not read there

    @property
    def columns(self) -> tuple[str, ...]:
        """The aspects and signals it reads, in the order in which `of` takes them."""
        raise NotImplementedError

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """(S, T) scores."""
        raise NotImplementedError

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        """(S, T) scores of a collection; a measure that needs more of it than pool and rankings says so here."""
        return self.scores(collection.assessments, collection.rankings)

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        """The scales on which a part of it (a parameter that is a value) reads, where they are not its own column's."""
        return ()

    def of_one_aspect(self) -> Measure | None:
        """The same of one aspect alone, where it reads several: what it would be without the others."""
        return None

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        """The formula with the current parameters in it; `scales` tell which end of each column is good."""
        raise NotImplementedError

    def of(self, *rankings: Sequence[float | None]) -> float:
        """The score of one ranking, given for each column the values of its documents from rank 1 on.

        What is ranked is also all that is assessed. None, nan or a grade below 0: not assessed. Raises InputError where
        lists do not fit.
        """
        if len(rankings) != len(self.columns) or len({len(values) for values in rankings}) != 1:
            wanted = ", ".join(self.columns)
            raise InputError(f"expected a list of equal length for each of {wanted}, found {len(rankings)}", str(self))
        columns = {
            name: np.array([_value(value, f"{self} of {name}") for value in values], dtype=float)
            for name, values in zip(self.columns, rankings, strict=True)
        }
        pool, one = _single(columns, {name: self.assumed_scale(name, columns[name]) for name in columns})
        return float(self.scores(pool, one)[0, 0])

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        """The scale that a plain list is read on: high is good, grades as `assumed_grades` has them."""
        return Scale(name, grades=assumed_grades(values) if len(values) else (0.0,))

    def _scale(self, name: str, scales: Mapping[str, Scale] | None) -> Scale:
        return (scales or {}).get(name) or self.assumed_scale(name, np.array([]))


@dataclass(frozen=True)
class GainMeasure(Measure, abstract=True):
    """A measure in two steps: the pool's columns become one gain per document, then the gains are scored.

    The gain is the product of one gain function per column (Zuccon 2016, Eq. 2).
    """

    def gain_functions(self) -> Mapping[str, Gain]:
        """The gain function of each column."""
        raise NotImplementedError

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        """(S, T) scores of (P,) gains."""
        raise NotImplementedError

    def latex_of(self, gain: str) -> str:
        """The right side of the formula, around a gain's LaTeX."""
        raise NotImplementedError

    @property
    def scorer(self) -> GainMeasure:
        """The measure that reads the gains: itself, or its base."""
        return self

    def needs_whole_pool(self, pool: Assessments) -> bool:
        """Whether the gains of one topic depend on the labels of others."""
        gains = self.gain_functions().items()
        return any(gain.needs_whole_pool(pool.scales[name]) for name, gain in gains if name in pool.scales)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.gain_functions())

    @property
    def depth(self) -> int | None:
        """The cut-off: the deepest rank that counts, or None."""
        cutoff: int | None = getattr(self, "cutoff", None)
        return cutoff

    def document_gains(self, pool: Assessments) -> FloatArray:
        """(P,) the gain of every assessed document."""
        product = np.ones(len(pool))
        for name, gain in self.gain_functions().items():
            product *= gain.of(pool.column(name), pool.scale(name))
        return product

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.score_gains(self.document_gains(pool), pool, rankings)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        parts = [
            gain.latex(f"{name_latex(name)}_k", self._scale(name, scales))
            for name, gain in self.gain_functions().items()
        ]
        product = r" \cdot ".join(parts)
        return f"{name_latex(type(self).__name__)} = {self.latex_of(product)}"


def parse(text: str) -> Measure:
    """Read a measure from its text. Raises InputError saying what was expected and found.

    >>> parse("RBP(rho=0.5)").of([1, 0, 1])
    0.625
    """
    measure: Measure = parse_value(text, Measure)
    return measure


def good_end(text: str) -> Good:
    """Which end of the scores is good for a measure of this text; "high" for one that is not known here.

    >>> good_end("EffortTo(level=1)"), good_end("somebody's measure")
    ('low', 'high')
    """
    try:
        return parse(text).good
    except InputError:
        return "high"


def as_measure(measure: Measure | str) -> Measure:
    """A measure, given as itself or as its text."""
    return measure if isinstance(measure, Measure) else parse(measure)


def _value(value: float | None, where: str) -> float:
    """A value of a document, nan for none. Raises InputError for a whole number too large to compute with."""
    if value is None:
        return np.nan
    return refuse_huge(value, where) if isinstance(value, int) else value


def _single(columns: Mapping[str, FloatArray], scales: Mapping[str, Scale]) -> tuple[Assessments, Rankings]:
    """A pool and rankings of one topic and one system that ranks the given documents."""
    count = len(next(iter(columns.values())))
    documents: Any = np.array([f"d{rank}" for rank in range(1, count + 1)], dtype=object)
    pool = Assessments(("topic",), np.zeros(count, dtype=int), documents, columns, scales)
    # A document without any value is not in the pool; its rank counts all the same.
    known = np.flatnonzero(~np.all([np.isnan(values) for values in columns.values()], axis=0))
    rankings = Rankings(("system",), 1, count, np.array([0, len(known)]), known + 1, known, np.array([[count]]))
    return pool, rankings
