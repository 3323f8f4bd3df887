"""Names of systems if there is little room."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.data.shown_names import RULES, shown_names

NAMES = st.lists(st.text("ab1._- ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=6, unique=True)


@given(NAMES, st.sets(st.sampled_from(list(RULES))))
def test_shown_names_are_distinct_and_not_empty(names, rules):
    shown = shown_names(names, None, list(rules))
    assert list(shown) == names
    assert len(set(shown.values())) == len(names)
    assert all(shown.values())


@given(NAMES)
def test_without_rules_names_are_in_full(names):
    assert shown_names(names, None, ()) == {name: name for name in names}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.txt", "b.dat", "c"], ["a", "b", "c"]),
        (["a.txt", "a.dat"], ["a.txt", "a.dat"]),  # without endings they would be alike
        (["input.bm25", "input.rm3"], ["bm25", "rm3"]),
        (["team_one_noqe.out", "mine_two_noqe.out"], ["team_one", "mine_two"]),
        (["KISTI_EN_RUN.1.dat", "KISTI_EN_RUN.2.dat", "GRIUM_EN_Run.1.dat"], ["KISTI 1", "KISTI 2", "GRIUM_EN_Run.1"]),
    ],
)
def test_a_common_beginning_is_left_out(names, expected):
    assert list(shown_names(names).values()) == expected


FILES = ["2024_input_of_group_one", "second_group_2024_final"]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["bm25+rm3", "dpr-v2"], ["bm25+rm3", "dpr-v2"]),
        (["same", "same"], FILES),  # do not separate them
        (["1", "2"], FILES),  # numbers, by which nobody knows a run
        (["", "dpr-v2"], FILES),
        (["a_tag_that_is_longer_than_the_name", "and_another_that_is_longer"], FILES),
    ],
)
def test_tags_are_names_where_they_are_different_readable_and_shorter(tags: list[str], expected: list[str]) -> None:
    inside = dict(zip(FILES, tags, strict=True))
    assert list(shown_names(FILES, tags=inside).values()) == expected
    assert list(shown_names(FILES, rules=(), tags=inside).values()) == FILES


def test_a_name_of_the_table_wins_and_others_keep_theirs():
    table = pd.DataFrame({"name": ["BM25", None]}, index=["run_bm25.txt", "run_rm3.txt"])
    assert shown_names(list(table.index), table) == {"run_bm25.txt": "BM25", "run_rm3.txt": "rm3"}


def test_duplicate_names_of_the_table_are_not_used():
    table = pd.DataFrame({"name": ["same", "same"]}, index=["a.txt", "b.txt"])
    assert shown_names(["a.txt", "b.txt"], table) == {"a.txt": "a", "b.txt": "b"}
