"""What judges differ by, as choices that follow from the choice of labels: who takes a judge takes its model.

Nothing is multiplied by them. They say which rows of the curve a judge stands in, and part its share of the variance:
each factor's is that of the means by its levels, what is left of the judges' share is theirs beyond their factors.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from evalcore.arrays import IntArray
from evalcore.claims.choices import Choice, Option, Specifications
from evalcore.data.judge_table import factors_in
from evalcore.measures.base import HasPoolAndRankings

OVERLAP = (
    "the factors of the judges overlap, as not all combinations of their levels are there equally often: what two of "
    "them share counts for both"
)


def factors_of(specifications: Specifications, collection: HasPoolAndRankings) -> tuple[tuple[Choice, ...], IntArray]:
    """A choice for each factor that puts some of the judges together and others apart; (options, F) their levels.

    -1 stands for a judge of which the factor is not said, such as the assessors. Without a choice of labels, or a table
    of judges, there is none.
    """
    chosen = next((choice for choice in specifications.choices if choice.kind == "source"), None)
    table: pd.DataFrame | None = getattr(collection, "judge_table", None)
    if chosen is None or table is None:
        return (), np.empty((len(chosen.options) if chosen else 0, 0), dtype=np.int64)
    judges = [str(option.value) for option in chosen.options]
    words = factors_in(table.loc[[name for name in dict.fromkeys(judges) if name in table.index]])
    taken = {choice.name for choice in specifications.choices}
    choices, made = list[Choice](), list[IntArray]()
    for factor in words:
        if 1 < words[factor].nunique() < len(words) and f"judge's {factor}" not in taken:
            codes, levels = pd.factorize(words[factor].reindex(judges))
            choices.append(Choice(f"judge's {factor}", "parameter", tuple(_levels(levels)), str(factor)))
            made.append(codes)
    return tuple(choices), np.array(made, dtype=np.int64).reshape(len(made), len(judges)).T


def _levels(names: Iterable[str]) -> Iterable[Option]:
    for name in names:
        number = pd.to_numeric(name, errors="coerce")
        yield Option(str(name), str(name) if np.isnan(number) else float(number))


def overlap(made: IntArray) -> bool:
    """Whether levels of several factors (judges, F) do not occur in all combinations equally often."""
    known = made[(made >= 0).all(axis=1)]
    counts = np.unique(known, axis=0, return_counts=True)[1]
    return bool(len(counts) != np.prod([len(np.unique(column)) for column in known.T]) or np.ptp(counts))
