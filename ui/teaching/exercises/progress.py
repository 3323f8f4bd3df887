"""Guesses at each question, kept on the server for each browser, so that they survive a reload."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evalcore.data import Collection
from evalcore.teaching.exercises import Entered, Exercise
from ui.server import browser_store


@dataclass(frozen=True)
class Answered:
    """The guesses at one question, in order, and whether its answer is shown."""

    guesses: tuple[Entered, ...] = ()
    shown: bool = False


def known_by(exercise: Exercise, collection: Collection) -> str:
    """Return the key under which the guesses at a set of exercises on a collection are kept."""
    return f"guesses {exercise.digest} {collection.fingerprint[:12]}"


def given(at: str, question: str) -> Answered:
    """Return the guesses at a question, and whether its answer is shown."""
    return _all(at).get(question, Answered())


def enter(at: str, question: str, entered: Entered, right: bool) -> None:
    """Add a guess, unless it repeats the last guess or the answer is already shown.

    A right guess also shows the answer.
    """
    before = given(at, question)
    if not before.shown and before.guesses[-1:] != (entered,):
        _set(at, question, Answered((*before.guesses, entered), right))


def show_answer(at: str, question: str) -> None:
    """Mark the answer to a question as shown."""
    _set(at, question, replace(given(at, question), shown=True))


def _all(at: str) -> dict[str, Answered]:
    return browser_store.get(at) or {}


def _set(at: str, question: str, answered: Answered) -> None:
    browser_store.put(at, {**_all(at), question: answered})
