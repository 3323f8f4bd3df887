"""The answer sheet: how far one is, and the file to hand in."""

from __future__ import annotations

import re
from contextlib import suppress

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.exercises import Answered, points_of, sheet_text
from ui.address.settings import address
from ui.exercises import progress, sets
from ui.exercises.controls import ExerciseSettings
from ui.screen.items import Headline, Table
from ui.screen.text import counted
from ui.stage import show
from ui.widgets.download import download

LONGEST_NAME = 100
_UNSAFE = re.compile(r"[^\w-]+")  # in the name of a file


def sheet(page: ExerciseSettings, at: str) -> None:
    """A line for each question, the name, and the download."""
    exercise, given = page.exercise, progress.given(at)
    table = standing(page, given)
    right, of = float(table["points"].sum()), sum(question.points for question in exercise.questions)
    show.put(
        Headline(f"**{right:g}** of {of:g} points, {counted(int((table['guesses'] > 0).sum()), 'question')} tried.")
    )
    left, rest = st.columns([0.55, 0.45], gap="medium")
    with left:
        show.put(
            Table(
                table,
                "answers",
                index=False,
                decimals={"points": 1},
                height=35 * len(table) + 38 if len(table) < 15 else "auto",
            )
        )
    with rest:
        name = st.text_input(
            "Your name", key="exercises name", max_chars=LONGEST_NAME, placeholder="as it goes on the sheet"
        )
        made_of = (name, exercise, page.data, list(given.values()), address())
        download(
            "Download the answer sheet",
            lambda: sheet_text(*made_of, progress.now(), ec.__version__).encode(),
            f"{_UNSAFE.sub('_', f'answers_{name.strip()}')}.json",
            disabled=not name.strip(),
            type="primary",
        )
        st.caption(
            "The sheet holds the name, the set and its digest, the fingerprint of the data, the settings, and each "
            "guess with its time. A digest over all of it tells that a sheet was changed; it is no signature, as "
            "anybody can compute one. `evalcore grade FOLDER` reads sheets and computes the right answers anew."
        )
        st.button("Begin anew", icon=":material/restart_alt:", on_click=progress.forget, args=(at,), disabled=not given)
        st.caption("Your guesses are kept by this browser alone, without your name.")


def standing(page: ExerciseSettings, given: dict[str, Answered]) -> pd.DataFrame:
    """A row for each question: guesses, and points so far."""
    rows = []
    for question in page.exercise.questions:
        answer, points = given.get(question.id, Answered(question.id)), 0.0
        with suppress(InputError):
            points = points_of(answer, sets.solved(page.exercise, question.id, page.data)) if answer.tries else 0.0
        state = "right" if points else "seen" if answer.shown else "open" if answer.tries else ""
        rows.append(
            {"question": question.title or question.id, "guesses": len(answer.tries), "state": state, "points": points}
        )
    return pd.DataFrame(rows)
