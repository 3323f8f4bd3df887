"""The guided path: its steps in the order in which one would teach them."""

from ui.guided_path import (
    aspects,
    assessor,
    browsing,
    claim,
    combining,
    correlation,
    ideal,
    labels,
    passages,
    reader,
    thresholds,
)
from ui.guided_path.base import Lesson, LessonContent

LESSONS = (
    reader.LESSON,
    aspects.LESSON,
    thresholds.LESSON,
    combining.LESSON,
    ideal.LESSON,
    correlation.LESSON,
    claim.LESSON,
    labels.LESSON,
    browsing.LESSON,
    passages.LESSON,
    assessor.LESSON,
)

__all__ = ["LESSONS", "Lesson", "LessonContent"]
