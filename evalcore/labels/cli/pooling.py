"""`evalcore labels --pool`: would the ranking survive without some of the assessed documents?"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.tables import joined, tell_coverage, tell_lacked
from evalcore.cli.terminal import Progress
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import Tell

GROUPS = ("team", "system")


def pool(collection: ec.Collection, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
    """Return a line for each measure and each reduced pool: without one team or system, or down to one depth.

    A topic without any remaining labels scores 0.
    """
    ways = [f"--{way.replace('_', '-')}" for way in ("leave_out", "depth") if getattr(options, way)]
    if len(ways) > 1:
        raise UsageError(f"--pool: expected one of --leave-out and --depth, found {' and '.join(ways)}")
    measures = asked(options, collection)
    tell_coverage(measures, collection)
    selections = _selections(collection, options, progress)
    table = joined(
        (name, _table(measure, collection, options, selections, progress.named(name)).reset_index())
        for name, measure in measures.items()
    )
    tell_lacked(collection)
    return table.rename(columns=lambda name: name.replace(" ", "_"))


def _depth(collection: ec.Collection, options: argparse.Namespace, progress: Progress) -> int:
    if options.within is not None:
        return int(options.within)
    estimate = ec.pools.pool_depth(collection)
    progress.note(f"pool depth {estimate.depth}, {estimate.basis}")
    return estimate.depth


def _selections(collection: ec.Collection, options: argparse.Namespace, progress: Progress) -> ec.pools.Selections:
    if options.depth:
        return ec.pools.top_documents(collection, options.depth)
    groups = None
    if options.leave_out != "system":
        known = ec.pools.teams(collection, options.teams)
        progress.note(f"teams {known.basis}")
        groups = known.of
    return ec.pools.without_groups(collection, groups, _depth(collection, options, progress))


def _table(
    measure: ec.Measure,
    collection: ec.Collection,
    options: argparse.Namespace,
    selections: ec.pools.Selections,
    tell: Tell,
) -> pd.DataFrame:
    result = ec.pools.rescored(measure, collection, selections, tell)
    if isinstance(selections, ec.pools.Without):
        return ec.pools.without_table(selections, result, collection, measure).assign(within=selections.depth)
    return result.table()
