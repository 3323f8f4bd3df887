"""What leaderboards add to the app; `ui.subjects` says what each name means."""

from ui.address.page import Page

PAGES = ((None, Page("rank", "leaderboard", "Table", "leaderboard", "Who leads, and how sure are we?", "systems")),)
