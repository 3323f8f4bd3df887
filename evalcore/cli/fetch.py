"""`evalcore fetch`: list or download public collections of several aspects.

List public collections of several aspects, or download one from GitHub into a folder that every other command can open.
The files of one commit are downloaded one by one and checked, and a collection.toml describes them. An interrupted
download continues where it stopped; a complete folder is checked without the network. No other command of evalcore
downloads anything. The files stay under the licence of their repository.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.terminal import Progress, clean

if TYPE_CHECKING:
    from evalcore.data.public import Fetched

USAGE = "[NAME] [-o FOLDER]"
EXAMPLES = ("evalcore fetch",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the collection to download; default: list all")
    parser.add_argument("-o", "--out", metavar="FOLDER", help="folder; default: named after the collection")


def run(options: argparse.Namespace) -> None:
    """List the collections, or download one."""
    if options.name is None:
        if options.out:
            raise UsageError("expected the NAME of a collection, found none")
        print(_list())
        return

    folder = options.out or options.name
    try:
        with Progress() as progress:
            fetched = ec.fetch(options.name, folder, progress=progress)
    except KeyboardInterrupt:
        print("evalcore: interrupted; run the same command again to continue", file=sys.stderr)
        raise
    print(clean(_summary(fetched)).replace("\\n", "\n"))


def _list() -> str:
    lines = []
    for collection in ec.public_collections().values():
        lines += [
            f"{collection.name:10}{collection.title}",
            f"{'':10}{', '.join(collection.aspects)}",
            f"{'':10}{collection.address} (licence: {collection.licence})",
            f"{'':10}{collection.paper}",
            "",
        ]
    return "\n".join([*lines, "evalcore fetch NAME downloads one; nothing is downloaded otherwise."])


def _summary(fetched: Fetched) -> str:
    known = fetched.collection
    got, files = fetched.fetched, fetched.files
    done = f"{got} of {files} files fetched" if got else f"all {files} files are already there"
    lines = [
        f"{known.title}: {done}, {fetched.size / 1e6:.1f} MB, commit {fetched.commit}",
        f"{fetched.systems} systems, {fetched.topics} topics, {fetched.documents:,} assessed documents; "
        f"{', '.join(known.aspects)}",
        *(f"left out: {text}" for text in fetched.left_out),
        f"licence: {known.licence}; paper: {known.paper}",
        f"evalcore inspect {fetched.folder}",
    ]
    return "\n".join(lines)
