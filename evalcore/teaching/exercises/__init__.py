"""Exercises: questions as data, answers computed from a collection, hints."""

from evalcore.teaching.exercises.answers import compute, measures_in, read_answer
from evalcore.teaching.exercises.checking import Checked, Curve, Solved, curve, discordant, option_scores, solve
from evalcore.teaching.exercises.model import (
    Along,
    Computed,
    Entered,
    Exercise,
    Hint,
    Names,
    Order,
    Question,
    Right,
    in_words,
)
from evalcore.teaching.exercises.reading import FILE_NAME, parse_exercise, read_exercise, shipped

__all__ = [
    "FILE_NAME", "Along", "Checked", "Computed", "Curve", "Entered", "Exercise", "Hint", "Names", "Order", "Question",
    "Right", "Solved", "compute", "curve", "discordant", "in_words", "measures_in", "option_scores", "parse_exercise",
    "read_answer", "read_exercise", "shipped", "solve",
]  # fmt: skip
