"""One table or figure of a document: what it needs, how to recompute it, and what to make of a difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from evalcore.structures.documents import Collection


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a document.

    `recompute` gives a frame with the columns published and computed (nan where nothing is printed or can be computed)
    and one row per value. `lacks` says in words what a collection lacks, "" if nothing. `same_data`: whether a
    collection holds the data that the published values come from; of others only the shape can be compared. `expected`
    is by how much a computed value may differ and still be called the same (half a unit of the last printed digit).
    `drawn` says how much is drawn at random, and from which seed.
    """

    key: str
    document: str
    place: str
    about: str
    recompute: Callable[[Collection], pd.DataFrame]
    explains: str = ""
    needs: str = "nothing but the document itself"
    lacks: Callable[[Collection], str] = lambda collection: ""
    same_data: Callable[[Collection], bool] = lambda collection: True
    expected: float = 5e-5
    drawn: Mapping[str, int] = field(default_factory=dict)

    def compared(self, collection: Collection) -> pd.DataFrame:
        """Published and computed values, their difference, and whether they agree as printed."""
        table = self.recompute(collection)
        table["difference"] = table["computed"] - table["published"]
        # A hair more than half a unit: 0.58 is not exactly 58/100.
        table["agrees"] = table["difference"].abs() <= self.expected * (1 + 1e-9)
        return table


def beside(published: Mapping[Any, float], computed: Mapping[Any, float]) -> pd.DataFrame:
    """Two dictionaries as published and computed, one row per name, in the order given."""
    columns = {"published": pd.Series(published, dtype=float), "computed": pd.Series(computed, dtype=float)}
    return pd.DataFrame(columns, index=list({**published, **computed}))


def two_aspects(collection: Collection) -> str:
    """What a collection lacks for a study of several aspects."""
    graded = [name for name in collection.aspects if len(collection.assessments.scale(name).grades) > 1]
    return "" if len(graded) > 1 and len(collection.systems) > 1 else "two graded aspects and two systems"
