"""The page Class: a teacher opens a session, asks questions, sees the answers arrive, and reveals the truth."""

from __future__ import annotations

import time
from functools import partial
from urllib.parse import urlsplit

import segno
import streamlit as st
from streamlit import config

from evalcore import InputError
from evalcore.cli.app import THIS_MACHINE
from evalcore.common.writing import csv_text
from ui.data import open_collection
from ui.screen.items import Text
from ui.screen.text import counted, markdown
from ui.server import network
from ui.stage import show
from ui.teaching.classroom.class_settings import KEPT, RESAMPLE, TEXT, ClassSettings, made
from ui.teaching.classroom.questions import figure_of
from ui.teaching.classroom.sessions import HOURS, MOST_SEATS, Classroom, classrooms
from ui.teaching.classroom.teacher import own_class, owner
from ui.widgets.callback import callback
from ui.widgets.download import download
from ui.widgets.plot import plot

EVERY = 0.5  # seconds between updates of the answers
NAMES, LEAD, _ASKED, _ERROR = "class names", "class lead", "class asked", "class error"
FOLLOW, FREE = "follow me", "are free"
INTRODUCTION = (
    "Students join with a code on their phones and answer together. Their answers appear in the figure, and you then "
    f"reveal the true answer on top of them. A class has at most {MOST_SEATS} students. It ends when you end it, or "
    f"after {HOURS:g} hours, and leaves nothing on the server."
)
ALONE = (
    "Phones cannot reach this address. Start the app with `evalcore app --address 0.0.0.0 --host NAME`, where NAME is "
    "this machine's name or IP address in the network of the class. You can try a class in this browser without them."
)
LED = "Phones show the step of the guided path that is open in this browser, with your settings but without the answer"


def main() -> None:
    page = ClassSettings.now(open_collection.titled("classroom"))
    if (room := own_class()) is None:
        begin()
    else:
        left, right = show.two_columns(0.4)
        with left:
            invite(room)
            ask(page, room)
            rest(room)
        with right:
            live(room)
    if error := st.session_state.pop(_ERROR, None):
        show.show_error(error)


def begin() -> None:
    """Draw the button that opens a class."""

    @callback
    def opened() -> None:
        try:
            classrooms().open(owner(), bool(st.session_state.get(NAMES)))
        except InputError as error:
            st.session_state[_ERROR] = error

    show.put(Text(INTRODUCTION))
    st.checkbox("Ask for names", key=NAMES)
    st.button("Open a class", type="primary", icon=":material/groups:", on_click=opened)


def invite(room: Classroom) -> None:
    """Show the address and the code of the class, and both as a QR code."""
    address, reachable = students_address(st.context.url or "")
    code, words = st.columns([0.3, 0.7], vertical_alignment="center")
    picture = segno.make(f"{address}?code={room.code}", error="m").svg_data_uri(scale=4, border=2, light="#ffffff")
    code.html(f'<img src="{picture}" alt="QR code of the address with the code" width="132" height="132">')
    words.markdown(f"{markdown(address.partition('://')[2])}  \n**Code: {room.code}**")
    if not reachable:
        st.caption(ALONE)


def students_address(here: str) -> tuple[str, bool]:
    """Return the address of the students' page, and True if other machines can reach it."""
    parts = urlsplit(here or f"http://localhost:{config.get_option('server.port')}/")
    host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    if host in THIS_MACHINE:
        host = next((name for name in network.own_names() if name not in THIS_MACHINE), host)
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{port}{parts.path.rpartition('/')[0]}/class", host not in THIS_MACHINE


def ask(page: ClassSettings, room: Classroom) -> None:
    """Draw the choice of the next question, the button that asks it, and the button that reveals its answer."""
    page.draw("source", "question", "measure")
    if page.source in (KEPT, RESAMPLE):
        st.text_area("Your question", key=TEXT, max_chars=1000, height=68, placeholder="Default: the usual question")
    page.draw("seconds")

    if st.session_state.get(_ASKED):  # not in the callback, as it may take long and show progress
        with show.errors():
            room.ask(made(page), page.seconds or None)
        st.session_state[_ASKED] = False
    is_open = bool(room.rounds) and not room.rounds[-1].revealed
    with st.container(horizontal=True):
        begin = callback(partial(setattr, st.session_state, _ASKED, True))
        asks, reveals = partial(st.button, "Ask the class", "class ask"), partial(st.button, "Reveal", "class reveal")
        asks(type="secondary" if is_open else "primary", icon=":material/campaign:", on_click=begin)
        icon = ":material/visibility:"
        reveals(type="primary" if is_open else "secondary", icon=icon, on_click=room.reveal, disabled=not is_open)


def rest(room: Classroom) -> None:
    """Draw rarely needed controls: a choice whether phones follow, the results, and a button that ends the class."""
    st.session_state.setdefault(LEAD, FOLLOW if room.follow else FREE)
    led = callback(lambda: room.change(follow=st.session_state[LEAD] == FOLLOW))
    st.segmented_control("Students", (FOLLOW, FREE), key=LEAD, required=True, on_change=led, help=LED)
    with st.container(horizontal=True):
        download("Results", lambda: csv_text(room.results()).encode(), "class.csv", "Answers as CSV", key="class csv")
        st.button("End the class", icon=":material/stop_circle:", on_click=classrooms().end, args=(room.owner,))


def live(room: Classroom) -> None:
    """Show the last question and its answers as they arrive."""

    @st.fragment(run_every=EVERY)
    def answers() -> None:
        stuck = sum(seat.stuck for seat in list(room.seats.values()))
        said = [f":material/pan_tool: {stuck} stuck"] * bool(stuck)
        if room.ended:
            st.info("This class has ended. Reload the page to open a new one.")
        elif not room.rounds:
            st.header("Choose a question and ask the class.", anchor=False)
            st.caption(" · ".join([f"{counted(len(room.seats), 'student')} joined", *said]))
        else:
            one, given = room.rounds[-1], room.answers()
            left = max(one.ends - time.monotonic(), 0.0) if one.ends and not one.revealed else None
            said = [f"{left:.0f} s left", *said] if left is not None else said
            st.header(markdown(one.asked.text), anchor=False)
            st.caption(" · ".join([f"{len(given)} of {counted(len(room.seats), 'student')} answered", *said]))
            alt = f"{counted(len(given), 'answer')} of the class{', with the true answer' if one.revealed else ''}"
            figure = figure_of(one.asked, one.key, given, one.revealed)
            plot(figure, "class answers", alt, "answers", {"displaylogo": False, "displayModeBar": False})
            if one.revealed:
                st.markdown(f"**{markdown(one.key.sentence)}**  \n{one.key.near(given)}")

    answers()
