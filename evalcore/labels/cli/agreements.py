"""`evalcore labels --agreement` and `--disagreements`: do sources agree on the labels of documents?"""

from __future__ import annotations

import argparse

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.terminal import Progress
from evalcore.common.constants import COEFFICIENTS
from evalcore.common.lazy_imports import pd

WEIGHTS = tuple(dict.fromkeys(way for ways in COEFFICIENTS.values() for way in ways))
BY = ("topic", "grade", "cell")


def agreement(collection: ec.Collection, options: argparse.Namespace, _: Progress) -> pd.DataFrame:
    """Return the coefficients of agreement or, with `--by`, a line for each topic, grade or cell."""
    if options.by != "topic" and (options.coefficient or options.weights):
        raise UsageError("--coefficient and --weights need --by topic; without --by, all coefficients are shown")
    found = ec.judges.source_agreement(collection, options.sources or (), options.labels_of, level=options.level)
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
    """Return a line for each document on which two sources disagree."""
    return ec.judges.disagreements(collection, options.sources or (), options.labels_of)
