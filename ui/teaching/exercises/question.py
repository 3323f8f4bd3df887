"""One question: its text, the control for the answer, the feedback, and a figure of guesses and the right answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.figures.style import system_styles
from evalcore.teaching.exercises import (
    Curve,
    Entered,
    Names,
    Order,
    Question,
    Solved,
    curve,
    in_words,
    option_scores,
    read_exercise,
    shipped,
    solve,
)
from ui.address import families, places, settings, teaching
from ui.data import open_collection
from ui.data.filter import Filter
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Figure, Item, Text
from ui.screen.text import markdown
from ui.stage import show
from ui.teaching.exercises import progress, sets
from ui.teaching.exercises.exercise_settings import ExerciseSettings
from ui.teaching.exercises.progress import Answered
from ui.teaching.exercises.typed import ANSWER, number_in
from ui.widgets.callback import callback
from ui.widgets.ranking_table import ordered, ranking_table, rows_to_order

LONGEST_NUMBER = 40  # most characters of a guess
MOST_DRAWN = 3  # most guessed rankings in the figure


def solved_call(page: ExerciseSettings, solved: Solved) -> Call[Solved]:
    """Return the call that makes the solved question, and thus computes its answer."""
    return call("solved", solve, question_call(page).it, page.data).known(solved)


def question_call(page: ExerciseSettings) -> Call[Question]:
    """Return the call that makes the question from its set of exercises."""
    if page.is_shipped:
        exercise = call("exercise", shipped)
    else:
        exercise = call("exercise", read_exercise, sets.texts()[page.set_name][0])
    asked: Call[Question] = line("question", exercise.it[page.question])
    return asked.known(page.asked)


def asked(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """Draw the question, the control for its answer, the feedback, and the link to its view."""
    question, answered = page.asked, _given(page, at)
    if question.title:
        show.put(Text(markdown(question.title), "heading"))
    right = line("right", solved_call(page, solved).it.right)
    show.put(Text(harmless(question.text), calls=(right,)))
    if not answered.shown:
        enter(page, solved, at)
    say(solved, answered)
    if answered.guesses and not answered.shown:
        hidden = teaching.answers_hidden()
        st.button(
            "Show the answer",
            icon=":material/visibility:",
            key=f"show {question.id}",
            on_click=progress.show_answer,
            args=(at, question.id),
            disabled=hidden,
            help=teaching.WHY_HIDDEN if hidden else "Show the answer; you cannot guess again after that",
        )
    to_view(page, answered)


def _given(page: ExerciseSettings, at: str) -> Answered:
    return progress.given(at, page.question)


def enter(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """Draw the control for a number, a choice or a ranking, and the button that checks what was entered."""
    question, answered = page.asked, _given(page, at)
    count = len(answered.guesses)  # each try has its own control
    key = f"entry {at} {question.id} {count}"
    label = "Your guess" if not count else "Your next guess"

    @callback
    def check() -> None:
        entered = _entered(key, solved, answered)
        if entered is not None:
            progress.enter(at, question.id, entered, solved.check(entered).right)

    if question.kind == "ranking":
        start = _last(answered) or solved.items
        edits: Sequence[str] = st.session_state.get(key, ())

        @callback
        def moved(texts: Sequence[str]) -> None:
            st.session_state[key] = tuple(texts)

        ranking_table(f"table {key}", rows_to_order("first to last", start, edits), moved)
        st.button("Check", type="primary", icon=":material/check:", key=f"check {key}", on_click=check)
        return
    with st.form(f"form {key}", border=False):
        if question.kind == "number":
            unit = f" ({markdown(question.unit)})" if question.unit else ""
            # A text field, because number fields of some browsers read 0,5 as 5.
            st.text_input(f"{label}{unit}", placeholder="a number", max_chars=LONGEST_NUMBER, key=key)
        else:
            st.radio(label, question.options, index=None, format_func=markdown, key=key)
        st.form_submit_button("Check", type="primary", icon=":material/check:", on_click=check)
    entry = st.session_state.get(key)
    if entry and _entered(key, solved, answered) is None:
        st.warning(f"{markdown(str(entry))} is not a number. Type a number such as 0.25.", icon=":material/error:")


def _last(answered: Answered) -> tuple[str, ...]:
    last = answered.guesses[-1] if answered.guesses else ()
    return last if isinstance(last, tuple) else ()


def _entered(key: str, solved: Solved, answered: Answered) -> Entered | None:
    """Return the entered answer; None if nothing was entered, or if it is not a possible answer."""
    entry: Any = st.session_state.get(key)
    if solved.question.kind == "ranking":
        entry = ordered(_last(answered) or solved.items, entry or ())
    elif solved.question.kind == "number":
        entry = number_in(entry or "")
    try:
        return None if entry is None else solved.entered(entry)
    except InputError:
        return None


def say(solved: Solved, answered: Answered) -> None:
    """Show the feedback on the last guess."""
    if not answered.guesses:
        show.put(Text.note("A figure appears after a guess or with the answer; the explanation comes with the answer."))
        return
    last = answered.guesses[-1]
    try:
        checked = solved.check(last, markdown)
    except InputError:
        return  # the guess is older than a change of the file
    tries = guesses_in_words(len(answered.guesses))
    if checked.right:
        st.success(f"Right, after {tries}.", icon=":material/check_circle:")
    else:
        st.warning(f"**{in_words(last, markdown)}**: {harmless(checked.comment)}", icon=":material/lightbulb:")


def to_view(page: ExerciseSettings, answered: Answered) -> None:
    """Draw the link to the question's view, if people may look before they guess, or once there is a guess."""
    question = page.asked
    if not question.view:
        return
    parts = urlsplit(question.view)
    stem, given, _ = places.now(parts.path.strip("/") or "home", parse_qs(parts.query))
    if stem not in places.PLACES:
        show.put(Text.note(f"The question names the page {markdown(stem)}, which this app does not have."))
    elif question.look_first or answered.guesses:
        known = settings.declared(stem)
        asked = {key: texts for key, texts in given.items() if key in known}
        data = {"data": [open_collection.SAMPLE_NAME]} if page.is_shipped else {}
        query = {**_unfiltered(settings.shared(settings.address())), **data, **asked}
        name = f"See it in {places.PLACES[stem].name}"
        st.page_link(places.file_of(stem), label=name, icon=":material/arrow_right_alt:", query_params=query)


def _unfiltered(given: settings.Address) -> dict[str, Sequence[str]]:
    """Return the address without the filter's settings, because answers use all systems and topics."""
    narrowed = {Filter.key(name) for name in Filter._makes()}
    return {key: texts for key, texts in given.items() if key not in narrowed}


def revealed(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """Draw the figure of the guesses; once the answer is shown, also the right answer and its explanation."""
    question, answered = page.asked, _given(page, at)
    if not answered.guesses:
        return
    hidden = teaching.answers_hidden()
    shown = answered.shown and not hidden
    show.screen(draw(page, solved, answered, shown))
    if answered.shown and hidden:
        show.put(Text.note(teaching.WHY_HIDDEN))
    if shown:
        answer = in_words(solved.right, markdown)
        unit = f" {markdown(question.unit)}" if question.unit else ""
        if ANSWER not in question.explanation:
            show.put(Text(f"**The answer: {answer}{unit}.**"))
        if question.explanation:
            show.put(Text(harmless(question.explanation).replace(ANSWER, f"**{answer}**")))


def draw(page: ExerciseSettings, solved: Solved, answered: Answered, shown: bool) -> Iterator[Item]:
    """Yield the figure of the guesses that fits the kind of question, with the right answer if `shown` is True.

    Rankings and options have a figure only once the answer is shown.
    """
    right, tries = solved.right, list(answered.guesses)
    answer: Call[Any] = line("right", solved_call(page, solved).it.right)
    if isinstance(right, Order):
        orders = [answer for answer in tries if isinstance(answer, tuple) and set(answer) == set(right.items)]
        if orders and shown:
            yield ranking(page, answer, orders)
    elif isinstance(right, Names):
        yield from options(page, answer, tries[-1], shown)
    else:
        guesses = [answer for answer in tries if isinstance(answer, float)]
        along = curve(page.asked, page.data) if shown else None
        yield curved(page, answer, along, guesses) if along else numbers(page, solved, answer, guesses, shown)


def options(page: ExerciseSettings, answer: Call[Names], guess: Entered, shown: bool) -> Iterator[Item]:
    """Yield, once the answer is shown, the figure of the scores of all options, with the right one in blue."""
    scores: Call[Any] = call("scores", option_scores, question_call(page).it, page.data)
    if not shown or not isinstance(guess, str) or scores.value is None:
        return
    title = f"mean {dict(page.asked.answer.given)['measure']}"  # type: ignore[union-attr]
    figure = call("", figures.guessed_option, scores.it, guess, answer.it.names, title)
    yield Figure(figure, "guesses", f"Scores of the {len(scores.value)} options, with the right one in blue")


def curved(page: ExerciseSettings, answer: Call[float], drawn: Curve, guesses: list[float]) -> Figure:
    """Return the figure of the answer by parameter value, with the guesses drawn at the value in the question."""
    made: Call[Any] = call("along", curve, question_call(page).it, page.data)
    along, right = made.known(drawn).it, (made.it.here, answer.it)
    figure = call("", figures.guessed_curve, along.points, guesses, right, along.parameter, page.asked.unit)
    return Figure(figure, "guesses", f"The answer for each {drawn.parameter}, and the guesses at {drawn.here:g}")


def numbers(page: ExerciseSettings, solved: Solved, answer: Call[float], guesses: list[float], shown: bool) -> Figure:
    """Return the figure of the guesses on a number line, with the answer if `shown` is True."""
    question, alt = page.asked, f"{guesses_in_words(len(guesses))} on a number line"
    right, off = (answer.it, solved_call(page, solved).it.off(answer.it)) if shown else (None, 0.0)
    if shown:
        alt += f", and the answer {answer.value:.4g}"
    figure = call("", figures.guessed_number, guesses, right, off, (question.low, question.high), question.unit)
    return Figure(figure, "guesses", alt)


def ranking(page: ExerciseSettings, answer: Call[Order], guesses: Sequence[Sequence[str]]) -> Figure:
    """Return the figure of the latest guesses as rankings, with the right ranking beside them."""
    items, first = answer.value.items, max(len(guesses) - MOST_DRAWN, 0)
    guessed = {f"guess {n + 1}": {item: at for at, item in enumerate(guesses[n])} for n in range(first, len(guesses))}
    places = {**guessed, "the answer": answer.it.place}
    orders = mapped(places, lambda place: record(ec.directed)(-record(pd.Series)(place, dtype=float), "high"))
    own = set(items) <= set(page.data.systems)
    styles = families.styles_call(page.data) if own else call("styles", system_styles, sorted(items))
    figure = call("", figures.bump, orders, styles.it)
    alt = f"{guesses_in_words(len(guessed))} as rankings, and the right ranking, joined by lines"
    return Figure(figure, "guesses", alt, layout={"height": 120 + 34 * len(items)})


def guesses_in_words(count: int) -> str:
    return "1 guess" if count == 1 else f"{count} guesses"


def harmless(text: str) -> str:
    """Return Markdown from a file with its pictures disabled, because they could send requests to other hosts."""
    return text.replace("![", "!\\[")
