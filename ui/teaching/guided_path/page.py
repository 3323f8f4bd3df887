"""The guided path: steps with a question, an interactive figure, and an answer."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Collection
from ui.address import families, site, teaching
from ui.address.places import PAGES
from ui.address.settings import address
from ui.data import open_collection
from ui.screen import text
from ui.screen.items import Text
from ui.shell import live, present
from ui.stage import show
from ui.teaching.classroom import teacher
from ui.teaching.guided_path.base import ANSWER, FORMULAS, NUMBERS, STEPS, Lesson, LessonSettings
from ui.teaching.guided_path.lessons import LESSONS
from ui.widgets.callback import callback
from ui.widgets.fields import Switch


def main() -> None:
    opened = open_collection.titled("guided_path", question=lambda opened: lesson_of(opened).title)
    lesson = lesson_of(opened)
    page = lesson.settings.now(opened)
    step_bar(page)
    present.lead(text.plain(lesson.question), step_at(page, -1), step_at(page, 1))
    left, right = show.two_columns(0.48)
    with left, st.container(gap="xsmall", key="lesson"):
        show.put(Text(lesson.text))
        what_it_works_on(page)
        draw_controls(lesson, page)
        if lesson.play and lesson.in_text:
            lesson.play(page)
        answer = ask(lesson)
    styles = families.styles(page.data)
    with right:
        if lesson.play and not lesson.in_text:
            lesson.play(page)
        figures, below = st.container(), st.container(horizontal=True, vertical_alignment="center")
        behind = below.popover("Formula and numbers", icon=":material/function:", width="content")
        containers = {FORMULAS: behind.container(), NUMBERS: behind.container(), **({ANSWER: answer} if answer else {})}
        with figures:
            live.follow(page, lambda page: lesson.show(page, styles).screen(), places=containers)
        teacher.show_step(lesson, page, styles)
        with below:
            site.link(lesson.page, f"{lesson.onward}: {PAGES[lesson.page].name}", ":material/arrow_right_alt:")


def lesson_of(opened: Collection) -> Lesson:
    """Return the step that the address names."""
    return LESSONS[STEPS.index(LessonSettings.read(opened, address()).step)]


def step_bar(page: LessonSettings) -> None:
    """Draw the bar of steps between the buttons Back and Next."""
    back, bar, onward = st.columns([0.85, 6.6, 0.85], vertical_alignment="center")
    at, key, field = STEPS.index(page.step), page.key("step"), page.field("step")
    assert field
    with bar, st.container(key="step-dots"):
        field.draw(key, page.step, lambda: go(page, field.taken(key, page.step)))
    forward: dict[str, Any] = {"icon_position": "right", "type": "primary"}
    for place, label, icon, by, look in ((back, "Back", "back", -1, {}), (onward, "Next", "forward", 1, forward)):
        step, icon = STEPS[min(max(at + by, 0), len(STEPS) - 1)], f":material/arrow_{icon}:"
        here = step == page.step
        place.button(label, icon=icon, on_click=go, args=(page, step), disabled=here, width="stretch", **look)


def step_at(page: LessonSettings, by: int) -> dict[str, list[str]] | None:
    """Return the address of the step `by` steps ahead (behind if negative), without the current step's settings.

    None beyond the first and the last step.
    """
    at = STEPS.index(page.step) + by
    if not 0 <= at < len(STEPS):
        return None
    shared = {key: list(texts) for key, texts in address().items() if not key.startswith(f"{page.PAGE}.")}
    return {**shared, page.key("step"): [STEPS[at]]}


@callback
def go(page: LessonSettings, step: str) -> None:
    """Go to another step; the settings of the current step are dropped."""
    LessonSettings.read(page.collection, address()).with_(step=step).show()


def what_it_works_on(page: LessonSettings) -> None:
    """Draw the choice of data if the step has one, or state why the open collection does not fit."""
    if page.works_on is None:
        return
    if page.own is not None and page.lack:
        st.caption(f"This step uses the {page.SAMPLE} because the open collection does not fit: {page.lack}.")
    else:
        page.draw("own")


def draw_controls(lesson: Lesson, page: LessonSettings) -> None:
    """Draw the controls of the step, side by side."""
    fields = {name: field for name in lesson.controls if (field := page.field(name))}
    # Switches have no label above them.
    align = "bottom" if any(isinstance(field, Switch) for field in fields.values()) else "top"
    page.draw_in_row(*fields, shares=[lesson.controls[name] for name in fields], vertical_alignment=align)


def ask(lesson: Lesson) -> DeltaGenerator | None:
    """Draw the question, and return the container for its answer; None if the address hides answers."""
    show.put(Text(f"**{lesson.question}**"))
    if teaching.answers_hidden():
        show.put(Text.note(teaching.WHY_HIDDEN))
        return None
    answer = st.expander("Answer", key=f"answer{LESSONS.index(lesson) + 1}")
    with st.expander("For the teacher", icon=":material/school:"):
        show.put(Text(lesson.notes.replace("\n", "  \n")))
    return answer
