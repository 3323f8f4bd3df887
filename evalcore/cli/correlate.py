"""`evalcore correlate`: do measures order the systems alike? every two of them correlated.

Correlate the rankings of systems under every two measures: those of -m on a collection, those in a table of scores, or
both side by side. Over the systems' means, or topic by topic (the mean over topics, its lowest, median and highest);
with --resamples, an interval over topics for the correlation of the true rankings, or why it cannot be said
(no_interval). tau_ap is Yilmaz's AP correlation, test against reference.
Measures of which low scores are good (EffortTo) are ranked so; infinite scores are tied, at the end. pearson alone
takes finite scores, and is left out where there are others. --swaps lists the pairs of systems that two measures order
differently: a swap is decided where both orders are, in tests over topics that are corrected for all pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.output import FORMATS, chosen_format, write_frame
from evalcore.cli.tables import gathered, say_alike, say_no_intervals
from evalcore.cli.terminal import print_note
from evalcore.constants import CORRELATIONS
from evalcore.later import np, pd
from evalcore.limits import of_resamples

USAGE = "[WHERE] [-m MEASURE]... [--scores FILE...] [options]"
EXAMPLES = (
    "evalcore correlate sample_data/health -m 'RBP, uRBP, AP'",
    "evalcore correlate sample_data/health -m 'RBP, uRBP' -c tau_ap --resamples 1000 --seed 7 -f csv",
    "evalcore correlate sample_data/health --set 'One aspect, classic' --matrix",
    "evalcore correlate sample_data/health -m AP -m nDCG@10 --over topics",
    "evalcore correlate sample_data/health -m AP -m P@5 --swaps",
    "evalcore score sample_data/health -m AP -q | evalcore correlate sample_data/health -m nDCG --scores -",
)
OVER = ("means", "topics")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "correlation")
    group.add_argument("-c", "--correlation", choices=CORRELATIONS, default="tau", help="default: tau, Kendall's tau_b")
    group.add_argument("--over", choices=OVER, default="means", help="system means (default), or topic by topic")
    arguments.add_resamples(group, 0, "bootstrap resamples of topics for an interval (default: none)")
    arguments.add_level(group, "the interval")
    arguments.flag(group, "--swaps", help="of two measures: which pairs of systems swap, and which of it is decided")
    arguments.flag(group, "--matrix", help="a matrix, similar measures together, instead of pairs")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the pairs or the matrix."""
    scores, about = gathered(options)
    if len(scores) < 2:
        raise UsageError(f"expected at least two measures to correlate, found only {', '.join(scores) or 'none'}")
    if options.swaps:
        _write_swaps(scores, about, options)
        return
    frame = next(iter(scores.values()))
    asked = of_resamples(options.resamples, len(frame), frame.shape[1], len(scores))
    arguments.limits(options).check(memory=asked["memory"])
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    matrix = ec.meta.correlation_matrix(scores, options.correlation, options.over, **how)
    _say_infinite(scores, options.correlation)
    _say_tied(scores, options.correlation)
    if options.matrix:
        write_frame(_matrix(matrix.values, chosen_format(options)), options, about)
        return
    pairs = matrix.pairs()
    if options.resamples:
        say_no_intervals(pairs["no_interval"])
        pairs = pairs.assign(resamples=options.resamples, seed=options.seed)
    write_frame(pairs, options, {**about, "correlation": options.correlation, "over": options.over, **how})


def _write_swaps(scores: Mapping[str, pd.DataFrame], about: dict[str, object], options: argparse.Namespace) -> None:
    """The pairs that two measures order differently; how many swaps are decided is said beside it."""
    if len(scores) != 2:
        raise UsageError(f"--swaps: expected two measures, found {len(scores)}")
    x, y = scores.values()
    result = ec.meta.swaps(x, y, level=options.level, seed=options.seed)
    print_note(f"How sure: {ec.meta.swaps_in_words(result)}")
    write_frame(result.table, options, {**about, "level": options.level, "seed": options.seed})


def _say_infinite(scores: Mapping[str, pd.DataFrame], correlation: str) -> None:
    """Pearson's r is of numbers; where there is none, it is said why."""
    for name, frame in scores.items() if correlation == "pearson" else ():
        if count := int(np.isinf(frame.to_numpy()).any(axis=0).sum()):
            text = f"{count:,} of {frame.shape[1]:,} systems have an infinite score: pearson takes finite ones"
            print_note(f"{name}: {text}")


def _say_tied(scores: Mapping[str, pd.DataFrame], correlation: str) -> None:
    """Some correlations stay below 1 where systems are tied: the measures of which that holds, by what is said."""
    means = ((name, frame.mean()) for name, frame in scores.items())
    say_alike((name, ec.meta.ties_in_words(correlation, mean, mean)) for name, mean in means)


def _matrix(values: pd.DataFrame, form: str) -> pd.DataFrame:
    """Test down, reference across; for reading, with names short enough for a column."""
    order = ec.meta.similar_together(values)
    names = ec.measures.short_names(order) if form == "table" else {name: name for name in order}
    square = values.loc[order, order].rename(index=names, columns=names)
    return square.rename_axis(index="test", columns=None).reset_index()
