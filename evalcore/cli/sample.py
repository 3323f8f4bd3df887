"""`evalcore sample`: copy the sample collections to a folder.

Copy the sample collections, which are all invented, and the files that the examples of other commands name. Then
the examples, such as `evalcore score sample_data/health`, work as written.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

from evalcore.cli import options as arguments
from evalcore.cli.app import app_folder
from evalcore.cli.terminal import clean
from evalcore.common.lazy_imports import tomllib
from evalcore.common.writing import new_folder, write_file

USAGE = "[-o FOLDER] [--list] [--force]"
EXAMPLES = ("evalcore sample --list", "evalcore sample -o samples")
COLLECTIONS = ("health", "manual", "site")
FILES = ("README.md", "claim.toml", "exercises.toml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--out", metavar="FOLDER", default="sample_data", help="a new or an empty folder (default: sample_data)"
    )
    arguments.flag(parser, "--list", help="list the samples and copy nothing")
    arguments.flag(parser, "--force", help="replace files with the same names in the folder; other files stay")


def run(options: argparse.Namespace) -> None:
    """Copy the samples, or list them. Raises InputError if the folder is not empty and --force is not given."""
    source, target = app_folder() / "sample_data", Path(options.out)
    if not options.list:
        _copy(source, target, options.force)
    for name in COLLECTIONS:
        title = tomllib.loads((source / name / "collection.toml").read_text(encoding="utf-8"))["title"]
        size = sum(path.stat().st_size for path in (source / name).rglob("*") if path.is_file())
        print(clean(f"{name if options.list else target / name}: {title}, {size / 1e6:.1f} MB"))


def _copy(source: Path, target: Path, force: bool) -> None:
    if force and target.is_dir():
        for path in _files(source):
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            write_file(place, path.read_bytes(), replace=True, inputs=[path])
        return
    with new_folder(target) as new:
        for path in _files(source):
            place = new / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def _files(source: Path) -> Iterator[Path]:
    yield from (source / name for name in FILES)
    for name in COLLECTIONS:
        yield from (path for path in sorted((source / name).rglob("*")) if path.is_file())
