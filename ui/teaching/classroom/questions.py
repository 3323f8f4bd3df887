"""Questions to a class: the part that students see, the key, and the figure of all answers.

Phones receive only `Asked`, which does not contain the answer; `Key` stays on the server until the reveal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import pandas as pd

from evalcore import InputError
from evalcore.direction import directed, good_of
from evalcore.figures.draw import Figure
from evalcore.meta import winner
from evalcore.meta.resampling import topic_resamples
from evalcore.teaching.exercises import Names, Order, Solved, in_words
from evalcore.teaching.figures import answers_on_axis, guessed_option
from ui.screen.text import counted, plain
from ui.teaching.exercises.typed import ANSWER, number_in

Kind = Literal["number", "choice", "order", "slider", "words", "draw"]
Answer: TypeAlias = float | int | str | tuple[str, ...]
LONGEST = 200  # most characters of an answer
PROBLEMS = {"number": "Type a number such as 1.", "words": f"Type an answer of at most {LONGEST} characters."}
BARS = 12  # most different answers in a figure
NEAR = 0.05  # share of a slider's length within which a position is near enough
HEIGHT = 380


@dataclass(frozen=True)
class Asked:
    """A question as students see it, without its answer."""

    kind: Kind
    text: str
    options: tuple[str, ...] = ()  # options to choose, items to order, or positions of a slider
    ends: tuple[float | None, float | None] = (None, None)
    unit: str = ""
    link: str = ""  # link of the view, relative to the app

    def read(self, value: Any) -> Answer:
        """Return the answer in the value that a phone sent. Raises InputError if it is not a valid answer."""
        places = range(len(self.options))
        match self.kind, value:
            case "number", str() if len(value) <= LONGEST and abs(number_in(value) or 0.0) <= 1e15:
                if (number := number_in(value)) is not None and math.isfinite(number):
                    return number
            case "words", str() if value.strip() and len(value) <= LONGEST:
                return " ".join(value.split())
            case "choice" | "slider", int() if type(value) is int and value in places:
                return value if self.kind == "slider" else self.options[value]
            case "order", list() if all(type(at) is int for at in value) and sorted(value) == list(places):
                return tuple(self.options[at] for at in value)
            case "draw", None:
                return ""
        raise InputError(PROBLEMS.get(self.kind, "This does not answer the question."))

    def words(self, answer: Answer) -> str:
        """Return an answer as readable text."""
        return self.options[cast(int, answer)] if self.kind == "slider" else in_words(answer)


@dataclass(frozen=True)
class Key:
    """The answer to a question, in words and for the figure; the server sends it only after the reveal."""

    sentence: str
    truth: tuple[float, ...] = ()  # positions on the axis of the figure
    off: float = 0.0
    fits: Callable[[Any], bool] | None = None  # None: no answer is right or wrong
    draws: Callable[[int], str] | None = None  # returns the winner of a resample, given its number

    def near(self, answers: Sequence[Answer]) -> str:
        """Return the numbers of right answers and of all answers, in words.

        If no answer can be right, return only the number of all answers.
        """
        count = counted(len(answers), "answer")
        return f"{count}." if self.fits is None else f"{sum(map(self.fits, answers))} of {count} right or close enough."


Question: TypeAlias = tuple[Asked, Key]


def figure_of(asked: Asked, key: Key, answers: Sequence[Answer], revealed: bool) -> Figure:
    """Return the figure of all answers, with the truth if it is revealed."""
    if asked.kind in ("number", "slider"):
        last = len(asked.options) - 1
        names = {float(at): asked.options[at] for at in {last * part // 4 for part in range(5)}} if last > 0 else None
        truth = key.truth if revealed else ()
        return answers_on_axis(cast(list[float], answers), asked.ends, truth, key.off, asked.unit, names)
    texts = [asked.words(answer) for answer in answers]
    counts = Counter(map(str.casefold, texts) if asked.kind == "words" else texts)
    shown = {name: counts[name] for name in asked.options} if asked.kind == "choice" else dict(counts.most_common(BARS))
    known = {**dict(zip(asked.options, asked.options, strict=True)), **dict(zip(texts, answers, strict=True))}
    right = [name for name in shown if revealed and key.fits and key.fits(known[name])]
    height = max(HEIGHT, 60 + 34 * len(shown))
    return guessed_option(pd.Series(shown, dtype=float), "", right, "answers", height)


def of_exercise(solved: Solved, link: str = "") -> Question:
    """Return an exercise as a question to the class, with its key.

    The question contains the link of its view if students may look at the view before they answer.
    """
    question, right, options = solved.question, solved.right, {plain(name): name for name in solved.question.options}
    answer, unit = plain(in_words(right)), plain(question.unit)
    sentence = plain(question.explanation).replace(ANSWER, answer) or f"The answer: {answer} {unit}".strip()
    link = link if question.look_first else ""
    if isinstance(right, Order):
        items = {plain(item): item for item in solved.items}
        asked = Asked("order", plain(question.text), tuple(items), link=link)
        return asked, Key(sentence, fits=lambda order: solved.check([items[name] for name in order]).right)
    if isinstance(right, Names):
        asked = Asked("choice", plain(question.text), tuple(options), link=link)
        return asked, Key(sentence, fits=lambda name: solved.check(options[name]).right)
    asked = Asked("number", plain(question.text), (), (question.low, question.high), unit, link)
    return asked, Key(sentence, (right,), solved.off(right), lambda number: solved.check(number).right)


def of_slider(text: str, link: str, positions: Sequence[str], winners: Sequence[str]) -> Question:
    """Return the question "at which slider positions does the winner change?", with its key.

    `winners` has the winner at each of `positions`, "" if it is unknown.
    """
    last = len(positions) - 1
    asked = Asked("slider", text, tuple(positions), (0, last), link=link)
    turns = [at for at in range(last) if winners[at] != winners[at + 1]]
    if not all(winners):
        return asked, Key("This view has no winner at some positions, so no answer is right or wrong.")
    if not turns:
        return asked, Key(f"The winner does not change: it is {winners[0]} everywhere.")
    said = [f"{winners[at]} to {winners[at + 1]} between {positions[at]} and {positions[at + 1]}" for at in turns]
    truth, off = tuple(at + 0.5 for at in turns), max(0.5, NEAR * last)
    sentence = f"The winner changes from {'; from '.join(said)}."
    return asked, Key(sentence, truth, off, lambda place: min(abs(place - at) for at in truth) <= off)


def of_resamples(text: str, scores: pd.DataFrame, sentence: str) -> Question:
    """Return a question for which each phone draws one resample of topics, with its key.

    `sentence` is the finding that the other pages show.
    """

    def drawn(number: int) -> str:
        times = topic_resamples(len(scores), 1, number)[0]
        means = scores.mul(times, axis=0).sum() / scores.notna().mul(times, axis=0).sum()
        return winner(directed(means.dropna(), good_of(scores)))

    return Asked("draw", text), Key(sentence, draws=drawn)
