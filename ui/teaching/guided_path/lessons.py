"""The guided path: its steps in the order in which one would teach them."""

from ui.claims import lesson as claim
from ui.focused import lesson as passages
from ui.labels import assessor_lesson as assessor
from ui.labels import noise_lesson as labels
from ui.navigation import lesson as browsing
from ui.teaching.guided_path import aspects, combining, correlation, ideal, reader, thresholds

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
