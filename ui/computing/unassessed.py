"""Beside a ranking: how much of each system's list nobody assessed."""

from __future__ import annotations

import pandas as pd

from evalcore.data import Collection
from evalcore.explain.unassessed import unassessed_table
from evalcore.measures import Measure
from ui.screen.calls import call
from ui.screen.items import Calls


def unassessed(measure: Measure | str, collection: Collection) -> Calls:
    """The unassessed share of each system's first documents, and the residual where there is one."""
    return (call("unassessed", unassessed_table, measure, collection),)


def with_unassessed(table: pd.DataFrame, calls: Calls) -> pd.DataFrame:
    """A table of systems with those columns beside it."""
    for more in (made.value for made in calls):
        table = table.join(more[[name for name in more if name not in table]])
    return table


def unassessed_decimals(table: pd.DataFrame) -> dict[str, int]:
    """To how many decimals those columns are shown."""
    return {str(name): 2 for name in table if str(name).startswith("unassessed@")}
