"""Classes in session within their limits: codes, seats, answers, times, and what a phone receives and when."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore import InputError
from evalcore.common.writing import csv_text
from evalcore.direction import directed
from evalcore.teaching.exercises import Names, Order, Question, shipped, solve
from ui.teaching.classroom.questions import LONGEST, Asked, Key, figure_of, of_exercise, of_resamples, of_slider
from ui.teaching.classroom.sessions import (
    GONE,
    HOURS,
    LATE,
    LETTERS,
    LONGEST_NAME,
    MOST_CLASSES,
    MOST_KEYS,
    MOST_QUESTIONS,
    MOST_SEATS,
    Classroom,
    Classrooms,
    Rates,
    RefusedError,
)


class Clock:
    """A clock that tests advance."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


NUMBER = (Asked("number", "How much?"), Key("It is 42.", (42.0,), 0.5, lambda given: abs(given - 42) <= 0.5))
CHOICE = (Asked("choice", "Which?", ("a", "b")), Key("It is b.", fits="b".__eq__))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def held(clock: Clock) -> Classrooms:
    return Classrooms(clock)


@pytest.fixture
def room(held: Classrooms) -> Classroom:
    return held.open("teacher")


# --- classes


def test_a_code_has_four_letters_that_cannot_be_confused(held: Classrooms) -> None:
    codes = [held.open(f"teacher {at % MOST_CLASSES}").code for at in range(200)]
    assert {len(code) for code in codes} == {4}
    assert set("".join(codes)) <= set(LETTERS)
    assert not set(LETTERS) & set("IOLQSBZUVAE0158")


def test_a_process_has_at_most_five_classes_and_a_teacher_one(held: Classrooms) -> None:
    for at in range(MOST_CLASSES):
        held.open(f"teacher {at}")
    with pytest.raises(InputError, match="5 classes already"):
        held.open("one more")
    first = held.of("teacher 0")
    again = held.open("teacher 0")  # in place of the first one
    assert first is not None
    assert first.ended
    assert held.of("teacher 0") is again


def test_a_class_ends_with_its_teacher_or_after_three_hours(held: Classrooms, clock: Clock) -> None:
    room, other = held.open("a"), held.open("b")
    held.end("a")
    assert room.ended
    assert held.of("a") is None
    clock.time += HOURS * 3600 - 1
    assert held.find(other.code.lower(), "net") is other
    clock.time += 2
    with pytest.raises(RefusedError, match="no class with this code") as refused:
        held.find(other.code, "net")
    assert (refused.value.status, other.ended) == (404, True)


def test_wrong_codes_are_limited_by_network_and_a_right_one_still_works(held: Classrooms, room: Classroom) -> None:
    statuses = Counter[int]()
    for _ in range(80):
        with pytest.raises(RefusedError) as refused:
            held.find("XXXXX", "attacker")
        statuses[refused.value.status] += 1
    assert statuses == {404: 60, 429: 20}
    assert held.find(room.code, "attacker") is room
    with pytest.raises(RefusedError, match="no class"):
        held.find("XXXXX", "somebody else")


def test_rates_refill_and_remember_a_bounded_number_of_keys(clock: Clock) -> None:
    rates = Rates(2, 1, clock)
    rates.use("a")
    rates.use("a")
    with pytest.raises(RefusedError):
        rates.use("a")
    clock.time += 1.01
    rates.use("a")
    for at in range(MOST_KEYS + 10):
        rates.use(str(at))
    assert len(rates._left) == MOST_KEYS


# --- seats


def test_a_class_has_sixty_seats_and_a_browser_keeps_its_own(room: Classroom, clock: Clock) -> None:
    seats = [room.join(f"browser {at}", "") for at in range(MOST_SEATS)]
    assert [seat.number for seat in seats] == [*range(1, MOST_SEATS + 1)]
    assert room.join("browser 7", "") is seats[7]
    with pytest.raises(RefusedError, match="full") as refused:
        room.join("one more", "")
    assert refused.value.status == 409
    room.ask(CHOICE)
    room.take(seats[0], 0, 1)
    clock.time += GONE + 1  # all are gone; those who answered keep their seats
    assert room.join("one more", "").number == 2
    assert room.join("browser 0", "") is seats[0]


@pytest.mark.parametrize("name", ["", "   ", "x" * (LONGEST_NAME + 1), "a\u202eb", "a\x00b"])
def test_a_class_with_names_refuses_none_and_long_and_invisible_ones(held: Classrooms, name: str) -> None:
    room = held.open("teacher", names=True)
    with pytest.raises(RefusedError, match="Type your name"):
        room.join("browser", name)
    assert room.join("browser", "  Ada   Lovelace ").name == "Ada Lovelace"


def test_a_class_without_names_keeps_none(room: Classroom) -> None:
    assert room.join("browser", "Ada").name == ""


# --- answers


def test_the_last_of_several_answers_counts_until_the_reveal(room: Classroom) -> None:
    seat, other = room.join("a", ""), room.join("b", "")
    room.ask(NUMBER)
    for value in ("1", "42.2"):
        room.take(seat, 0, value)
    room.take(other, 0, "7")
    assert room.answers() == [42.2, 7.0]
    room.reveal()
    with pytest.raises(RefusedError, match="closed"):
        room.take(seat, 0, "5")
    assert room.answers() == [42.2, 7.0]
    room.ask(CHOICE)
    with pytest.raises(RefusedError, match="closed"):
        room.take(seat, 0, "5")  # to the question before


def test_a_question_with_a_time_closes_after_it(room: Classroom, clock: Clock) -> None:
    seat = room.join("a", "")
    room.ask(NUMBER, 30)
    assert room.seen_by(seat)["question"]["left"] == 30
    clock.time += 30 + LATE / 2  # an answer may still be on its way
    room.take(seat, 0, "1")
    clock.time += LATE
    with pytest.raises(RefusedError, match="closed"):
        room.take(seat, 0, "2")


def test_a_class_has_at_most_a_hundred_questions(room: Classroom) -> None:
    for _ in range(MOST_QUESTIONS):
        room.ask(CHOICE)
    with pytest.raises(InputError, match="at most 100 questions"):
        room.ask(CHOICE)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        *((NUMBER[0], value) for value in (None, 3, "", "much", "nan", "inf", "1e16", "1" * (LONGEST + 1), ["1"])),
        *((CHOICE[0], value) for value in (-1, 2, True, "a", 0.0, None, [0])),
        *(
            (Asked("order", "", ("a", "b", "c")), value)
            for value in ([0, 1], [0, 1, 1], [0, 1, True], "abc", [0, 1, 3])
        ),
        *((Asked("slider", "", ("a", "b")), value) for value in (2, -1, "1", 0.5, True)),
        *((Asked("words", ""), value) for value in ("", "  ", "x" * (LONGEST + 1), 1, None)),
        (Asked("draw", ""), "A"),
    ],
)
def test_what_is_no_answer_is_refused(asked: Asked, value: object) -> None:
    problems = {"number": "Type a number such as 1", "words": "Type an answer of at most 200 characters"}
    with pytest.raises(InputError, match=problems.get(asked.kind, "This does not answer the question")):
        asked.read(value)


def test_answers_are_read() -> None:
    assert NUMBER[0].read("12,5 %") == 0.125
    assert CHOICE[0].read(1) == "b"
    assert Asked("order", "", ("a", "b", "c")).read([2, 0, 1]) == ("c", "a", "b")
    assert Asked("words", "").read(" one\n two ") == "one two"


def test_stuck_is_counted_until_the_next_question(room: Classroom) -> None:
    seat = room.join("a", "")
    seat.stuck = True
    room.ask(CHOICE)
    assert not seat.stuck


# --- what a phone is told


def test_nothing_that_a_phone_is_told_before_the_reveal_depends_on_the_answer(held: Classrooms) -> None:
    """The same question with another key results in the same bytes, for every kind of question."""
    keys = [Key("It is b.", (1.0,), 0.1, lambda _: True), Key("It is a.", (9.0,), 5.0, lambda _: False)]
    askeds = [NUMBER[0], CHOICE[0], *(Asked(kind, "?", ("a", "b")) for kind in ("order", "slider", "words"))]
    values = {"number": "1", "choice": 0, "order": [1, 0], "slider": 1, "words": "b"}
    for asked in askeds:
        told = []
        for key in keys:
            room = held.open("teacher")
            seat = room.join("browser", "")
            room.ask((asked, key))
            before = json.dumps(room.seen_by(seat))
            room.take(seat, 0, values[asked.kind])
            told.append(before + json.dumps(room.seen_by(seat)))
        assert told[0] == told[1]


def test_the_reveal_tells_the_answer_how_many_were_right_and_the_own_result(room: Classroom) -> None:
    seats = [room.join(str(at), "") for at in range(3)]
    room.ask(NUMBER)
    for seat, value in zip(seats, ("42", "42.4", "7"), strict=True):
        room.take(seat, 0, value)
    marks = [room.mark(seat) for seat in seats]
    room.reveal()
    assert all(room.mark(seat) != mark for seat, mark in zip(seats, marks, strict=True))
    seen = [room.seen_by(seat)["question"] for seat in seats]
    assert [one["right"] for one in seen] == [True, True, False]
    assert {one["sentence"] for one in seen} == {"It is 42."}
    assert {one["near"] for one in seen} == {"2 of 3 answers right or close enough."}


def test_phones_follow_the_step_of_the_teacher_or_are_free(room: Classroom) -> None:
    seat = room.join("a", "")
    mark = room.mark(seat)
    room.change(shown={"title": "Step"})
    assert room.seen_by(seat)["shown"] == {"title": "Step"}
    assert room.mark(seat) != mark
    room.change(follow=False)
    assert room.seen_by(seat)["shown"] is None


def test_results_are_a_table_and_no_formulas(held: Classrooms) -> None:
    room = held.open("teacher", names=True)
    seat = room.join("a", '=HYPERLINK("http://evil.example")')
    room.ask((Asked("words", "Why?"), Key("")))
    room.take(seat, 0, "@SUM(A1)")
    room.ask(CHOICE)
    room.take(seat, 1, 1)
    rows = room.results()
    assert rows[["number", "question", "student"]].to_numpy().tolist() == [[1, "Why?", 1], [2, "Which?", 1]]
    assert rows["right"].tolist() == [None, True]
    assert "'=HYPERLINK" in csv_text(rows)
    assert "'@SUM" in csv_text(rows)


# --- what can be asked


def test_every_exercise_of_the_path_can_be_asked_and_its_right_answer_fits() -> None:
    data = ec.load("sample_data/health")
    kinds = Counter[str]()
    for question in shipped().questions:
        solved = solve(question, data)
        asked, key = of_exercise(solved)
        kinds[asked.kind] += 1
        match solved.right:
            case float() as right:
                value = asked.read(str(right))
            case Names(names=names):
                value = asked.read(asked.options.index(names[0]))
            case order:
                value = asked.read([asked.options.index(item) for item in order.items])
        assert key.fits is not None
        assert key.fits(value), question.id
        assert "{answer}" not in key.sentence
        assert key.sentence not in json.dumps(vars(asked))
    assert set(kinds) == {"number", "choice", "order"}


def test_an_order_is_right_if_only_ties_differ() -> None:
    question = Question("q", "Order?", "ranking", Order((("a",), ("b", "c"))))
    asked, key = of_exercise(solve(question, ec.load("sample_data/health")))
    assert key.fits is not None
    assert [key.fits(order) for order in (("a", "c", "b"), ("a", "b", "c"), ("b", "a", "c"))] == [True, True, False]
    assert asked.options not in (("a", "b", "c"), ("a", "c", "b"))


def test_a_slider_is_right_near_a_change_of_winner() -> None:
    winners = ["A"] * 10 + ["B"] * 31
    asked, key = of_slider("Where?", "", [f"{at / 40:g}" for at in range(41)], winners)
    assert key.truth == (9.5,)
    assert key.sentence == "The winner changes from A to B between 0.225 and 0.25."
    assert key.fits is not None
    assert [at for at in range(41) if key.fits(at)] == [8, 9, 10, 11]  # within 5 % of 40 steps
    assert asked.words(9) == "0.225"
    assert of_slider("", "", ["1", "2"], ["A", "A"])[1].sentence == "The winner does not change: it is A everywhere."
    assert of_slider("", "", ["1", "2"], ["A", ""])[1].fits is None


def test_each_seat_draws_a_resample_of_its_own_again_and_again(room: Classroom) -> None:
    scores = pd.DataFrame(np.random.default_rng(0).random((12, 4)), columns=list("abcd"))
    seats = [room.join(str(at), "") for at in range(MOST_SEATS)]
    room.ask(of_resamples("Draw.", scores, "a is the best"))
    for seat in seats * 2:
        room.take(seat, 0, None)
    counts = Counter(room.answers())
    assert sum(counts.values()) == MOST_SEATS
    # The slow and obvious way: the means of many other resamples have the same winners about as often.
    draws = np.random.default_rng(1).integers(0, 12, (20_000, 12))
    often = np.bincount(scores.to_numpy()[draws].mean(axis=1).argmax(axis=1), minlength=4) / 20_000
    share = np.array([counts[name] for name in "abcd"]) / MOST_SEATS
    assert np.abs(share - often).max() < 3.5 * np.sqrt(0.25 / MOST_SEATS)
    assert room.seen_by(seats[0])["question"]["mine"] == room.answers()[0]


def test_a_resample_has_the_lowest_winner_if_low_is_good() -> None:
    scores = directed(pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}), "low")
    _, key = of_resamples("", scores, "")
    assert key.draws is not None
    assert key.draws(1) == "a"


# --- the figure


def test_the_figure_has_the_answers_and_the_truth_only_once_it_is_revealed() -> None:
    given = [1.0, 1.0, 3.0]
    before, after = (figure_of(*NUMBER, given, revealed) for revealed in (False, True))
    assert sorted(before.data[0].x) == pytest.approx(given, abs=0.1)
    assert sorted(before.data[0].y) == [1, 1, 2]
    assert not before.layout.shapes
    assert 42.0 in {shape.x0 for shape in after.layout.shapes}


def test_bars_count_every_option_and_colour_the_right_one_once_it_is_revealed() -> None:
    before, after = (figure_of(*CHOICE, ["a", "a"], revealed).data[0] for revealed in (False, True))
    assert (list(before.y), list(before.x)) == (["a", "b"], [2, 0])
    assert len(set(before.marker.color)) == 1
    assert len(set(after.marker.color)) == 2


def test_words_are_counted_without_case_and_the_most_frequent_shown() -> None:
    answers = ["Yes", "yes", "no", *(f"other {at}" for at in range(50))]
    bars = figure_of(Asked("words", ""), Key(""), answers, True).data[0]
    assert (bars.y[0], bars.x[0], len(bars.y)) == ("yes", 2, 12)
