"""`evalcore aggregate`: one number of a table of topics x systems: means, Borda, Bradley-Terry; gaps.

What makes one number for each system of its scores by topic (or of models by task)? By default the mean; --by takes any
of Mean, Median, GeometricMean, Standardised, WinRate, Borda, BradleyTerry, and with --groups ByGroup(Borda()). Each
line has the system, its number, the 95% interval over topics (none for medians, nor if all topics say the same), its
rank, and how many topics it lacks.
--gaps says what a missing score becomes: KeepGaps (default: each system over the topics that it has), LeaveTopicsOut,
LeaveSystemsOut, Fixed(score=0). --show gaps sets the ranks under all of these rules side by side.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import gathered, joined
from evalcore.data.sources import from_path
from evalcore.later import pd

USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [--by RULE]... [--gaps RULE] [options]"
EXAMPLES = (
    "evalcore aggregate sample_data/health -m AP --by Borda --by 'BradleyTerry()'",
    "evalcore score sample_data/health -m AP -q | evalcore aggregate --scores - --by WinRate --gaps Fixed",
    "evalcore aggregate sample_data/health -m nDCG --show gaps",
)
SHOWN = ("systems", "gaps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "aggregate")
    arguments.repeated(group, "--by", "RULE", "what combines the topics (default: Mean)")
    group.add_argument("--gaps", default="KeepGaps", metavar="RULE", help="what a missing score becomes")
    group.add_argument("--groups", metavar="FILE", help="a table of two columns, topic and group")
    group.add_argument("--show", choices=SHOWN, default="systems", help="default: systems")
    arguments.add_level(group)
    arguments.add_ending(parser, FORMATS)
    parser.set_defaults(missing="leave-out")


def run(options: argparse.Namespace) -> None:
    """Print the table that is asked for, of every measure."""
    if not 0 < options.level < 1:
        raise UsageError(f"--level: expected a share between 0 and 1, found {options.level:g}")
    scores, about = gathered(options)
    shown = {"systems": _systems, "gaps": _gap_effects}[options.show]
    tables = {name: shown(name, frame, options) for name, frame in scores.items()}
    table = joined(tables.items()) if len(tables) > 1 else next(iter(tables.values()))
    write_frame(table, options, {**about, "gaps": options.gaps})


def _systems(name: str, scores: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    groups, parts = _groups(options), []
    for text in options.by or ["Mean()"]:
        by = ec.leaderboard.aggregate_of(text)
        table = ec.leaderboard.standings(scores, by, options.gaps, groups, options.level).reset_index()
        table.insert(0, "by", str(by))
        parts.append(table)
    return pd.concat(parts)


def _gap_effects(name: str, scores: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    table = ec.leaderboard.gap_effects(scores, (options.by or ["Mean()"])[0], groups=_groups(options))
    return table.sort_values(str(table.columns[1]), kind="stable").rename_axis("system").reset_index()


def _groups(options: argparse.Namespace) -> Mapping[str, str] | None:
    """The group of each topic, of a table of two columns."""
    if options.groups is None:
        return None
    from evalcore.data.tables import read_table

    table = read_table(next(iter(from_path(options.groups))))
    if table.shape[1] != 2:
        raise ec.InputError(f"expected two columns, topic and group, found {table.shape[1]}", options.groups)
    return dict(zip(table.iloc[:, 0].astype(str), table.iloc[:, 1].astype(str), strict=True))
