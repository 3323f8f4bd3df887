"""Who leads, by which rule? One number for each system, what is missing behind it, and who beats whom."""

from __future__ import annotations

import streamlit as st

from ui.data import open_collection
from ui.leaderboard.controls import RANKING, WINS, LeaderboardSettings
from ui.leaderboard.looks import draw, tables, why_not
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show


def main() -> None:
    page = LeaderboardSettings.now(open_collection.ranked("leaderboard", "A leaderboard"))
    page.draw("look")
    left, right = show.two_columns()
    with left:
        controls(page)
    with right:
        if lack := why_not(page):
            st.info(markdown(lack), icon=":material/info:")
        else:
            with show.errors():
                live.follow(page, draw)
                if page.look == RANKING:
                    show.screen(tables(page))
    show.explain(*explanation(page))


def controls(page: LeaderboardSettings) -> None:
    """What the look reads."""
    page.draw("measure")
    if page.look != WINS:
        page.draw("by", "grouping")
    if page.look == RANKING:
        page.draw("gaps")


def explanation(page: LeaderboardSettings) -> tuple[str, str, str]:
    return {
        "Ranking": (
            "Each dot is a system's one number, the line its 95% interval over the topics that it has; no line where "
            "nothing tells how others would differ, as where all say the same.",
            "A rank rests on a rule: what combines the topics, what a missing score counts, which groups weigh how "
            "much. Systems that share a letter are not separable by their means.",
            "Take another rule under *Topics combined by*; then see under Missing scores what the gaps decide.",
        ),
        "Missing scores": (
            "Each line is a system, each column a rule for scores that are missing.",
            "Lines that cross: the order is a matter of the rule. KeepGaps compares means over other topics.",
            "Which rule would a reader expect? Say it beside the table, with how many cells are missing.",
        ),
        "Pairwise wins": (
            "The share of topics on which the system of a row beats that of a column, ties half.",
            "Blue rows win; a cell near 50% says little. Wins may go in a circle: no single order then fits them all.",
            "Compare with WinRate and BradleyTerry under Ranking, which count these wins.",
        ),
    }[page.look]
