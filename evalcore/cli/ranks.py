"""Ranks with their intervals: the output of `--ranks`, and notes on the winner for other outputs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import named
from evalcore.cli.output import FORMATS, decimals
from evalcore.cli.scores import Scores
from evalcore.cli.tables import joined
from evalcore.cli.terminal import print_note
from evalcore.common.lazy_imports import pd

RESAMPLES = 2000


def add_ranks(parser: argparse.ArgumentParser) -> None:
    """Add --ranks, which prints ranks in place of scores, and the options of its resampling."""
    group = parser.add_argument_group(
        "ranks",
        "for each system: its rank, how often it is first in resamples of the topics, and which ranks it may have",
    )
    arguments.flag(group, "--ranks", help="ranks with intervals, best first, instead of scores")
    arguments.add_resamples(group, RESAMPLES, f"bootstrap resamples of topics (default: {RESAMPLES})")
    group.add_argument("--level", type=float, default=0.95, metavar="SHARE", help="level of intervals (default: 0.95)")


def ranks_format(options: argparse.Namespace, form: str) -> str:
    """Return the format of ranks, which replace scores: a table unless another was requested.

    Raises UsageError for a format that suits only scores, and for -q.
    """
    if options.by_topic:
        raise UsageError("--ranks covers all topics together: leave out -q")
    if form in (*FORMATS, "latex"):
        return form
    if options.format is None:
        return FORMATS[0]
    raise UsageError(f"--ranks: expected the format {', '.join((*FORMATS, 'latex'))}, found {form}")


def rank_table(scores: Scores, options: argparse.Namespace) -> pd.DataFrame:
    """Return a table with a line for each measure and system, best first; print a note on each winner."""
    tables = {}
    for name, frame in scores.items():
        intervals = ec.meta.rank_intervals(frame, options.resamples, options.level, options.seed)
        print_note(ec.meta.first_in_words(intervals, name, named(options)))
        table = intervals.table.reset_index()
        if table["rank_low"].notna().all():
            table = table.astype(dict.fromkeys(["rank_low", "rank_high", "all_low", "all_high"], int))
        tables[name] = table
    return joined(tables.items())


def ranks_as_latex(table: pd.DataFrame, options: argparse.Namespace, title: str) -> str:
    """Return LaTeX tables of ranks as one text, a table for each measure."""
    from evalcore.meta.intervals_of_ranks import ranks_table

    names = {system: named(options)(system) for system in table["system"]}
    return "\n".join(
        ranks_table(rows.set_index("system"), str(measure), title, options.level, names, decimals(options))
        for measure, rows in table.groupby("measure", sort=False)
    )


def say_first(scores: Mapping[str, pd.DataFrame], options: argparse.Namespace) -> None:
    """Print a note on the winner under each measure, with its confidence over topics."""
    for name, frame in scores.items():
        print_note(ec.meta.first_in_words(ec.meta.rank_intervals(frame, RESAMPLES), name, named(options)))
