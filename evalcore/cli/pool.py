"""`evalcore pool`: who brought the assessed documents, and would the ranking stand without some of them?

Without more, what each team brought: assessed documents that its systems ranked within the pool depth, those that
others brought too (shared), those that nobody else did (own), and how many of these are relevant by the first measure.

--leave-out team    without each team in turn: the documents that it alone brought become unassessed
--leave-out system  the same of each system: how far to trust the place of one that had no part in the pool
--depth N...        as if only what some system ranked among its first N had been assessed
--share SHARE...    a random share of the assessments, of each topic and grade, drawn several times

A line for each of these and each measure: Kendall's tau_b and tau_AP with the ranking by the full pool, changes of
rank, who is first. Of shares, means over the draws with the band of the middle 95%.
Teams are those of a column team of systems.csv, else systems whose names begin alike; a topic that has no label left
scores 0 for all systems.
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import joined, origin, tell_coverage, tell_lacked
from evalcore.cli.terminal import Progress
from evalcore.later import pd
from evalcore.progress import Tell

USAGE = "WHERE [-m MEASURE]... [--leave-out WHAT | --depth N... | --share SHARE...] [options]"
EXAMPLES = (
    "evalcore pool sample_data/health",
    "evalcore pool sample_data/health -m 'RBP(rho=0.8)' --leave-out team",
    "evalcore pool sample_data/health -m 'AP, nDCG@10' --leave-out system --within 10 -f csv",
    "evalcore pool sample_data/health -m AP --depth 5 10 20",
    "evalcore pool sample_data/health -m AP --share 0.2 0.5 --draws 5 --seed 1 -f json",
)
GROUPS = ("team", "system")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    group = parser.add_argument_group("pool")
    taken = group.add_mutually_exclusive_group()
    taken.add_argument("--leave-out", choices=GROUPS, help="the documents that each of these alone brought")
    taken.add_argument("--depth", nargs="+", type=int, metavar="N", help="depths of a pool")
    taken.add_argument("--share", nargs="+", type=float, metavar="SHARE", help="shares of the assessments, up to 1")
    group.add_argument("--teams", metavar="BY", help="names, or a column of systems.csv (default: team, else names)")
    group.add_argument(
        "--within", type=int, metavar="N", help="ranks within which a system brought a document (default: guessed)"
    )
    group.add_argument("--draws", type=int, default=20, metavar="N", help="of each share (default: 20)")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of the draws (default: 0)")
    arguments.flag(group, "--unstratified", help="draw from all, not from each topic and grade")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print what teams brought, or a line for each part of the assessments that is taken away."""
    taking = bool(options.leave_out or options.depth or options.share)
    collection = open_collection(options)
    measures, about = asked(options, collection), origin(collection, options)
    if not taking:
        write_frame(_brought(options, collection, measures), options, about)
        return
    tell_coverage(measures, collection)
    with Progress() as progress:
        selections = _selections(options, collection, progress)
        table = joined(
            (name, _table(options, collection, measure, selections, progress.named(name)).reset_index())
            for name, measure in measures.items()
        )
    tell_lacked(collection)
    drawn = {"draws": options.draws, "seed": options.seed} if options.share else {}
    write_frame(table.rename(columns=lambda name: name.replace(" ", "_")), options, {**about, **drawn})


def _brought(options: argparse.Namespace, collection: ec.Collection, measures: dict[str, ec.Measure]) -> pd.DataFrame:
    with Progress() as progress:
        known, depth = ec.pools.teams(collection, options.teams), _depth(options, collection, progress)
        progress.note(f"teams {known.basis}")
    measure = next(iter(measures.values())) if options.measure or options.set else None
    table = ec.pools.contributions(collection, known, depth, measure).reset_index().assign(within=depth)
    return table.rename(columns=lambda name: name.replace(" ", "_"))


def _depth(options: argparse.Namespace, collection: ec.Collection, progress: Progress) -> int:
    if options.within is not None:
        return int(options.within)
    estimate = ec.pools.pool_depth(collection)
    progress.note(f"pool depth {estimate.depth}, {estimate.basis}")
    return estimate.depth


def _selections(options: argparse.Namespace, collection: ec.Collection, progress: Progress) -> ec.pools.Selections:
    if options.depth:
        return ec.pools.top_documents(collection, options.depth)
    if options.share:
        stratified = not options.unstratified
        return ec.pools.sampled_shares(collection, options.share, options.draws, options.seed, stratified=stratified)
    groups = None
    if options.leave_out == "team":
        known = ec.pools.teams(collection, options.teams)
        progress.note(f"teams {known.basis}")
        groups = known.of
    return ec.pools.without_groups(collection, groups, _depth(options, collection, progress))


def _table(
    options: argparse.Namespace,
    collection: ec.Collection,
    measure: ec.Measure,
    selections: ec.pools.Selections,
    tell: Tell,
) -> pd.DataFrame:
    result = ec.pools.rescored(measure, collection, selections, tell)
    if isinstance(selections, ec.pools.Without):
        return ec.pools.without_table(selections, result, collection, measure).assign(within=selections.depth)
    return ec.pools.share_bands(result) if options.share else result.table()
