"""The guided path: its steps in the order in which one would teach them."""

from __future__ import annotations

from importlib import import_module

from ui import subjects
from ui.teaching.guided_path import aspects, combining, correlation, ideal, reader, thresholds
from ui.teaching.guided_path.base import STEPS, Lesson

_MODULES = (reader, aspects, thresholds, combining, ideal, correlation, *map(import_module, subjects.added("LESSONS")))
LESSONS: tuple[Lesson, ...] = tuple(
    sorted((module.LESSON for module in _MODULES), key=lambda lesson: STEPS.index(lesson.name))
)
