"""Additions of claims to the app; `ui.subjects` explains each name."""

from ui.address.page import Page

_QUESTION = "What may I write?"
PAGES = ((None, Page("claim", "claim", "Claim", "gavel", _QUESTION, "systems", module="ui.claims.page")),)
