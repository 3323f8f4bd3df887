"""The teacher's page: every source of questions, the answers in the figure, the reveal, and the owner of the class."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import address_of, go_to, open_app, press
from evalcore.meta.intervals_of_ranks import first_in_words
from ui.server import browser_store, network
from ui.teaching.classroom import class_settings
from ui.teaching.classroom.page import students_address
from ui.teaching.classroom.sessions import Classroom, classrooms


def the_class() -> Classroom:
    [room] = classrooms()._now_held().values()
    return room


@pytest.fixture
def teaching() -> AppTest:
    """Open a class as a teacher."""
    browser_store.forget()
    return press(open_app("classroom"), "Open a class")


def text(app: AppTest) -> str:
    return "\n".join(one.value for one in [*app.main.markdown, *app.main.caption])


def asked(app: AppTest, source: str, question: str = "") -> AppTest:
    """Ask a question of a source; return the app."""
    next(box for box in app.selectbox if box.label == "Ask").select(source).run()
    if question:
        label = "Step" if source == "step" else "Question"
        next(box for box in app.selectbox if box.label == label).select(question).run()
    return press(app, "Ask the class")


def test_a_class_begins_with_a_click_and_shows_how_to_join(teaching: AppTest) -> None:
    room = the_class()
    assert f"**Code: {room.code}**" in text(teaching)
    assert "/class" in text(teaching)
    assert 'alt="QR code' in "".join(one.proto.body for one in teaching.get("html"))
    assert room.code not in str(address_of(teaching))


def test_answers_come_and_the_truth_is_revealed(teaching: AppTest) -> None:
    press(teaching, "Ask the class")
    room = the_class()
    room.take(room.join("a", ""), 0, "0.7556")
    room.take(room.join("b", ""), 0, "0.6")
    teaching.run()
    assert "2 of 2 students answered" in text(teaching)
    assert "their mean is" not in text(teaching)
    press(teaching, "Reveal")
    assert "their mean is 0.7556" in text(teaching)
    assert "1 of 2 answers right or close enough." in text(teaching)
    assert not teaching.exception


def test_a_step_is_asked_in_words_and_its_answer_is_that_of_the_path(teaching: AppTest) -> None:
    asked(teaching, "step", "Gain")
    one = the_class().rounds[0]
    assert (one.asked.kind, one.asked.link) == (
        "words",
        "learn?learn.view=guided_path&guided_path.step=Gain&answers=hidden",
    )
    step = go_to(open_app("guided_path", step="Gain"), "guided_path").run()
    answers = " ".join(markdown.value for markdown in step.main.markdown)
    assert one.key.sentence.split()[0] in answers


def test_a_resample_is_drawn_and_the_sentence_of_all_pages_stands_under_it(teaching: AppTest) -> None:
    asked(teaching, "resample")
    room = the_class()
    measure = next(box.value for box in teaching.selectbox if box.label == "Measure")
    scores = ec.evaluate(str(measure), ec.load("sample_data/health"))
    for at in range(12):
        room.take(room.join(str(at), ""), 0, None)
    assert set(room.answers()) <= set(scores.columns)
    press(teaching, "Reveal")
    assert first_in_words(ec.rank_intervals(scores)) in text(teaching).replace("\\", "")


def test_the_slider_of_a_kept_view_is_asked_about(teaching: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_settings, "PATIENCE", 100.0)  # nothing draws it beside the pages here
    press(go_to(teaching, "understandability").run(), "Keep this view")
    go_to(teaching, "classroom").run()
    next(box for box in teaching.selectbox if box.label == "Ask").select("kept view").run()
    press(teaching, "Ask the class")
    one = the_class().rounds[-1]
    assert one.asked.kind == "slider"
    assert one.asked.text == "Where does the winner change? Move the slider."
    assert one.asked.link.startswith("tune?")
    health = ec.load("sample_data/health")

    def winners(rho: str) -> str:  # the slow and obvious way, at each position
        texts = [f"{name}(rho={rho})" for name in ("RBP", "uRBPgr")]
        return " and ".join(dict.fromkeys(str(ec.evaluate(text, health).mean().idxmax()) for text in texts))

    positions = one.asked.options
    found = [winners(at) for at in positions]
    turns = [at for at, (here, there) in enumerate(pairwise(found)) if here != there]
    assert turns
    assert one.key.truth == tuple(at + 0.5 for at in turns)
    said = [f"{found[at]} to {found[at + 1]} between {positions[at]} and {positions[at + 1]}" for at in turns]
    assert one.key.sentence == f"The winner changes from {'; from '.join(said)}."


def test_phones_follow_the_step_that_the_teacher_opens(teaching: AppTest) -> None:
    room = the_class()
    seat = room.join("a", "")
    teaching.query_params["guided_path.step"] = "Reader"
    go_to(teaching, "guided_path").run()
    shown = room.seen_by(seat)["shown"]
    assert shown["title"] == teaching.title[0].value
    assert shown["link"] == "learn?learn.view=guided_path&guided_path.step=Reader&answers=hidden"
    go_to(teaching, "classroom").run()
    follow: Any = next(one for one in teaching.get("button_group") if one.proto.label == "Students")
    follow.set_value("are free").run()
    assert room.seen_by(seat)["shown"] is None


def test_a_class_ends_with_its_teacher(teaching: AppTest) -> None:
    room = the_class()
    press(teaching, "End the class")
    assert room.ended
    assert "Open a class" in [button.label for button in teaching.button]


def test_another_browser_does_not_see_the_class(teaching: AppTest) -> None:
    other = open_app("classroom")
    assert the_class().code not in text(other)
    assert "Open a class" in [button.label for button in other.button]


@pytest.mark.parametrize(
    ("here", "names", "address", "reachable"),
    [
        ("http://localhost:8501/learn", ["localhost"], "http://localhost:8501/class", False),
        ("http://localhost:8501/learn", ["localhost", "10.0.0.7"], "http://10.0.0.7:8501/class", True),
        ("https://eval.example.org/sub/learn", [], "https://eval.example.org/sub/class", True),
        ("http://[2001:db8::1]:8501/", [], "http://[2001:db8::1]:8501/class", True),
        ("http://127.0.0.1:8501/learn", ["::1", "fd00::7"], "http://[fd00::7]:8501/class", True),
    ],
)
def test_phones_get_an_address_that_they_can_reach(
    here: str, names: list[str], address: str, reachable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "own_names", lambda: names)
    assert students_address(here) == (address, reachable)
