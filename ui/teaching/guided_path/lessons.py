"""The guided path: its steps in the order of teaching."""

from __future__ import annotations

from importlib import import_module

from ui.teaching.guided_path.base import WORDS, Lesson

LESSONS: tuple[Lesson, ...] = tuple(import_module(words["module"]).LESSON for words in WORDS.values())
