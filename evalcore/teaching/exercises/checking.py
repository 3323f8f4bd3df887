"""Check an entered answer against the right answer on a collection, and comment on it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

from evalcore.common.rounding import TIE
from evalcore.errors import InputError, shorten
from evalcore.structures.documents import Collection
from evalcore.teaching.exercises.answers import along, compute, set_to, standing
from evalcore.teaching.exercises.model import Computed, Entered, Hint, Names, Order, Question, Right

MOST_ITEMS = 50  # in a ranking that a person puts in order


@dataclass(frozen=True)
class Checked:
    """Result of a check: whether the entry is right, and a comment on it."""

    right: bool
    comment: str


@dataclass(frozen=True)
class Solved:
    """A question with its right answer on a collection, and its hints with the numbers in their conditions."""

    question: Question
    right: Right
    hints: tuple[tuple[Hint, Mapping[str, float]], ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The items to put in order, in a wrong order that is always the same; empty for other questions."""
        if not isinstance(self.right, Order):
            return ()
        mixed = sorted(
            self.right.items, key=lambda item: hashlib.sha256(f"{self.question.id}\n{item}".encode()).digest()
        )
        return tuple(reversed(mixed)) if self._fits(tuple(mixed)) else tuple(mixed)

    def entered(self, value: object) -> Entered:
        """Return an entry, converted to the type of the answer. Raises InputError if it cannot be an answer."""
        if self.question.kind == "number":
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(f"expected a number, found {shorten(str(value))}", self.question.where)
            return float(value)
        if self.question.kind == "choice":
            if value not in self.question.options or not isinstance(value, str):
                raise InputError(f"expected one of the options, found {shorten(str(value))}", self.question.where)
            return value
        if not isinstance(value, list | tuple) or sorted(map(str, value)) != sorted(self.items):
            raise InputError(f"expected each of {len(self.items)} items once, found other items", self.question.where)
        return tuple(map(str, value))

    def check(self, value: object, name: Callable[[str], str] = str) -> Checked:
        """Return whether an entry is right, and a comment, such as a hint; `name` returns the text of an item.

        Raises InputError as `entered` does.
        """
        entered = self.entered(value)
        if self._fits(entered):
            return Checked(True, "Right.")
        if isinstance(entered, float) and self._is_percentage(entered):
            meant = f"{entered:g}% is {entered / 100:g}"
            return Checked(False, f"That is right as a percentage. Enter the number itself: {meant}.")
        fitting = (hint.say for hint, numbers in self.hints if self._holds(hint, numbers, entered))
        return Checked(False, next(fitting, None) or self._usual(entered, name))

    def off(self, right: float) -> float:
        """Return the largest accepted distance from the right number."""
        return max(self.question.tolerance, self.question.relative * abs(right))

    def _fits(self, entered: Entered) -> bool:
        right = self.right
        if isinstance(right, Order):
            assert isinstance(entered, tuple)
            return not discordant(entered, right)
        return entered in right.names if isinstance(right, Names) else self._near(entered, right)

    def _near(self, entered: Entered, right: float) -> bool:
        """Return true if a number is within the tolerance of the right number, apart from rounding errors."""
        assert isinstance(entered, float)
        return abs(entered - right) <= self.off(right) + TIE * max(abs(right), abs(entered))

    def _is_percentage(self, entered: float) -> bool:
        """Return true if a number above 1 is right as a percentage and the question's `high` is at most 1."""
        high, right = self.question.high, self.right
        assert isinstance(right, float)
        return high is not None and high <= 1 < entered and self._near(entered / 100, right)

    def _holds(self, hint: Hint, numbers: Mapping[str, float], entered: Entered) -> bool:
        if isinstance(entered, float):
            between = numbers.get("above", -math.inf) < entered < numbers.get("below", math.inf)
            return between and ("near" not in numbers or self._near(entered, numbers["near"]))
        if isinstance(entered, tuple):
            assert isinstance(self.right, Order)
            return not hint.swapped or set(hint.swapped) in map(set, discordant(entered, self.right))
        return hint.choice in ("", entered)

    def _usual(self, entered: Entered, name: Callable[[str], str]) -> str:
        """Return the comment on a wrong entry for which the question has no hint."""
        right = self.right
        if isinstance(entered, float) and isinstance(right, float):
            return "Too high." if entered > right else "Too low."
        if isinstance(entered, tuple) and isinstance(right, Order):
            wrong, pairs = discordant(entered, right), math.comb(len(entered), 2)
            a, b = map(name, wrong[0])
            if len(wrong) == 1:
                return f"Nearly: you have swapped {a} and {b}."
            return f"{pairs - len(wrong)} of {pairs} pairs are in the right order; {a} above {b} is not."
        return "Not that one."


def discordant(entered: Sequence[str], right: Order) -> list[tuple[str, str]]:
    """Return the pairs that are entered in the wrong order, neighbours first; tied items may be in either order.

    >>> discordant(["b", "c", "a"], Order((("a", "b"), ("c",))))
    [('c', 'a')]
    """
    place = right.place
    pairs = sorted(combinations(range(len(entered)), 2), key=lambda pair: pair[1] - pair[0])
    return [(entered[i], entered[j]) for i, j in pairs if place[entered[i]] > place[entered[j]]]


def solve(question: Question, collection: Collection) -> Solved:
    """Return a question with its right answer on a collection and the numbers of its hints.

    Raises InputError, with file and question, if the answer cannot be computed on the collection, if it is not among
    the options, if all options or items are tied, or if a ranking has more than 50 items or lacks the items of a hint.
    """
    right = compute(question.answer, collection)
    if isinstance(right, Names):
        if missing := [name for name in right.names if name not in question.options]:
            expected = f"expected the right answer among the options, found {missing[0]!r}"
            raise InputError(expected, question.where)
        if len(right.names) == len(question.options):
            raise InputError("expected at least one wrong option, found all options tied", question.where)
    if isinstance(right, Order):
        if len(right.groups) < 2:
            raise InputError("expected a ranking, found all items tied", question.where)
        if len(right.items) > MOST_ITEMS:
            raise InputError(f"expected at most {MOST_ITEMS} items, found {len(right.items)}", question.where)
        for hint in question.hints:
            if unknown := set(hint.swapped) - set(right.items):
                raise InputError(f"expected items of the ranking in a hint, found {min(unknown)!r}", question.where)
    return Solved(question, right, tuple((hint, _numbers(hint, collection)) for hint in question.hints))


def _numbers(hint: Hint, collection: Collection) -> dict[str, float]:
    """Map a hint's conditions ("above", "below", "near") to their numbers, computed on the collection."""
    named = {"above": hint.above, "below": hint.below, "near": hint.near}
    numbers = {name: compute(answer, collection) for name, answer in named.items() if answer is not None}
    return {name: number for name, number in numbers.items() if isinstance(number, float)}


@dataclass(frozen=True)
class Curve:
    """The answer for several values of a parameter, and the value that the question asks about."""

    parameter: str
    points: tuple[tuple[float, float], ...]  # value of the parameter, answer
    here: float


def curve(question: Question, collection: Collection) -> Curve | None:
    """Return the answer for each value in the question's `along`; None if there is no `along` or nothing to compute.

    Raises InputError if no measure of the answer has the parameter, and for a value out of its range.
    """
    answer, asked = question.answer, question.along
    if asked is None or not isinstance(answer, Computed):
        return None
    points = ((value, compute(along(answer, asked.parameter, value), collection)) for value in asked.values)
    answered = tuple((value, right) for value, right in points if isinstance(right, float))
    return Curve(asked.parameter, answered, set_to(answer, asked.parameter))


def option_scores(question: Question, collection: Collection) -> pd.Series | None:
    """Return the scores that decide the winner among the options; None unless the answer is a computed winner."""
    answer = question.answer
    if not isinstance(answer, Computed) or answer.word != "winner":
        return None
    means = standing(collection, dict(answer.given))
    listed: pd.Series = means[[name for name in question.options if name in means.index]]
    return listed
