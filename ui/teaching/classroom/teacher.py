"""The teacher of a class: the browser that opened it, which keeps it over reloads and tabs."""

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
    """Return the secret by which this browser is known; without a cookie that of this tab."""
    return browser_store.browser() or str(st.session_state.setdefault("teacher of a class", secrets.token_hex(16)))


def own_class() -> Classroom | None:
    """Return the class of this browser."""
    return classrooms().of(owner())


def step_link(page: LessonSettings) -> str:
    """Return the link of a step for students, from the address of the app on; it hides answers."""
    return f"learn?{urlencode({**to_page('guided_path'), **page.address(), 'answers': 'hidden'}, doseq=True)}"


def show_step(lesson: Lesson, page: LessonSettings, styles: Styles) -> None:
    """Show phones that follow the teacher a step as it is set now, without its answer."""
    if (room := own_class()) is None:
        return
    content = lesson.show(page, styles)
    numbers = [f"{number.label}: {number.value}" for number in content.numbers]
    lines = [line for line in (plain(lesson.question), *numbers, plain(joined(content.caption))) if line]
    shown = {"title": lesson.title, "lines": lines, "link": step_link(page)}
    if room.shown != shown:
        room.change(shown=shown)
