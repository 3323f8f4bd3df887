"""Answer sheets: written, read, graded, and what is done with those that are none."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from app_support import ROOT
from evalcore import Collection, InputError
from evalcore.data.small import small_collection
from evalcore.exercises import (
    Answered,
    Exercise,
    Try,
    digest,
    grade,
    merged,
    parse_exercise,
    progress_text,
    read_progress,
    read_sheet,
    sheet_text,
)
from sample_data.make_sheets import sheets

SET = """\
title = "T"
[[question]]
id = "n"
text = "?"
kind = "number"
answer = 0.5
[[question]]
id = "c"
text = "?"
kind = "choice"
options = ["a", "b"]
answer = "a"
points = 3
"""
DAY = "2026-11-02T10:"
RIGHT = [
    Answered("n", (Try(1.0, f"{DAY}00:00Z"), Try(0.5, f"{DAY}01:00Z")), f"{DAY}01:00Z"),
    Answered("c", (Try("a", DAY),)),
]


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return parse_exercise(SET)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"s": ["a"]})


def text_of(exercise: Exercise, collection: Collection, given: list[Answered], name: str = "Ann Ö") -> str:
    return sheet_text(name, exercise, collection, given, {"data": ["x"]}, DAY, ec.__version__)


def test_a_sheet_records_who_what_and_on_which_data(exercise: Exercise, collection: Collection) -> None:
    sheet = read_sheet(text_of(exercise, collection, RIGHT))
    assert (sheet.name, sheet.exercise, sheet.version, sheet.intact) == ("Ann Ö", exercise.digest, ec.__version__, True)
    assert sheet.given == tuple(RIGHT)


def test_a_sheet_is_graded_from_the_data(exercise: Exercise, collection: Collection) -> None:
    row = grade([("ann.json", text_of(exercise, collection, RIGHT))], exercise, collection).table.iloc[0]
    assert row[["file", "name", "n", "c", "total", "of", "tries"]].tolist() == ["ann.json", "Ann Ö", 1, 3, 4, 4, 3]
    assert row[["digest fits", "same questions", "same data"]].tolist() == [True, True, True]


def test_a_try_after_the_answer_was_shown_has_no_points(exercise: Exercise, collection: Collection) -> None:
    seen = [Answered("n", (Try(1.0, f"{DAY}00"), Try(0.5, f"{DAY}09")), f"{DAY}05")]
    assert grade([("a", text_of(exercise, collection, seen))], exercise, collection).table["n"].tolist() == [0]


def test_what_is_no_answer_to_a_question_is_wrong(exercise: Exercise, collection: Collection) -> None:
    odd = [Answered("n", (Try("0.5", DAY),)), Answered("c", (Try(("a",), DAY),)), Answered("else", (Try(1.0, DAY),))]
    table = grade([("a", text_of(exercise, collection, odd))], exercise, collection).table
    assert table[["total", "tries"]].iloc[0].tolist() == [0, 2]


def change(text: str, **changes: Any) -> str:
    return json.dumps({**json.loads(text), **changes})


def test_a_sheet_that_was_changed_by_hand_is_noticed_and_graded(exercise: Exercise, collection: Collection) -> None:
    text = text_of(exercise, collection, RIGHT)
    changed = [
        ("a", change(text, name="Bob")),
        ("b", json.dumps(json.loads(text), indent=4)),
        ("c", text.replace("0.5", "0.6")),
    ]
    table = grade(changed, exercise, collection).table
    assert table["digest fits"].tolist() == [False, True, False]  # how it is laid out is no matter
    assert table["n"].tolist() == [1, 1, 0]


def test_another_set_and_other_data_are_marked(exercise: Exercise, collection: Collection) -> None:
    text = text_of(parse_exercise(SET + "\n"), collection, RIGHT)
    changed = change(text, collection={"title": "x", "fingerprint": "other"})
    table = grade([("a", text), ("b", changed)], exercise, collection).table
    assert table["same questions"].tolist() == [False, False]
    assert table["same data"].tolist() == [True, False]


@pytest.mark.parametrize(
    "changes",
    [
        {"form": "another"},
        {"name": 3},
        {"name": "x" * 501},
        {"name": "\ud800"},  # half a character, which no table can hold
        {"exercise": "x"},
        {"collection": {}},
        {"answers": {}},
        {"answers": [3]},
        {"answers": [{"question": "n"}]},
        {"answers": [{"question": "n", "tries": [{"entered": None, "at": ""}]}]},
        {"answers": [{"question": "n", "tries": [{"entered": True, "at": ""}]}]},
        {"answers": [{"question": "n", "tries": [{"entered": [1], "at": ""}]}]},
        {"answers": [{"question": "n", "tries": [{"entered": 10**400, "at": ""}]}]},
        {"answers": [{"question": "n", "tries": [{"entered": 1, "at": ""}] * 201}]},
        {"answers": [{"question": "n", "tries": []}] * 2},
    ],
)
def test_what_is_no_sheet_is_named_and_the_others_are_graded(
    changes: dict[str, Any], exercise: Exercise, collection: Collection
) -> None:
    text = text_of(exercise, collection, RIGHT)
    found = grade([("bad.json", change(text, **changes)), ("good.json", text)], exercise, collection)
    assert found.table["file"].tolist() == ["good.json"]
    assert [problem.where.startswith("bad.json") for problem in found.problems] == [True]


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "x" * 2_000_001])
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_sheet(text, "bad.json")


@pytest.mark.parametrize("number", [0.1 + 0.2, 1e-320, 1e22, -0.0, 5])
def test_the_digest_is_the_same_once_read_back(number: float) -> None:
    content = {"a": number, "b": "é \ud800 \n", "digest": "x"}
    assert digest(json.loads(json.dumps(content))) == digest(content)


words = st.text("aé0Z", max_size=5)
entered = st.floats(allow_nan=False, allow_infinity=False) | words | st.lists(words).map(tuple)
tries = st.lists(st.builds(Try, entered, words), min_size=1, max_size=4).map(tuple)


@settings(max_examples=20)
@given(st.lists(st.builds(Answered, words, tries, words), unique_by=lambda one: one.question))
def test_progress_is_read_back(given: list[Answered]) -> None:
    assert read_progress(progress_text(given)) == tuple(given)


def test_of_two_visits_each_try_counts_once_and_the_first_look_at_the_answer() -> None:
    one, two = Try(1.0, "1"), Try(2.0, "2")
    found = merged([Answered("q", (two,), "9")], [Answered("q", (one, two), "3"), Answered("r", (one,))])
    assert found == (Answered("q", (one, two), "3"), Answered("r", (one,)))


def test_of_too_many_tries_the_last_are_kept() -> None:
    """The right one is the last."""
    found = merged(
        [Answered("q", tuple(Try(0.0, f"{at:03}") for at in range(200)))], [Answered("q", (Try(0.5, "200"),))]
    )
    assert (len(found[0].tries), found[0].tries[-1].entered) == (200, 0.5)


def test_the_sheets_of_the_sample_data_are_those_that_their_script_makes() -> None:
    assert sheets() == {path.name: path.read_text() for path in (ROOT / "sample_data" / "sheets").iterdir()}
