"""Exercises: questions as data, answers computed from a collection, hints, answer sheets and their grading."""

from evalcore.exercises.answers import compute, measures_in, read_answer
from evalcore.exercises.checking import Checked, Curve, Solved, curve, discordant, option_scores, solve, solve_all
from evalcore.exercises.grading import Grades, grade, points_of
from evalcore.exercises.model import Along, Computed, Entered, Exercise, Hint, Names, Order, Question, Right, in_words
from evalcore.exercises.reading import FILE_NAME, parse_exercise, read_exercise, shipped
from evalcore.exercises.sheets import (
    Answered,
    Sheet,
    Try,
    digest,
    merged,
    progress_text,
    read_progress,
    read_sheet,
    sheet_text,
)

__all__ = [
    "FILE_NAME", "Along", "Answered", "Checked", "Computed", "Curve", "Entered", "Exercise", "Grades", "Hint",
    "Names", "Order", "Question", "Right", "Sheet", "Solved", "Try", "compute", "curve", "digest", "discordant",
    "grade", "in_words", "measures_in", "merged", "option_scores", "parse_exercise", "points_of", "progress_text",
    "read_answer", "read_exercise", "read_progress", "read_sheet", "sheet_text", "shipped", "solve", "solve_all",
]  # fmt: skip
