"""`evalcore convert`: a collection as TREC files or CSV; a table of scores in other formats.

Write a collection to a new folder, as TREC files or CSV, with the collection.toml that reads it: it loads to the same
scores. Rankings are written as they are scored: with --order rank, the written scores fall with the rank, so
that every other tool sees that order too. With --only, one part to standard output: runs, assessments, or one aspect
or signal by its name (trec: qrels).

With --scores, read tables of scores (CSV, Parquet, JSON, trec_eval -q, ir_measures -q) and write them as csv, json or
as trec_eval -q prints them.

In CSV an apostrophe stands before an id or a name that a spreadsheet would run as a formula, alike in all files; --raw
leaves all as they are.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import evalcore as ec
from evalcore.cli import exports, scores
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import is_given, open_collection
from evalcore.cli.output import chosen_format, is_raw, out_file, write, write_frame
from evalcore.cli.tables import read_tables, with_notes
from evalcore.errors import InputError

USAGE = "WHERE -o FOLDER | WHERE --only PART | --scores FILE...  [-f FORMAT] [options]"
EXAMPLES = (
    "evalcore convert sample_data/health -o health-csv -f csv",
    "evalcore convert sample_data/health --order rank -f trec -o health-trec",
    "evalcore convert sample_data/health --only credibility -f trec",
    "evalcore convert sample_data/health --only runs --systems bm25_base -f trec",
    "evalcore score sample_data/health -m map -q | evalcore convert --scores - -f csv",
)
FORMATS = ("trec", "csv", "json", "trec_eval")
OF_COLLECTION = ("trec", "csv")
OF_PART = ("trec", "csv", "json")
OF_SCORES = ("csv", "json", "trec_eval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    arguments.add_scores(parser)
    parser.add_argument("--only", metavar="PART", help="runs, assessments, or the name of an aspect or signal")
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Write what was asked for."""
    if is_given(options) and options.scores:
        raise UsageError("expected a collection or --scores to convert, found both")
    if options.scores:
        _scores(options)
        return
    collection = open_collection(options)
    if options.only:
        _part(collection, options, _format(options, OF_PART))
    elif options.out in (None, "-"):
        raise UsageError("expected --out FOLDER for a collection, or --only PART, found neither")
    else:
        exports.write_folder(collection, options, _format(options, OF_COLLECTION), Path(options.out))


def _format(options: argparse.Namespace, formats: tuple[str, ...]) -> str:
    form = chosen_format(options, formats)
    if form not in formats:
        raise UsageError(f"--format: expected one of {', '.join(formats)} here, found {form}")
    return form


def _scores(options: argparse.Namespace) -> None:
    form = _format(options, OF_SCORES)
    scores.write_scores(with_notes(read_tables(options)), options, form, True)


def _part(collection: ec.Collection, options: argparse.Namespace, form: str) -> None:
    pool = collection.assessments
    if options.only not in ("runs", "assessments", *pool.scales):
        known = f"runs, assessments, or an aspect or signal ({', '.join(pool.scales)})"
        raise InputError(f"expected {known}, found {options.only!r}", "--only")
    if options.only == "runs":
        _runs(collection, options, form)
    elif form == "trec" and options.only == "assessments":
        names = ", ".join(pool.scales)
        raise UsageError(f"--only: expected one aspect for TREC qrels ({names}), found assessments")
    elif form == "trec":
        write(exports.trec_column(pool, options.only), options)
    else:
        whole = options.only == "assessments"
        write_frame(pool.frame() if whole else exports.column_frame(pool, options.only), options, form=form)


def _runs(collection: ec.Collection, options: argparse.Namespace, form: str) -> None:
    frames = exports.run_frames(collection, options)
    if form == "trec":
        if len(collection.systems) > 1:
            raise UsageError(
                f"expected one system for one TREC run (--systems NAME), or --out FOLDER without --only, "
                f"found {len(collection.systems)}"
            )
        write(exports.trec_run(next(frames)), options)
    elif form == "json" or options.out in (None, "-"):
        import pandas as pd

        write_frame(pd.concat(frames, ignore_index=True), options, form=form)
    else:
        with out_file(options) as file:
            exports.write_tables(frames, file, is_raw(options))
