"""`evalcore anova`: what explains the scores: topics, systems, or what systems are made of?

Analysis of variance of the scores of each measure. Without --factors, of topics and systems. With them, of topics and
what the systems are made of, as systems.csv of the collection says, or --system-table: a line for each system, a column
for each of stemmer, model, team, ... Sums of squares are of type II. omega2 is the share of all variance that an effect
explains, partial_omega2 the share where the other effects are held fixed: above .14 is called large, above .06 medium,
above .01 small. p is the textbook's, p_corrected holds where systems move together from topic to topic, too, and where
they differ by more than their components.
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import is_given, open_collection
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.scores import Scores
from evalcore.cli.tables import gathered, joined, tell_notes
from evalcore.data.sources import from_path
from evalcore.later import pd

USAGE = "[WHERE] [-m MEASURE]... [--factors NAMES] [--scores FILE...] [options]"
EXAMPLES = (
    "evalcore anova sample_data/health -m 'AP, nDCG@10'",
    "evalcore anova sample_data/health -m AP --systems 'bm25*' -f csv",
    "evalcore score sample_data/health -m AP -q -f csv | evalcore anova --scores -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = arguments.add_scored(parser, "factors")
    group.add_argument("--factors", metavar="NAMES", help="columns of systems.csv, with commas between, or all")
    arguments.flag(group, "--interactions", help="of every two factors, too")
    group.add_argument("--system-table", metavar="FILE", help="in place of the collection's systems.csv")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print a line for each measure and effect."""
    if not options.factors and (options.interactions or options.system_table):
        option = "--interactions" if options.interactions else "--system-table"
        raise UsageError(f"expected --factors with {option}, found none")
    scores, about = gathered(options)
    systems = _system_table(options, scores) if options.factors else None
    chosen = None if options.factors in (None, "all") else [part.strip() for part in options.factors.split(",")]

    def explained(frame: pd.DataFrame) -> pd.DataFrame:
        if systems is None:
            anova = ec.meta.two_way_anova(frame)
        else:
            anova = ec.meta.component_anova(frame, systems, chosen, options.interactions)
        return anova.table.reset_index().assign(scores=anova.n_scores, left_out=anova.left_out)

    table = joined((name, explained(frame)) for name, frame in scores.items())
    write_frame(table, options, about)


def _system_table(options: argparse.Namespace, scores: Scores) -> pd.DataFrame:
    """That of --system-table, else of the collection."""
    from evalcore.data.system_table import read_system_table

    if options.system_table:
        (source,) = from_path(options.system_table)
        systems = [str(name) for frame in list(scores.values())[:1] for name in frame.columns]
        table, notes = read_system_table(source, systems)
        tell_notes(notes)
        return table
    result = open_collection(options).system_table if is_given(options) else None
    if result is None:
        raise UsageError("--factors: expected a systems.csv in the collection, or --system-table FILE, found neither")
    return result
