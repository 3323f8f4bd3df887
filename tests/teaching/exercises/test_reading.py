"""Exercises as TOML: what is read, and what is refused with its place."""

from __future__ import annotations

import re

import pytest

from app_support import ROOT, SAMPLE
from evalcore import InputError, load
from evalcore.teaching.exercises import Order, parse_exercise, read_exercise, shipped, solve
from ui.teaching.guided_path.base import STEPS

HEAD = 'title = "T"\n[[question]]\nid = "q"\ntext = "?"\n'
NUMBER = HEAD + 'kind = "number"\n'
CHOICE = HEAD + 'kind = "choice"\noptions = ["a", "b"]\n'
RANKING = HEAD + 'kind = "ranking"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("title = ", "x.toml: expected TOML"),
        ('title = "T"', "x.toml: expected the key question (1 to 200 tables [[question]]), found none"),
        ('titel = "T"', "did you mean title?"),
        ("question = 3", "x.toml: expected `question` to be 1 to 200 tables [[question]], found '3'"),
        (HEAD.replace('"q"', '"a b"'), "x.toml, question 1: expected an id"),
        (HEAD + 'kind = "essay"', "x.toml, question 'q': expected `kind` to be number, choice or ranking"),
        (NUMBER, "question 'q': expected the key answer (an answer, or how to compute it), found none"),
        (NUMBER + "answer = nan", "expected a number, found 'nan'"),
        (NUMBER + "answer = 1\noptions = ['a']", "found 'options'"),
        (NUMBER + "answer = 1\ntolerance = 1\nrelative = 1", "expected either `tolerance` or `relative`"),
        (NUMBER + "answer = 1\nlow = 2\nhigh = 1", "expected `low` below `high`"),
        (NUMBER + "answer = 1\ntolerance = -1", "of 0 or more"),
        (NUMBER + 'answer = { list = { measure = "RBB", labels = [1] } }', "list, measure: expected a measure"),
        (NUMBER + 'answer = { list = { measure = "P", labels = { a = [1], b = [1, 0] } } }', "same number of labels"),
        (NUMBER + 'answer = { run = "import os" }', "expected one of value, list"),
        (NUMBER + 'answer = { tau = ["AP"] }', "expected a list of 2 strings"),
        (NUMBER + 'answer = { tau = [["a", "b"], ["a", "c"]] }', "expected the same names in both lists"),
        (NUMBER + 'answer = { winner = "AP" }', "for a number, found winner"),
        (NUMBER + 'answer = { depth = { measure = "RBP", share = 2 } }', "expected a number between 0 and 1"),
        (NUMBER + 'answer = { value = { measure = "AP", of = "sum" } }', "expected one of mean, least or most"),
        (NUMBER + 'answer = 1\nalong = { parameter = "rho", values = [1, 2] }', "with a computed answer"),
        (NUMBER + 'answer = 1\nview = "https://example.org/x"', "expected a path of the app"),
        (NUMBER + 'answer = 1\nview = "//example.org"', "expected a path of the app"),
        (NUMBER + 'answer = 1\nview = "/[::1"', "expected a path of the app"),
        (
            NUMBER + "answer = 1\n[[question.hint]]\nabove = 1",
            "hint 1, of a number: expected the key say (a string), found none",
        ),
        (NUMBER + 'answer = 1\n[[question.hint]]\nsay = "x"\nchoice = "a"', "hint 1, of a number: expected only"),
        (CHOICE + 'answer = "c"', "expected one of the options, found 'c'"),
        (CHOICE.replace(', "b"', "") + 'answer = "a"', "options: expected a list of 2 to"),
        (CHOICE + 'answer = { tau = ["AP", "P@5"] }', "expected one of winner for a choice"),
        (RANKING + 'answer = ["a", ["b", "a"]]', "expected each item once"),
        (RANKING + 'answer = { ranking = { measure = "AP" } }', "expected `measure` and either `systems` or `lists`"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        parse_exercise(text, "x.toml")
    assert problem in str(error.value)
    assert str(error.value).startswith("x.toml")


def test_an_id_stands_once() -> None:
    question = '[[question]]\nid = "q"\ntext = "?"\nkind = "number"\nanswer = 1\n'
    with pytest.raises(InputError, match="found 'q' again"):
        parse_exercise(f'title = "T"\n{question}{question}')


def test_an_answer_given_by_hand_may_have_ties() -> None:
    assert parse_exercise(RANKING + 'answer = ["a", ["b", "c"]]')["q"].answer == Order((("a",), ("b", "c")))


def test_a_file_that_is_not_there_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="cannot read the file of exercises"):
        read_exercise(tmp_path / "none.toml")


def test_the_digest_is_of_the_text() -> None:
    one, other = (parse_exercise(RANKING + f'answer = ["a", "b"]{end}') for end in ("", "\n"))
    assert (len(one.digest), one.digest == other.digest) == (12, False)


def test_how_an_editor_ends_lines_and_marks_utf_8_is_no_part_of_a_set() -> None:
    text = RANKING + 'answer = ["a", "b"]\n'
    assert parse_exercise("\ufeff" + text.replace("\n", "\r\n")).digest == parse_exercise(text).digest


def test_every_step_of_the_guided_path_has_a_question() -> None:
    titles = [question.title for question in shipped().questions]
    without = [step for step in STEPS if not any(title.startswith(f"{step}:") for title in titles)]
    assert not without, (
        f"evalcore/teaching/exercises/guided_path.toml has no question with a title such as {without[0]}: ..."
    )


def test_the_page_for_teachers_shows_a_set_that_runs() -> None:
    """docs/exercises.md: the example is that of the sample data, and its answers can be computed by hand."""
    text = (ROOT / "docs" / "exercises.md").read_text()
    found = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert found
    assert found[1] == (ROOT / "sample_data" / "exercises.toml").read_text()
    sample = load(SAMPLE)
    solved = {one.id: solve(one, sample) for one in parse_exercise(found[1]).questions}
    assert solved["by-hand"].right == 0.625  # (1 - 0.5) (1 + 0.25)
    assert solved["three-lists"].right == Order((("A",), ("B", "C")))  # P@2: 1, 1/2, 1/2
    assert solved["by-hand"].check(1.25).comment == "That is the sum; RBP multiplies it by 1 − ρ."


def test_the_page_for_teachers_names_every_word_and_key() -> None:
    from evalcore.teaching.exercises.answers import MAKES

    text = (ROOT / "docs" / "exercises.md").read_text()
    assert [word for word in MAKES if f"`{word} = " not in text and f"`{word}`" not in text] == []


def test_shipped_questions_stand_in_the_order_of_the_steps() -> None:
    named = [question.title.partition(":")[0] for question in shipped().questions]
    assert named == sorted(named, key=STEPS.index)
