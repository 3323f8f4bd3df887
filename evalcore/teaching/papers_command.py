"""`evalcore papers`: recompute the papers' tables and figures, and compare them with the printed values.

Count how many printed values of each paper are reproduced, among the values that need only the paper's data or the
collection. With --exhibit, print the values of one table or figure. Printed values from other data, and identities that
no paper prints, are shown but not counted. The exit code is 1 if a printed value is not reproduced and is not a known
misprint.
"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.opening import open_collection
from evalcore.cli.output import write_frame
from evalcore.cli.terminal import print_note
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError

USAGE = "[COLLECTION] [--exhibit KEY | --list]"
EXAMPLES = (
    "evalcore papers",
    "evalcore papers --list",
    "evalcore papers --exhibit maistro-table-3-ap",
    "evalcore papers sample_data/health --exhibit zuccon-table-1",
)
FORMATS = ("table", "csv", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    group = parser.add_argument_group("exhibits")
    group.add_argument("--exhibit", metavar="KEY", help="print the values of this table or figure")
    arguments.flag(group, "--list", help="print the key, the kind and the required data of each exhibit")
    arguments.add_collection(parser)
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the tally, the list, or one exhibit."""
    from evalcore.teaching.papers import tally, tally_in_words

    if options.list:
        write_frame(_listed(), options)
    elif options.exhibit:
        write_frame(_values(options), options)
    else:
        counts = tally(_opened(options))
        write_frame(counts.reset_index(), options)
        print_note(tally_in_words(counts.sum()))
        if counts["wrong"].any():
            raise SystemExit(1)


def _opened(options: argparse.Namespace) -> ec.Collection:
    """Return the collection that the options name; if they name none, the three documents of Maistro et al. 2021."""
    from evalcore.teaching.papers.three_documents import labelled

    given = options.where or options.runs or options.aspect
    return open_collection(options) if given else labelled()


def _listed() -> pd.DataFrame:
    from evalcore.teaching.papers import exhibits

    keys = ("key", "document", "place", "kind", "needs", "fetch")
    return pd.DataFrame([{key: getattr(exhibit, key) for key in keys} for exhibit in exhibits()])


def _values(options: argparse.Namespace) -> pd.DataFrame:
    from evalcore.teaching.papers import IDENTITY, exhibit_of

    exhibit, collection = exhibit_of(options.exhibit), _opened(options)
    if lack := exhibit.lacks(collection):
        how = f"{exhibit.fetch} downloads the data" if exhibit.fetch else "no command downloads the data"
        raise InputError(f"{exhibit.key}: expected {lack}, found none; this exhibit needs {exhibit.needs} ({how})")
    table = exhibit.compared(collection).rename_axis("value").reset_index()
    print_note(f"{exhibit.document}, {exhibit.place}: {exhibit.kind_on(collection)}. {exhibit.explains}")
    return table.rename(columns={"published": "expected"}) if exhibit.kind == IDENTITY else table
