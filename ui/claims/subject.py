"""What claims add to the app; `ui.subjects` says what each name means."""

from ui.address.page import Page

_QUESTION = "Which conclusions stand, whichever way we measure?"
PAGES = ((None, Page("claim", "claim", "Claim", "gavel", _QUESTION, "systems", module="ui.claims.page")),)
