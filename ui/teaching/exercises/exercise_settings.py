"""Settings of the page Exercises: a set of exercises, and one of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.teaching.exercises import Exercise, Question
from ui.address.settings import Settings, setting
from ui.teaching.exercises import sets
from ui.widgets.fields import Choice, Field


@dataclass(frozen=True)
class Titled(Choice):
    """A choice among ids that are displayed as titles; the link contains the id."""

    def words(self, value: Any) -> str:
        return self.reads(value)


def _set(_: ExerciseSettings) -> Field:
    broken = sets.problems()
    return Choice("Exercises", [name for name in sets.texts() if name not in broken])


def _question(page: ExerciseSettings) -> Field:
    exercise = page.exercise
    titles = {question.id: question.title or question.id for question in exercise.questions}
    return Titled("Question", exercise.ids, reads=titles.__getitem__)


@dataclass(frozen=True)
class ExerciseSettings(Settings, page="exercises"):
    """Settings of the page: a set of exercises, and one of its questions."""

    set_name: str = setting(_set)
    question: str = setting(_question)

    @cached_property
    def exercise(self) -> Exercise:
        return sets.read(self.set_name)

    @property
    def data(self) -> Collection:
        """The collection on which the answers of the set are computed."""
        return sets.collection_of(self.set_name)

    @property
    def works_on(self) -> Collection:
        return self.data

    @property
    def asked(self) -> Question:
        return self.exercise[self.question]

    @property
    def is_shipped(self) -> bool:
        return self.set_name == sets.SHIPPED


def steps(page: ExerciseSettings) -> tuple[str, str]:
    """Return the ids of the previous and the next question; where there is none, the id of the current question."""
    ids = page.exercise.ids
    at = ids.index(page.question)
    return ids[max(at - 1, 0)], ids[min(at + 1, len(ids) - 1)]
