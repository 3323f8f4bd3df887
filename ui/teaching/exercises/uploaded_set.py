"""A teacher's own set of questions, uploaded as a file in this browser."""

from __future__ import annotations

import streamlit as st

from evalcore import InputError
from evalcore.teaching.exercises import FILE_NAME
from ui.address.teaching import WHY_HIDDEN, answers_hidden
from ui.screen.items import Text
from ui.screen.text import markdown
from ui.server import browser_store
from ui.stage import show
from ui.teaching.exercises import sets
from ui.teaching.exercises.exercise_settings import ExerciseSettings
from ui.widgets.callback import callback
from ui.widgets.download import download

_FILE, _ERROR = "exercises file", "error in exercises file"


def own_set(page: ExerciseSettings) -> None:
    """Draw the upload for a file of exercises, with an explanation and an example to download."""

    @callback
    def take() -> None:
        file = st.session_state.get(_FILE)
        st.session_state.pop(_ERROR, None)
        if file is None:
            return
        try:
            sets.keep(file.name, file.getvalue())
        except InputError as error:
            st.session_state[_ERROR] = error
            return
        page.change(set_name=sets.OWN)

    error = st.session_state.get(_ERROR)
    with st.expander("Your own questions", icon=":material/upload_file:", expanded=error is not None):
        show.put(
            Text(
                f"Write your questions in a text file, `{FILE_NAME}`: for each question the view, the text, the "
                "computation of the right answer from the open collection, and hints for wrong guesses. Put the file "
                "beside `collection.toml`, or open it here; `docs/exercises.md` describes the format."
            )
        )
        hidden = answers_hidden()  # the example file contains answers
        example = sets.read(sets.SHIPPED).text
        download("Download an example", example, FILE_NAME, WHY_HIDDEN if hidden else None, disabled=hidden)
        st.file_uploader("A file of exercises", type=["toml"], key=_FILE, on_change=take)
        if error is not None:
            show.show_error(error)
        if mine := sets.uploaded():
            st.caption(f"{markdown(mine.name)} is open as “{sets.OWN}”. {browser_store.promise()}")
            st.button("Forget this file", icon=":material/delete:", on_click=sets.forget)
