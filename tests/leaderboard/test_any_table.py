"""Any table of scores: numbers, or an error that says where."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from evalcore.leaderboard import (
    GAP_RULES,
    aggregate,
    gap_effects,
    standings,
)

RULES = ["Mean", "Median", "GeometricMean", "Standardised", "WinRate", "Borda", "BradleyTerry"]
CELLS = st.sampled_from(["0", "0.5", "0.5", "1", "-3", "1e300", "", "n/a", "inf", "-inf", "good", "1;2"])
NAMES = st.sampled_from(["bm25", "ql", "e5 (ours)", "7", "ünï", ""])
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.tuples(
        st.lists(NAMES, min_size=width, max_size=width),
        st.lists(st.tuples(NAMES, st.lists(CELLS, min_size=width, max_size=width)), min_size=1, max_size=4),
    )
)
SCORES = np.array([0.0, 0.5, 0.5, 1.0, -3.0, 1e300, np.nan, np.inf, -np.inf])


GAPS = ("", "n/a")


def meant(names: list[str], rows: list[tuple[str, list[str]]]) -> dict[tuple[str, str], float] | None:
    """Scores by system and topic; None if a cell is no score, or a name is missing or not unique."""
    columns = [[row[at] for _, row in rows if row[at] not in GAPS] for at in range(len(names))]
    words = [len(cells) > 1 and {*cells} == {"good"} for cells in columns]
    empty = [not any(row[at] for _, row in rows) for at in range(len(names))]
    if "" in [name for name, none in zip(names, empty, strict=True) if not none]:
        return None
    kept = [at for at, name in enumerate(names) if name and not (words[at] and not all(words))]
    names, rows = [names[at] for at in kept], [(name, [row[at] for at in kept]) for name, row in rows]
    named = [row for row in rows if any(row[1]) or len(names) == 1]  # others are remarks
    cells = [cell for _, row in named for cell in row]
    systems = [system for system, _ in named]
    if "" in (*names, *systems) or len({*names}) < len(names) or len({*systems}) < len(systems):
        return None
    if {"good", "1;2"} & {*cells} or not named or not names:
        return None
    return {
        (system, name): float(cell) if cell not in GAPS else np.nan
        for system, row in named
        for name, cell in zip(names, row, strict=True)
    }


@given(TABLES)
@settings(deadline=None, max_examples=60)
def test_a_file_has_the_scores_that_stand_in_it_or_is_refused_with_its_place(table):
    names, rows = table
    text = "\n".join(",".join(cells) for cells in [["system", *names], *([name, *row] for name, row in rows)])
    expected = meant(names, rows)
    with TemporaryDirectory() as folder:
        (Path(folder) / "score.csv").write_text(text)
        if expected is None:
            with pytest.raises(ec.InputError, match=r"score\.csv"):
                ec.load_scores(folder, missing="leave-out")
        else:
            found = ec.load_scores(folder, missing="leave-out")["score"]
            assert set(found.columns) == {system for system, _ in expected}
            for (system, topic), score in expected.items():
                np.testing.assert_equal(found.at[topic, system], score)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 2), (3, 5), (5, 3)])
@pytest.mark.parametrize("seed", range(4))
def test_all_that_a_leaderboard_shows_is_a_number_or_an_error_for_a_person(shape, seed):
    """One topic, one system, ties, gaps, infinities and numbers whose squares are infinite; numpy does not warn."""
    cells = np.random.default_rng(seed).choice(SCORES, shape)
    scores = pd.DataFrame(cells, columns=list("abcde")[: shape[1]])
    asked: list[Callable[[], object]] = [partial(aggregate, scores, f"{rule}()") for rule in RULES]
    asked += [partial(standings, scores, gaps=rule) for rule in GAP_RULES]
    asked += [partial(gap_effects, scores)]
    for question in asked:
        with contextlib.suppress(ec.InputError):
            question()
