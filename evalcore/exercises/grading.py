"""Answer sheets -> points. Right answers are computed from the data; what a sheet says of itself is not believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import pandas as pd

from evalcore.errors import InputError
from evalcore.exercises.checking import Solved, solve_all
from evalcore.exercises.model import Exercise
from evalcore.exercises.sheets import Answered, Sheet, read_sheet
from evalcore.structures.documents import Collection


@dataclass(frozen=True)
class Grades:
    """A row for each sheet that could be read, and why others could not."""

    table: pd.DataFrame
    problems: tuple[InputError, ...]


def points_of(given: Answered, solved: Solved) -> float:
    """The points of a question: all if a try was right before the answer was shown, else none.

    What is no answer to the question is a wrong one. Times are compared as texts, which sort as times do.
    """
    for entry in given.tries:
        with suppress(InputError):
            if (not given.shown or entry.at <= given.shown) and solved.check(entry.entered).right:
                return solved.question.points
    return 0.0


def grade(sheets: Iterable[tuple[str, str]], exercise: Exercise, collection: Collection) -> Grades:
    """Grade sheets, given as pairs of file and text.

    Columns: file, name, points by question, total, of (the most there is), tries, digest fits, same questions, same
    data (whether the sheet was made with this exercise, and on this collection), evalcore. What cannot be read is
    among the problems and has no row. Raises InputError where the exercise does not fit the collection.
    """
    solved, rows, problems = solve_all(exercise, collection), [], []
    for file, text in sheets:
        try:
            rows.append({"file": file, **_row(read_sheet(text, file), exercise, solved, collection)})
        except InputError as error:
            problems.append(error)
    return Grades(pd.DataFrame(rows), tuple(problems))


def _row(
    sheet: Sheet, exercise: Exercise, solved: Mapping[str, Solved], collection: Collection
) -> dict[str, str | float | bool]:
    given = {answer.question: answer for answer in sheet.given}
    points = {name: points_of(given.get(name, Answered(name)), answer) for name, answer in solved.items()}
    return {
        "name": sheet.name,
        **points,
        "total": sum(points.values()),
        "of": sum(answer.question.points for answer in solved.values()),
        "tries": sum(len(answer.tries) for answer in sheet.given if answer.question in solved),
        "digest fits": sheet.intact,
        "same questions": sheet.exercise == exercise.digest,
        "same data": sheet.fingerprint == collection.fingerprint,
        "evalcore": sheet.version,
    }
