"""`evalcore partition`: write a collection as a folder of parts, for more than fits in memory.

Read runs one after another, never all at once, and write what measures need of them as Parquet files, some topics to a
part. Every command takes such a folder where it takes a collection and scores it part by part; with --scheduler the
workers of a Dask cluster do, on this machine (local) or on others that see the folder under the same path.
"""

from __future__ import annotations

import argparse

from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.cluster import asked_for
from evalcore.cli.opening import partitioned
from evalcore.cli.terminal import Progress, clean

USAGE = "WHERE -o FOLDER [--topics-per-part N] [options]"
EXAMPLES = (
    "evalcore partition sample_data/health -o parts --topics-per-part 10",
    "evalcore partition --runs sample_data/health/runs/bm25_*.gz --aspect relevance=sample_data/health/qrels.txt -o b",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_collection(parser)
    parser.add_argument("-o", "--out", metavar="FOLDER", required=True, help="a new or an empty folder")
    parser.add_argument("--topics-per-part", type=int, default=100, metavar="N", help="default: 100")


def run(options: argparse.Namespace) -> None:
    """Write the folder, and say what is in it."""
    if options.systems or options.topics or options.source:
        raise UsageError("--systems, --topics, --source: expected a whole collection to write; choose when you read it")
    with Progress() as progress:
        written = partitioned(options, asked_for(options), progress)
    print(clean(f"{options.out}: {written.summary}"))
