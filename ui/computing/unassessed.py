"""Beside a ranking: how much of each system's list nobody assessed."""

from __future__ import annotations

import pandas as pd

from evalcore.data import Collection
from evalcore.measures import Measure
from evalcore.pools import unassessed_table
from ui.computing import parts


def with_unassessed(table: pd.DataFrame, measure: Measure | str, collection: Collection) -> pd.DataFrame:
    """A table of systems with the unassessed share of their first documents, and the residual where there is one.

    Of a collection in parts the table stays as it is.
    """
    if parts.in_parts(collection):
        return table
    more = unassessed_table(measure, collection)
    return table.join(more[[name for name in more if name not in table]])


def unassessed_decimals(table: pd.DataFrame) -> dict[str, int]:
    """To how many decimals those columns are shown."""
    return {str(name): 2 for name in table if str(name).startswith("unassessed@")}


def unassessed_code(measure: Measure | str, collection: Collection) -> list[str]:
    """The lines that recompute those columns."""
    if parts.in_parts(collection):
        return []
    return ["from evalcore.pools import unassessed_table", "", f"unassessed = unassessed_table({str(measure)!r}, c)"]
