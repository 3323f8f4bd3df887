"""Answers without a ranking: the share of a topic's nuggets that they support. Shapes: S systems, T topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.constants import NUGGETS
from evalcore.errors import InputError
from evalcore.measures.base import Measure
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, GivenScores, Rankings, Scale

SHARE = Range(0, 1, step=0.05)


@dataclass(frozen=True)
class NuggetRecall(Measure):
    """The share of a topic's nuggets that an answer supports (Voorhees 2003; Pradeep et al. 2024).

    (V + v * V' + w * (O + v * O')) / (n_V + w * n_O): of n_V vital and n_O okay nuggets, the answer supports V and O,
    and partly supports V' and O'; v is `partial`, w is `okay`. An answer to a topic without nuggets scores 0. With
    okay=0 it is AutoNuggetizer's vital score, with okay=1 its "all" score, with partial=0 their strict forms. Raises
    InputError if the collection has no nugget assignments.

    >>> import evalcore as ec, pandas as pd
    >>> counts = {"num_vital": 2, "num_vital_support": 1, "num_vital_partial_support": 1,
    ...           "num_okay": 1, "num_okay_support": 1, "num_okay_partial_support": 0}
    >>> c = ec.collection(scores={name: pd.DataFrame({"rag": [n]}, index=["q1"]) for name, n in counts.items()})
    >>> [float(NuggetRecall(okay=w).scores_on(c)[0, 0]) for w in (0, 0.5, 1)]  # 1.5 / 2, 2 / 2.5, 2.5 / 3
    [0.75, 0.8, 0.8333333333333334]
    """

    okay: float = parameter(0.5, "weight of an okay nugget relative to a vital one", within=SHARE)
    partial: float = parameter(0.5, "share of a nugget that counts if it is partly supported", within=SHARE)
    judge: str = parameter("", "source of the assignments, if there are several; default: the first", shown=False)
    reference: ClassVar[str] = "Pradeep, Thakur, Upadhyay, Campos, Craswell & Lin 2024"

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        vital, okay = (self._counts(importance, rankings) for importance in ("vital", "okay"))
        (all_vital, full_vital, part_vital), (all_okay, full_okay, part_okay) = vital, okay
        supported = full_vital + self.partial * part_vital + self.okay * (full_okay + self.partial * part_okay)
        scores = divided(supported, all_vital + self.okay * all_okay)
        return np.where(np.isnan(all_vital), np.nan, scores)

    def _counts(self, importance: str, rankings: Rankings) -> list[FloatArray]:
        """Return the (S, T) numbers of nuggets, of supported nuggets, and of partly supported nuggets."""
        given: Mapping[str, GivenScores] = getattr(rankings, "given", {})
        judges = judges_of(given)
        judge = self.judge or next(iter(judges), "")
        names = [f"{count} {judge}".strip() for count in NUGGETS[importance]]
        if missing := [name for name in names if name not in given]:
            found = f"assignments by {', '.join(map(repr, judges))}" if any(judges) else ", ".join(given) or "none"
            raise InputError(f"expected assignments of nuggets ({missing[0]}), found {found}", str(self))
        return [given[name].values for name in names]

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        partial, okay = number(self.partial), number(self.okay)
        above = rf"V + {partial} V' + {okay} (O + {partial} O')"
        return rf"{name_latex('NuggetRecall')} = \frac{{{above}}}{{n_V + {okay} n_O}}"


def judges_of(given: Mapping[str, GivenScores]) -> tuple[str, ...]:
    """Return the judges with nugget assignments among a collection's given scores; a judge without a name is ""."""
    first = NUGGETS["vital"][0]
    return tuple(name.removeprefix(first).strip() for name in given if f"{name} ".startswith(f"{first} "))


def of_nuggets(given: Mapping[str, GivenScores]) -> list[Measure]:
    """Return the usual measures of nuggets (weighted, vital, all, strict), then the weighted measure by other judges.

    Returns [] if the collection has no nugget assignments.
    """
    judges = judges_of(given)
    forms = [NuggetRecall(), NuggetRecall(okay=0), NuggetRecall(okay=1), NuggetRecall(okay=0, partial=0)]
    return [*forms, *(NuggetRecall(judge=judge) for judge in judges[1:])] if judges else []
