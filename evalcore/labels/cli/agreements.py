"""`evalcore labels --agreement` and `--disagreements`: do two sources give documents the same labels?"""

from __future__ import annotations

import argparse
from dataclasses import replace

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.names import asked
from evalcore.cli.terminal import Progress, print_note
from evalcore.common.constants import COEFFICIENTS, COMBINED
from evalcore.common.lazy_imports import np, pd
from evalcore.data.sources import from_path
from evalcore.errors import InputError

WEIGHTS = tuple(dict.fromkeys(way for ways in COEFFICIENTS.values() for way in ways))
BY = ("topic", "grade", "cell")
OWN = "assessors"  # what the collection's labels are called where an aspect has one source


def agreement(collection: ec.Collection, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """The coefficients; or a line for each topic, grade or cell."""
    if options.by != "topic" and (options.coefficient or options.weights):
        raise UsageError("--coefficient and --weights are options of --by topic; without it all coefficients are shown")
    collection = _with_files(collection, options)
    found = ec.judges.source_agreement(collection, _named(collection, options), options.labels_of, level=options.level)
    if options.by == "topic":
        return found.by_topic(options.coefficient or "kappa", options.weights or "").reset_index()
    if options.by == "grade":
        return found.by_grade().reset_index()
    if options.by == "cell":
        return found.cells()
    table = found.coefficients()
    table.insert(0, "aspect", found.aspect)
    table.insert(1, "sources", ", ".join(found.sources))
    return table


def disagreements(collection: ec.Collection, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """A line for each document on which two sources disagree, and system."""
    collection = _with_files(collection, options)
    measure, *_more = asked(options, collection).values()
    found = ec.judges.source_agreement(collection, _named(collection, options), options.labels_of)
    return ec.judges.disagreements(collection, measure, found.sources, found.aspect)


def _named(collection: ec.Collection, options: argparse.Namespace) -> tuple[str, ...]:
    """The sources that are asked for; without any, those of files are compared with the one read by default."""
    files = _files(options)
    if options.sources or not files:
        return tuple(options.sources or ())
    return (collection.assessments.sources[_aspect(collection, options)].default, *files)


def _files(options: argparse.Namespace) -> dict[str, str]:
    return arguments.pairs(getattr(options, "with"), "--with", "NAME=FILE")


def _aspect(collection: ec.Collection, options: argparse.Namespace) -> str:
    """The aspect that files are of: the one asked for, else the first that has several sources, else the first."""
    several = [name for name, sources in collection.assessments.sources.items() if len(sources.labels) > 1]
    return str(options.labels_of or [*several, *collection.aspects, ""][0])


def _with_files(collection: ec.Collection, options: argparse.Namespace) -> ec.Collection:
    """The collection with the sources of --with beside those that it has."""
    from evalcore.structures.sources import Sources

    pool, aspect, files = collection.assessments, _aspect(collection, options), _files(options)
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
        print_note(f"{path}: {left:,} labels of documents that no other source labelled")
    return labels.reindex(rows).to_numpy(dtype=float)
