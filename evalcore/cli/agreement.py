"""`evalcore agreement`: do two sources of labels say the same of the same documents?

Compare the labels of two assessors, LLM judges or runs of one judge, on the documents that both labelled: raw
agreement, Cohen's kappa, Krippendorff's alpha, Gwet's AC, plain and weighted, each with an interval over topics (by
leaving out each topic). Of more than two sources, alpha and AC. A dash: undefined, as no disagreement is expected by
chance; of an interval: fewer than 5 topics, or too few documents. By topic (there over its documents), by grade, by
cell of the confusion matrix, or by document: what each disagreement alone does to the scores of the systems.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.opening import open_collection
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.terminal import print_note
from evalcore.constants import COEFFICIENTS, COMBINED
from evalcore.data.sources import from_path
from evalcore.errors import InputError
from evalcore.later import np, pd

USAGE = "WHERE [--sources NAME NAME...] [--of ASPECT] [--by WHAT] [options]"
EXAMPLES = (
    "evalcore agreement sample_data/health",
    "evalcore agreement sample_data/health --by topic -c alpha -w ordinal -f csv",
    "evalcore agreement sample_data/health --by cell -f json",
    "evalcore agreement sample_data/health --by document -m RBP -f csv",
    "evalcore agreement sample_data/health --of credibility --with other=sample_data/health/qrels.txt",
)
WEIGHTS = tuple(dict.fromkeys(way for ways in COEFFICIENTS.values() for way in ways))
BY = ("topic", "grade", "cell", "document")
OWN = "assessors"  # what the collection's labels are called where an aspect has one source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    group = parser.add_argument_group("labels")
    sources = "two or more; default: the aspect's own, and those of --with or the next"
    group.add_argument("--sources", nargs="+", metavar="NAME", help=sources)
    group.add_argument("--of", metavar="ASPECT", help="default: the first aspect with several sources")
    arguments.repeated(group, "--with", "NAME=FILE", "another source of labels of the aspect", dest="more")
    group = parser.add_argument_group("agreement")
    group.add_argument("--by", choices=BY, help="default: over all documents")
    group.add_argument("-c", "--coefficient", choices=tuple(COEFFICIENTS), help="by topic; default: kappa")
    group.add_argument("-w", "--weights", choices=WEIGHTS, help="of the coefficient by topic; default: none, nominal")
    group.add_argument("-m", "--measure", default="RBP", metavar="MEASURE", help="by document; default: RBP")
    arguments.add_level(group)
    arguments.add_ending(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the coefficients, or what was asked for."""
    if options.by != "topic" and (options.coefficient or options.weights):
        raise UsageError("-c, -w: expected --by topic, as all coefficients are shown otherwise")
    collection = _with_files(open_collection(options), options)
    sources = _named(collection, options)
    agreement = ec.judges.source_agreement(collection, sources, options.of, level=options.level)
    about = {
        "aspect": agreement.aspect,
        "sources": ", ".join(agreement.sources),
        "documents": agreement.n_documents,
        "level": options.level,
    }
    write_frame(_table(agreement, collection, options), options, about)


def _table(agreement: ec.judges.Agreement, collection: ec.Collection, options: argparse.Namespace) -> pd.DataFrame:
    if options.by is None:
        table = agreement.coefficients()
        table.insert(0, "aspect", agreement.aspect)
        table.insert(1, "sources", ", ".join(agreement.sources))
        return table
    if options.by == "topic":
        return agreement.by_topic(options.coefficient or "kappa", options.weights or "").reset_index()
    if options.by == "grade":
        return agreement.by_grade().reset_index()
    if options.by == "cell":
        return agreement.cells()

    return ec.judges.disagreements(collection, options.measure, agreement.sources, agreement.aspect)


def _named(collection: ec.Collection, options: argparse.Namespace) -> tuple[str, ...]:
    """The sources that are asked for; without any, those of files are compared with that read unasked."""
    files = arguments.pairs(options.more, "--with", "NAME=FILE")
    if options.sources or not files:
        return tuple(options.sources or ())
    return (collection.assessments.sources[_aspect(collection, options)].default, *files)


def _aspect(collection: ec.Collection, options: argparse.Namespace) -> str:
    """The aspect that files are of: the one asked for, else the first that has several sources, else the first."""
    several = [name for name, sources in collection.assessments.sources.items() if len(sources.labels) > 1]
    return str(options.of or [*several, *collection.aspects, ""][0])


def _with_files(collection: ec.Collection, options: argparse.Namespace) -> ec.Collection:
    """The collection with the sources of --with beside those that it has."""
    from evalcore.structures.sources import Sources

    pool, aspect = collection.assessments, _aspect(collection, options)
    files = arguments.pairs(options.more, "--with", "NAME=FILE")
    if not files:
        return collection
    own = pool.sources.get(aspect) or Sources({OWN: pool.column(aspect)}, OWN)
    if taken := sorted({*own.names, *COMBINED} & set(files)):
        raise UsageError(f"--with: expected a name that is no source of {aspect} yet, found {taken[0]!r}")
    labels = {**own.labels, **{name: _labels(collection, aspect, path) for name, path in files.items()}}
    sources = {**pool.sources, aspect: Sources(labels, own.default)}
    return replace(collection, assessments=replace(pool, sources=sources))


def _labels(collection: ec.Collection, aspect: str, path: str) -> np.ndarray:
    """(P,) the labels that a file gives to the documents of the pool; others are counted in a note."""
    from evalcore.data.kinds import read_as

    pool = collection.assessments
    files = from_path(path)
    if len(files) != 1:
        raise InputError(f"expected one file of labels, found {len(files)}", path)
    read = read_as("aspect", files[0], pool.scale(aspect), 1)
    labels = pd.Series(read.grades, pd.MultiIndex.from_arrays([read.topics, read.documents]))
    names = pool.frame()[["topic", "document"]]
    rows = pd.MultiIndex.from_frame(names)
    if left := int((~labels.index.isin(rows)).sum()):
        print_note(f"{path}: {left:,} labels of documents that nobody else labelled")
    return labels.reindex(rows).to_numpy(dtype=float)
