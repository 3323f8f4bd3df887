"""Declarations that the subject `labels` adds to the app; `ui.subjects` explains each name."""

from ui.address.page import Page

_QUESTION = "Can the labels be trusted?"
PAGES = ((None, Page("labels", "labels", "Labels", "group", _QUESTION, "labels")),)
FIRST_PICTURES = ("ui.labels.first_picture",)
