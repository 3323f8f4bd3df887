"""The sample collection `board/`: what make_board.py writes, and the facts in sample_data/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec
from evalcore.teaching.exercises import read_exercise, solve
from sample_data.make_board import make

BOARD = Path(__file__).parents[1] / "sample_data" / "board"


@pytest.fixture(scope="module")
def board() -> ec.Collection:
    return ec.load(BOARD)


@pytest.fixture(scope="module")
def scores(board):
    return ec.evaluate('Score("score")', board)


def test_make_board_writes_the_committed_files():
    assert [name for name, text in make().items() if (BOARD / name).read_text() != text] == []


def test_its_size_and_its_gaps(board, scores):
    assert (len(board.systems), len(board.topics), len(set(board.assessments.groups["group"]))) == (40, 56, 7)
    assert int(scores.isna().to_numpy().sum()) == 104


def test_who_leads_is_a_matter_of_the_rule(scores):
    first = {rule: table.idxmin() for rule, table in ec.gap_effects(scores).drop(columns="missing").items()}
    assert (first["KeepGaps"], first["LeaveTopicsOut"], first["Fixed"]) == ("amber-max", "amber-max", "birch-max")
    assert ec.best_first(ec.aggregate(scores, "Borda()")).index[0] == "birch-max"


def test_two_models_do_not_come_back(board, scores):
    again = ec.evaluate('Score("rerun")', board).dropna(axis="columns", how="all")
    behind = [
        means.index[means < means["delta-xxl"]] for means in (scores[again.columns].dropna().mean(), again.mean())
    ]
    assert sorted(behind[1].difference(behind[0])) == ["birch-xxl", "cedar-large"]


def test_its_questions_have_the_answers_that_the_explanations_speak_of(board):
    solved = [solve(question, board) for question in read_exercise(BOARD / "exercises.toml").questions]
    rights = [getattr(one.right, "names", (one.right,))[0] for one in solved]
    amber, birch = "amber-max", "birch-max"
    assert rights == [birch, amber, birch, amber, 18, birch, birch, birch, 9, amber]
