"""What labels add to the app; `ui.subjects` says what each name means."""

from ui.address.page import CONCLUDE, Page

_QUESTION = "Would the ranking stand with other labels?"
PAGES = ((CONCLUDE, "discriminative_power", Page("labels", "Labels", "group", _QUESTION, "labels")),)
