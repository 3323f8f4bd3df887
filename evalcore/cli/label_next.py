"""`evalcore label-next`: which documents should people label next, to decide the order of systems, who is first, or a
pair?

Where an aspect has the labels of people and of a model, a line for each document that people should label next: the
model's label, and what theirs is expected to take away of the doubt about the pairs of systems that count (value). How
many labels decide all of them is said beside the output, if scores stay as they are expected. Pairs that count: all
(--decide order), those of the leader (first), or two systems by name. For measures whose scores are sums of gains.

--pairs: a line for each pair of neighbours, or each that counts: how sure its order is, and how many labels it needs.
A pair is decided where its order is sure if the model errs alike on the documents of all systems, and by what labels
show of its favour for either: enough that were drawn at random, or those of most of the doubt. wrong is a half where
labels do not tell.
--curve: labels spent against pairs decided (and sure, if the model errs alike on the documents of all systems), by this
order of documents, at random, as pooled (by the best rank), and where the model is least certain; all human labels are
to be there.
--filled FILE: the template with grades in the place of -1: a line for each label, what is left of the doubt with it,
and whether it was worth it.
--template FILE: a qrels file of these documents, all -1, to be filled in and opened as further labels.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.combine import add_hiding, add_sources, kept_labels
from evalcore.cli.names import asked
from evalcore.cli.opening import open_collection, read_text
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.tables import joined, origin
from evalcore.cli.terminal import Progress, print_note
from evalcore.errors import InputError
from evalcore.later import pd

USAGE = "WHERE [-m MEASURE] [--decide WHAT...] [-n N] [--pairs | --curve] [--template FILE] [options]"
EXAMPLES = (
    "evalcore label-next sample_data/health -m nDCG@10 --share 0.1 -n 20",
    "evalcore label-next sample_data/health -m 'RBP(rho=0.8)' --share 0.1 --decide first --pairs -f csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_measured(parser)
    group = parser.add_argument_group("labels")
    add_sources(group)
    group.add_argument(
        "--decide", nargs="+", default=["order"], metavar="WHAT", help="order, first, or two systems (default: order)"
    )
    group.add_argument("-n", "--number", type=int, default=100, metavar="N", help="of documents (default: 100)")
    way = group.add_mutually_exclusive_group()
    arguments.flag(way, "--pairs", help="a line for each pair of systems")
    way.add_argument("--filled", metavar="FILE", help="a template that was filled in: what each label brought")
    arguments.flag(way, "--curve", help="labels spent against pairs decided")
    group.add_argument("--template", metavar="FILE", help="write a qrels file to fill in")
    group.add_argument("--level", type=float, default=0.95, metavar="SHARE", help="how sure is decided (default: 0.95)")
    add_hiding(group)
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of what is hidden (default: 0)")
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the documents, the pairs or the curve of one measure."""
    collection = open_collection(options)
    measures = asked(options, collection)
    if len(measures) != 1 and options.template:
        raise UsageError(f"--template: expected one measure, found {len(measures)}")
    kind = _curve if options.curve else _filled if options.filled else _documents
    with Progress() as progress:
        table = joined((name, kind(measure, collection, options)) for name, measure in progress.over(measures))
    about = {**origin(collection, options), "level": options.level, "seed": options.seed}
    write_frame(table, options, about)


def _documents(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace) -> pd.DataFrame:
    listed = ec.combining.label_next(measure, collection, n=options.number, **_asked(options))
    print_note(
        f"How sure: of {listed.of_pairs:,} pairs {listed.decided:,} are decided with {listed.n_labels:,} human labels, "
        f"{listed.sure:,} would be if the model favoured nobody; about {listed.needed:,} more labels decide all"
    )
    if options.template:
        _write(options.template, listed.template())
    return listed.pairs if options.pairs else listed.documents


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    """Between whose labels, to decide what, from which of them."""
    return {
        "model": options.model,
        "human": options.human,
        "aim": options.decide[0] if len(options.decide) == 1 else options.decide,
        "kept": kept_labels(options),
        "aspect": options.labels_of,
        "level": options.level,
    }


def _filled(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace) -> pd.DataFrame:
    filled = read_text(options.filled, "filled labels")
    result = ec.combining.filled_labels(measure, collection, filled=filled, **_asked(options))
    print_note(f"How sure: {result.in_words()}")
    return result.table


def _write(path: str, text: str) -> None:
    """Write a new file. Raises InputError where there is one."""
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("expected a name that is not taken, found a file", path) from None


def _curve(measure: ec.Measure, collection: ec.Collection, options: argparse.Namespace) -> pd.DataFrame:
    curve = ec.combining.labelling_curve(
        measure, collection, options.model, options.human, most=options.number, level=options.level, seed=options.seed
    )
    return curve.reset_index()
