"""The page Exercises: questions with hints, and a figure of the guesses and the right answer."""

from __future__ import annotations

import streamlit as st

from ui.data import open_collection
from ui.screen.items import Text
from ui.stage import show
from ui.teaching.exercises import progress, sets
from ui.teaching.exercises.exercise_settings import ExerciseSettings, steps
from ui.teaching.exercises.question import asked, harmless, revealed
from ui.teaching.exercises.uploaded_set import own_set


def main() -> None:
    page = ExerciseSettings.now(open_collection.titled("exercises"))
    for error in sets.problems().values():
        show.show_error(error)
    at = progress.known_by(page.exercise, page.data)
    controls(page)
    question(page, at)
    own_set(page)


def controls(page: ExerciseSettings) -> None:
    """Draw the choice of the set and of the question, and the buttons Back and Next."""
    which, what, back, onward = st.columns([1.4, 2.6, 0.7, 0.7], vertical_alignment="bottom")
    with which:
        page.draw("set_name")
    with what:
        page.draw("question")
    before, after = steps(page)
    for place, icon, label, to in ((back, "back", "Back", before), (onward, "forward", "Next", after)):
        place.button(
            label,
            icon=f":material/arrow_{icon}:",
            key=f"exercises {icon}",
            on_click=page.change,
            kwargs={"question": to},
            disabled=to == page.question,
            width="stretch",
        )


def question(page: ExerciseSettings, at: str) -> None:
    """Draw the question on the left, and on the right a figure of the guesses, with the answer once it is shown."""
    with show.errors():
        solved = sets.solved(page.exercise, page.question, page.data)
        left, right = show.two_columns(0.46)
        with left:
            if page.exercise.intro and page.question == page.exercise.ids[0]:
                show.put(Text.note(harmless(page.exercise.intro)))
            asked(page, solved, at)
        with right:
            revealed(page, solved, at)
