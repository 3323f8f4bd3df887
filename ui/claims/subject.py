"""What claims add to the app; `ui.subjects` says what each name means."""

from ui.address.page import CONCLUDE, Page

_QUESTION = "Which conclusions stand, whichever way we measure?"
PAGES = ((CONCLUDE, "leaderboard", Page("claim", "Claim", "gavel", _QUESTION, "systems")),)
