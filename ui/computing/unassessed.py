"""Columns beside a ranking of systems: the unassessed share of each system's ranking."""

from __future__ import annotations

import pandas as pd

from evalcore.data import Collection
from evalcore.explain.unassessed import unassessed_table
from evalcore.measures import Measure
from ui.screen.calls import call
from ui.screen.items import Calls


def unassessed(measure: Measure | str, collection: Collection) -> Calls:
    """Unassessed share of each system's first documents, and the residual for measures that have one."""
    return (call("unassessed", unassessed_table, measure, collection),)


def with_unassessed(table: pd.DataFrame, calls: Calls) -> pd.DataFrame:
    """Add the columns of such calls to a table of systems."""
    for more in (made.value for made in calls):
        table = table.join(more[[name for name in more if name not in table]])
    return table


def unassessed_decimals(table: pd.DataFrame) -> dict[str, int]:
    """Decimals with which these columns are shown."""
    return {str(name): 2 for name in table if str(name).startswith("unassessed@")}
