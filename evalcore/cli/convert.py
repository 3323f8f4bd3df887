"""`evalcore convert`: write a collection as TREC files or CSV, or a table of scores in other formats.

Write a collection to a new folder, as TREC files or CSV, with a collection.toml. The new folder gives the same scores.
Rankings are written as they are scored: with --order rank, the written scores fall with the rank, so that other tools
see the same order.

With --scores, read tables of scores (CSV, Parquet, JSON, trec_eval -q, ir_measures -q) and write them as csv or json,
or as trec_eval -q prints them.

In CSV, an apostrophe is put before an id or a name that a spreadsheet would run as a formula, consistently in all
files; with --raw, names are written unchanged.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from evalcore.cli import exports, scores
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import is_given, open_collection
from evalcore.cli.output import chosen_format
from evalcore.cli.tables import read_tables, with_notes

USAGE = "WHERE -o FOLDER | --scores FILE...  [-f FORMAT] [options]"
EXAMPLES = (
    "evalcore convert sample_data/health -o health-csv -f csv",
    "evalcore convert sample_data/health --order rank -f trec -o health-trec",
    "evalcore score sample_data/health -m map -q | evalcore convert --scores - -f csv",
)
FORMATS = ("trec", "csv", "json", "trec_eval")
OF_COLLECTION = ("trec", "csv")
OF_SCORES = ("csv", "json", "trec_eval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    arguments.add_scores(parser)
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Write the collection or the scores."""
    if is_given(options) and options.scores:
        raise UsageError("expected a collection or --scores to convert, found both")
    if options.scores:
        _scores(options)
        return
    collection = open_collection(options)
    if options.out in (None, "-"):
        raise UsageError("expected a folder to write to (--out FOLDER), found none")
    exports.write_folder(collection, options, _format(options, OF_COLLECTION), Path(options.out))


def _format(options: argparse.Namespace, formats: tuple[str, ...]) -> str:
    form = chosen_format(options, formats)
    if form not in formats:
        raise UsageError(f"--format: expected one of {', '.join(formats)} here, found {form}")
    return form


def _scores(options: argparse.Namespace) -> None:
    form = _format(options, OF_SCORES)
    scores.write_scores(with_notes(read_tables(options)), options, form, True)
