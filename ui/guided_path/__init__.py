"""The guided path: its steps in the order in which one would teach them."""

from ui.guided_path import aspects
from ui.guided_path import combining
from ui.guided_path import correlation
from ui.guided_path import ideal
from ui.guided_path import reader
from ui.guided_path import thresholds
from ui.guided_path.base import Lesson, Picture, LessonContent

LESSONS = (
    reader.LESSON,
    aspects.LESSON,
    thresholds.LESSON,
    combining.LESSON,
    ideal.LESSON,
    correlation.LESSON,
)

__all__ = ["LESSONS", "Lesson", "Picture", "Shown"]
