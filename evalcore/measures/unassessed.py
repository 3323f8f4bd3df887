"""Treatment of unassessed documents: they gain 0 (default) or 1 (the maximum), or are left out of the rankings.

The last two treatments are measures that wrap another measure, so that all code that scores measures can score them.
A measure's text cannot name them: a specification states the treatment separately.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.base import LEFT_OUT, Around, GainMeasure, Measure
from evalcore.measures.parts.hits import condensed
from evalcore.measures.rbp import RankBiased
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings

WORTH = ("0", "left out", "1")
"""Possible worths of an unassessed document.

If a measure has a residual, 0 gives its lowest and 1 its highest possible score.
"""


# Condensed lists by pool, rankings and columns, kept while pool and rankings exist: making them needs longer than
# scoring them. They depend on the labels, so each pool has its own.
_Lists: TypeAlias = WeakKeyDictionary[Rankings, dict[tuple[str, ...], Rankings]]
_LISTS: WeakKeyDictionary[Assessments, _Lists] = WeakKeyDictionary()


def can_be_worth(measure: Measure, worth: str) -> bool:
    """Return whether a measure can be scored with this treatment of unassessed documents (one of `WORTH`).

    >>> from evalcore.measures import AP, RBP
    >>> can_be_worth(AP(), "left out"), can_be_worth(AP(), "1"), can_be_worth(RBP(), "1")
    (True, False, True)
    """
    kind = GainMeasure if worth == "left out" else RankBiased
    return worth == "0" or all(isinstance(inner, kind) for inner in measure.combined)


def with_unassessed(measure: Measure, worth: str) -> Measure:
    """Return the measure with this treatment of unassessed documents (one of `WORTH`).

    Raises InputError for a measure that cannot be scored with it.

    >>> from evalcore.measures import RBP
    >>> str(with_unassessed(RBP(rho=0.5), "left out")), str(with_unassessed(RBP(rho=0.5), "0"))
    ('LeftOut(RBP(rho=0.5))', 'RBP(rho=0.5)')
    """
    if not can_be_worth(measure, worth):
        raise InputError(f"expected a measure that can count unassessed documents as {worth!r}", str(measure))
    # Each combined measure is wrapped by itself: which documents are unassessed depends on the labels that it reads.
    around: dict[str, Callable[[Any], Measure]] = {"left out": LeftOut, "1": HighestWorth}
    return measure if worth == "0" else measure.combining(around[worth])


@dataclass(frozen=True)
class LeftOut(Around, abstract=True):
    """A measure on rankings without the documents that lack a label that it reads (condensed lists, Sakai 2007)."""

    @property
    def unassessed(self) -> str:
        return LEFT_OUT

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        lists = _LISTS.setdefault(pool, WeakKeyDictionary()).setdefault(rankings, {})
        if self.columns not in lists:
            known = np.all([~np.isnan(pool.column(name)) for name in self.columns], axis=0)
            lists[self.columns] = condensed(rankings, known)
        return self.measure.scores(pool, lists[self.columns])


@dataclass(frozen=True)
class HighestWorth(Around, abstract=True):
    """A measure as if every unassessed document gained 1: its score plus its residual (Moffat & Zobel 2008)."""

    measure: RankBiased = parameter(help="the measure", positional=True)

    @property
    def unassessed(self) -> str:
        return "earn 1"

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return np.asarray(self.measure.scores(pool, rankings) + self.measure.residual(pool, rankings))
