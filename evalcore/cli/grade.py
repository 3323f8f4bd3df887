"""`evalcore grade`: answer sheets of exercises: points, tries, and whether a sheet is as it was downloaded.

Read the answer sheets (*.json) of a folder and the folders in it into a table, a row for each. Right answers are
computed from the data, not taken from the sheet: a question has its points if a try was right before its answer was
shown. `digest fits` is no where a sheet was changed after its download; it is no signature, as anybody can compute one.
`same questions` and `same data` say whether the sheet was made with this file and on this collection. Equal answers are
not looked for. What is no answer sheet is named on standard error, and the others are graded.
"""

from __future__ import annotations

import argparse
from pathlib import Path, PurePosixPath

import evalcore as ec
from evalcore.cli import options as arguments
from evalcore.cli.app import app_folder
from evalcore.cli.opening import decoded, read_text
from evalcore.cli.output import FORMATS, write_frame
from evalcore.cli.terminal import print_note
from evalcore.data.sources import from_path
from evalcore.errors import InputError

USAGE = "FOLDER [--exercises FILE] [--data WHERE] [options]"
EXAMPLES = (
    "evalcore grade sample_data/sheets",
    "evalcore grade sample_data/sheets --exercises sample_data/exercises.toml --data sample_data/health -f csv",
    "evalcore grade sample_data/sheets -o points.json",
)
MOST_SHEETS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where the answer sheets are; or one of them")
    parser.add_argument(
        "--exercises",
        metavar="FILE",
        help="the questions (default: exercises.toml among the sheets, beside their folder or of the data, else the "
        "guided path's)",
    )
    parser.add_argument("--data", metavar="WHERE", help="folder or zip that they are about (default: the sample data)")
    arguments.add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> None:
    """Print the points."""
    where = Path(options.data) if options.data else app_folder() / "sample_data" / "health"
    exercise, collection = _exercise(options, where), ec.load(where)
    files, unread = _sheets(options.folder)
    graded = ec.exercises.grade(files, exercise, collection)
    for problem in (*unread, *graded.problems):
        print_note(f"left out: {problem!s}")
    if graded.table.empty:
        raise InputError(f"expected an answer sheet, found none that can be read among {len(files)}", options.folder)
    write_frame(graded.table, options)


def _exercise(options: argparse.Namespace, where: Path) -> ec.exercises.Exercise:
    """The questions of --exercises, else those by the sheets or the data, also in a zip, else the shipped ones."""
    sheets = Path(options.folder)
    beside = (place / ec.exercises.FILE_NAME for place in (sheets, sheets.resolve().parent, where))
    file = options.exercises or next((str(path) for path in beside if path.is_file()), "")
    if file:
        return ec.exercises.parse_exercise(read_text(file, "exercises"), file)
    packed = _packed(where, ec.exercises.FILE_NAME) if where.is_file() else None
    return (
        ec.exercises.shipped()
        if packed is None
        else ec.exercises.parse_exercise(packed, f"{where}, {ec.exercises.FILE_NAME}")
    )


def _packed(data: Path, name: str) -> str | None:
    """A text in a zip, as the app finds it there. Raises InputError where it is not UTF-8."""
    member = next((source for source in from_path(data) if PurePosixPath(source.name).name == name), None)
    return None if member is None else decoded(member.raw(), "exercises", f"{data}, {name}")


def _sheets(folder: str) -> tuple[list[tuple[str, str]], list[InputError]]:
    """The text of each sheet by its path from the folder on, and what is none. Raises InputError for no folder."""
    place = Path(folder)
    if not place.exists():
        raise InputError("expected a folder of answer sheets, found nothing at this path", folder)
    paths = sorted(place.rglob("*.json")) if place.is_dir() else [place]
    if not 0 < len(paths) <= MOST_SHEETS:
        raise InputError(f"expected 1 to {MOST_SHEETS:,} answer sheets (*.json), found {len(paths):,}", folder)
    read, unread = [], []
    for path in paths:
        name = path.relative_to(place).as_posix() if place.is_dir() else path.name
        try:
            read.append((name, read_text(str(path), "an answer sheet")))
        except InputError as error:
            unread.append(error)
    return read, unread
