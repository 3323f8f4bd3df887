"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from evalcore.cli.base import UsageError
from evalcore.common.constants import AVERAGES, LABELS, MISSING, ORDERS
from evalcore.errors import readable


def flag(to: argparse._ActionsContainer, *names: str, help: str) -> None:
    """Add an option without a value."""
    to.add_argument(*names, action="store_true", help=help)


def several(to: argparse._ActionsContainer, name: str, metavar: str, help: str, **more: Any) -> None:
    """Add an option with one or more values, which may be repeated."""
    to.add_argument(name, nargs="+", action="extend", metavar=metavar, help=help, **more)


def repeated(to: argparse._ActionsContainer, name: str, metavar: str, help: str, **more: Any) -> None:
    """Add an option with one value, which may be repeated."""
    to.add_argument(name, action="append", metavar=metavar, help=help, **more)


def add_collection(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a collection: a path, or its files one by one."""
    group = parser.add_argument_group(
        "collection", "a folder or a zip, or several files that belong together, or each file with its purpose"
    )
    group.add_argument(
        "where", nargs="*", metavar="WHERE", help="folder, zip, files, or a pattern ('data/*.zip') that matches them"
    )
    several(group, "--runs", "FILE", "runs (TREC, tables, JSON), patterns, or a folder")
    repeated(group, "--aspect", "NAME=FILE", "assessments of one aspect: --aspect relevance=qrels.txt")
    repeated(group, "--signal", "NAME=FILE", "a number for each document: --signal fog=fog.csv")
    repeated(group, "--good", "NAME=END", "whether high or low values are good: fog=low")
    group.add_argument("--order", choices=ORDERS, help="field that orders a ranking (default: score, as in trec_eval)")
    group.add_argument("--labels", choices=LABELS, help="by-document: use a document's first label for every topic")
    group.add_argument(
        "--collection-toml",
        metavar="FILE",
        help="read the files as this collection.toml describes; it can request fog, smog and flesch_kincaid of texts",
    )
    several(
        group,
        "--add",
        "FILE",
        "files to add to the collection: a run, labels by another judge or of another aspect, a signal",
    )
    _add_choice(group)
    flag(group, "--no-cache", help="read all files again and keep no cache")


def _add_choice(group: argparse._ArgumentGroup) -> None:
    """Add options that choose parts of a collection and the source of labels."""
    repeated(group, "--systems", "PATTERN", "only these systems: --systems 'bm25*'")
    repeated(group, "--topics", "PATTERN", "only these topics")
    group.add_argument(
        "--source",
        metavar="NAME",
        help="the source of labels if aspects have several: a judge, or majority, median, mean, union, "
        "agreed (default: as the collection declares)",
    )
    group.add_argument(
        "--lead",
        metavar="ASPECT",
        help="if no aspect is called relevance: the aspect that measures read by default (default: the first)",
    )


def add_measures(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name measures: texts, files or sets."""
    group = parser.add_argument_group("measures", "`evalcore measures` lists them; by default a few common ones")
    group.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help="AP, nDCG@10, 'uRBP(rho=0.8)', trec_eval's names (map, P_10, ndcg_cut.10,20; plain P, recall, ndcg_cut "
        "and map_cut use its nine cut-offs), several separated by commas, or @FILE with one on each line",
    )
    group.add_argument("--set", metavar="NAME", help="measures that fit the collection (evalcore inspect names sets)")


def add_trec_eval(parser: argparse.ArgumentParser) -> None:
    """Add options of trec_eval, under the same letters."""
    group = parser.add_argument_group("as in trec_eval")
    group.add_argument(
        "--average",
        choices=AVERAGES,
        default="all",
        help="means over all assessed topics, as trec_eval -c (default), or only topics with results of the system, "
        "as trec_eval without -c",
    )
    group.add_argument("-c", dest="average", action="store_const", const="all", help="--average all, the default")
    group.add_argument(
        "-l",
        "--rel",
        type=float,
        metavar="GRADE",
        help="lowest relevant grade, for measures written without rel",
    )
    group.add_argument("-M", "--max-documents", type=int, metavar="N", help="only the first N documents per topic")
    flag(group, "-J", "--judged-only", help="leave out documents that nobody assessed")


def add_measured(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a collection and its measures."""
    add_collection(parser)
    add_measures(parser)
    add_trec_eval(parser)


def add_scores(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for scores computed by another tool."""
    group = parser.add_argument_group("scores from elsewhere")
    several(
        group,
        "--scores",
        "FILE",
        "files of scores by topic: CSV, Parquet, JSON, `trec_eval -q` or `ir_measures -q` output; - for standard input",
    )
    group.add_argument(
        "--missing",
        choices=MISSING,
        default="refuse",
        help="treat a missing score as an error (default), as 0 (infinite if low scores are good), or leave it out of "
        "means and comparisons",
    )
    repeated(group, "--low", "NAME", "a measure whose low scores are good, if it is not one of evalcore's", default=[])


def add_resamples(group: argparse._ArgumentGroup, default: int, help: str) -> None:
    """Add the options for the number of resamples of topics and their seed."""
    group.add_argument("--resamples", type=int, default=default, metavar="N", help=help)
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the resamples (default: 0)")


def add_output(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Add the options for the output; the first format is the default."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f",
        "--format",
        choices=formats,
        metavar="FORMAT",
        help=f"{', '.join(formats)}; default: from the ending of --out, else {formats[0]}",
    )
    group.add_argument("-o", "--out", metavar="FILE", help="write to a new file instead of standard output")
    add_force(group)
    if "csv" in formats:
        flag(
            group,
            "--raw",
            help="write names in CSV unchanged, for another program; by default an apostrophe precedes names that a "
            "spreadsheet would run as a formula (= + - @)",
        )
    group.add_argument(
        "-d", "--decimals", type=int, metavar="N", help="decimals in text formats (default: 4); csv and json keep all"
    )


def add_force(group: argparse._ActionsContainer) -> None:
    """Add the option to replace an existing file."""
    flag(group, "--force", help="let --out replace an existing file, but never an input file or a folder")


def pairs(given: Sequence[str] | None, option: str, form: str) -> dict[str, str]:
    """Return {name: value} from arguments NAME=VALUE.

    Raises UsageError for a missing name or value, or a repeated name.
    """
    values: dict[str, str] = {}
    for text in given or ():
        name, _, value = text.partition("=")
        name = readable(name)
        if not name or not value:
            raise UsageError(f"{option}: expected {form}, found {text!r}")
        if name in values:
            raise UsageError(f"{option}: expected each name once, found {name!r} again")
        values[name] = value
    return values
