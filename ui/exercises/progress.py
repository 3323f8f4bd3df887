"""What was answered, kept by the session and by the browser itself: a reload finds it again; see progress.js."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.exercises import Answered, Entered, Exercise, Try, merged, progress_text, read_progress
from ui.widgets.callback import callback
from ui.widgets.component import component

_ANSWERS, _HEARD = "answers to exercises", "exercises heard of from the browser"
_mount = component("exercise-progress", __file__)


def known_by(exercise: Exercise, collection: Collection) -> str:
    """The name under which the answers to a set on some data are kept."""
    return f"{exercise.digest} {collection.fingerprint[:12]}"


def given(at: str) -> dict[str, Answered]:
    """What was given to each question so far."""
    return {answer.question: answer for answer in _all().get(at, ())}


def enter(at: str, question: str, entered: Entered, right: bool) -> None:
    """Take down a try; the same one again is none, so this may be done twice. A right one shows the answer."""
    before = given(at).get(question, Answered(question))
    if before.shown or (before.tries and before.tries[-1].entered == entered):
        return
    moment = now()
    _set(at, merged(_all().get(at, ()), [Answered(question, (Try(entered, moment),), moment if right else "")]))


def show_answer(at: str, question: str) -> None:
    """Take down that the answer was shown."""
    _set(at, merged(_all().get(at, ()), [Answered(question, (), now())]))


def forget(at: str) -> None:
    """Begin anew, here and in the browser."""
    _set(at, ())


def keeper(at: str) -> None:
    """Have the browser keep what was given; at first ask it what it has."""
    heard: set[str] = st.session_state.setdefault(_HEARD, set())
    key = f"progress {at}"

    @callback
    def take_up() -> None:
        given = st.session_state[key]["kept"]
        with suppress(InputError):  # anything may stand in a browser's store
            _set(at, merged(read_progress(str(given)), _all().get(at, ())))
        st.session_state[_HEARD] = {*st.session_state.get(_HEARD, ()), at}

    data = {"at": at, "known": at in heard, "text": progress_text(_all().get(at, ()))}
    _mount(key=key, data=data, on_kept_change=take_up)


def now() -> str:
    """The moment, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _all() -> dict[str, tuple[Answered, ...]]:
    answers: dict[str, Any] = st.session_state.get(_ANSWERS, {})
    return answers


def _set(at: str, answers: Iterable[Answered]) -> None:
    st.session_state[_ANSWERS] = {**_all(), at: tuple(answers)}
