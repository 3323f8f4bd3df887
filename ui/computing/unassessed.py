"""Columns of a table of systems: the share of unassessed documents in each system's ranking."""

from __future__ import annotations

import pandas as pd

from evalcore.data import Collection
from evalcore.explain.unassessed import unassessed_table
from evalcore.measures import Measure
from ui.screen.calls import call
from ui.screen.items import Calls


def unassessed(measure: Measure | str, collection: Collection) -> Calls:
    """Return the call of the unassessed share of each system's top ranks, and of the residual if there is one."""
    return (call("unassessed", unassessed_table, measure, collection),)


def with_unassessed(table: pd.DataFrame, calls: Calls) -> pd.DataFrame:
    """Add the columns of `unassessed` to a table of systems."""
    for more in (made.value for made in calls):
        table = table.join(more[[name for name in more if name not in table]])
    return table


def unassessed_decimals(table: pd.DataFrame) -> dict[str, int]:
    """Return the numbers of decimals of these columns."""
    return {str(name): 2 for name in table if str(name).startswith("unassessed@")}
