"""`evalcore aggregate`: one number of a table of topics x systems: means, Borda, Bradley-Terry; gaps; critical
differences.

What makes one number for each system of its scores by topic (or of models by task)? By default the mean; --by takes any
of Mean, Median, GeometricMean, TrimmedMean(share=0.1), ZScore, Standardised, MinMax, WinRate, Borda, MeanRank,
Copeland, BradleyTerry, and with --groups ByGroup(Borda()). Each line has the system, its number, the 95% interval over
topics (none for medians and Copeland, nor where all topics say the same), its rank, and how many topics it lacks.
--gaps says what a missing score becomes: KeepGaps (default: each system over the topics that it has), LeaveTopicsOut,
LeaveSystemsOut, OwnMean, Fixed(score=0), WorstSeen, ByRank, TwoWay. --show gaps sets the ranks under all of these rules
side by side; --show pairs has Friedman's and Nemenyi's (or Holm's) tests of mean ranks (a pair is apart by its p and by
flipped signs of the topics); --show reproduction compares with the same systems in --original.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import expanded
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import gathered, joined
from evalcore.cli.terminal import print_note
from evalcore.constants import RANK_TESTS
from evalcore.data.sources import from_path
from evalcore.later import pd

USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [--by RULE]... [--gaps RULE] [options]"
EXAMPLES = (
    "evalcore aggregate sample_data/health -m AP --by Borda --by 'BradleyTerry()'",
    "evalcore score sample_data/health -m AP -q | evalcore aggregate --scores - --by WinRate --gaps WorstSeen",
    "evalcore aggregate sample_data/health -m nDCG --show gaps",
    "evalcore aggregate sample_data/health -m nDCG --systems 'bm25*' --show pairs --correction Holm",
)
SHOWN = ("systems", "gaps", "pairs", "reproduction")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "aggregate")
    arguments.repeated(group, "--by", "RULE", "what combines the topics (default: Mean)")
    group.add_argument("--gaps", default="KeepGaps", metavar="RULE", help="what a missing score becomes")
    group.add_argument("--groups", metavar="FILE", help="a table of two columns, topic and group")
    group.add_argument("--show", choices=SHOWN, default="systems", help="default: systems")
    group.add_argument("--correction", choices=RANK_TESTS, default="Nemenyi", help="of --show pairs")
    arguments.add_level(group)
    group.add_argument("--original", nargs="+", metavar="FILE", help="scores that are to be reproduced")
    group.add_argument("--baseline", default="", metavar="SYSTEM", help="of --show reproduction (default: the last)")
    arguments.add_ending(parser, FORMATS)
    parser.set_defaults(missing="leave-out")


def run(options: argparse.Namespace) -> None:
    """Print the table that is asked for, of every measure."""
    if not 0 < options.level < 1:
        raise UsageError(f"--level: expected a share between 0 and 1, found {options.level:g}")
    scores, about = gathered(options)
    shown = {"systems": _systems, "gaps": _gap_effects, "pairs": _pairs, "reproduction": _reproduction}[options.show]
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


def _pairs(name: str, scores: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    tests = ec.leaderboard.critical_difference(
        ec.leaderboard.without_gaps(scores, options.gaps), 1 - options.level, options.correction
    )
    print_note(
        f"How sure: {name}: Friedman chi2 {tests.statistic:.3f}, p {tests.p:.3g}; F {tests.f:.3f}, p {tests.p_f:.3g}; "
        f"p corrected {tests.p_corrected:.3g}, as systems do not vary alike"
        + (f"; critical difference of mean ranks {tests.difference:.3f}" if options.correction == "Nemenyi" else "")
    )
    ranks, pairs, apart = tests.ranks, combinations(tests.ranks.index, 2), tests.apart
    rows = [(a, b, ranks[a], ranks[b], tests.pairs.loc[a, b], bool(apart.loc[a, b])) for a, b in pairs]
    return pd.DataFrame(rows, columns=["a", "b", "mean_rank_a", "mean_rank_b", "p", "apart"])


def _reproduction(name: str, scores: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    if not options.original:
        raise UsageError("--show reproduction: expected --original FILE, found none")
    tables = ec.load_scores(expanded(options.original), "leave-out")
    original = tables.get(name, next(iter(tables.values())) if len(tables) == 1 else None)
    if original is None:
        raise UsageError(f"--original: expected scores by {name}, found {', '.join(tables)}")
    before, again = (
        ec.leaderboard.without_gaps(frame, "LeaveTopicsOut" if options.gaps == "KeepGaps" else options.gaps)
        for frame in (original, scores)
    )
    result = ec.leaderboard.reproduction(before, again, options.baseline, options.level)
    print_note(
        f"How sure: {name}: tau {result.tau:.3f} over {result.n_topics} topics, improvements over {result.baseline}"
    )
    return result.systems.sort_values("original_rank", kind="stable").rename_axis("system").reset_index()


def _groups(options: argparse.Namespace) -> Mapping[str, str] | None:
    """The group of each topic, of a table of two columns."""
    if options.groups is None:
        return None
    from evalcore.data.tables import read_table

    table = read_table(next(iter(from_path(options.groups))))
    if table.shape[1] != 2:
        raise ec.InputError(f"expected two columns, topic and group, found {table.shape[1]}", options.groups)
    return dict(zip(table.iloc[:, 0].astype(str), table.iloc[:, 1].astype(str), strict=True))
