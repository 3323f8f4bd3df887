"""The teacher of a class, known by the browser that opened it: the class survives reloads and opens in other tabs."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

import streamlit as st

from evalcore.figures.style import Styles
from ui.address.places import to_page
from ui.screen.text import plain
from ui.server import browser_store
from ui.teaching.classroom.sessions import Classroom, classrooms
from ui.teaching.guided_path.base import Lesson, LessonSettings
from ui.teaching.guided_path.statements import joined


def owner() -> str:
    """Return the secret that identifies this browser; without a cookie, a secret that identifies this tab."""
    return browser_store.browser() or str(st.session_state.setdefault("teacher of a class", secrets.token_hex(16)))


def own_class() -> Classroom | None:
    """Return the class that this browser has opened; None without one."""
    return classrooms().of(owner())


def step_link(page: LessonSettings) -> str:
    """Return a step's link for students, relative to the app, with answers hidden."""
    return f"learn?{urlencode({**to_page('guided_path'), **page.address(), 'answers': 'hidden'}, doseq=True)}"


def show_step(lesson: Lesson, page: LessonSettings, styles: Styles) -> None:
    """Show the teacher's current step, without its answer, on the phones that follow the teacher."""
    if (room := own_class()) is None:
        return
    content = lesson.show(page, styles)
    numbers = [f"{number.label}: {number.value}" for number in content.numbers]
    lines = [line for line in (plain(lesson.question), *numbers, plain(joined(content.caption))) if line]
    shown = {"title": lesson.title, "lines": lines, "link": step_link(page)}
    if room.shown != shown:
        room.change(shown=shown)
