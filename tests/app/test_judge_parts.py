"""The table of what the parts of judges' names are: what it shows of a guess, and what it writes."""

from __future__ import annotations

import pandas as pd

from evalcore.data.manifest import Manifest
from ui.collection.judge_parts import rows, with_factors
from ui.collection.label_table import MARK

GUESSED = Manifest(judge_factors=("model", "", "part 3"))
JUDGES = ["gpt-x-1", "gpt-x-2", "llama-x-1", "other"]


def test_each_part_is_shown_with_what_it_may_be() -> None:
    table = rows(GUESSED, JUDGES, MARK)
    assert table["is one of"].tolist() == ["gpt, llama", "x", "1, 2"]
    assert table["called"].tolist() == ["model ?", "", "part 3 ?"]


def test_left_as_it_is_the_table_keeps_what_was_guessed() -> None:
    assert with_factors(GUESSED, rows(GUESSED, JUDGES, MARK), MARK) == GUESSED


def test_a_part_is_called_and_another_is_none() -> None:
    table = rows(GUESSED, JUDGES, MARK).assign(called=pd.Series(["", None, "repeat"], dtype=object))
    assert with_factors(GUESSED, table, MARK).judge_factors == ("", "", "repeat")
    assert with_factors(GUESSED, table.assign(called=""), MARK).judge_factors == ()


def test_without_factors_there_is_no_table() -> None:
    nothing = rows(Manifest(), JUDGES, MARK)
    assert nothing.empty
    assert with_factors(Manifest(), nothing, MARK) == Manifest()
    assert isinstance(nothing, pd.DataFrame)
