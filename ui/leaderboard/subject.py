"""Additions of leaderboards to the app; `ui.subjects` explains each name."""

from ui.address.page import Page

PAGES = (
    (None, Page("rank", "leaderboard", "Table", "leaderboard", "Who leads, and how sure are we?", "systems")),
    (
        "topics_needed",
        Page(
            "rank",
            "rules",
            "Rules",
            "rule",
            "Does the order depend on how topics are combined?",
            "systems",
            module="ui.leaderboard.rules",
            keys="leaderboard",
        ),
    ),
)
FIRST_PICTURES = ("ui.leaderboard.first_picture",)
