"""What does a measure believe about its reader? Six steps through the ideas, each with a figure to move."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from ui import collections, show, site
from ui.controls import choose, switch
from ui.lessons import LESSONS, Lesson, Shown
from ui.text import markdown

KEY = "step"
NAMES = [lesson.name for lesson in LESSONS]


def main() -> None:
    opened = collections.current()
    st.title("What does a measure believe about its reader?", anchor=False)
    lesson = LESSONS[NAMES.index(step_bar())]
    left, right = st.columns([0.48, 0.52], gap="medium")
    with left:
        st.subheader(lesson.title, anchor=False)
        st.markdown(lesson.text)
        collection = what_it_works_on(opened, lesson)
        shown = lesson.show(collection)
        ask(lesson, shown)
    with right:
        draw(shown)
        go_on(lesson, shown)


def step_bar() -> str:
    """The steps, and one back and one forward; returns the name of the step."""
    back, bar, onward = st.columns([0.9, 6, 0.9], vertical_alignment="center")
    with bar:
        name = choose("Step", KEY, NAMES, segmented=True, hide_label=True)
    at = NAMES.index(name)
    back.button("Back", icon=":material/arrow_back:", on_click=go, args=(at - 1,), disabled=at == 0, width="stretch")
    onward.button(
        "Next",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=go,
        args=(at + 1,),
        disabled=at == len(NAMES) - 1,
        type="primary",
        width="stretch",
    )
    return name


def go(step: int) -> None:
    st.session_state[KEY] = NAMES[step]


def what_it_works_on(opened: Collection, lesson: Lesson) -> Collection:
    """The sample data; the open collection where it is another one, fits the step and is asked for."""
    sample = collections.sample(collections.SAMPLE_NAME)
    if opened.fingerprint == sample.fingerprint:
        return sample
    lack = lesson.lacks(opened)
    if lack:
        st.caption(f"This step works on the sample data; the open collection does not fit: {lack}.")
        return sample
    return opened if switch(f"Use {markdown(opened.title)} instead of the sample data", "own") else sample


def ask(lesson: Lesson, shown: Shown) -> None:
    st.markdown(f"**{lesson.question}**")
    with st.expander("Answer", key=f"answer{LESSONS.index(lesson) + 1}", bind="query-params"):
        st.markdown(shown.answer)


def draw(shown: Shown) -> None:
    if shown.numbers:
        widths = [max(len(label), len(value)) for label, value, _ in shown.numbers]
        for place, (label, value, help) in zip(st.columns(widths), shown.numbers, strict=True):
            place.metric(label, markdown(value), help=help)
    if shown.above:
        st.markdown(shown.above)
    for picture in shown.pictures:
        show.figure(picture.figure, picture.key, picture.alt)
    st.caption(shown.caption)


def go_on(lesson: Lesson, shown: Shown) -> None:
    """The formulas, and the page on which the step goes on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if shown.formulas:
            with st.popover("Formula", icon=":material/function:", width="content"):
                for formula in shown.formulas:
                    st.latex(formula)
        site.link(lesson.page, lesson.page_label, ":material/arrow_right_alt:")


main()
