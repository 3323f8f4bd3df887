"""`evalcore sweep`: score systems while parameters vary.

Score all systems at each of the given values of one or several parameters of a measure. A parameter is a name, or a
path into the measure (weights[0], base.rho). Its values are a list (0.5,0.8,0.95) or LOW:HIGH:COUNT (evenly spaced,
both ends included); without values, its whole range. A choice (distance, embedding, weights, base) is varied in the
same way, with names as values.

--show settings     a line for each setting: Kendall's tau_b with the default, the winner, whether the first --top K
                    keep their order (default)
       scores       a line for each setting and system: mean score and rank
       systems      a line for each system: share of settings in which it is first or in the top 5, interval of its rank
       changes      where the winner changes, and between which values the change is significant (one parameter)
       parameters   the parameters that can be varied, with their ranges or options

Tests are over topics, corrected for all pairs of systems at all values.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.names import adapting, read_measures, split
from evalcore.cli.opening import open_collection
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.ranks import say_first
from evalcore.cli.tables import computed, tell_coverage, tell_lacked
from evalcore.cli.terminal import Progress, print_note
from evalcore.common.lazy_imports import np, pd
from evalcore.errors import InputError
from evalcore.notation.trec_eval import TREC_EVAL_AT

USAGE = "WHERE -m MEASURE --vary PATH[=VALUES]... [--show WHAT] [options]"
EXAMPLES = (
    "evalcore sweep sample_data/health -m 'uRBP1(rho=0.8)' --show parameters",
    "evalcore sweep sample_data/health -m 'uRBP1(rho=0.8)' --vary threshold=8:20:13",
    "evalcore sweep sample_data/health -m RBP --vary rho=0.5,0.8,0.95 --show scores -f csv",
    "evalcore sweep sample_data/health -m 'uRBP1(rho=0.8)' --vary threshold --show changes",
    "evalcore sweep sample_data/health -m 'TOMA(nDCG@10)' --vary distance",
    "evalcore sweep sample_data/health -m uRBP1 --vary rho=0.5:0.9:9 --vary threshold=8:20:13 -o grid.csv",
    "evalcore sweep sample_data/health -m 'uRBP1(rho=0.8)' --vary rho --vary threshold --show systems",
)
SHOWN = ("settings", "scores", "systems", "changes", "parameters")
NAME_A_FIRST = ("settings", "systems", "changes")
COUNT = 21  # number of values if only a range is given
MOST_SETTINGS = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    arguments.add_trec_eval(parser)
    group = parser.add_argument_group("sweep", "`evalcore measures NAME` explains the parameters of a measure")
    group.add_argument("-m", "--measure", required=True, metavar="MEASURE", help="the measure with its default setting")
    arguments.repeated(
        group,
        "--vary",
        "PATH[=VALUES]",
        "parameter and values: rho=0.5,0.8 or rho=0.5:0.95:10 or rho; repeatable",
        default=[],
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the resamples of topics (default: 0)")
    group.add_argument("--top", type=int, default=5, metavar="K", help="number of top systems compared (default: 5)")
    group.add_argument("--show", choices=SHOWN, default="settings", help="default: settings")
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the table that --show selects."""
    named = list(read_measures(_one_measure(options.measure), adapting(options)))
    if len(named) != 1:
        raise UsageError(f"--measure: expected one measure to vary, found {len(named)}")
    collection = open_collection(options)
    if options.show not in NAME_A_FIRST:
        tell_coverage(dict(named), collection)
    with Progress() as progress:
        table = _table(options, named[0][1], collection, progress)
    tell_lacked(collection)
    if options.show in NAME_A_FIRST:
        say_first(computed(dict(named), collection), options)
    write_frame(table, options)


def _one_measure(text: str) -> str:
    """Return the text of the measure; a trec_eval name for nine cut-offs becomes the measure without a cut-off."""
    return f"{TREC_EVAL_AT[text]}()" if text in TREC_EVAL_AT else text


def _table(
    options: argparse.Namespace, measure: ec.Measure, collection: ec.Collection, progress: Progress
) -> pd.DataFrame:
    if options.show == "parameters":
        return _parameters(ec.sensitivity.varied_of(measure, collection))
    _refuse_contradictions(options)
    tell = progress.named(str(measure))
    varied = [_varied(text, measure, collection) for text in options.vary]
    _refuse_too_many([values for _, values in varied])
    if options.show == "changes":
        ((parameter, values),) = varied
        trajectory = ec.sensitivity.trajectory(measure, parameter.path, values, collection, tell=tell)
        return _along(options, trajectory, collection)
    settings, outcomes = _every(measure, varied, collection, tell)
    if options.show == "systems":
        return ec.sensitivity.ranks_over_settings(outcomes, options.top).reset_index()
    return _scores(settings, outcomes) if options.show == "scores" else _settings(settings, outcomes, options.top)


def _along(
    options: argparse.Namespace, trajectory: ec.sensitivity.Trajectory, collection: ec.Collection
) -> pd.DataFrame:
    """Return a table of the changes of the winner with their significance; print a note on them."""
    orders = ec.sensitivity.orders_along(trajectory, collection, seed=options.seed)
    table = orders.changes(trajectory.changes)
    if text := ec.sensitivity.changes_in_words(table, trajectory.parameter):
        print_note(f"Confidence: {text}")
    return table


def _refuse_contradictions(options: argparse.Namespace) -> None:
    paths = [text.partition("=")[0] for text in options.vary]
    if not paths:
        raise UsageError("expected --vary PATH=VALUES, found none")
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"--vary: expected each parameter once, found {path} again")
    if options.show == "changes" and len(paths) != 1:
        raise UsageError(f"--show changes: expected one --vary, found {len(paths)}")
    if options.top < 1:
        raise UsageError(f"--top: expected 1 or more, found {options.top}")


def _refuse_too_many(values: Sequence[Sequence[object]]) -> None:
    """Raise InputError for more than MOST_SETTINGS settings, which would need too much memory."""
    if (asked := math.prod(map(len, values))) > MOST_SETTINGS:
        raise InputError(f"expected at most {MOST_SETTINGS:,} settings, found {asked:,}")


def _varied(text: str, measure: ec.Measure, collection: ec.Collection) -> tuple[ec.sensitivity.Parameter, list[float]]:
    """Parse an argument of --vary: return the parameter and its values, ascending."""
    path, equals, values = text.partition("=")
    parameter = ec.sensitivity.parameter_of(measure, path, collection)
    if parameter.options and not equals:
        return parameter, list(parameter.levels)
    if parameter.options:
        return parameter, sorted({ec.sensitivity.option_at(parameter, text) for text in split(values) or [values]})
    if not equals:
        if not (math.isfinite(parameter.low) and math.isfinite(parameter.high)):
            raise UsageError(f"--vary {path}: expected {path}=LOW:HIGH:COUNT, as this parameter has no default range")
        return parameter, parameter.values(COUNT)
    return parameter, sorted(set(_values(path, values)))


def _values(path: str, text: str) -> list[float]:
    parts = text.split(":")
    try:
        if len(parts) == 3:
            low, high, count = float(parts[0]), float(parts[1]), int(parts[2])
            if not (1 < count <= MOST_SETTINGS and low < high):
                raise ValueError
            spaced: list[float] = np.linspace(low, high, count).round(12).tolist()
            return spaced
        listed = [float(part) for part in text.split(",")]
        if not all(map(math.isfinite, listed)):
            raise ValueError
        return listed
    except ValueError:
        expected = "numbers separated by commas, or LOW:HIGH:COUNT with LOW < HIGH and at least 2 values"
        raise UsageError(f"--vary {path}: expected {expected}, found {text!r}") from None


def _every(
    measure: ec.Measure,
    varied: Sequence[tuple[ec.sensitivity.Parameter, Sequence[float]]],
    collection: ec.Collection,
    tell: Any,
) -> tuple[pd.DataFrame, ec.sensitivity.Outcomes]:
    """Return a table of all combinations of the values (the last parameter varies fastest), and their outcomes."""
    from evalcore.sensitivity.variants import outcomes_at

    parameters = tuple(parameter for parameter, _ in varied)
    settings = np.array(list(product(*(values for _, values in varied))))
    outcomes = outcomes_at(measure, parameters, settings, collection, tell)
    return ec.sensitivity.settings_table(parameters, settings), outcomes


def _settings(settings: pd.DataFrame, outcomes: ec.sensitivity.Outcomes, top: int) -> pd.DataFrame:
    systems = np.array([*outcomes.systems, ""], dtype=object)
    best = outcomes.means[np.arange(len(settings)), outcomes.winner]
    columns = {"tau": outcomes.tau, "winner": systems[outcomes.winner], "tied": outcomes.tied, "score": best}
    return settings.assign(**columns, **{f"same top {top}": outcomes.keeps(top)})


def _scores(settings: pd.DataFrame, outcomes: ec.sensitivity.Outcomes) -> pd.DataFrame:
    count = len(outcomes.systems)
    long = settings.loc[settings.index.repeat(count)].reset_index(drop=True)
    return long.assign(
        system=np.tile(np.array(outcomes.systems, dtype=object), len(settings)),
        score=outcomes.means.ravel(),
        rank=outcomes.ranks.ravel(),
    )


def _parameters(parameters: Sequence[ec.sensitivity.Parameter]) -> pd.DataFrame:
    known = ["path", "value", "low", "high", "help"]
    table = pd.DataFrame([[getattr(parameter, name) for name in known] for parameter in parameters], columns=known)
    table.insert(4, "levels", [len(parameter.levels) for parameter in parameters])
    table.insert(5, "options", [", ".join((parameter.names or {}).values()) for parameter in parameters])
    return table
