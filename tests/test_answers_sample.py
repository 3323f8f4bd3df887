"""The sample collection `answers/`: what make_answers.py writes, and the facts in sample_data/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec
from sample_data.make_answers import make

ANSWERS = Path(__file__).parents[1] / "sample_data" / "answers"


@pytest.fixture(scope="module")
def answers() -> ec.Collection:
    return ec.load(ANSWERS)


def order(measure: str, answers: ec.Collection) -> list[str]:
    return ec.best_first(ec.evaluate(measure, answers).mean()).index.tolist()


def test_make_answers_writes_the_committed_files():
    assert [name for name, text in make().items() if (ANSWERS / name).read_text() != text] == []


def test_who_is_first_is_a_matter_of_what_an_okay_nugget_counts(answers):
    assert order("NuggetRecall(okay=0)", answers)[0] == "dense-brief"
    assert order("NuggetRecall", answers)[0] == "dense-long"


def test_the_model_is_kind_to_its_own(answers):
    own = ("dense-juno", "terms-juno")
    people, model = (order(f'NuggetRecall(judge="{judge}")', answers) for judge in ("people", "model"))
    assert [people.index(name) + 1 for name in own] == [5, 6]
    assert [model.index(name) + 1 for name in own] == [4, 5]
