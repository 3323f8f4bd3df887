"""A table or figure of a document: the data that it needs, its recomputation, and explanations of differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from evalcore.structures.documents import Collection

Kind = Literal["printed value, same data", "printed value, other data", "identity or worked example"]
SAME_DATA: Kind = "printed value, same data"  # must be met, unless it is a misprint
OTHER_DATA: Kind = "printed value, other data"  # only the shape can be compared
IDENTITY: Kind = "identity or worked example"  # not printed in a paper, but must hold


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a document, or an identity that its formulas have to satisfy.

    `kind` is the kind of the published values: printed in the document and computed from data that it prints, printed
    but computed from other data, or not printed in any document. `holds_data` returns true for the collection behind
    the printed values; on this collection, OTHER_DATA counts as SAME_DATA. `recompute` returns a frame with a
    row per value and the columns published and computed (nan if a value is not printed, or cannot be computed). `lacks`
    describes the data that a collection lacks, "" if none. `fetch` is the command that fetches the data. `expected` is
    the largest difference at which a computed value counts as equal (half a unit of the last printed digit).
    `misprints` is the number of printed values that are wrong. `drawn` has the numbers of random draws and the seed.
    """

    key: str
    document: str
    place: str
    about: str
    recompute: Callable[[Collection], pd.DataFrame]
    explains: str
    kind: Kind
    needs: str = "only the document itself"
    lacks: Callable[[Collection], str] = lambda collection: ""
    holds_data: Callable[[Collection], bool] = lambda collection: False
    fetch: str = ""
    expected: float = 5e-5
    misprints: int = 0
    drawn: Mapping[str, int] = field(default_factory=dict)

    def kind_on(self, collection: Collection) -> Kind:
        """Return the kind of the published values on this collection."""
        return SAME_DATA if self.kind == OTHER_DATA and self.holds_data(collection) else self.kind

    def compared(self, collection: Collection) -> pd.DataFrame:
        """Return published and computed values, their difference, and whether they agree to the printed digits."""
        table = self.recompute(collection)
        table["difference"] = table["computed"] - table["published"]
        # A hair more than half a unit: 0.58 is not exactly 58/100.
        table["agrees"] = table["difference"].abs() <= self.expected * (1 + 1e-9)
        return table


def beside(published: Mapping[Any, float], computed: Mapping[Any, float]) -> pd.DataFrame:
    """Return a frame with the columns published and computed, nan if missing.

    The rows are the names in `published`, then the names that only `computed` has.
    """
    columns = {"published": pd.Series(published, dtype=float), "computed": pd.Series(computed, dtype=float)}
    return pd.DataFrame(columns, index=list({**published, **computed}))


def two_aspects(collection: Collection) -> str:
    """Return the requirements of a study of several aspects, in words; "" if the collection meets them."""
    graded = [name for name in collection.aspects if len(collection.assessments.scale(name).grades) > 1]
    return "" if len(graded) > 1 and len(collection.systems) > 1 else "two graded aspects and two systems"
