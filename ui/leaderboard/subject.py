"""What leaderboards add to the app; `ui.subjects` says what each name means."""

from ui.address.page import CONCLUDE, Page

PAGES = ((CONCLUDE, None, Page("leaderboard", "Leaderboard", "leaderboard", "Who leads, by which rule?", "systems")),)
