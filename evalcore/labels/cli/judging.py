"""`evalcore labels --ranking`, `--ranks`, `--top`, `--noise`: would the ranking survive another judge's labels?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import wraps
from itertools import combinations
from typing import TypeAlias

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.opening import named
from evalcore.cli.tables import joined, say_no_intervals
from evalcore.cli.terminal import Progress, print_note
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import Tell

Answer: TypeAlias = "Callable[[ec.Collection, argparse.Namespace, Progress], pd.DataFrame]"
OfMeasure: TypeAlias = "Callable[[ec.Measure, ec.Collection, argparse.Namespace, Tell], pd.DataFrame]"

AS_MEASURED = "as-measured"


def of_each_measure(kind: OfMeasure) -> Answer:
    """Return a function that calls `kind` for each measure in the options, and joins the tables that it returns."""

    @wraps(kind)
    def answer(collection: ec.Collection, options: argparse.Namespace, progress: Progress) -> pd.DataFrame:
        return joined(
            (name, kind(measure, collection, options, progress.named(name)))
            for name, measure in progress.over(asked(options, collection))
        )

    return answer


@of_each_measure
def ranking(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, _: Tell) -> pd.DataFrame:
    """Return a line for each pair of sources, and print the winner under each source as a note."""
    how = {"n_resamples": options.resamples, "level": options.level, "seed": options.seed}
    found = ec.judges.source_rankings(measure, collection, options.sources, **how)
    for source in found.sources:
        print_note(ec.meta.first_in_words(found.doubt(source), f"{measure} with labels of {source}", named(options)))
    say_no_intervals(found.pairs["no_interval"])
    for row in found.gaps.to_dict("records"):
        if row["labelled"] < 1:
            who = f"{row['reference']} and {row['test']}"
            both = f"{who} both labelled {row['labelled']:.0%} of the documents that either labelled"
            taus = (
                f"tau is {row['tau_gaps']:.3f} if the sources differ only in which documents they label, "
                f"{row['tau_shared']:.3f} if they differ only in the labels"
            )
            print_note(f"Under {measure}, {taus}; {both}")
    table = found.pairs.merge(found.gaps.drop(columns="n_topics"), on=["reference", "test"])
    return table.assign(topics=len(found.topics), resamples=options.resamples, seed=options.seed)


@of_each_measure
def ranks(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, _: Tell) -> pd.DataFrame:
    """Return a table of ranks: a line for each system, a column for each source."""
    return ec.judges.source_rankings(measure, collection, options.sources, n_resamples=1).ranks.reset_index()


@of_each_measure
def top(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, _: Tell) -> pd.DataFrame:
    """Return a line for each pair of sources, with their agreement on the first systems."""
    found = ec.judges.source_rankings(measure, collection, options.sources, n_resamples=1)
    rows = []
    for reference, test in combinations(found.sources, 2):
        table = found.top(reference, test, [options.top], alpha=options.alpha, correction=options.correction)
        about = {"reference": reference, "test": test} | {str(name): value for name, value in table.attrs.items()}
        rows.append(table.reset_index().assign(**about))
    table = pd.concat(rows, ignore_index=True)
    return table[["reference", "test", *(column for column in table if column not in ("reference", "test"))]]


@of_each_measure
def noise(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace, tell: Tell) -> pd.DataFrame:
    """Return a line for each share of wrong labels, with the similarity of the ranking to the original one."""
    from evalcore.labels.judges.noise import LEVELS

    pair = options.sources
    if pair is not None and (options.noise != AS_MEASURED or len(pair) != 2):
        raise UsageError(f"--sources: expected two names with --noise {AS_MEASURED}, found {', '.join(pair)}")
    curve = ec.judges.noise_curve(
        measure,
        collection,
        options.noise.replace("-", " "),
        levels=options.levels or LEVELS,
        aspect=options.labels_of,
        sources=None if pair is None else (pair[0], pair[1]),
        n_draws=options.draws,
        band=options.level,
        seed=options.seed,
        progress=tell,
    )
    kept = {"wanted": options.wanted, "kept_up_to": curve.level_where(options.wanted)}
    return curve.table.reset_index().assign(**kept, draws=options.draws, seed=options.seed)
