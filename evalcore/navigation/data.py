"""Functions that read, cache and restrict the links of a collection, for `evalcore.data.subject_data`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalcore.common.arrays import BoolArray, IntArray, rows_of
from evalcore.common.constants import Order
from evalcore.data.collection_files import Inputs
from evalcore.data.kinds import read_as
from evalcore.data.restricting import lines_of
from evalcore.data.sources import Source
from evalcore.data.store import Table, arrays_of, starts_of
from evalcore.navigation.graph_files import build_navigation
from evalcore.navigation.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.structures.documents import Assessments, Collection, Note

IN_WORDS = "links"


def read_beside(
    inputs: Inputs, pool: Assessments, runs: Sequence[Source], order: Order
) -> tuple[Navigation | None, list[Note]]:
    """Return the links and components of a collection (None if it has neither), and notes.

    Runs are read again, because every rank counts.
    """
    files = inputs.alone
    if not files.keys() & {"links", "components"}:
        return None, []
    links = read_as("links", files["links"]) if "links" in files else None
    table = read_as("components", files["components"]) if "components" in files else None
    return build_navigation(pool, runs, order, links, table)


def restricted(navigation: Navigation, systems: IntArray, topics: IntArray, pool: BoolArray) -> Navigation:
    """Return the data of some systems and topics (indices) and of the pool rows in the mask `pool`."""
    runs, worths = navigation.runs, navigation.worths
    indptr, taken = lines_of(runs.indptr, runs.n_topics, systems, topics)
    kept = np.isin(worths.topic, topics)
    return replace(
        navigation,
        runs=ComponentRuns(tuple(runs.systems[at] for at in systems), len(topics), indptr, runs.component[taken]),
        pool=navigation.pool[pool],
        worths=Worths(
            np.searchsorted(topics, worths.topic[kept]), **rows_of(worths, kept, "component", "rsize", "gain")
        ),
    )


def tables(navigation: Navigation) -> dict[str, dict[str, Any]]:
    """Return the tables to cache, by name; each maps names of columns to arrays."""
    return {
        "components": arrays_of(navigation.components),
        "links": arrays_of(navigation.links),
        "worths": arrays_of(navigation.worths),
        "component_hits": {"component": navigation.runs.component},
        "component_rankings": {"size": np.diff(navigation.runs.indptr)},
        "component_pool": {"component": navigation.pool},
    }


def said(navigation: Navigation) -> str:
    """Return the name of the file that the links come from."""
    return navigation.links.where


def from_tables(table: Table, collection: Collection, said: str) -> Navigation:
    """Return the links and components that were cached as the results of `tables` and `said`."""
    starts = starts_of(table("component_rankings")["size"])
    return Navigation(
        Components(**table("components")),
        Links(**table("links"), where=said),
        ComponentRuns(collection.systems, len(collection.topics), starts, table("component_hits")["component"]),
        table("component_pool")["component"],
        Worths(**table("worths")),
    )
