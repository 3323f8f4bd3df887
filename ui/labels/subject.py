"""Additions of labels to the app; `ui.subjects` says what each name means."""

from ui.address.page import Page

_QUESTION = "Can the labels be trusted?"
PAGES = ((None, Page("labels", "labels", "Labels", "group", _QUESTION, "labels")),)
