"""`evalcore compare --correlations` and `--swaps`: do measures order the systems in the same way?"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.output import chosen_format
from evalcore.cli.scores import Scores
from evalcore.cli.tables import say_alike, say_no_intervals
from evalcore.cli.terminal import Progress, print_note
from evalcore.common.lazy_imports import np, pd

OVER = ("means", "topics")


def correlations(scores: Scores, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """Return a table with a line for each pair of measures, or with --matrix a table of measures x measures.

    Raises UsageError for fewer than two measures.
    """
    if len(scores) < 2:
        raise UsageError(f"expected at least two measures to correlate, found only {', '.join(scores) or 'none'}")
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    matrix = ec.meta.correlation_matrix(scores, options.coefficient, options.over, **how)
    _say_infinite(scores, options.coefficient)
    _say_tied(scores, options.coefficient)
    if options.matrix:
        return _matrix(matrix.values, chosen_format(options))
    pairs = matrix.pairs()
    if options.resamples:
        say_no_intervals(pairs["no_interval"])
        pairs = pairs.assign(resamples=options.resamples, seed=options.seed)
    return pairs


def swaps(scores: Scores, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """Return a table of the pairs that two measures order differently; print a note that counts the significant ones.

    Raises UsageError unless there are two measures.
    """
    if len(scores) != 2:
        raise UsageError(f"--swaps: expected two measures, found {len(scores)}")
    x, y = scores.values()
    result = ec.meta.swaps(x, y, level=options.level, seed=options.seed)
    print_note(f"Confidence: {ec.meta.swaps_in_words(result)}")
    return result.table


def _say_infinite(scores: Scores, coefficient: str) -> None:
    """For Pearson's r, print a note for each measure with infinite scores, for which r is undefined."""
    for name, frame in scores.items() if coefficient == "pearson" else ():
        if count := int(np.isinf(frame.to_numpy()).any(axis=0).sum()):
            text = f"{count:,} of {frame.shape[1]:,} systems have an infinite score: pearson needs finite ones"
            print_note(f"{name}: {text}")


def _say_tied(scores: Scores, coefficient: str) -> None:
    """Print a note on measures for which tied systems keep the correlation below 1."""
    means = ((name, frame.mean()) for name, frame in scores.items())
    say_alike((name, ec.meta.ties_in_words(coefficient, mean, mean)) for name, mean in means)


def _matrix(values: pd.DataFrame, form: str) -> pd.DataFrame:
    """Return the matrix with tests as rows and references as columns; in the format table, with short names."""
    order = ec.meta.similar_together(values)
    names = ec.measures.short_names(order) if form == "table" else {name: name for name in order}
    square = values.loc[order, order].rename(index=names, columns=names)
    return square.rename_axis(index="test", columns=None).reset_index()
