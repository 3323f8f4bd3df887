"""Can you say it before the figure does? Questions with hints, guesses beside the truth, and an answer sheet."""

from __future__ import annotations

import streamlit as st

from ui.data import open_collection
from ui.exercises import progress, sets
from ui.exercises.controls import QUESTIONS, SHEET, ExerciseSettings, steps
from ui.exercises.question import asked, harmless, revealed
from ui.exercises.sheet import sheet
from ui.exercises.teacher import teacher
from ui.screen.items import Text
from ui.stage import show


def main() -> None:
    page = ExerciseSettings.now(open_collection.titled("exercises"))
    for error in sets.problems().values():
        show.show_error(error)
    at = progress.known_by(page.exercise, page.data)
    progress.keeper(at)
    controls(page)
    if page.look == QUESTIONS:
        question(page, at)
    elif page.look == SHEET:
        sheet(page, at)
    else:
        teacher(page)


def controls(page: ExerciseSettings) -> None:
    """What is looked at, of which set, which question."""
    shares = [2.0, 0.9, 1.65, 0.62, 0.62]
    look, which, what, back, onward = st.columns(shares, vertical_alignment="bottom")
    with look:
        page.draw("look")
    with which:
        page.draw("set_name")
    if page.look != QUESTIONS:
        return
    with what:
        page.draw("question")
    before, after = steps(page)
    free = not page.locked_here("question")
    for place, icon, label, to in ((back, "back", "Back", before), (onward, "forward", "Next", after)):
        place.button(
            label,
            icon=f":material/arrow_{icon}:",
            key=f"exercises {icon}",
            on_click=page.change,
            kwargs={"question": to},
            disabled=to == page.question or not free,
            width="stretch",
        )


def question(page: ExerciseSettings, at: str) -> None:
    """The question at the left, guesses and truth at the right."""
    with show.errors():
        solved = sets.solved(page.exercise, page.question, page.data)
        left, right = show.two_columns(0.46)
        with left:
            if page.exercise.intro and page.question == page.exercise.ids[0]:
                show.put(Text.note(harmless(page.exercise.intro)))
            asked(page, solved, at)
        with right:
            revealed(page, solved, at)


main()
