"""Texts of Home, from top to bottom."""

from ui.screen.text import markdown

NOTHING_TO_RANK = "Nothing to rank: open two systems with labels or scores, or the labels of two judges."
FIRST_QUESTION = "Does the winner depend on how far people read?"
DOORS = {
    "rank": "Who leads, and how sure are we?",
    "tune": "What if we measured differently?",
    "compare": "Which measures agree, who moved, and why?",
    "labels": "Can the labels be trusted?",
    "claim": "What may I write?",
}
HOW_IT_WAS_READ = "See how the files were read"
GUIDED_PATH = "New here? Follow the guided path"


def scatter(count: int, vertical: str, horizontal: str) -> str:
    return f"Scatter of {count} systems, {vertical} (vertical) against {horizontal} (horizontal)"


def open_now(title: str, summary: str) -> str:
    return f"**Open now: {markdown(title)}**  \n{markdown(summary)}"
