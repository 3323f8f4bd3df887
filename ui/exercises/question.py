"""One question: its text, what is entered, what is said to it, and the guesses beside the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.direction import directed
from evalcore.exercises import Entered, Given, Names, Order, Solved, curve, in_words, option_scores
from evalcore.figures.style import system_styles
from ui.address import settings, site, teaching
from ui.data import open_collection
from ui.data.filter import Filter
from ui.exercises import progress
from ui.exercises.controls import ExerciseSettings
from ui.screen.items import Figure, Text
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.ranking_table import ordered, ranking_table, rows_to_order

ANSWER = "{answer}"  # in an explanation
LONGEST_NUMBER = 40  # characters of a guess
MOST_DRAWN = 3  # guesses of a ranking


def asked(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """The question, and the control of its answer."""
    question, given = page.asked, _given(page, at)
    if question.title:
        show.put(Text(markdown(question.title), "heading"))
    show.put(Text(harmless(question.text)))
    if not given.shown:
        enter(page, solved, at)
    say(page, solved, given)
    if given.tries and not given.shown:
        hidden = teaching.answers_hidden()
        st.button(
            "Show the answer",
            icon=":material/visibility:",
            key=f"show {question.id}",
            on_click=progress.show_answer,
            args=(at, question.id),
            disabled=hidden != "",
            help=hidden or "No more tries then",
        )
    to_view(page, given)


def _given(page: ExerciseSettings, at: str) -> Given:
    return progress.given(at).get(page.question, Given(page.question))


def enter(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """The control for a number, a choice or a ranking, and the button that checks it."""
    question, given = page.asked, _given(page, at)
    count = len(given.tries)  # each try has a control of its own
    key = f"entry {at} {question.id} {count}"
    label = "Your guess" if not count else "Your next guess"

    @callback
    def check() -> None:
        entered = _entered(key, solved, given)
        if entered is not None:
            progress.enter(at, question.id, entered, solved.check(entered).right)

    if question.kind == "ranking":
        start = _last(given) or solved.items
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
            # As text: where a browser does not expect a decimal comma, its number field drops it, and 0,5 is 5.
            st.text_input(f"{label}{unit}", placeholder="a number", max_chars=LONGEST_NUMBER, key=key)
        else:
            st.radio(label, question.options, index=None, format_func=markdown, key=key)
        st.form_submit_button("Check", type="primary", icon=":material/check:", on_click=check)
    said = st.session_state.get(key)
    if said and _entered(key, solved, given) is None:
        st.warning(f"Expected a number such as 0.25, found {markdown(str(said))}.", icon=":material/error:")


def _last(given: Given) -> tuple[str, ...]:
    last = given.tries[-1].entered if given.tries else ()
    return last if isinstance(last, tuple) else ()


def _entered(key: str, solved: Solved, given: Given) -> Entered | None:
    """What the control says; None where nothing is entered, or no answer to the question."""
    said: Any = st.session_state.get(key)
    if solved.question.kind == "ranking":
        said = ordered(_last(given) or solved.items, said or ())
    elif solved.question.kind == "number":
        said = number_in(said or "")
    try:
        return None if said is None else solved.entered(said)
    except InputError:
        return None


def number_in(text: str) -> float | None:
    """The number that a person writes, with a decimal point or comma or in per cent; None where it is none.

    >>> number_in("0,25"), number_in(" 25 % "), number_in("1.000,5"), number_in("a lot")
    (0.25, 0.25, None, None)
    """
    plain = text.strip().replace(",", ".").replace("−", "-")
    try:
        return float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        return None


def say(page: ExerciseSettings, solved: Solved, given: Given) -> None:
    """What is said to the last try."""
    if not given.tries:
        show.put(Text("The figure opens once there is a guess, the explanation with the answer.", "note"))
        return
    last = given.tries[-1].entered
    try:
        checked = solved.check(last, markdown)
    except InputError:
        return  # of a file that has changed since
    tries = guesses_in_words(len(given.tries))
    if checked.right:
        st.success(f"Right, after {tries}.", icon=":material/check_circle:")
    else:
        st.warning(f"**{in_words(last, markdown)}**: {harmless(checked.said)}", icon=":material/lightbulb:")


def to_view(page: ExerciseSettings, given: Given) -> None:
    """The link to the view that the question is about, once it may be looked at."""
    question = page.asked
    if not question.view:
        return
    parts = urlsplit(question.view)
    stem = parts.path.strip("/") or "home"
    if stem not in site.PAGES:
        show.put(Text(f"The question names the page {markdown(stem)}, which this app has not.", "note"))
    elif question.look_first or given.tries:
        known = settings.declared(stem)
        said = {key: texts for key, texts in parse_qs(parts.query).items() if key in known}
        data = {"data": [open_collection.SAMPLE_NAME]} if page.is_shipped else {}
        query = {**_unfiltered(settings.shared(settings.address())), **data, **said}
        name = f"Look at it: {site.PAGES[stem].name}"
        st.page_link(site.FOLDER / f"{stem}.py", label=name, icon=":material/arrow_right_alt:", query_params=query)


def _unfiltered(said: settings.Address) -> dict[str, Sequence[str]]:
    """Without the filter: answers are those of all systems and topics."""
    narrowed = {Filter.key(name) for name in Filter._makes()}
    return {key: texts for key, texts in said.items() if key not in narrowed}


def revealed(page: ExerciseSettings, solved: Solved, at: str) -> None:
    """The guesses, and beside them the truth once it is shown."""
    question, given = page.asked, _given(page, at)
    if not given.tries:
        return
    hidden = teaching.answers_hidden()
    shown = bool(given.shown) and not hidden
    draw(page, solved, given, shown)
    if given.shown and hidden:
        show.put(Text(hidden, "note"))
    if shown:
        answer = in_words(solved.right, markdown)
        unit = f" {markdown(question.unit)}" if question.unit else ""
        if ANSWER not in question.explanation:
            show.put(Text(f"**The answer: {answer}{unit}.**"))
        if question.explanation:
            show.put(Text(harmless(question.explanation).replace(ANSWER, f"**{answer}**")))


def draw(page: ExerciseSettings, solved: Solved, given: Given, shown: bool) -> None:
    """A figure of the guesses by the kind of question."""
    question, right, tries = page.asked, solved.right, [one.entered for one in given.tries]
    if isinstance(right, Order):
        orders = [one for one in tries if isinstance(one, tuple) and set(one) == set(right.items)]
        if orders and shown:
            ranking(page, right, orders)
    elif isinstance(right, Names):
        scores = option_scores(question, page.data) if shown else None
        if scores is not None and isinstance(tries[-1], str):
            title = f"mean {dict(question.answer.given)['measure']}"  # type: ignore[union-attr]
            alt = f"Scores of {len(scores)} options, the right one in blue"
            show.put(Figure(figures.guessed_option(scores, tries[-1], right.names, title), "guesses", alt))
    else:
        numbers = [one for one in tries if isinstance(one, float)]
        number(page, solved, right, numbers, shown)


def number(page: ExerciseSettings, solved: Solved, right: float, guesses: list[float], shown: bool) -> None:
    """Guesses on a line; with the answer along the parameter that the question names, if it names one."""
    question = page.asked
    drawn = curve(question, page.data) if shown else None
    if drawn is not None:
        along = figures.guessed_curve(drawn.points, guesses, (drawn.here, right), drawn.parameter, question.unit)
        show.put(Figure(along, "guesses", f"The answer along {drawn.parameter}, and the guesses at {drawn.here:g}"))
        return
    truth, off = (right, solved.off(right)) if shown else (None, 0.0)
    figure = figures.guessed_number(guesses, truth, off, (question.low, question.high), question.unit)
    alt = f"{guesses_in_words(len(guesses))} on a line"
    show.put(Figure(figure, "guesses", alt + (f", and the answer {right:.4g}" if shown else "")))


def ranking(page: ExerciseSettings, right: Order, guesses: Sequence[Sequence[str]]) -> None:
    """The latest guesses as rankings, and the right one beside them."""
    items = right.items
    styles = open_collection.styles(page.data)
    styles = styles if set(items) <= set(styles) else system_styles(sorted(items))
    first = max(len(guesses) - MOST_DRAWN, 0)
    drawn = {
        f"guess {at + 1}": {item: place for place, item in enumerate(guesses[at])} for at in range(first, len(guesses))
    }
    columns = {
        name: directed(pd.Series({item: -float(place[item]) for item in items}), "high")
        for name, place in {**drawn, "the answer": right.place}.items()
    }
    figure = figures.bump(columns, styles).update_layout(height=120 + 34 * len(items))
    show.put(
        Figure(figure, "guesses", f"{guesses_in_words(len(drawn))} as rankings, and the right one, joined by lines")
    )


def guesses_in_words(count: int) -> str:
    return "1 guess" if count == 1 else f"{count} guesses"


def harmless(text: str) -> str:
    """Markdown of a file without pictures, which could ask another host."""
    return text.replace("![", "!\\[")
