"""The guided path: its steps in the order in which one would teach them."""

from ui.lessons import aspects, combining, correlation, ideal, reader, thresholds
from ui.lessons.base import Lesson, Picture, Shown

LESSONS = (
    reader.LESSON,
    aspects.LESSON,
    thresholds.LESSON,
    combining.LESSON,
    ideal.LESSON,
    correlation.LESSON,
)

__all__ = ["LESSONS", "Lesson", "Picture", "Shown"]
