"""Model of an exercise: questions that refer to views of the app and to answers computed from a collection."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from evalcore.errors import InputError, did_you_mean

Kind = Literal["number", "choice", "ranking"]
KINDS: tuple[str, ...] = get_args(Kind)
Entered: TypeAlias = float | str | tuple[str, ...]
"""An entered answer: a number, one of the options, or all items in some order."""


@dataclass(frozen=True)
class Names:
    """The right option, or several right options that are tied."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Order:
    """A ranking: groups of tied items, the best group first; the order within a group does not matter."""

    groups: tuple[tuple[str, ...], ...]

    @property
    def items(self) -> tuple[str, ...]:
        """All items, the best first; tied items in the order of their group."""
        return tuple(item for group in self.groups for item in group)

    @property
    def place(self) -> dict[str, int]:
        """The index of each item's group in `groups`, from 0 for the best."""
        return {item: at for at, group in enumerate(self.groups) for item in group}


Right: TypeAlias = float | Names | Order


@dataclass(frozen=True)
class Computed:
    """An answer to be computed: a word of the vocabulary in `answers`, and its arguments."""

    word: str
    given: tuple[tuple[str, Any], ...]
    where: str = ""  # for errors


Answer: TypeAlias = Right | Computed


@dataclass(frozen=True)
class Hint:
    """A comment on a wrong entry, shown if the entry meets every condition of the hint."""

    say: str
    above: Answer | None = None  # the entry is above this number
    below: Answer | None = None  # the entry is below this number
    near: Answer | None = None  # the entry would be right if this were the right number
    choice: str = ""
    swapped: tuple[str, ...] = ()  # two items in the wrong order


@dataclass(frozen=True)
class Along:
    """Values of a parameter for which the answer is drawn as a curve once it is shown."""

    parameter: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """One question. Texts are Markdown; in the explanation, {answer} stands for the right answer."""

    id: str
    text: str
    kind: Kind
    answer: Answer
    where: str = ""
    view: str = ""  # a link path of the app, "/page?page.key=value"
    look_first: bool = False  # true if the view may be opened before a guess
    title: str = ""
    options: tuple[str, ...] = ()  # of a choice
    tolerance: float = 0.0  # largest accepted distance from the right number
    relative: float = 0.0  # the same as a share of the right number
    low: float | None = None  # ends of the line on which guesses are drawn
    high: float | None = None
    unit: str = ""
    hints: tuple[Hint, ...] = ()
    explanation: str = ""
    along: Along | None = None


@dataclass(frozen=True)
class Exercise:
    """A set of questions, and the text that it was read from."""

    title: str
    questions: tuple[Question, ...]
    text: str
    intro: str = ""

    @property
    def digest(self) -> str:
        """The first 12 hexadecimal digits of the SHA-256 of the text, which identify this version of the exercise."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers of all questions, and the numbers of all hints."""
        hints = (hint for question in self.questions for hint in question.hints)
        numbers = (bound for hint in hints for bound in (hint.above, hint.below, hint.near) if bound is not None)
        return (*(question.answer for question in self.questions), *numbers)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the questions, in their order."""
        return tuple(question.id for question in self.questions)

    def __getitem__(self, name: str) -> Question:
        for question in self.questions:
            if question.id == name:
                return question
        raise InputError(f"expected the id of a question, found {name!r}{did_you_mean(name, self.ids)}", self.title)


def in_words(answer: Right | Entered, name: Any = str) -> str:
    """Return an answer as text; `name` returns the text of an item.

    >>> in_words(0.62512), in_words(Names(("a", "b"))), in_words(Order((("a",), ("b", "c"))))
    ('0.6251', 'a or b', 'a > b = c')
    """
    if isinstance(answer, Order):
        return " > ".join(" = ".join(map(name, group)) for group in answer.groups)
    if isinstance(answer, Names):
        return " or ".join(map(name, answer.names))
    if isinstance(answer, tuple):
        return " > ".join(map(name, answer))
    return str(name(answer)) if isinstance(answer, str) else f"{answer:.4g}"
