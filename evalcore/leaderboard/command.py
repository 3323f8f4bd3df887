"""`evalcore compare --aggregate`: one score for each system, by rules for topics and for missing scores."""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.questions import AGAIN, Question
from evalcore.cli.scores import Scores
from evalcore.cli.tables import joined
from evalcore.cli.terminal import Progress
from evalcore.common.lazy_imports import pd

ALL_RULES = "all"


def aggregates(scores: Scores, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """Return a row for each measure, rule and system: score and rank; or, with `--gaps all`, ranks by gap rule."""
    if not 0 < options.level < 1:
        raise UsageError(f"--level: expected a share between 0 and 1, found {options.level:g}")
    kind = _ranks_by_gap_rule if options.gaps == ALL_RULES else _standings
    return joined((name, kind(frame, rule, options)) for name, frame in scores.items() for rule in options.aggregate)


QUESTIONS = (
    Question(
        "--aggregate",
        "one score for each system with its 95%% interval and rank, combined over topics by Mean, Median, "
        "GeometricMean, WinRate, Borda, BradleyTerry, ...; repeatable",
        aggregates,
        {"--gaps": "KeepGaps", "--level": 0.95},
        {**AGAIN, "metavar": "RULE"},
        missing="leave-out",
    ),
)
OPTIONS = {
    "--gaps": {
        "metavar": "RULE",
        "help": "rule for missing scores: KeepGaps, LeaveTopicsOut, LeaveSystemsOut, Fixed(score=0), ...; "
        f"{ALL_RULES}: ranks under each rule side by side",
    },
}


def _standings(scores: pd.DataFrame, rule: str, options: argparse.Namespace) -> pd.DataFrame:
    by = ec.leaderboard.aggregate_of(rule)
    table = ec.leaderboard.standings(scores, by, options.gaps, level=options.level).reset_index()
    table.insert(0, "by", str(by))
    return table


def _ranks_by_gap_rule(scores: pd.DataFrame, rule: str, _: argparse.Namespace) -> pd.DataFrame:
    by = ec.leaderboard.aggregate_of(rule)
    table = ec.leaderboard.gap_effects(scores, by)
    table = table.sort_values(str(table.columns[1]), kind="stable").rename_axis("system").reset_index()
    table.insert(0, "by", str(by))
    return table
