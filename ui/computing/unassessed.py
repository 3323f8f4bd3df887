"""Columns of a table of systems: the share of unassessed documents in each system's ranking."""

from __future__ import annotations

import pandas as pd

from evalcore.data import Collection
from evalcore.explain.unassessed import unassessed_table
from evalcore.measures import Measure
from ui.screen.calls import call
from ui.screen.items import Calls


def unassessed(measure: Measure | str, collection: Collection) -> Calls:
    """Return a tuple with one call, which computes a table of each system's unassessed share of the top ranks.

    For rank-biased measures, the table also has the residual.
    """
    return (call("unassessed", unassessed_table, measure, collection),)


def with_unassessed(table: pd.DataFrame, calls: Calls) -> pd.DataFrame:
    """Return a table of systems, with the columns of `unassessed` appended unless the table already has them."""
    for more in (made.value for made in calls):
        table = table.join(more[[name for name in more if name not in table]])
    return table


def unassessed_decimals(table: pd.DataFrame) -> dict[str, int]:
    """Map each column of unassessed shares ("unassessed@...") to its number of decimals, which is 2."""
    return {str(name): 2 for name in table if str(name).startswith("unassessed@")}
