"""Which set of exercises, which of its questions, and what of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from evalcore.data import Collection
from evalcore.exercises import Exercise, Question
from ui.address.settings import Settings, setting
from ui.exercises import sets
from ui.widgets.fields import Choice, Field, locked

LOOKS = QUESTIONS, SHEET, TEACHER = ("Questions", "Answer sheet", "For teachers")


@dataclass(frozen=True)
class Titled(Choice):
    """One of several ids, shown by their titles; the link says the id."""

    _: KW_ONLY
    titles: Mapping[str, str]

    def words(self, value: Any) -> str:
        return self.titles[value]

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.selectbox(
            self.label, self.options, key=key, format_func=self.titles.__getitem__, on_change=changed, disabled=locked()
        )


def _set(_: ExerciseSettings) -> Field:
    broken = sets.problems()
    return Choice("Exercises", [name for name in sets.texts() if name not in broken])


def _question(page: ExerciseSettings) -> Field:
    exercise = page.exercise
    titles = {question.id: question.title or question.id for question in exercise.questions}
    return Titled("Question", exercise.ids, titles=titles)


@dataclass(frozen=True)
class ExerciseSettings(Settings, page="exercises"):
    """The settings of the page."""

    look: str = setting(Choice("Look at", LOOKS, segmented=True, hide_label=True))
    set_name: str = setting(_set)
    question: str = setting(_question)

    @cached_property
    def exercise(self) -> Exercise:
        return sets.read(self.set_name)

    @property
    def data(self) -> Collection:
        """What the set is computed on."""
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
    """The question before and the one after; at an end the question itself."""
    ids = page.exercise.ids
    at = ids.index(page.question)
    return ids[max(at - 1, 0)], ids[min(at + 1, len(ids) - 1)]
